"""Tell a memory's story in lines for a phone: who caused it, where, when it was read, and what came of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from bot.cortex.words.fix_preview import origins_line, rank_word
from bot.domain.handles import HandleKind, handle
from bot.domain.ids import ChannelId, platform_of
from bot.domain.memory import Memory, MemoryEdge, RelationKind
from bot.domain.permalinks import message_link
from bot.domain.platform_names import PlatformNames
from bot.memory.graph import relation_lines
from bot.sentences import say
from bot.text.figures import decimal
from bot.text.text import one_line_name
from bot.text.times import age


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
    gone = (say("memory_story.forgotten", age=age(now - memory.forgotten_at)),) if memory.forgotten_at else ()
    scope, version, times = body.scope.value, memory.version, body.confirmed
    if times > 1 and body.confirmed_at:
        last = age(now - body.confirmed_at)
        known = say("memory_story.known-often-last", scope=scope, version=version, times=times, age=last)
    elif times > 1:
        known = say("memory_story.known-often", scope=scope, version=version, times=times)
    else:
        known = say("memory_story.known", scope=scope, version=version)
    return (*gone, say("memory_story.kind", type=body.type.value, importance=decimal(body.importance, 2)), known)


def story_lines(memory: Memory, trail: MemoryTrail, now: int) -> Iterator[str]:
    """Say who caused a memory, by which message, when it was read, and into which requests it went."""
    body, caused = memory.body, memory.body.provenance
    author = one_line_name(caused.author_name or say("fix_preview.someone"), 32)
    yield say("memory_story.caused-by", name=author, user=caused.author, rank=rank_word(caused))
    yield _where(memory, trail, now)
    if line := origins_line(caused.origins):
        yield say("memory_story.origins", counts=line)
    if body.subjects:
        known = {caused.author: caused.author_name, **trail.names}
        people = (
            one_line_name(known[one], 32) if known.get(one) else say("memory_story.id", user=one)
            for one in body.subjects
        )
        yield say("memory_story.about", people=", ".join(people))
    if memory.access_count:
        yield say("memory_story.looked-up", times=memory.access_count, age=age(now - memory.last_accessed))
    else:
        yield say("memory_story.never-looked-up")
    if trail.requests:
        named = ", ".join(handle(HandleKind.REQUEST, row) for row in trail.requests)
        told = "memory_story.told-in-more" if trail.more_requests else "memory_story.told-in"
        yield say(told, count=len(trail.requests), handles=named)
    else:
        yield say("memory_story.never-told")
    if body.treatment:
        yield say("memory_story.flagged", subjects=", ".join(body.treatment))
    for line in relation_lines(memory.id, trail.edges):
        is_passive = line.split()[0].endswith("ed")
        yield say("memory_story.related-passive" if is_passive else "memory_story.related", relation=line)
    for edge in trail.edges:
        if edge.kind is RelationKind.RESEMBLES:
            names = f"{handle(HandleKind.MEMORY, edge.target)} {handle(HandleKind.MEMORY, edge.source)}"
            yield say("memory_story.may-merge", handles=names)


def message_url(memory: Memory, platforms: PlatformNames) -> str:
    """Write the link to the message by which a memory was learnt; empty where there is none."""
    channel = ChannelId(memory.body.channel)
    return message_link(channel, memory.body.provenance.message_id, platforms.kind_of(platform_of(channel)))


def _where(memory: Memory, trail: MemoryTrail, now: int) -> str:
    caused, ago, place = memory.body.provenance, age(now - memory.body.created_at), one_line_name(trail.place, 32)
    if caused.inbound:
        name = handle(HandleKind.INBOUND, caused.inbound)
        return say("memory_story.ago-in-message", age=ago, place=place, handle=name)
    return say("memory_story.ago-in-unrecorded" if caused.message_id else "memory_story.ago-in", age=ago, place=place)
