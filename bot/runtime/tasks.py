"""Supervised tasks: every task has a parent, and a failure is never lost."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine
from functools import partial
from typing import Any, TypeVar

import structlog

OnFailure = Callable[[str, BaseException], Awaitable[None]]

T = TypeVar("T")

MAX_GOODBYE_SECONDS = 5.0
"""Seconds that a closing owner waits for what it has cancelled."""

MAX_LONG_PIECES = 4
"""How many pieces of work, of a millisecond or two each, may keep everything else waiting."""
MAX_SHORT_PIECES = 16
"""How many of a quarter of a millisecond may."""

log = structlog.get_logger(__name__)


class Turnstile:
    """Lets those who come at the same moment go on a few at a time, in their order.

    The event loop runs everything that can go on before it looks at anything else. Where many wait for one thing, a
    commit or a poll, they would go on together, and together again at every step from there.
    """

    def __init__(self, at_once: int = MAX_LONG_PIECES) -> None:
        self._at_once = at_once
        self._waiting: deque[Callable[[], object]] = deque()
        self._is_turning = False

    def through(self, step: Callable[[], object]) -> None:
        """Take a step at once, or when it is its turn; it must not fail."""
        self._waiting.append(step)
        if not self._is_turning:
            self._is_turning = True
            self._turn(asyncio.get_running_loop())

    async def wait(self) -> None:
        """Return when it is the caller's turn."""
        turn = asyncio.get_running_loop().create_future()
        self.through(partial(_tell, turn))
        if not turn.done():
            await turn

    def _turn(self, loop: asyncio.AbstractEventLoop) -> None:
        if not self._waiting:
            self._is_turning = False
            return
        # asked for first: whatever a step does, the others come after it
        loop.call_soon(self._turn, loop)
        for _ in range(min(self._at_once, len(self._waiting))):
            self._waiting.popleft()()


def _tell(turn: asyncio.Future[None]) -> None:
    if not turn.done():
        turn.set_result(None)


class TaskSupervisor:
    """The tasks of one owner. A task that fails is reported once and does not take its siblings with it."""

    def __init__(self, on_failure: OnFailure | None = None) -> None:
        self._running: set[asyncio.Task[Any]] = set()
        self._on_failure = on_failure
        self._closed = False

    def spawn(self, name: str, work: Coroutine[Any, Any, object]) -> asyncio.Task[None]:
        """Start `work` in the background under this owner."""
        if self._closed:
            work.close()
            raise RuntimeError(f"{name}: the owner of this task has closed")
        return self._begin(name, self._guard(name, work), work)

    def start(self, name: str, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Start `work` for somebody who takes what comes of it; this owner only ends it when it closes."""
        if self._closed:
            work.close()
            raise RuntimeError(f"{name}: the owner of this task has closed")
        return self._begin(name, work, work)

    def _begin(self, name: str, run: Coroutine[Any, Any, T], work: Coroutine[Any, Any, object]) -> asyncio.Task[T]:
        task = asyncio.get_running_loop().create_task(run, name=name)
        self._running.add(task)

        def over(task: asyncio.Task[T]) -> None:
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
        running = tuple(self._running)
        for task in running:
            task.cancel()
        if running:
            _, left = await asyncio.wait(running, timeout=MAX_GOODBYE_SECONDS)
            for task in left:
                # a program that will not hear of its end must not keep the others from theirs
                log.error("task_does_not_end", task=task.get_name())

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
