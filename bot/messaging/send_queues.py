"""Keep each channel's chunks in order; a task exists only while something is on its way."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable

from bot.domain.ids import ChannelId
from bot.domain.turn import StoredOutbox
from bot.errors import DeliveryError
from bot.messaging.posting import Poster
from bot.tasks import Tasks

GivenUp = Callable[[StoredOutbox, DeliveryError], Awaitable[None]]
"""Hears of chunks that nobody will get."""

_STOPPING = "the bot is stopping; this goes out at the next start"


class Job:
    """A chunk on its way. Only where somebody waits for it is there a future."""

    __slots__ = ("_end", "_waited_for", "row")

    def __init__(self, row: StoredOutbox) -> None:
        self.row = row
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

    def _tell(self) -> None:
        waited_for = self._waited_for
        if self._end is None or waited_for is None or waited_for.done():
            return
        if isinstance(self._end, str):
            waited_for.set_result(self._end)
        else:
            waited_for.set_exception(self._end)


class SendQueues:
    """The chunks on their way, by channel."""

    def __init__(self, poster: Poster, tasks: Tasks, given_up: GivenUp) -> None:
        self._poster = poster
        self._tasks = tasks
        self._given_up = given_up
        self._lanes: dict[ChannelId, deque[Job]] = {}
        self._held: dict[int, Job] = {}

    def is_free(self, channel: ChannelId) -> bool:
        """Say whether what is pushed for a channel is sent at once."""
        return channel not in self._lanes and not self._tasks.closed

    def push(self, row: StoredOutbox) -> Job:
        """Send behind what waits for the same channel."""
        held = self._held.get(row.row)
        if held is not None:
            return held
        job = self._held[row.row] = Job(row)
        channel = row.body.to.channel
        lane = self._lanes.get(channel)
        if lane is not None:
            lane.append(job)
            return job
        self._lanes[channel] = lane = deque([job])
        try:
            self._tasks.spawn(f"send to {channel}", self._drain(channel, lane))
        except RuntimeError:
            self._drop(channel, lane)
        return job

    async def _drain(self, channel: ChannelId, lane: deque[Job]) -> None:
        try:
            while lane:
                await self._one(lane[0], lane)
                del self._held[lane.popleft().row.row]
        finally:
            self._drop(channel, lane)

    def _drop(self, channel: ChannelId, lane: deque[Job]) -> None:
        """Forget a lane; what is still in it stays in the store."""
        for job in lane:
            del self._held[job.row.row]
            job.end(DeliveryError(_STOPPING, code="stopping"))
        del self._lanes[channel]

    async def _one(self, job: Job, lane: deque[Job]) -> None:
        try:
            receipt = await self._poster.post(job.row)
        except DeliveryError as error:
            job.end(error)
            if not error.uncertain:
                await self._abandon_rest(job.row, lane)
            await self._given_up(job.row, error)
        else:
            job.end(receipt.message_id)

    async def _abandon_rest(self, failed: StoredOutbox, lane: deque[Job]) -> None:
        """Give up the later parts of a text whose earlier part did not go out."""
        first = failed.row - failed.body.part  # the parts of one text have consecutive numbers
        for job in [job for job in lane if job.row.row > failed.row and job.row.row - job.row.body.part == first]:
            lane.remove(job)
            del self._held[job.row.row]
            error = DeliveryError("an earlier part was not delivered", code="earlier_part", permanent=True)
            await self._poster.end(job.row, error, uncertain=False)
            job.end(error)


def _seen(taken: asyncio.Future[str]) -> None:
    # what nobody waits for has been told to people already
    if not taken.cancelled():
        taken.exception()
