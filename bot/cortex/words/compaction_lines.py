"""Describe a compaction in lines: its kind, size and state first, nobody's words."""

from __future__ import annotations

from bot.domain.handles import HandleKind, handle
from bot.ports.compactions import StoredCompaction
from bot.text.figures import exact_number, quantity
from bot.text.text import quote_line
from bot.text.times import minute


def summary_lines(stored: StoredCompaction) -> tuple[str, ...]:
    """Describe a compaction without anybody's words."""
    body = stored.body
    who = f"by {body.model}" if body.model else "by rules, without a model"
    requests = f", {body.requests} request{'s' * (body.requests != 1)}" if body.requests else ""
    lines = [
        line(stored),
        f"{minute(body.at)} UTC, {who}{requests} · the context was {body.percent:g} % full ({body.level.value})",
    ]
    if stored.decided_at != body.at and stored.reason:
        lines.append(f"{stored.state.value} at {minute(stored.decided_at)} UTC: {stored.reason}")
    if body.turn:
        lines.append(f"written in {handle(HandleKind.TURN, body.turn)}")
    return tuple(lines)


def missing_line(stored: StoredCompaction) -> str:
    """List the names, ids and numbers of the sources that no summary mentions."""
    return ", ".join(quote_line(name, 60) for name in stored.body.missing)


def line(stored: StoredCompaction) -> str:
    """Describe it on one line."""
    body = stored.body
    what = f"{name_of(stored)} {stored.state.value} · {body.type.value.replace('_', ' ')}"
    turns = f"{len(body.taken)} turn{'s' * (len(body.taken) != 1)}, {body.sources} message{'s' * (body.sources != 1)}"
    if not body.tokens_after:
        return f"{what} · {turns}{f' · {quote_line(stored.reason, 120)}' if stored.reason else ''}"
    size = f"{quantity(body.tokens_before)} to {exact_number(body.tokens_after)} tokens"
    lacks = f" · {len(body.missing)} names or numbers not in it" if body.missing else ""
    return f"{what} · {turns} · {size}{lacks}"


def name_of(stored: StoredCompaction) -> str:
    """Return the handle of a compaction."""
    return handle(HandleKind.COMPACTION, stored.id)
