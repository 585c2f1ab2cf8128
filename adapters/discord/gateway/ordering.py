"""Hand over what came: nothing overtakes in its channel, and no channel waits for another."""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from itertools import islice
from typing import Protocol

import structlog

from adapters.discord.base.state import DiscordState
from adapters.discord.gateway.watermark import ReadWatermark, is_of_dm
from bot.domain.ids import ChannelId
from bot.domain.messages import Inbound
from bot.errors import StoreError
from bot.ports.clock import Clock
from bot.ports.platform import PlatformListener
from bot.runtime.backoff import Backoff
from bot.runtime.tasks import TaskSupervisor

log = structlog.get_logger(__name__)

_MAX_BATCH, _MAX_RETRY_BATCH = 100, 1000
MAX_HELD_EVENTS = 50_000
"""What comes after so many is read back from Discord once these are stored."""


class MissedPages(Protocol):
    """What was missed in a channel."""

    def pages(self) -> AsyncIterator[Sequence[Inbound]]:
        """Read it, oldest first; raise nothing but StoreError."""


class _Lane:
    """One channel with something to hand over."""

    __slots__ = ("waiting",)

    def __init__(self) -> None:
        self.waiting: deque[Inbound | MissedPages] = deque()


class ChannelLanes:
    """The channels that have something to hand over; all others cost nothing.

    `is_whole` says whether nothing but what is in the lanes can be missing anywhere. `fill` adds to messages of a
    channel what has to be asked for.
    """

    def __init__(self, ears: PlatformListener, marks: ReadWatermark, clock: Clock, state: DiscordState) -> None:
        self._ears = ears
        self._marks = marks
        self._clock = clock
        self._state = state
        self._tasks = TaskSupervisor()
        self._lanes: dict[ChannelId, _Lane] = {}
        self._held = 0
        self.is_whole: Callable[[], bool] = lambda: False
        self.fill: Callable[[Sequence[Inbound]], Awaitable[Sequence[Inbound]]] = _as_they_are

    @property
    def busy(self) -> bool:
        """Whether anything waits to be handed over."""
        return bool(self._lanes)

    def put(self, inbound: Inbound) -> None:
        """Hand something over behind what came before it in its channel; return at once."""
        self._held += 1
        if self._held >= MAX_HELD_EVENTS and not self._state.is_full:
            log.error("discord_too_much_is_held", count=self._held)
            self._state.is_full = True
        self._add(inbound.channel, inbound)

    def catch_up(self, channel: ChannelId, missed: MissedPages) -> None:
        """Read what was missed before anything that comes from now on."""
        self._add(channel, missed)

    async def idle(self) -> None:
        """Return when nothing waits any more."""
        await self._tasks.idle()

    async def close(self) -> None:
        """Stop; what was not stored is read back after the next start."""
        await self._tasks.close()

    def _add(self, channel: ChannelId, item: Inbound | MissedPages) -> None:
        lane = self._lanes.get(channel)
        if self._tasks.closed:
            log.info("discord_came_at_the_end", channel=channel)  # it is read back after the next start
        elif lane is None:
            lane = self._lanes[channel] = _Lane()
            lane.waiting.append(item)
            self._tasks.spawn(f"hand over {channel}", self._run(channel, lane))
        else:
            lane.waiting.append(item)

    async def _run(self, channel: ChannelId, lane: _Lane) -> None:
        while lane.waiting:
            if isinstance(lane.waiting[0], Inbound):
                await self._store(channel, lane)
            else:
                await self._read(channel, lane.waiting.popleft())
        del self._lanes[channel]
        if not self._lanes:
            await self._rest()

    async def _read(self, channel: ChannelId, missed: Inbound | MissedPages) -> None:
        assert not isinstance(missed, Inbound)
        backoff = Backoff()
        while True:
            try:
                async for page in missed.pages():
                    await self._keep(channel, page)
                return
            except Exception as error:  # noqa: BLE001 - what waits behind it must not be lost
                await self._pause(backoff, error)

    async def _store(self, channel: ChannelId, lane: _Lane) -> None:
        """Hand over what waits at the front; what cannot be stored stays there, and is handed over again.

        With it goes what came meanwhile: a full disk takes nothing but the orders of those who steer the bot.
        """
        backoff = Backoff()
        while True:
            batch = _next_batch(lane, _MAX_BATCH if not backoff.failures else _MAX_RETRY_BATCH)
            try:
                await self._keep(channel, batch)
                break
            except Exception as error:  # noqa: BLE001 - what nobody foresaw must not lose it either
                await self._pause(backoff, error)
        for _ in batch:
            lane.waiting.popleft()
        self._held -= len(batch)
        if self._held < MAX_HELD_EVENTS // 2:
            self._state.is_full = False

    async def _keep(self, channel: ChannelId, batch: Sequence[Inbound]) -> None:
        if is_of_dm(channel):
            await self._marks.note_dms()
        batch = await self.fill(batch)
        cursor = self._marks.cursor(channel, batch)
        await self._ears.receive(batch, cursor)
        self._marks.stored(channel, cursor)
        self._state.store(fails=False)

    async def _pause(self, backoff: Backoff, error: Exception) -> None:
        self._state.store(fails=True)
        wait, unforeseen = backoff.next(), None if isinstance(error, StoreError) else error
        say = log.error if unforeseen else log.warning
        kind = type(error).__name__
        say("discord_not_stored", held=self._held, wait=round(wait, 1), error_type=kind, exc_info=unforeseen)
        await self._clock.sleep(wait)

    async def _rest(self) -> None:
        """Note how far everything is stored, while nothing else is to do."""
        if not self.is_whole():
            return
        try:
            await self._marks.note()
        except StoreError as error:
            log.warning("discord_mark_not_stored", error=str(error))


async def _as_they_are(batch: Sequence[Inbound]) -> Sequence[Inbound]:
    return batch


def _next_batch(lane: _Lane, most: int) -> list[Inbound]:
    """Return what may be handed over together, without taking it away."""
    batch: list[Inbound] = []
    for item in islice(lane.waiting, most):
        if not isinstance(item, Inbound):
            break
        batch.append(item)
    return batch
