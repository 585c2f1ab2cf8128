"""Time of a whole event loop that leaps over waiting: timeouts of minutes cost nothing, and are kept to the second.

Libraries that ask the loop for the time (timeouts, limits, retries) and the bot's own clock go by one time then.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterator
from typing import Any

from tests.dialogs.tide import SOON, TidalClock

SECOND = 1.0
"""How long a second of a long poll takes where waiting costs nothing."""
CALM = 2
"""Looks at the sockets without anything there, after which everything waits for the time."""


class Leaps:
    """Stands before the loop's selector: what would wait for a time lets the time pass instead."""

    def __init__(self, selector: Any, is_busy: Callable[[], bool]) -> None:
        self.leapt = 0.0
        self.is_busy = is_busy
        self._selector = selector
        self._calm = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._selector, name)

    def select(self, timeout: float | None = None) -> Any:
        """Return what is ready; with nothing there and nothing at work, leap to the next timer."""
        ready = self._selector.select(0)
        if ready or timeout == 0:
            self._calm = 0
            return ready
        self._calm = 0 if self.is_busy() else self._calm + 1
        if timeout is None or self._calm < CALM:
            return self._selector.select(SOON if timeout is None else min(SOON, timeout))
        self.leapt += timeout
        return ready


@contextlib.contextmanager
def leaping(is_busy: Callable[[], bool]) -> Iterator[None]:
    """Let the running loop's time leap, as long as nothing is at work in a thread."""
    loop: Any = asyncio.get_running_loop()
    selector, time = loop._selector, loop.time
    leaps = loop._selector = Leaps(selector, lambda: is_busy() or _threads_work(loop))
    loop.time = lambda: time() + leaps.leapt
    try:
        yield
    finally:
        loop._selector = selector
        del loop.time


def _threads_work(loop: Any) -> bool:
    executor = loop._default_executor
    return executor is not None and executor._idle_semaphore._value < len(executor._threads)


class LeapingClock(TidalClock):
    """A clock that goes by the time of the loop. `is_busy` says what no socket tells: that a thread is at work."""

    soon = 0.5

    def __init__(self) -> None:
        super().__init__()
        self._loop = asyncio.get_running_loop()
        self._began, self._first = self._loop.time(), self.at
        self._ahead = 0.0
        self.is_busy: Callable[[], bool] | None = None

    @property
    def passed(self) -> float:
        """Seconds since it was made."""
        return self._loop.time() - self._began + self._ahead

    def now(self) -> int:
        return self._first + round(self.passed * 1000)

    def monotonic(self) -> float:
        return 1000.0 + self.passed

    def advance(self, seconds: float) -> None:
        """Move the clock alone: nobody who sleeps wakes up earlier."""
        self._ahead += seconds

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(max(0.0, seconds))

    async def ebb_and_flow(self, is_busy: Callable[[], bool]) -> None:
        """Leap until cancelled."""
        with leaping(lambda: (self.is_busy or is_busy)()):
            await asyncio.get_running_loop().create_future()
