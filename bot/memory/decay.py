"""How much a memory counts now: computed when it is read, so that nothing stored ever drifts."""

from __future__ import annotations

from bot.domain.memory import Memory, MemoryType

_HALF_LIFE_DAYS = 90.0
_FLOOR = 0.1
"""A memory fades to a tenth of its importance, never to nothing."""
_DAY_MS = 86_400_000


def effective_importance(memory: Memory, now: int) -> float:
    """Return the importance at `now`: halved every 90 days in which nobody read it; an identity never fades."""
    base = memory.body.importance
    if memory.body.type is MemoryType.IDENTITY:
        return base
    idle = max(0, now - max(memory.body.created_at, memory.last_accessed)) / _DAY_MS
    kept: float = 0.5 ** (idle / _HALF_LIFE_DAYS)
    return base * (_FLOOR + (1 - _FLOOR) * kept)
