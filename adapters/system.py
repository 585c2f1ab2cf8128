"""The machine's own clock and randomness."""

from __future__ import annotations

import asyncio
import os
import time


class SystemClock:
    """The clock of the machine."""

    def now(self) -> int:
        """Return UTC milliseconds."""
        return time.time_ns() // 1_000_000

    def monotonic(self) -> float:
        """Return seconds that never go back."""
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


class SystemEntropy:
    """Bytes from the operating system."""

    def token(self, size: int) -> bytes:
        return os.urandom(size)
