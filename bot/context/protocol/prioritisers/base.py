"""What a chunk's priority alone gives."""

from __future__ import annotations

from bot.context.protocol.chunk import ContextChunk
from bot.context.protocol.prioritisers.prioritiser import Points
from bot.context.protocol.task import Task


def points(chunk: ContextChunk, task: Task) -> Points:
    """Give 1000 for CRITICAL down to 100 for MINIMAL."""
    return Points(float(chunk.priority), chunk.priority.name.lower())
