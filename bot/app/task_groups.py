"""Who owns the tasks of a bot, and the failure of one that ends it."""

from __future__ import annotations

import asyncio
from typing import NamedTuple

import structlog

from bot.errors import StoreError
from bot.runtime.tasks import OnFailure, Tasks

log = structlog.get_logger(__name__)


class FatalFailure:
    """The failure that ends the process: the first one of the store. Who runs the bot waits for it."""

    def __init__(self) -> None:
        self.error: StoreError | None = None
        self._came = asyncio.Event()

    async def hear(self, name: str, error: BaseException) -> None:
        """Take the failure of a task; every other kind than the store's has been dealt with where it happened."""
        if isinstance(error, StoreError) and self.error is None:
            log.critical("store_failed", task=name, error=str(error))
            self.error = error
            self._came.set()

    async def wait(self) -> None:
        """Return when there is one."""
        await self._came.wait()


class TaskGroups(NamedTuple):
    """The tasks, by who owns them, in the order in which they are closed: sending last, so that words still go out."""

    messaging: Tasks
    cortex: Tasks
    aside: Tasks
    sending: Tasks

    @classmethod
    def of(cls, on_failure: OnFailure) -> TaskGroups:
        """Make them, with one who hears of every failure."""
        return cls(Tasks(on_failure), Tasks(on_failure), Tasks(on_failure), Tasks(on_failure))

    async def idle(self) -> None:
        """Wait until none of them does anything."""
        circles = (self.messaging, self.cortex, self.aside, self.sending)
        while any(tasks.busy for tasks in circles):
            for tasks in circles:
                await tasks.idle()
