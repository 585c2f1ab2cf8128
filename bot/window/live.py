"""Tell open pages that something has changed, and close them where a right was lost: each within a second.

What is told is only that there is something new; a page then asks for it as for every other look. All pages look up at
the same moments: what one of them has to ask, of the store or of a platform, is asked once for all.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable, Hashable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from math import floor

from bot.domain.ids import ChannelKey, PersonKey
from bot.ports.clock import Clock

TICK_SECONDS = 0.9
MAX_STREAMS, MAX_STREAMS_A_PERSON = 40, 10
MAX_ASKED = 12
"""Of so many rights over channels platforms are asked at every tick. A page for which one more would have to be asked
is not followed: none is that would not close within a second."""
STREAM_SECONDS = 900.0
"""A stream ends after so long, and the browser begins another: nothing that was forgotten stays open for ever."""
SIGN_SECONDS = 15.0
"""A sign of life, by which a browser that went away without a word is found out."""
QUIET_SECONDS = 3.0
"""A page is told of news no more often."""
PACE_SECONDS = 2.5
"""Where something changes all the time, all pages together are told no more often than this: a look is the bot's time,
and a page costs some 40 ms of it. What has been quiet for as long tells its first piece of news at once."""
MAX_AT_ONCE = 1.0
_BEHIND_SECONDS = 0.001
"""So much behind a tick pages look up, as no clock is exact."""
CHANGED, CLOSED, SIGN = b"event: changed\ndata:\n\n", b"event: closed\ndata:\n\n", b": here\n\n"

StillMay = Callable[[], Awaitable[bool]]
"""Whether somebody may look on."""
News = Callable[[], Awaitable[Hashable]]
"""Returns what is another when there is something new."""
WatchedRight = tuple[PersonKey, ChannelKey]
"""Whose, and over which channel."""


class RightsWatch:
    """Asks platforms for rights over channels, once a tick for all pages for which the same has to be asked."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._watched: Counter[WatchedRight] = Counter()
        self._answers: dict[WatchedRight, tuple[int, bool]] = {}
        self._asking: dict[WatchedRight, asyncio.Lock] = {}

    def has_room(self, right: WatchedRight) -> bool:
        """Say whether it can be asked at every tick."""
        return right in self._watched or len(self._watched) < MAX_ASKED

    @contextmanager
    def watching(self, right: WatchedRight) -> Iterator[None]:
        """Ask as long as the block lasts."""
        self._watched[right] += 1
        self._asking.setdefault(right, asyncio.Lock())
        try:
            yield
        finally:
            self._watched[right] -= 1
            if not self._watched[right]:
                del self._watched[right], self._asking[right]
                self._answers.pop(right, None)

    async def holds(self, right: WatchedRight, ask: StillMay) -> bool:
        """Return what `ask` says in this tick."""
        tick = tick_of(self._clock)
        async with self._asking[right]:
            asked_at, answer = self._answers.get(right, (-1, False))
            if asked_at < tick:
                answer = await ask()
                self._answers[right] = tick, answer
            return answer


@dataclass(frozen=True, eq=False)
class LiveFeed:
    """Follows one thing for each page that is open, bounded in number and time."""

    clock: Clock
    rights: RightsWatch = field(init=False)
    _open: Counter[PersonKey] = field(init=False, default_factory=Counter)

    def __post_init__(self) -> None:
        object.__setattr__(self, "rights", RightsWatch(self.clock))

    @property
    def streams(self) -> int:
        """How many pages are followed now."""
        return self._open.total()

    def has_room(self, person: PersonKey) -> bool:
        """Say whether one more page of theirs can be followed."""
        return self.streams < MAX_STREAMS and self._open[person] < MAX_STREAMS_A_PERSON

    async def follow(
        self, person: PersonKey, may: StillMay, news: News, *, right: WatchedRight | None = None, shown: Hashable = None
    ) -> AsyncGenerator[bytes, None]:
        """Yield an event whenever there is something new, until a right is lost or it has lasted long enough.

        `right` is what a platform is asked for; `shown` is what the page shows already, of news that keep a pace of
        their own.
        """
        self._open[person] += 1
        try:
            with self.rights.watching(right) if right else nullcontext():
                async for event in self._events(may, news, shown):
                    yield event
        finally:
            self._open[person] -= 1
            if not self._open[person]:
                del self._open[person]

    async def _events(self, may: StillMay, news: News, shown: Hashable) -> AsyncGenerator[bytes, None]:
        clock, keeps_pace = self.clock, shown is None
        begun = signed = seen = clock.monotonic()
        told, left = begun - QUIET_SECONDS, MAX_AT_ONCE
        known = await news() if keeps_pace else shown
        yield SIGN
        while (now := clock.monotonic()) - begun < STREAM_SECONDS:
            if not await may():
                yield CLOSED
                return
            left = min(MAX_AT_ONCE, left + (now - seen) / max(QUIET_SECONDS, PACE_SECONDS * self.streams))
            seen = now
            is_time = not keeps_pace or (left >= 1 and now - told >= QUIET_SECONDS)
            if is_time and (latest := await news()) != known:
                known, told, signed, left = latest, now, now, left - 1
                yield CHANGED
            elif now - signed >= SIGN_SECONDS:
                signed = now
                yield SIGN
            now = clock.monotonic()
            await clock.sleep((floor(now / TICK_SECONDS) + 1) * TICK_SECONDS - now + _BEHIND_SECONDS)


def tick_of(clock: Clock) -> int:
    """Return the number of the present tick."""
    return floor(clock.monotonic() / TICK_SECONDS)
