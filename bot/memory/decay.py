"""How much a memory counts now: computed when it is read, so that nothing stored ever drifts."""

from __future__ import annotations

from bot.domain.memory import Memory, faded


def effective_importance(memory: Memory, now: int) -> float:
    """Return the importance at `now`, by how long ago it was stored or read."""
    body = memory.body
    return faded(body.importance, body.type, now - max(body.created_at, memory.last_accessed))
