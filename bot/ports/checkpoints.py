"""How far tasks have come, so that one that was cut off can be resumed."""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol

from bot.domain.base import FrozenModel, JsonText
from bot.domain.ids import ChannelId


class StoredCheckpoint(FrozenModel):
    """How far a task has come. `session_id` names it for as long as it lasts, `turn` is the turn that works on it.

    `state` is created, running, waiting, completed, failed, cancelled or interrupted; `at` is UTC ms; `version` is the
    shape of `body`, which is for its owner to read.
    """

    agent: str
    session_id: str
    turn: int
    at: int
    state: str
    version: int
    body: JsonText


class CheckpointStore(Protocol):
    """The newest checkpoint of each task."""

    async def save(self, checkpoint: StoredCheckpoint) -> None:
        """Keep it in the place of the one before, in one transaction."""

    async def restore(self, agent: str, session_id: str) -> StoredCheckpoint | None:
        """Return the newest of a task, None when there is none."""

    async def of_turn(self, turn: int) -> StoredCheckpoint | None:
        """Return that of the task which a turn works on."""

    async def take_up(self, agent: str, session_id: str, at: int) -> StoredCheckpoint | None:
        """Set an interrupted task running again and return it; None where it is not interrupted (any more)."""

    async def interrupt(self, at: int, channels: Collection[ChannelId] | None = None) -> int:
        """Say of every task that was under way that it was interrupted; return how many.

        For whoever takes up what a process left that is over: everything, or what was done from some `channels`. What
        belongs to a talk of an admin is done from their private chat.
        """
