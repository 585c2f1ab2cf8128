"""Every prioritiser, in the order in which points are shown. Add one: a file here with `points`, a line in ALL."""

from __future__ import annotations

from bot.task_prompt.prioritisers import base, mention, recency, size, task_boost
from bot.task_prompt.prioritisers.prioritiser import Prioritiser, ScorePoints

ALL: tuple[Prioritiser, ...] = (base.points, task_boost.points, recency.points, mention.points, size.points)

__all__ = ["ALL", "Prioritiser", "ScorePoints"]
