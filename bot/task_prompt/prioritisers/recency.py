"""What changed lately matters more: half as much for every day."""

from __future__ import annotations

from bot.task_prompt.chunk import ContextChunk
from bot.task_prompt.prioritisers.prioritiser import ScorePoints
from bot.task_prompt.task import TaskBrief

MAX_POINTS = 100.0
HALF_LIFE_HOURS = 24.0
_MS_PER_HOUR = 3_600_000


def points(chunk: ContextChunk, task: TaskBrief) -> ScorePoints:
    """Give 100 x 0.5^(age in hours / 24); nothing where no age is known, and a time to come counts as now."""
    if chunk.metadata.modified_at is None:
        return ScorePoints(0.0)
    hours = max(0, task.at - chunk.metadata.modified_at) / _MS_PER_HOUR
    return ScorePoints(round(MAX_POINTS * 0.5 ** (hours / HALF_LIFE_HOURS), 3), f"{hours:.1f} h old")
