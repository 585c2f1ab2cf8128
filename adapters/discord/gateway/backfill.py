"""Read what was written while the bot was away."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any, NamedTuple

import structlog
from discord.errors import HTTPException

from adapters.discord.base.state import DiscordState
from adapters.discord.gateway.watermark import LATE_SNOWFLAKES, ReadWatermark
from adapters.discord.rest.client import Failure, RestClient
from bot.domain.ids import ChannelId
from bot.domain.messages import Inbound
from bot.errors import name_of
from bot.ports.clock import Clock
from bot.runtime.backoff import Backoff

log = structlog.get_logger(__name__)

_PAGE_MESSAGES = 100
_MAX_CHANNELS_AT_ONCE = 4
_PASSES = frozenset({401, 429})
"""Refusals that are not about the channel."""

Read = Callable[[dict[str, Any]], Inbound]


class BackfillGap(NamedTuple):
    """Where something may be missed: a channel, its number, and what is known without asking.

    `newest` is the id of the newest message (0: not known), `joined_at` when the bot came (UTC ms).
    """

    channel: ChannelId
    number: int
    newest: int
    joined_at: int = 0


class BackfillReader:
    """Reads messages back, a few channels at a time."""

    def __init__(self, rest: RestClient, clock: Clock, state: DiscordState, marks: ReadWatermark, most: int) -> None:
        self._rest = rest
        self._clock = clock
        self._state = state
        self._marks = marks
        self._most = most
        self._turns = asyncio.Semaphore(_MAX_CHANNELS_AT_ONCE)
        self._pending = 0

    def is_missing(self, gap: BackfillGap) -> bool:
        """Say whether a channel is worth a look."""
        return self._most > 0 and (not gap.newest or gap.newest > self._marks.floor(gap.joined_at))

    def of(self, gap: BackfillGap, read: Read) -> ChannelBackfill:
        """Return what reads the messages of a gap."""
        return ChannelBackfill(self, gap, read)

    async def messages(self, gap: BackfillGap) -> Sequence[dict[str, Any]]:
        """Return what was missed, oldest first, of more than the most the newest; raise StoreError.

        What fails by itself is tried until it works: a channel's newer messages wait, and could not be answered anyway.
        """
        mark, floor = await self._marks.of(gap.channel), self._marks.floor(gap.joined_at)
        if gap.newest and gap.newest <= max(mark, floor):
            return []
        after = max(mark - LATE_SNOWFLAKES, floor)
        self._count(1)
        try:
            async with self._turns:
                return await self._pages(gap, after)
        finally:
            self._count(-1)

    async def _pages(self, gap: BackfillGap, after: int) -> Sequence[dict[str, Any]]:
        found: list[dict[str, Any]] = []
        before = 0
        while len(found) < self._most:
            page = await self._page(gap, before)
            fresh = [one for one in page if int(one["id"]) > after]
            found += fresh
            if len(fresh) < len(page) or len(page) < _PAGE_MESSAGES:
                break
            before = int(page[-1]["id"])
        else:
            log.warning("discord_missed_too_much", channel=gap.channel, read=self._most)
            self._state.note("missed_too_much", gap.channel)
        if found:
            log.info("discord_read_back", channel=gap.channel, count=min(len(found), self._most))
        return found[: self._most][::-1]

    async def _page(self, gap: BackfillGap, before: int) -> list[dict[str, Any]]:
        """Return one page, newest first; empty for a channel that may not be read."""
        backoff = Backoff()
        while True:
            try:
                params = {"limit": str(_PAGE_MESSAGES), **({"before": str(before)} if before else {})}
                path = "/channels/{channel_id}/messages"
                # answers to people go before what was missed
                async with self._rest.low_priority:
                    page = await self._rest.call("GET", path, channel_id=gap.number, params=params)
                return sorted(_messages(page), key=lambda one: int(one["id"]), reverse=True)
            except Failure as error:
                if isinstance(error, HTTPException) and 400 <= error.status < 500 and error.status not in _PASSES:
                    log.info("discord_not_readable", channel=gap.channel, status=error.status, code=error.code)
                    return []
                wait = backoff.next()
                log.warning("discord_read_back_failed", channel=gap.channel, error=name_of(error), wait=round(wait, 1))
                await self._clock.sleep(wait)

    def _count(self, change: int) -> None:
        self._pending += change
        self._state.note("reading_back", self._pending)


def _messages(page: Any) -> list[dict[str, Any]]:
    """Leave out what is no message."""
    found = page if isinstance(page, list) else []
    return [one for one in found if isinstance(one, dict) and str(one.get("id", "")).isdecimal()]


class ChannelBackfill:
    """What was missed in one channel; read when its turn comes."""

    def __init__(self, backfill: BackfillReader, gap: BackfillGap, read: Read) -> None:
        self._backfill = backfill
        self._gap = gap
        self._read = read

    async def pages(self) -> AsyncIterator[Sequence[Inbound]]:
        """Read a gap, oldest first; raise nothing but StoreError."""
        missed = [self._read(one) for one in await self._backfill.messages(self._gap)]
        for start in range(0, len(missed), _PAGE_MESSAGES):
            yield missed[start : start + _PAGE_MESSAGES]
