"""Every channel and how it is, looked up once for all whose overview is open; who may see which is asked elsewhere."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable, Sequence
from typing import Any, NamedTuple

from bot.diagnostics.collect.lookup import heard_since, met_or_heard
from bot.domain.channel import ChannelSettings
from bot.domain.ids import AgentId, ChannelId, ChannelKey
from bot.domain.ledger import InboundOutcome
from bot.domain.turn import ChannelUsage
from bot.ports.channels import KnownChannel
from bot.ports.clock import Clock
from bot.ports.store import Store

MAX_OUTCOMES = 24
SHARED_SECONDS = 1.0
"""For so long a board is shown again although something has changed since: whoever is told of news looks within it."""
MAX_BOARD_SECONDS = 60.0
"""A board is made again after so long in any case: what was spent in a day changes by itself."""
QUIET_SECONDS = 3.0
"""Pages are told of news no more often, all of them at once: so that one look at the store does for all."""
LOOKER_SECONDS = 1.0
"""And the more of them are open, the more seldom: each has to be answered."""
_DAY_MS = 86_400_000
_OVERLAP_MS = 15_000
"""What was dated so shortly before the last look may have been committed after it."""


Row = dict[str, Any]
"""What is shown of a channel; nobody changes it."""


class ChannelFacts(NamedTuple):
    """How a channel is."""

    settings: ChannelSettings
    outcomes: Sequence[InboundOutcome]
    """Of its newest messages, newest first."""
    usage: ChannelUsage
    """Of the last day."""


class ChannelBoard:
    """What the overview is made of: one look at the store, numbered, and shared until there is something new."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        agents: Callable[[], Sequence[AgentId]],
        unmet: Callable[[ChannelKey], ChannelSettings],
        tell: Callable[[KnownChannel, ChannelFacts], Row],
    ) -> None:
        self._store, self._clock = store, clock
        self._agents, self._unmet, self._tell = agents, unmet, tell
        self.number = 0
        self._wanted = 0
        self._version: Hashable = None
        self._made = self._told = float("-inf")
        self._is_old = True
        self._heard: dict[ChannelId, None] = {}
        self._heard_at = 0
        self._channels: Sequence[KnownChannel] = ()
        self._rows: dict[ChannelKey, Row] = {}
        self._one_at_a_time = asyncio.Lock()

    async def news(self, pages: int) -> int:
        """Return the number of the board that every page should show by now; `pages` is how many are open.

        Who is told of it first finds it made anew, and the others find it made.
        """
        now, self._wanted = self._clock.monotonic(), self._wanted or self.number
        if now - self._told >= max(QUIET_SECONDS, LOOKER_SECONDS * pages):
            is_old = await self._store.ledger_version() != self._version
            if self.number + is_old > self._wanted:
                self._wanted, self._told = self.number + is_old, now
                self._is_old = self._is_old or is_old
        return self._wanted

    async def channels(self) -> Sequence[KnownChannel]:
        """Return every channel, the most recently used first."""
        async with self._one_at_a_time:
            await self._refresh()
            return self._channels

    async def rows(self, channels: Sequence[KnownChannel]) -> Sequence[Row]:
        """Tell how some of them are."""
        async with self._one_at_a_time:
            rows = self._rows
            lacking = [one for one in channels if one.key not in rows]
            if lacking:
                keys = [one.key for one in lacking]
                outcomes = await self._store.ledger.outcomes(keys, MAX_OUTCOMES)
                usage = await self._store.meter.spent(keys, self._clock.now() - _DAY_MS)
                for key, one in zip(keys, lacking, strict=True):
                    settings = one.settings or self._unmet(key)
                    facts = ChannelFacts(settings, outcomes[key], usage.get(key, ChannelUsage()))
                    rows[key] = self._tell(one, facts)
            return [rows[one.key] for one in channels]

    async def _refresh(self) -> None:
        """Look at the store again, where what is known is out of date."""
        now, latest = self._clock.monotonic(), await self._store.ledger_version()
        age = now - self._made
        if not self._is_old and (age < SHARED_SECONDS or (latest == self._version and age < MAX_BOARD_SECONDS)):
            return
        # the version is that of before the look: what comes in the middle of it is news again
        self._channels = sorted(await self._listed(), key=lambda one: -one.last_at)
        self._rows = {}
        self._version, self._made, self._is_old = latest, now, False
        self.number += 1

    async def _listed(self) -> Sequence[KnownChannel]:
        now, since = self._clock.now(), self._heard_at - _OVERLAP_MS
        if now < self._heard_at:
            # the clock was set back: what came since may be dated before the look before
            since = 0
        self._heard |= dict.fromkeys(await heard_since(self._store, max(0, since)))
        self._heard_at = now
        return await met_or_heard(self._store, self._agents(), self._heard)
