"""Tell open pages that something has changed, and close them where a right was lost: each within a second.

What is told is only that there is something new; a page then asks for it as for every other look.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable, Hashable
from dataclasses import dataclass, field

from bot.domain.ids import PersonKey
from bot.ports.clock import Clock

TICK_SECONDS = 0.9
MAX_STREAMS, MAX_STREAMS_A_PERSON = 40, 10
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
_ASKS_A_SECOND = 2.0
"""So often platforms are asked for all streams together, whether somebody still has a right over a channel."""
CHANGED, CLOSED, SIGN = b"event: changed\ndata:\n\n", b"event: closed\ndata:\n\n", b": here\n\n"

StillMay = Callable[[bool], Awaitable[bool]]
"""Whether somebody may look on; True asks the platform too, where it has a say in it."""
News = Callable[[], Awaitable[Hashable]]
"""Returns what is another when there is something new."""


@dataclass(frozen=True, eq=False)
class LiveFeed:
    """Follows one thing for each page that is open, bounded in number and time."""

    clock: Clock
    _open: Counter[PersonKey] = field(init=False, default_factory=Counter)

    @property
    def streams(self) -> int:
        """How many pages are followed now."""
        return self._open.total()

    def has_room(self, person: PersonKey) -> bool:
        """Say whether one more page of theirs can be followed."""
        return self.streams < MAX_STREAMS and self._open[person] < MAX_STREAMS_A_PERSON

    async def follow(self, person: PersonKey, may: StillMay, news: News) -> AsyncGenerator[bytes, None]:
        """Yield an event whenever there is something new, until a right is lost or it has lasted long enough."""
        self._open[person] += 1
        try:
            async for event in self._events(may, news):
                yield event
        finally:
            self._open[person] -= 1
            if not self._open[person]:
                del self._open[person]

    async def _events(self, may: StillMay, news: News) -> AsyncGenerator[bytes, None]:
        clock = self.clock
        begun = signed = asked = clock.monotonic()
        told, known, left, seen = begun - QUIET_SECONDS, await news(), MAX_AT_ONCE, begun
        yield SIGN
        while (now := clock.monotonic()) - begun < STREAM_SECONDS:
            asks = now - asked >= self.streams / _ASKS_A_SECOND
            asked = now if asks else asked
            if not await may(asks):
                yield CLOSED
                return
            left = min(MAX_AT_ONCE, left + (now - seen) / max(QUIET_SECONDS, PACE_SECONDS * self.streams))
            seen = now
            if left >= 1 and now - told >= QUIET_SECONDS and (latest := await news()) != known:
                known, told, signed, left = latest, now, now, left - 1
                yield CHANGED
            elif now - signed >= SIGN_SECONDS:
                signed = now
                yield SIGN
            await clock.sleep(TICK_SECONDS)
