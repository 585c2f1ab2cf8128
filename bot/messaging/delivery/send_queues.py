"""Keep each channel's chunks in order; a task exists only while something is on its way.

What waits for a platform that cannot be reached is on no way: nobody waits for it when the bot stops.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence

from bot.domain.ids import ChannelId
from bot.domain.turn import StoredOutbox
from bot.errors import DeliveryError
from bot.messaging.delivery.poster import Poster
from bot.ports.clock import Clock
from bot.runtime.tasks import TaskSupervisor
from bot.sentences import later

GivenUp = Callable[[StoredOutbox, DeliveryError], Awaitable[None]]
"""Hears of chunks that nobody will get."""

_LOOK_SECONDS = 0.5
"""Seconds between two looks whether a platform can be reached again, while something waits for that."""
_LAST_KIND = "command"
"""The kind of chunk that lets all others go first."""


class SendJob:
    """A chunk on its way. Only where somebody waits for it is there a future."""

    __slots__ = ("_end", "_waited_for", "has_waited", "row")

    def __init__(self, row: StoredOutbox) -> None:
        self.row = row
        self.has_waited = False
        self._end: str | DeliveryError | None = None
        self._waited_for: asyncio.Future[str] | None = None

    def taken(self) -> asyncio.Future[str]:
        """Return what gets the message id, or DeliveryError."""
        if self._waited_for is None:
            self._waited_for = asyncio.get_running_loop().create_future()
            self._waited_for.add_done_callback(_seen)
            self._tell()
        return self._waited_for

    def end(self, end: str | DeliveryError) -> None:
        """Tell who waits how it ended: by the message's id, or with nobody getting it."""
        self._end = end
        self._tell()

    def wait(self, why: DeliveryError) -> None:
        """Let it wait for its platform; whoever waits for it hears of that, and is not told any more how it ends."""
        self.has_waited = True
        self.end(why)

    def _tell(self) -> None:
        waited_for = self._waited_for
        if self._end is None or waited_for is None or waited_for.done():
            return
        if isinstance(self._end, str):
            waited_for.set_result(self._end)
        else:
            waited_for.set_exception(self._end)


class SendQueues:
    """The chunks on their way, by channel; with those that wait until their platform can be reached again."""

    def __init__(self, poster: Poster, tasks: TaskSupervisor, given_up: GivenUp, clock: Clock) -> None:
        self._poster = poster
        self._tasks = tasks
        self._given_up = given_up
        self._clock = clock
        self._waiting: dict[ChannelId, DeliveryError] = {}
        self._something_waits = asyncio.Event()
        self._lanes: dict[ChannelId, deque[SendJob]] = {}
        self._held: dict[int, SendJob] = {}

    def is_free(self, channel: ChannelId) -> bool:
        """Say whether what is pushed for a channel is sent at once."""
        return channel not in self._lanes and not self._tasks.closed

    @property
    def channels(self) -> set[ChannelId]:
        """The channels for which something is on its way or waits."""
        return set(self._lanes)

    def push(self, row: StoredOutbox) -> SendJob:
        """Send behind what waits for the same channel."""
        held = self._held.get(row.row)
        if held is not None:
            return held
        job = self._held[row.row] = SendJob(row)
        channel = row.body.to.channel
        lane = self._lanes.get(channel)
        if lane is not None:
            lane.insert(_place_of(row, lane), job)
            if channel in self._waiting:
                job.wait(self._waiting[channel])
            return job
        self._lanes[channel] = deque([job])
        self._start(channel)
        return job

    async def keep_trying(self) -> None:
        """Send what waits for a platform as soon as that can be reached again; until cancelled."""
        while True:
            await self._something_waits.wait()
            await self._clock.sleep(_LOOK_SECONDS)
            for channel in self._poster.outages.due():
                if self._waiting.pop(channel, None) is not None:
                    self._start(channel)
            if not self._poster.outages.any:
                self._something_waits.clear()

    def _start(self, channel: ChannelId) -> None:
        lane = self._lanes[channel]
        try:
            self._tasks.spawn(f"send to {channel}", self._drain(channel, lane))
        except RuntimeError:
            self._drop(channel, lane)

    async def _drain(self, channel: ChannelId, lane: deque[SendJob]) -> None:
        waits: DeliveryError | None = None
        try:
            while lane and (waits := await self._one(lane[0], lane)) is None:
                del self._held[lane.popleft().row.row]
        finally:
            if waits is None:
                self._drop(channel, lane)
            else:
                self._let_wait(channel, lane, waits)

    def _let_wait(self, channel: ChannelId, lane: deque[SendJob], why: DeliveryError) -> None:
        self._waiting[channel] = why
        for job in lane:
            job.wait(why)
        self._poster.outages.wait(channel)
        self._something_waits.set()

    def _drop(self, channel: ChannelId, lane: deque[SendJob]) -> None:
        """Forget a lane; what is still in it stays in the store."""
        for job in lane:
            del self._held[job.row.row]
            job.end(DeliveryError(later("delivery_failures.stopping"), code="stopping"))
        del self._lanes[channel]
        self._poster.outages.left(channel)

    async def _one(self, job: SendJob, lane: deque[SendJob]) -> DeliveryError | None:
        """Send one chunk, or give it up; return why it waits for its platform instead."""
        row = await self._poster.renewed(job.row) if job.has_waited else job.row
        try:
            receipt = await self._poster.post(row)
        except DeliveryError as error:
            if error.waits:
                return error
            job.end(error)
            if not error.uncertain:
                await self._abandon_rest(job.row, lane)
            await self._given_up(job.row, error)
        else:
            job.end(receipt.message_id)
        return None

    async def _abandon_rest(self, failed: StoredOutbox, lane: deque[SendJob]) -> None:
        """Give up the later parts of a text whose earlier part did not go out."""
        first = failed.row - failed.body.part  # the parts of one text have consecutive numbers
        for job in [job for job in lane if job.row.row > failed.row and job.row.row - job.row.body.part == first]:
            lane.remove(job)
            del self._held[job.row.row]
            error = DeliveryError(later("delivery_failures.earlier-part"), code="earlier_part", permanent=True)
            await self._poster.end(job.row, error, uncertain=False)
            job.end(error)


def _place_of(row: StoredOutbox, lane: Sequence[SendJob]) -> int:
    """Return where a chunk waits: behind all that came before it, but in front of answers to commands.

    So a flood of commands takes nobody's turn. The first one in a lane is on its way, and stays first.
    """
    if row.body.kind == _LAST_KIND:
        return len(lane)
    at = len(lane)
    while at > 1 and lane[at - 1].row.body.kind == _LAST_KIND:
        at -= 1
    return at


def _seen(taken: asyncio.Future[str]) -> None:
    # what nobody waits for has been told to people already
    if not taken.cancelled():
        taken.exception()
