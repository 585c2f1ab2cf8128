"""Count what came of late, for the rate, budget and loop gates; in memory, by the monotonic clock."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable

from bot.domain.ids import ChannelKey, PersonKey
from bot.domain.messages import AuthorKind, Inbound
from bot.messaging.policy.gates.author import is_automatic
from bot.messaging.policy.gates.facts import Traffic
from bot.ports.clock import Clock
from bot.ports.meter import UsageMeter
from bot.runtime.lru_cache import LRUCache
from bot.runtime.rate_limiter import RateLimiter

BUSY_WITH_BOTS = 1000
"""In how many channels bots in a row are counted at a time; the count begins anew in one that was silent for long."""

_WINDOW_SECONDS = 60.0
_COST_FRESH = 5.0
_DAY_MS = 86_400_000


class TrafficCounters:
    """The last minute of every person and channel, bots in a row, and today's cost."""

    def __init__(self, clock: Clock, meter: UsageMeter, waiting: Callable[[ChannelKey], int]) -> None:
        self._clock = clock
        self._meter = meter
        self._waiting = waiting
        # lists, of which most hold one number: a deque begins with room for 64
        self._times: dict[PersonKey | ChannelKey, list[float]] = {}
        self._bots: LRUCache[ChannelKey, int] = LRUCache(BUSY_WITH_BOTS)
        self._commands: RateLimiter[PersonKey | ChannelKey] = RateLimiter(clock, 0)
        self._cost = 0.0
        self._cost_at = float("-inf")
        self._swept = clock.monotonic()

    def of(self, key: ChannelKey, person: PersonKey) -> Traffic:
        """Return the load that a new message meets."""
        return Traffic(
            self._count(person),
            self._count(key),
            self._cost,
            self._bots.get(key) or 0,
            self._waiting(key),
            self._commands.used(person),
            self._commands.used(key),
        )

    def note(self, key: ChannelKey, inbound: Inbound, *, let_in: bool) -> None:
        """Count a message; only those let in reach a model and count against the rates, pieces of a thought once."""
        if inbound.author.kind is AuthorKind.PERSON:
            self._bots.drop(key)
        elif let_in and is_automatic(inbound):
            self._bots.put(key, (self._bots.get(key) or 0) + 1)
        if let_in:
            now = self._clock.monotonic()
            for who in (inbound.person, key):
                self._times.setdefault(who, []).append(now)
            self._sweep(now)

    def note_command(self, key: ChannelKey, person: PersonKey, *, is_answered: bool) -> None:
        """Count a command that is obeyed, or refused by its own check of authority; for its channel if it says so."""
        self._commands.note(person)
        if is_answered:
            self._commands.note(key)

    def forget(self, key: ChannelKey, inbound: Inbound) -> None:
        """Take back a message that was let in but turned out to have been here before."""
        for times in (self._times.get(inbound.person), self._times.get(key)):
            if times:
                times.pop()
        if is_automatic(inbound) and (bots := self._bots.get(key)):
            self._bots.put(key, bots - 1)

    async def refresh_cost(self) -> None:
        """Read today's cost again if the last look is some seconds old."""
        now = self._clock.monotonic()
        if now - self._cost_at < _COST_FRESH:
            return
        midnight = self._clock.now() // _DAY_MS * _DAY_MS
        self._cost = sum(row.cost_usd for row in await self._meter.usage(None, midnight))
        self._cost_at = now

    def _count(self, who: PersonKey | ChannelKey) -> int:
        times = self._times.get(who)
        if not times:
            return 0
        floor = self._clock.monotonic() - _WINDOW_SECONDS
        del times[: bisect_right(times, floor)]
        return len(times)

    def _sweep(self, now: float) -> None:
        """Forget who was silent for a minute, once a minute."""
        if now - self._swept < _WINDOW_SECONDS:
            return
        self._swept = now
        self._times = {who: times for who, times in self._times.items() if times and times[-1] > now - _WINDOW_SECONDS}
