"""Listen with the gateway: what happens comes in by it, and what was missed is read back."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from discord import Interaction

from adapters.accounts import AccountClaim
from adapters.discord.base.handoff import DiscordHandoff
from adapters.discord.base.state import DiscordState
from adapters.discord.gateway.backfill import BackfillReader
from adapters.discord.gateway.event_receiver import EventReceiver
from adapters.discord.gateway.gateway import GatewayRunner
from adapters.discord.gateway.library_client import LibraryClient
from adapters.discord.gateway.ordering import ChannelLanes
from adapters.discord.gateway.shard_connection import ShardDeps
from adapters.discord.gateway.thread_starters import ThreadStarters
from adapters.discord.gateway.watermark import ReadWatermark
from adapters.discord.speaking.deps import DiscordDeps
from bot.domain.health import AdapterState
from bot.errors import StoreError
from bot.ports.platform import PlatformListener
from bot.runtime.backoff import Backoff

TakeInteraction = Callable[[Interaction, PlatformListener], None]
"""Starts what follows from what people press and type as commands, and returns at once."""


class GatewaySession:
    """The library's client and what hears it; `receiving` is there as soon as what was read before is known."""

    def __init__(self, desk: DiscordDeps, state: DiscordState, take: TakeInteraction, claim: AccountClaim) -> None:
        rest = desk.rest
        self.client = LibraryClient(rest, rest.settings)
        self.receiving: EventReceiver | None = None
        self._desk = desk
        self._state = state
        self._take = take
        self._claim = claim
        self._starters = ThreadStarters(self.client, rest)
        means = ShardDeps(self.client, rest, desk.account, rest.settings, desk.clock, state)
        self._gateway = GatewayRunner(means, claim)

    async def run(self, ears: PlatformListener) -> None:
        """Deliver what arrives until cancelled."""
        desk, state, clock, settings = self._desk, self._state, self._desk.clock, self._desk.rest.settings
        desk.own.began = clock.now()
        marks = ReadWatermark(ears, clock, desk.rest.server_clock, settings.backfill_hours, settings.shard_names)
        await self._load(marks)
        for user, channel in reversed(marks.dms):
            desk.dms.learn(user, channel)
        lanes = ChannelLanes(ears, marks, clock, state)
        most = settings.backfill_messages if settings.backfill_hours else 0
        parts = (lanes, marks, BackfillReader(desk.rest, clock, state, marks, most), clock)
        self.receiving = EventReceiver(
            self.client,
            state,
            desk,
            self._starters,
            parts,
            lambda interaction: self._take(interaction, ears),
        )
        try:
            await self._gateway.run(ears)
        finally:
            await lanes.close()

    def told_of(self, numbers: Iterable[int]) -> DiscordHandoff:
        """Return where those of these channels and threads are that the gateway told of."""
        known = {number: guild for number in numbers if (guild := self.client.guild_of(number)) is not None}
        return DiscordHandoff(channels=known, threads=tuple(one for one in known if not self.client.is_channel(one)))

    async def _load(self, marks: ReadWatermark) -> None:
        backoff = Backoff()
        while True:
            try:
                await marks.load()
                return
            except StoreError as error:
                self._state.enter(AdapterState.DEGRADED, "store", str(error))
                self._claim.note_attempt()
                await self._desk.clock.sleep(backoff.next())
