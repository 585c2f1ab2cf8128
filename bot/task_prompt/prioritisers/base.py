"""What a chunk's priority alone gives."""

from __future__ import annotations

from bot.task_prompt.chunk import ContextChunk
from bot.task_prompt.prioritisers.prioritiser import ScorePoints
from bot.task_prompt.task import TaskBrief


def points(chunk: ContextChunk, task: TaskBrief) -> ScorePoints:
    """Give 1000 for CRITICAL down to 100 for MINIMAL."""
    return ScorePoints(float(chunk.priority), chunk.priority.name.lower())
