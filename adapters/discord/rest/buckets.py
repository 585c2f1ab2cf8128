"""The pace of one kind of call in one place, as the platform's headers tell it."""

from __future__ import annotations

import asyncio

from discord.errors import RateLimited
from discord.http import Ratelimit

_RESOLUTION = 0.001


class Bucket(Ratelimit):
    """Waits before a call that would be one too many. The library's own waits behind the call that was the last one.

    Who sent that one would hear seconds later that it has arrived.
    """

    __slots__ = ("_timer",)

    def __init__(self, longest_wait: float | None) -> None:
        super().__init__(longest_wait)
        self._timer: asyncio.TimerHandle | None = None

    async def acquire(self) -> None:
        """Take a place; raise RateLimited when that would take too long."""
        self._last_request = self._loop.time()
        if self.is_expired():
            self.reset()
        while self.remaining <= 0:
            self._must_be_soon()
            await self._turn()
        self.remaining -= 1
        self.outgoing += 1

    async def __aexit__(self, *_: object) -> None:
        self.outgoing -= 1
        if self.remaining > self.outgoing:
            self._wake(self.remaining - self.outgoing)
        elif self.expires is None:
            # the platform tells no pace here: one call after another
            self._begin_anew()
        else:
            self._wait_for_it()

    def _must_be_soon(self) -> None:
        """Raise RateLimited when places are given out later than anybody is to wait.

        The library refuses even who would find a place.
        """
        if self._is_too_long:
            raise RateLimited(self._left)

    @property
    def _left(self) -> float:
        return self.expires - self._loop.time() if self.expires is not None else 0.0

    @property
    def _is_too_long(self) -> bool:
        return self._max_ratelimit_timeout is not None and self._left > self._max_ratelimit_timeout

    async def _turn(self) -> None:
        """Wait until places are given out again; who goes away meanwhile takes none."""
        future: asyncio.Future[None] = self._loop.create_future()
        self._pending_requests.append(future)
        self._wait_for_it()
        try:
            await future
        except BaseException:
            if self.remaining > 0:
                self._wake_next()
            raise

    def reset(self) -> None:
        """Give all places out anew, but for the calls that are under way."""
        self.remaining, self.reset_after = self.limit - self.outgoing, 0.0
        self.expires, self.dirty = None, False

    def _wait_for_it(self) -> None:
        """Give places out when the platform does. Until it has said when, the calls under way do it as they end."""
        if self._timer is None and self.expires is not None:
            self._timer = self._loop.call_at(self.expires, self._is_time)
        if self._is_too_long:
            # who waited before it was known is told so
            self._wake(len(self._pending_requests))

    def _is_time(self) -> None:
        self._timer = None
        if self._left > _RESOLUTION:
            # an answer has told of a later time meanwhile
            self._wait_for_it()
        else:
            self._begin_anew()

    def _begin_anew(self) -> None:
        self.reset()
        self._wake(self.remaining)
