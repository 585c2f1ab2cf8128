"""What a chunk's priority alone gives."""

from __future__ import annotations

from bot.task_prompt.chunk import ContextChunk
from bot.task_prompt.prioritisers.prioritiser import Points
from bot.task_prompt.task import Task


def points(chunk: ContextChunk, task: Task) -> Points:
    """Give 1000 for CRITICAL down to 100 for MINIMAL."""
    return Points(float(chunk.priority), chunk.priority.name.lower())
