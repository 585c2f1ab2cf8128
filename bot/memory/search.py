"""Find memories: words, recency, importance and what hangs together with them, fused by reciprocal ranks."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from bot.domain.base import FrozenModel
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
    if not ask.words.strip():
        return tuple(await memories.foremost(reach, _ORDERS[ask.mode], ask.type, now, ask.limit))
    hits = await memories.hits(reach, ask.words, ask.type, _MAX_CANDIDATES)
    linked: Sequence[Memory] = ()
    if ask.mode is RecallMode.HYBRID:
        linked = await _linked(memories, reach, hits)
        linked = [memory for memory in linked if ask.type in {None, memory.body.type}]
    rows = rank_hits(hits, [memory.id for memory in linked], ask.mode, now)
    found: list[Memory] = []
    while rows and len(found) < ask.limit:
        # what was altered behind our back is found and cannot be read
        some, rows = rows[: ask.limit - len(found)], rows[ask.limit - len(found) :]
        found += await memories.several(some)
    return tuple(found)


def rank_hits(hits: Sequence[MemoryHit], linked: Sequence[int], mode: RecallMode, now: int) -> list[int]:
    """Order what was found: by how well its words fit, and by how closely it hangs together with that."""
    recent = [hit.id for hit in sorted(hits, key=lambda hit: (-hit.created_at, -hit.id))]
    important = [hit.id for hit in sorted(hits, key=lambda hit: (-hit.importance_at(now), -hit.id))]
    match mode:
        case RecallMode.RECENT:
            return recent
        case RecallMode.IMPORTANT | RecallMode.TYPED:
            return important
        case RecallMode.HYBRID:
            return fuse([[hit.id for hit in hits], recent, important, linked])


async def _linked(memories: MemoryStore, reach: MemoryReach, hits: Sequence[MemoryHit]) -> list[Memory]:
    """Return what hangs together with the best hits, the closest first; edges and their ends are within the reach."""
    rows = await related_memories(memories, reach, [hit.id for hit in hits[:_MAX_SEEDS]])
    return list(await memories.several(rows[:_MAX_LINKED]))


def effective_importance(memory: Memory, now: int) -> float:
    """Return the importance at `now`, by how long ago it was stored or read."""
    body = memory.body
    return faded_importance(body.importance, body.type, now - max(body.created_at, memory.last_accessed))
