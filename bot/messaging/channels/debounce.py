"""Decide when a burst of messages becomes one turn."""

from __future__ import annotations

from typing import NamedTuple


class MessageBurst(NamedTuple):
    """Messages that wait for one turn, by monotonic seconds. `before` is when the one before them came, if ever."""

    before: float | None
    first: float
    newest: float
    size: int


class DebounceWindow(NamedTuple):
    """How long to wait for more words, and how long at most. Seconds."""

    quiet: float
    longest: float

    def wait(self, burst: MessageBurst, now: float) -> float:
        """Return the seconds until the turn may start; the first message of a burst never waits."""
        follows = burst.before is not None and burst.first - burst.before < self.quiet
        if burst.size == 1 and not follows:
            return 0.0
        return self.left(burst, now)

    def left(self, burst: MessageBurst, now: float) -> float:
        """Return the seconds until nobody goes on any more, as for a message of which more may come."""
        return max(0.0, min(burst.newest + self.quiet, burst.first + self.longest) - now)
