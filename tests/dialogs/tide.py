"""Time that moves by itself, but only when nothing else can: then it is the moment at which the next sleeper wakes."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from tests.fakes.clock import FakeClock

CALM = 20
"""Turns of the loop without anything to do, after which everything waits; a call on its way takes fewer."""
SOON = 0.0005
"""Seconds of real time between two looks at a thread or a socket that is at work."""


class TidalClock(FakeClock):
    """A clock that `ebb_and_flow` moves. `soon` is how long a test waits before it looks again (loop seconds)."""

    soon = SOON

    def __init__(self) -> None:
        super().__init__(auto=False)
        self._fell_asleep = asyncio.Event()

    async def sleep(self, seconds: float) -> None:
        self._fell_asleep.set()
        await super().sleep(seconds)

    async def ebb_and_flow(self, is_busy: Callable[[], bool]) -> None:
        """Wake the sleepers one after the other, each as soon as nothing is at work, until cancelled."""
        while True:
            await self._rest(is_busy)
            if self._sleepers:
                self.advance(max(0.0, self._sleepers[0][0] - self.monotonic()))
            else:
                self._fell_asleep.clear()
                await self._fell_asleep.wait()

    async def _rest(self, is_busy: Callable[[], bool]) -> None:
        calm = 0
        while calm < CALM:
            busy = is_busy()
            calm = 0 if busy else calm + 1
            await asyncio.sleep(SOON if busy else 0)


class SteadyClock(TidalClock):
    """A clock that keeps pace with real time, for what is paced by somebody else's."""

    async def ebb_and_flow(self, is_busy: Callable[[], bool]) -> None:
        """Go on as time does, until cancelled."""
        before = time.monotonic()
        while True:
            await asyncio.sleep(10 * SOON)
            before, passed = time.monotonic(), time.monotonic() - before
            self.advance(passed)
