"""Time and chance for tests: nothing waits and nothing is random."""

from __future__ import annotations

import asyncio
import hashlib
import heapq
import itertools

START = 1_760_000_000_000
"""2025-10-09 08:53:20 UTC, in milliseconds."""


class FakeClock:
    """A clock that moves when it is told to.

    With `auto` (the default) `sleep` moves the clock and returns at the next turn of the loop; without it, `sleep`
    waits until `advance` has moved the clock far enough.
    """

    def __init__(self, at: int = START, *, auto: bool = True) -> None:
        self.at = at
        self.auto = auto
        self.slept: list[float] = []
        self._monotonic = 1000.0
        self._order = itertools.count()
        self._sleepers: list[tuple[float, int, asyncio.Future[None]]] = []

    def now(self) -> int:
        return self.at

    def monotonic(self) -> float:
        return self._monotonic

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        if self.auto:
            self.advance(max(0.0, seconds))
            await asyncio.sleep(0)
            return
        waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._sleepers, (self._monotonic + seconds, next(self._order), waiter))
        await waiter

    def advance(self, seconds: float) -> None:
        """Move both clocks and wake whoever slept long enough."""
        self.at += round(seconds * 1000)
        self._monotonic += seconds
        while self._sleepers and self._sleepers[0][0] <= self._monotonic:
            waiter = heapq.heappop(self._sleepers)[2]
            if not waiter.done():
                waiter.set_result(None)

    def set(self, at: int) -> None:
        """Let the wall clock jump, as wall clocks do; durations are not affected."""
        self.at = at


class FakeEntropy:
    """The same bytes in every run, never the same twice in one."""

    def __init__(self, seed: str = "glassmind") -> None:
        self._seed = seed
        self._calls = itertools.count()

    def token(self, size: int) -> bytes:
        return hashlib.shake_256(f"{self._seed}:{next(self._calls)}".encode()).digest(size)
