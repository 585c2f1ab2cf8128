"""How often somebody may do something: so many times in so many seconds, in memory, by the monotonic clock."""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable
from typing import Generic, TypeVar

from bot.ports.clock import Clock
from bot.runtime.lru_cache import LRUCache

MINUTE_SECONDS = 60.0
MAX_KEYS = 10_000
"""Of how many keys the times are held; the one that was longest unused makes room."""

K = TypeVar("K", bound=Hashable)


class RateLimiter(Generic[K]):
    """Counts by key, in a window that slides. What is refused is not counted: insisting costs nobody their turn.

    `tells` says when a refusal is worth a word: once in a window, however many are refused.
    """

    def __init__(self, clock: Clock, most: int, seconds: float = MINUTE_SECONDS) -> None:
        self._clock = clock
        self.most = most
        self._seconds = seconds
        self._taken: LRUCache[K, deque[float]] = LRUCache(MAX_KEYS)
        self._told: LRUCache[K, float] = LRUCache(MAX_KEYS)

    def used(self, key: K) -> int:
        """Say how often a key was counted within the window."""
        times = self._taken.get(key)
        if times is None:
            return 0
        floor = self._clock.monotonic() - self._seconds
        while times and times[0] <= floor:
            times.popleft()
        return len(times)

    def note(self, key: K) -> None:
        """Count something that somebody else has allowed."""
        self.used(key)
        times = self._taken.get(key)
        if times is None:
            self._taken.put(key, times := deque())
        times.append(self._clock.monotonic())

    def take(self, key: K) -> bool:
        """Count one more; False, and nothing is counted, when there are too many already."""
        if self.used(key) >= self.most:
            return False
        self.note(key)
        return True

    def tells(self, key: K) -> bool:
        """Say whether a refusal is to be told: the first one, and then not again before a window is over."""
        now, told = self._clock.monotonic(), self._told.get(key)
        if told is not None and now - told < self._seconds:
            return False
        self._told.put(key, now)
        return True
