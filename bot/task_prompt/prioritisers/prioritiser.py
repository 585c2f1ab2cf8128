"""What a prioritiser is: it looks at a chunk and a task, and gives points with a reason."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from bot.task_prompt.chunk import ContextChunk
from bot.task_prompt.task import TaskBrief


class ScorePoints(NamedTuple):
    """Points, negative as a penalty, and why."""

    points: float
    why: str = ""


Prioritiser = Callable[[ContextChunk, TaskBrief], ScorePoints]
"""Pure. It is named by its module."""
