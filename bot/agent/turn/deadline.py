"""When a turn must be over. The time in which a service loads its model first is not a part of what a turn has."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager

from bot.domain.health import AwaitedModel
from bot.domain.llm import ModelName
from bot.domain.patience import PUBLIC_SECONDS, Patience
from bot.ports.clock import Clock


class TurnDeadline:
    """The end of one turn's time. `at` is on the clock's monotonic scale.

    `awaited` is the model that was asked and has not begun to answer.
    """

    def __init__(self, clock: Clock, seconds: float) -> None:
        self.awaited: AwaitedModel | None = None
        self.at = clock.monotonic() + seconds
        self._clock = clock
        self._seconds = seconds
        self._began = clock.monotonic()
        self._scope: asyncio.Timeout | None = None

    @property
    def left(self) -> float:
        """Seconds until the turn must be over."""
        return self.at - self._clock.monotonic()

    @property
    def most_ms(self) -> int:
        """Milliseconds that the turn may take in all, as far as that is known now."""
        return round((self.at - self._began) * 1000)

    @asynccontextmanager
    async def kept(self) -> AsyncIterator[asyncio.Timeout]:
        """End what runs inside by a TimeoutError when the time is over."""
        try:
            async with asyncio.timeout(self._seconds) as self._scope:
                yield self._scope
        finally:
            # it knows its task, and the task this: garbage that only a collection would find
            self._scope = None

    @contextmanager
    def awaiting(self, model: ModelName, patience: Patience) -> Iterator[Callable[[], None]]:
        """Wait for a model; what is yielded is called when it begins to answer.

        While a service may be loading its model the end moves on, by no more than its whole patience.
        """
        # who wants a turn to be over sooner than any service may begin does not want to wait for a load either
        loads = patience.loads and self._seconds >= PUBLIC_SECONDS
        most = max(patience.silent, patience.alive)
        since, now = self._clock.monotonic(), self._clock.now()
        until = now + round(1000 * (most if loads else min(most, max(0.0, self.left))))
        self.awaited = mine = AwaitedModel(model=str(model), since=now, until=until, loads=loads)
        given = most if loads else 0.0
        self._move(given)

        def begun() -> None:
            nonlocal given
            if self.awaited is mine:
                self.awaited = None
            spent = min(given, self._clock.monotonic() - since)
            self._move(spent - given)
            given = spent

        try:
            yield begun
        finally:
            begun()

    def _move(self, seconds: float) -> None:
        self.at += seconds
        scope = self._scope
        when = scope.when() if scope is not None and not scope.expired() else None
        if seconds and scope is not None and when is not None:
            scope.reschedule(when + seconds)
