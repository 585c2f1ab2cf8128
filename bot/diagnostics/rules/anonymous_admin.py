"""ANON-ADMIN: an admin wrote in the group's name, and nobody can tell which of them it was."""

from __future__ import annotations

from collections.abc import Iterator

from bot.diagnostics.evidence.adapter_facts import platform_title
from bot.diagnostics.evidence.evidence import Evidence
from bot.diagnostics.evidence.evidence_reader import (
    GateName,
    GateStop,
    gate_ref,
    gate_stop,
    message,
    message_ref,
    outcome,
    place_name,
)
from bot.domain.finding import Confidence, EvidenceRef, Finding, FunnelStage
from bot.domain.ledger import Outcome
from bot.domain.messages import AuthorKind
from bot.sentences import say

_LIST = "allowed_users"


def check(evidence: Evidence) -> Iterator[Finding]:
    """Look for a list that only knows people, then for a command that was refused."""
    if (stop := nameless_stop(evidence)) is not None:
        record = gate_ref(stop, say("gate_access.record", gate=stop.gate))
        yield _finding(evidence, record, say("anonymous_admin.list-holds-people", list=_LIST))
    elif outcome(evidence) is Outcome.COMMAND and _was_refused(evidence):
        yield _finding(evidence, (), say("anonymous_admin.not-obeyed"))


def nameless_stop(evidence: Evidence) -> GateStop | None:
    """Return the gate that looked for a person on its list and found the name of a group."""
    stop, found = gate_stop(evidence), message(evidence)
    if stop is None or found is None or found.inbound.author.kind is not AuthorKind.ANONYMOUS_ADMIN:
        return None
    return stop if stop.gate == GateName.SENDER and stop.compared.get("list") == _LIST else None


def _was_refused(evidence: Evidence) -> bool:
    found = message(evidence)
    return found is not None and found.outcome_reason.endswith(f"denied: {AuthorKind.ANONYMOUS_ADMIN}")


def _finding(evidence: Evidence, refs: tuple[EvidenceRef, ...], line: str) -> Finding:
    name = platform_title(evidence.target.channel)
    return Finding(
        rule="ANON-ADMIN",
        stage=FunnelStage.GATE,
        confidence=Confidence.CONFIRMED,
        verdict=say("anonymous_admin.verdict", place=place_name(evidence)),
        why=(say("anonymous_admin.groups-name"), say("anonymous_admin.not-which", name=name), line),
        evidence=(*refs, *message_ref(evidence)),
        advice=say("anonymous_admin.own-name"),
    )
