"""What plugins add to how a task's context is gathered and weighed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from bot.task_prompt.chunk import ChunkPriority
from bot.task_prompt.gatherers.gatherer import Gather
from bot.task_prompt.prioritisers import ALL, Prioritiser
from bot.task_prompt.task import TaskType


class AddedPieces(NamedTuple):
    """Gatherers of plugins, each with the tasks that want it, and their prioritisers."""

    gatherers: Sequence[tuple[Gather, Mapping[TaskType, ChunkPriority]]] = ()
    prioritisers: Sequence[Prioritiser] = ()

    @property
    def every(self) -> tuple[Prioritiser, ...]:
        """The bot's own prioritisers, and behind them those of plugins."""
        return (*ALL, *self.prioritisers)


NO_PIECES = AddedPieces()
