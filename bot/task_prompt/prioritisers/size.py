"""What a very large chunk would take from all others."""

from __future__ import annotations

from bot.task_prompt.chunk import ContextChunk
from bot.task_prompt.prioritisers.prioritiser import ScorePoints
from bot.task_prompt.task import TaskBrief

FREE_SHARE = 0.25
"""The share of the budget above which size costs points."""
MAX_PENALTY = 200.0


def points(chunk: ContextChunk, task: TaskBrief) -> ScorePoints:
    """Take nothing up to a quarter of the budget, then ever more, up to 200 for one that would fill it."""
    share = chunk.tokens / max(task.budget, 1)
    if share <= FREE_SHARE:
        return ScorePoints(0.0)
    penalty = min(MAX_PENALTY, MAX_PENALTY * (share - FREE_SHARE) / (1 - FREE_SHARE))
    return ScorePoints(-round(penalty, 3), f"{chunk.tokens} of {task.budget} tokens")
