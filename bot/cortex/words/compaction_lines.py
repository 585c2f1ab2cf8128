"""Describe a compaction in lines: its kind, size and state first, nobody's words."""

from __future__ import annotations

from bot.domain.handles import HandleKind, handle
from bot.ports.compactions import StoredCompaction
from bot.sentences import say
from bot.text.figures import quantity
from bot.text.text import quote_line
from bot.text.times import minute


def summary_lines(stored: StoredCompaction) -> tuple[str, ...]:
    """Describe a compaction without anybody's words."""
    body = stored.body
    lines = [line(stored), _how(stored)]
    if stored.decided_at != body.at and stored.reason:
        state, time = stored.state.value, minute(stored.decided_at)
        lines.append(say("compaction_lines.decided", state=state, time=time, reason=stored.reason))
    if body.turn:
        lines.append(say("compaction_lines.written-in", handle=handle(HandleKind.TURN, body.turn)))
    return tuple(lines)


def _how(stored: StoredCompaction) -> str:
    body = stored.body
    values = {"time": minute(body.at), "percent": f"{body.percent:g}", "level": body.level.value}
    if not body.model:
        return say("compaction_lines.by-rules", **values)
    if not body.requests:
        return say("compaction_lines.by-model-unknown", model=body.model, **values)
    return say("compaction_lines.by-model", model=body.model, requests=body.requests, **values)


def missing_line(stored: StoredCompaction) -> str:
    """List the names, ids and numbers of the sources that no summary mentions."""
    return ", ".join(quote_line(name, 60) for name in stored.body.missing)


def line(stored: StoredCompaction) -> str:
    """Describe it on one line."""
    body = stored.body
    what = f"{name_of(stored)} {stored.state.value} · {body.type.value.replace('_', ' ')}"
    turns = say("compaction_lines.took", turns=len(body.taken), messages=body.sources)
    if not body.tokens_after:
        return f"{what} · {turns}{f' · {quote_line(stored.reason, 120)}' if stored.reason else ''}"
    size = say("compaction_lines.size", before=quantity(body.tokens_before), after=body.tokens_after)
    lacks = (say("compaction_lines.lacks", count=len(body.missing)),) if body.missing else ()
    return " · ".join((what, turns, size, *lacks))


def name_of(stored: StoredCompaction) -> str:
    """Return the handle of a compaction."""
    return handle(HandleKind.COMPACTION, stored.id)
