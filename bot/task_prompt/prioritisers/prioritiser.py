"""What a prioritiser is: it looks at a chunk and a task, and gives points with a reason."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from bot.task_prompt.chunk import ContextChunk
from bot.task_prompt.task import Task


class Points(NamedTuple):
    """Points, negative as a penalty, and why."""

    points: float
    why: str = ""


Prioritiser = Callable[[ContextChunk, Task], Points]
"""Pure. It is named by its module."""
