"""Time and chance, as things that are handed in."""

from __future__ import annotations

from typing import Protocol


class Clock(Protocol):
    """What time it is, and how to wait."""

    def now(self) -> int:
        """Return UTC milliseconds; for what is stored and shown."""

    def monotonic(self) -> float:
        """Return seconds that never go back; for limits and durations."""

    async def sleep(self, seconds: float) -> None:
        """Wait."""


class Entropy(Protocol):
    """Unpredictable bytes."""

    def token(self, size: int) -> bytes:
        """Return `size` random bytes."""
