"""Tell a memory's story in lines for a phone: who caused it, where, when it was read, and what came of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from bot.cortex.words.fix_preview import origins_line, rank_word
from bot.domain.handles import HandleKind, handle
from bot.domain.ids import ChannelId
from bot.domain.memory import Memory, MemoryEdge, MemoryScope, RelationKind
from bot.domain.permalinks import message_link
from bot.memory.graph import relation_lines
from bot.text.text import one_line_name
from bot.text.times import age

_NOBODY = "someone"
_SCOPES = {
    MemoryScope.CHANNEL: "in that channel",
    MemoryScope.USER: "with one person",
    MemoryScope.GUILD: "on the whole server",
    MemoryScope.GLOBAL: "everywhere",
}


class MemoryTrail(NamedTuple):
    """What is on record about a memory: where it was learnt by name, its edges, the newest requests that it was in.

    `names` are those of the people it is about, by id; `more_requests`: it was in others too.
    """

    place: str
    edges: Sequence[MemoryEdge] = ()
    requests: Sequence[int] = ()
    more_requests: bool = False
    names: Mapping[str, str] = MappingProxyType({})


def own_lines(memory: Memory, now: int) -> tuple[str, ...]:
    """Say what of a memory tells nothing of its words: its type, how much it counts, where it is known, its state."""
    body = memory.body
    gone = (f"Forgotten {age(now - memory.forgotten_at)} ago.",) if memory.forgotten_at else ()
    last = f", last {age(now - body.confirmed_at)} ago" if body.confirmed_at else ""
    often = f", said {body.confirmed} times{last}" if body.confirmed > 1 else ""
    known = f"Known {_SCOPES[body.scope]}, version {memory.version}{often}."
    return (*gone, f"A memory: {body.type.value}, importance {body.importance:.2f}.", known)


def story_lines(memory: Memory, trail: MemoryTrail, now: int) -> Iterator[str]:
    """Say who caused a memory, by which message, when it was read, and into which requests it went."""
    body, caused = memory.body, memory.body.provenance
    yield f"Caused by {one_line_name(caused.author_name or _NOBODY, 32)} (id {caused.author}), {rank_word(caused)},"
    yield f"{age(now - body.created_at)} ago in {one_line_name(trail.place, 32)}{_by_message(memory)}."
    if line := origins_line(caused.origins):
        yield f"It {line}."
    if body.subjects:
        known = {caused.author: caused.author_name, **trail.names}
        people = (one_line_name(known[one], 32) if known.get(one) else f"id {one}" for one in body.subjects)
        yield f"About {', '.join(people)}."
    times = memory.access_count
    if times:
        yield f"Looked up {times} time{'s' * (times != 1)}, last {age(now - memory.last_accessed)} ago."
    else:
        yield "Never looked up by a tool."
    if trail.requests:
        many = f"{len(trail.requests)}{'+' * trail.more_requests}"
        named = ", ".join(handle(HandleKind.REQUEST, row) for row in trail.requests)
        yield f"The model was told it in {many} request{'s' * (many != '1')}: {named}"
    else:
        yield "No request on record told it to the model."
    if body.treatment:
        yield f"⚑ By a non-admin, and about {', '.join(body.treatment)}."
    for line in relation_lines(memory.id, trail.edges):
        yield f"It {'is ' * line.split()[0].endswith('ed')}{line}"
    for edge in trail.edges:
        if edge.kind is RelationKind.RESEMBLES:
            names = f"{handle(HandleKind.MEMORY, edge.target)} {handle(HandleKind.MEMORY, edge.source)}"
            yield f"`memory merge {names}` makes one of two; moderators propose it: `memory propose merge`."


def message_url(memory: Memory) -> str:
    """Write the link to the message by which a memory was learnt; empty where there is none."""
    return message_link(ChannelId(memory.body.channel), memory.body.provenance.message_id)


def _by_message(memory: Memory) -> str:
    caused = memory.body.provenance
    if caused.inbound:
        return f", by message {handle(HandleKind.INBOUND, caused.inbound)}"
    return ", by a message that has no record" if caused.message_id else ""
