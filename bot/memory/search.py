"""Find memories: words, meaning, recency, importance and what hangs together with them, fused by reciprocal ranks."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from bot.domain.base import FrozenModel
from bot.domain.ids import ChannelKey
from bot.domain.memory import (
    Memory,
    MemoryHit,
    MemoryReach,
    MemoryType,
    RecallOrder,
    faded_importance,
    fuse,
)
from bot.memory.graph import related_memories
from bot.ports.embeddings import MeaningSearch
from bot.ports.memories import MemoryStore
from bot.text.terms import terms
from bot.text.time_spans import TimeSpan, read_time_span

_MAX_CANDIDATES = 100
_MAX_SEEDS = 10
"""Hits whose edges are followed: as many as a usual answer lists."""
_MAX_OF_A_TIME = 50
_FITS_AS_WELL = 0.5
"""What fits half as well as the best hit is weighed against it by time and importance."""
_TIMES_OF_TIME = 2
"""That something is of the time that a question names counts as much as two other rankings."""
_MAX_LINKED = 25
"""The most that an answer can list."""


class RecallMode(StrEnum):
    """What counts most in a search."""

    HYBRID = "hybrid"
    RECENT = "recent"
    IMPORTANT = "important"
    TYPED = "typed"


_ORDERS = {
    RecallMode.HYBRID: RecallOrder.HYBRID,
    RecallMode.RECENT: RecallOrder.RECENT,
    RecallMode.IMPORTANT: RecallOrder.IMPORTANT,
    RecallMode.TYPED: RecallOrder.IMPORTANT,
}


class RecallQuery(FrozenModel):
    """A question to memory. Without words everything in reach is a candidate."""

    words: str = ""
    mode: RecallMode = RecallMode.HYBRID
    type: MemoryType | None = None
    limit: int = 8


class Searched(NamedTuple):
    """Where is searched, and for whom. `asked_in` is the conversation in which it was asked (None: in private)."""

    memories: MemoryStore
    meaning: MeaningSearch
    reach: MemoryReach
    asked_in: ChannelKey | None = None


async def recall(searched: Searched, ask: RecallQuery, now: int) -> tuple[Memory, ...]:
    """Return what fits best, best first; nothing found is (), a broken store raises."""
    memories, reach = searched.memories, searched.reach
    if not ask.words.strip():
        return tuple(await memories.foremost(reach, _ORDERS[ask.mode], ask.type, now, ask.limit))
    if ask.mode is RecallMode.HYBRID:
        rows = await _hybrid(searched, ask, now)
    else:
        hits = await memories.hits(reach, ask.words, ask.type, _MAX_CANDIDATES)
        rows = _by_time(hits) if ask.mode is RecallMode.RECENT else _by_importance(hits, now)
    found: list[Memory] = []
    while rows and len(found) < ask.limit:
        # what was altered behind our back is found and cannot be read
        some, rows = rows[: ask.limit - len(found)], rows[ask.limit - len(found) :]
        found += await memories.several(some)
    return tuple(found)


async def _hybrid(searched: Searched, ask: RecallQuery, now: int) -> list[int]:
    """Find by words, by what is meant, by the time that the question names, and by what hangs together with that."""
    memories, reach = searched.memories, searched.reach
    span = read_time_span(ask.words, now)
    words = span.rest if span and terms(span.rest) else ask.words
    hits = await memories.hits(reach, words, ask.type, _MAX_CANDIDATES)
    near = await searched.meaning.nearest(reach, words, ask.type, searched.asked_in)
    linked = [m.id for m in await _linked(memories, reach, hits) if ask.type in {None, m.body.type}]
    of_time = () if span is None else await _at_that_time(memories, reach, ask, hits, span)
    return rank_hits(FoundHits(hits, near, of_time, linked), now)


async def _at_that_time(
    memories: MemoryStore, reach: MemoryReach, ask: RecallQuery, hits: Sequence[MemoryHit], span: TimeSpan
) -> list[MemoryHit]:
    """Return what is of the time that a question names: what its words found first, then the newest."""
    by_words = [hit for hit in hits if span.since <= hit.created_at < span.until]
    known = {hit.id for hit in by_words}
    others = await memories.hits_between(reach, span.since, span.until, ask.type, _MAX_OF_A_TIME)
    return by_words + [hit for hit in others if hit.id not in known]


class FoundHits(NamedTuple):
    """What was found, in the order of each way: by words, by meaning, by the time that is named, and by edges."""

    by_words: Sequence[MemoryHit]
    near: Sequence[MemoryHit] = ()
    of_time: Sequence[MemoryHit] = ()
    linked: Sequence[int] = ()


def rank_hits(found: FoundHits, now: int) -> list[int]:
    """Order what was found: by how well it fits, by time and importance, and by what hangs together with that.

    Time and importance decide among what fits about as well as the best, and never for what hardly fits. Where a
    question names a time, what is of that time comes first.
    """
    fitting = [*found.of_time, *_about_as_good(found.by_words), *_about_as_good(found.near)]
    candidates = list({hit.id: hit for hit in fitting}.values())
    by_words, near, of_time = (_rows(hits) for hits in (found.by_words, found.near, found.of_time))
    rankings = [by_words, near, _by_time(candidates), _by_importance(candidates, now), found.linked]
    return fuse([*rankings, *(of_time,) * _TIMES_OF_TIME])


def _rows(hits: Sequence[MemoryHit]) -> list[int]:
    return [hit.id for hit in hits]


def _about_as_good(hits: Sequence[MemoryHit]) -> list[MemoryHit]:
    enough = hits[0].score * _FITS_AS_WELL if hits else 0.0
    return [hit for hit in hits if hit.score >= enough]


def _by_time(hits: Sequence[MemoryHit]) -> list[int]:
    return [hit.id for hit in sorted(hits, key=lambda hit: (-hit.created_at, -hit.id))]


def _by_importance(hits: Sequence[MemoryHit], now: int) -> list[int]:
    return [hit.id for hit in sorted(hits, key=lambda hit: (-hit.importance_at(now), -hit.id))]


async def _linked(memories: MemoryStore, reach: MemoryReach, hits: Sequence[MemoryHit]) -> list[Memory]:
    """Return what hangs together with the best hits, the closest first; edges and their ends are within the reach."""
    rows = await related_memories(memories, reach, [hit.id for hit in hits[:_MAX_SEEDS]])
    return list(await memories.several(rows[:_MAX_LINKED]))


def effective_importance(memory: Memory, now: int) -> float:
    """Return the importance at `now`, by how long ago it was stored or read."""
    body = memory.body
    return faded_importance(body.importance, body.type, now - max(body.created_at, memory.last_accessed))
