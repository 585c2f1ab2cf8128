"""Find memories: words, recency, importance and what hangs together with them, fused by reciprocal ranks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum

from bot.domain.base import FrozenModel
from bot.domain.memory import RANK_FUSION_K, Memory, MemoryReach, MemoryType, RecallOrder, faded_importance
from bot.memory.graph import related_memories
from bot.ports.memories import MemoryStore

_MAX_CANDIDATES = 200
_MAX_SEEDS = 10
"""Hits whose edges are followed: as many as a usual answer lists."""
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


async def recall(memories: MemoryStore, reach: MemoryReach, ask: RecallQuery, now: int) -> tuple[Memory, ...]:
    """Return what fits best, best first; nothing found is (), a broken store raises."""
    linked: Sequence[Memory] = ()
    if ask.words.strip():
        hits = await memories.search(reach, ask.words, _MAX_CANDIDATES)
        candidates = [memory for memory, _ in hits]
        if ask.mode is RecallMode.HYBRID:
            linked = await _linked(memories, reach, candidates)
    else:
        return tuple(await memories.foremost(reach, _ORDERS[ask.mode], ask.type, now, ask.limit))
    if ask.type is not None:
        candidates = [memory for memory in candidates if memory.body.type is ask.type]
        linked = [memory for memory in linked if memory.body.type is ask.type]
    return rank_memories(candidates, linked, ask, now)[: ask.limit]


def rank_memories(
    by_words: Sequence[Memory], linked: Sequence[Memory], ask: RecallQuery, now: int
) -> tuple[Memory, ...]:
    """Order what was found: by how well its words fit, and by how closely it hangs together with that."""
    recent = sorted(by_words, key=lambda memory: (-memory.body.created_at, -memory.id))
    important = sorted(by_words, key=lambda memory: (-effective_importance(memory, now), -memory.id))
    match ask.mode:
        case RecallMode.RECENT:
            return tuple(recent)
        case RecallMode.IMPORTANT | RecallMode.TYPED:
            return tuple(important)
        case RecallMode.HYBRID:
            rankings = [by_words, recent, important, linked]
            known = {memory.id: memory for memory in (*by_words, *linked)}
            return tuple(known[row] for row in fuse([memory.id for memory in ranking] for ranking in rankings))


def fuse(rankings: Iterable[Sequence[int]]) -> list[int]:
    """Merge rankings by the sum of 1 / (60 + rank); ties go to the newer row."""
    scores: dict[int, float] = {}
    for ranking in rankings:
        for rank, row in enumerate(ranking, start=1):
            scores[row] = scores.get(row, 0.0) + 1 / (RANK_FUSION_K + rank)
    return sorted(scores, key=lambda row: (-scores[row], -row))


async def _linked(memories: MemoryStore, reach: MemoryReach, hits: Sequence[Memory]) -> list[Memory]:
    """Return what hangs together with the best hits, the closest first; edges and their ends are within the reach."""
    known = {memory.id: memory for memory in hits}
    rows = (await related_memories(memories, reach, [memory.id for memory in hits[:_MAX_SEEDS]]))[:_MAX_LINKED]
    found = [known.get(row) or await memories.get(row) for row in rows]
    return [memory for memory in found if memory is not None and not memory.forgotten_at]


def effective_importance(memory: Memory, now: int) -> float:
    """Return the importance at `now`, by how long ago it was stored or read."""
    body = memory.body
    return faded_importance(body.importance, body.type, now - max(body.created_at, memory.last_accessed))
