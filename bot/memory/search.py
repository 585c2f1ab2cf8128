"""Find memories: words, meaning, recency, importance and what hangs together with them, fused by reciprocal ranks."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from bot.domain.base import FrozenModel
from bot.domain.ids import ChannelKey
from bot.domain.memory import (
    RANK_FUSION_K,
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


class RecallWay(StrEnum):
    """What puts a memory forward: how rare the words are that it shares (bm25), what is meant, the time that a question
    names, how new it is, how important, and what it hangs together with.
    """

    WORDS = "words"
    MEANING = "meaning"
    TIME = "time"
    RECENCY = "recency"
    IMPORTANCE = "importance"
    RELATION = "relation"


class RecallPart(NamedTuple):
    """What one way gave to a memory: its place there, from 1 on, and the points."""

    way: RecallWay
    place: int
    points: float


class Recalled(NamedTuple):
    """A memory that was found, and why: the parts of its score, () where nothing was weighed."""

    memory: Memory
    parts: tuple[RecallPart, ...] = ()

    @property
    def score(self) -> float:
        """All points together."""
        return sum(part.points for part in self.parts)


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
    return tuple([one.memory for one in await recall_scored(searched, ask, now)])


async def recall_scored(searched: Searched, ask: RecallQuery, now: int) -> tuple[Recalled, ...]:
    """Return what `recall` does, each with the parts of its score."""
    memories, reach = searched.memories, searched.reach
    if not ask.words.strip():
        return tuple(map(Recalled, await memories.foremost(reach, _ORDERS[ask.mode], ask.type, now, ask.limit)))
    if ask.mode is RecallMode.HYBRID:
        hits_found = await _hybrid(searched, ask, now)
        rows, parts = rank_hits(hits_found, now), score_parts(hits_found, now)
    else:
        hits = await memories.hits(reach, ask.words, ask.type, _MAX_CANDIDATES)
        rows = _by_time(hits) if ask.mode is RecallMode.RECENT else _by_importance(hits, now)
        parts = {}
    found: list[Memory] = []
    while rows and len(found) < ask.limit:
        # what was altered behind our back is found and cannot be read
        some, rows = rows[: ask.limit - len(found)], rows[ask.limit - len(found) :]
        found += await memories.several(some)
    return tuple([Recalled(memory, parts.get(memory.id, ())) for memory in found])


async def _hybrid(searched: Searched, ask: RecallQuery, now: int) -> FoundHits:
    """Find by words, by what is meant, by the time that the question names, and by what hangs together with that."""
    memories, reach = searched.memories, searched.reach
    span = read_time_span(ask.words, now)
    words = span.rest if span and terms(span.rest) else ask.words
    hits = await memories.hits(reach, words, ask.type, _MAX_CANDIDATES)
    near = await searched.meaning.nearest(reach, words, ask.type, searched.asked_in)
    linked = [m.id for m in await _linked(memories, reach, hits) if ask.type in {None, m.body.type}]
    of_time = () if span is None else await _at_that_time(memories, reach, ask, hits, span)
    return FoundHits(hits, near, of_time, linked)


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
    return fuse([ranking for _, ranking in _rankings(found, now)])


def score_parts(found: FoundHits, now: int) -> dict[int, tuple[RecallPart, ...]]:
    """Return what each way gave to each memory that was found; the sum is what `rank_hits` orders by."""
    parts: dict[int, list[RecallPart]] = {}
    for way, ranking in _rankings(found, now):
        for place, row in enumerate(ranking, 1):
            given = parts.setdefault(row, [])
            points = 1 / (RANK_FUSION_K + place)
            if given and given[-1].way is way:
                points += given.pop().points
            given.append(RecallPart(way, place, points))
    return {row: tuple(given) for row, given in parts.items()}


def _rankings(found: FoundHits, now: int) -> list[tuple[RecallWay, Sequence[int]]]:
    fitting = [*found.of_time, *_about_as_good(found.by_words), *_about_as_good(found.near)]
    candidates = list({hit.id: hit for hit in fitting}.values())
    by_words, near, of_time = (_rows(hits) for hits in (found.by_words, found.near, found.of_time))
    return [
        (RecallWay.WORDS, by_words),
        (RecallWay.MEANING, near),
        (RecallWay.RECENCY, _by_time(candidates)),
        (RecallWay.IMPORTANCE, _by_importance(candidates, now)),
        (RecallWay.RELATION, found.linked),
        *((RecallWay.TIME, of_time),) * _TIMES_OF_TIME,
    ]


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
