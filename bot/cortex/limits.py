"""How often somebody may ask, and how many inspections may run."""

from __future__ import annotations

from collections import deque

from bot.domain.ids import ChannelKey, Person
from bot.errors import UserError
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


class Slots:
    """The inspections that run: one per person and channel, and so many in all (ruling 20)."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._running: set[tuple[Person, ChannelKey]] = set()

    def take(self, person: Person, key: ChannelKey) -> None:
        """Occupy a place; raise UserError when another inspection has to end first."""
        if (person, key) in self._running:
            raise UserError("I am still looking into this channel for you. Its report comes here; ask again after it.")
        if len(self._running) >= self._limit:
            raise UserError(
                f"{self._limit} inspections are running, which is as many as the config allows. Ask again in a minute."
            )
        self._running.add((person, key))

    def release(self, person: Person, key: ChannelKey) -> None:
        """Make room again."""
        self._running.discard((person, key))
