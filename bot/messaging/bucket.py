"""How often somebody may do something: a count per person and minute, in memory, by the monotonic clock."""

from __future__ import annotations

from collections import deque

from bot.domain.ids import Person
from bot.ports.clock import Clock

_MINUTE = 60.0
_ACTORS = 10_000


class Bucket:
    """A count of commands per person and minute."""

    def __init__(self, clock: Clock, per_minute: int) -> None:
        self._clock = clock
        self._per_minute = per_minute
        self._taken: dict[Person, deque[float]] = {}

    def take(self, person: Person) -> bool:
        """Count one command; False when the minute is full."""
        now = self._clock.monotonic()
        if len(self._taken) > _ACTORS:
            self._taken = {who: times for who, times in self._taken.items() if times and now - times[-1] < _MINUTE}
        times = self._taken.setdefault(person, deque())
        while times and now - times[0] >= _MINUTE:
            times.popleft()
        if len(times) >= self._per_minute:
            return False
        times.append(now)
        return True
