"""Say in words what somebody did, as it stands in the audit."""

from __future__ import annotations

from bot.domain.finding import AuditRow, NewAudit
from bot.domain.handles import HandleKind, handle
from bot.sentences import say
from bot.text.text import one_line_name
from bot.text.times import clock_time


def audit_line(row: AuditRow) -> str:
    """Write an audit row on one line, with the time of the day."""
    return f"{clock_time(row.body.at)} {audit_words(row)}"


def audit_words(row: AuditRow) -> str:
    """Say what was done, where, by whom, and what took it back."""
    body = row.body
    who = say("records.person", name=one_line_name(body.actor_name, 32), user=body.actor)
    parts = [one_line_name(audited_deed(body), 300), body.target, who]
    if row.undone_by:
        parts.append(say("records.undone-by", handle=handle(HandleKind.AUDIT, row.undone_by)))
    return " · ".join((*parts, handle(HandleKind.AUDIT, row.id)))


def audited_deed(body: NewAudit) -> str:
    """Say what somebody did, without where and when."""
    return say("records.did", verb=body.action.replace(" ", "-"), action=body.action, what=body.detail)
