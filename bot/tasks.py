"""Supervised tasks: every task has a parent, and a failure is never lost."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

import structlog

OnFailure = Callable[[str, BaseException], Awaitable[None]]

log = structlog.get_logger(__name__)


class Tasks:
    """The tasks of one owner. A task that fails is reported once and does not take its siblings with it."""

    def __init__(self, on_failure: OnFailure | None = None) -> None:
        self._running: set[asyncio.Task[None]] = set()
        self._on_failure = on_failure
        self._closed = False

    def spawn(self, name: str, work: Coroutine[Any, Any, object]) -> asyncio.Task[None]:
        """Start `work` in the background under this owner."""
        if self._closed:
            work.close()
            raise RuntimeError(f"{name}: the owner of this task has closed")
        task = asyncio.get_running_loop().create_task(self._guard(name, work), name=name)
        self._running.add(task)

        def over(task: asyncio.Task[None]) -> None:
            self._running.discard(task)
            # a task that is cancelled before its first step never reaches its work; closing finished work does nothing
            work.close()

        task.add_done_callback(over)
        return task

    @property
    def closed(self) -> bool:
        """Whether nothing can be started any more."""
        return self._closed

    @property
    def busy(self) -> bool:
        """Whether anything runs."""
        return bool(self._running)

    async def idle(self) -> None:
        """Wait until nothing runs, including what was started meanwhile."""
        while self._running:
            await asyncio.wait(self._running)

    async def close(self, grace: float = 0.0) -> None:
        """Give what runs `grace` seconds, then cancel it and wait."""
        self._closed = True
        if self._running and grace > 0:
            await asyncio.wait(self._running, timeout=grace)
        for task in tuple(self._running):
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)

    async def report(self, name: str, error: Exception) -> None:
        """Report a failure that somebody else has to hear of too, as if a task of this owner had ended in it."""
        log.error("task_failed", task=name, error_type=type(error).__name__, exc_info=error)
        if self._on_failure is not None:
            await self._on_failure(name, error)

    async def _guard(self, name: str, work: Coroutine[Any, Any, object]) -> None:
        try:
            await work
        except asyncio.CancelledError:
            raise
        except Exception as error:  # noqa: BLE001 - the owner reports it
            await self.report(name, error)
