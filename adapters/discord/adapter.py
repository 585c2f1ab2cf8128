"""Discord as one connection: what happens comes in by the gateway, and everything else goes by the REST interface."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress

import structlog

from adapters.accounts import AccountClaim
from adapters.discord.base.markup import MAX_UNITS
from adapters.discord.base.places import NAME
from adapters.discord.base.settings import Settings
from adapters.discord.base.state import DiscordState
from adapters.discord.gateway.backfill import BackfillReader
from adapters.discord.gateway.event_receiver import QUESTION_SIGNS, EventReceiver
from adapters.discord.gateway.gateway import GatewayRunner
from adapters.discord.gateway.library_client import LibraryClient
from adapters.discord.gateway.ordering import ChannelLanes
from adapters.discord.gateway.shard_connection import ShardDeps
from adapters.discord.gateway.thread_starters import ThreadStarters
from adapters.discord.gateway.watermark import ReadWatermark
from adapters.discord.interactions import menus
from adapters.discord.interactions.interactions import InteractionHandler
from adapters.discord.people.knowledge import DiscordKnowledge
from adapters.discord.people.prober import DiscordProber
from adapters.discord.people.removals import RemovalLookup
from adapters.discord.rest.account import DiscordAccount
from adapters.discord.rest.client import RestClient
from adapters.discord.rest.dms import DmChannels
from adapters.discord.speaker import DiscordVoice
from adapters.discord.speaking.deps import DiscordDeps
from adapters.discord.speaking.own_messages import OwnMessages
from bot.domain.health import AdapterHealth, AdapterState, ProbeResult
from bot.domain.ids import ChannelId
from bot.domain.messages import Author, OutgoingMessage, Preview, Receipt
from bot.errors import DeliveryError, StoreError
from bot.ports.clock import Clock
from bot.ports.platform import CommandMenu, PlatformCapabilities, PlatformListener
from bot.runtime.backoff import Backoff

log = structlog.get_logger(__name__)

MAX_FILE_BYTES = 10_000_000
"""The limit was 10 MiB from January 2025 on and 20 MiB since September 2026; the smaller one is taken everywhere.

https://github.com/discord/discord-api-docs/pull/7312, https://github.com/discord/discord-api-docs/pull/8578
"""


class DiscordAdapter(DiscordVoice, DiscordKnowledge):
    """One bot account. What it is told stays with it; what it finds out shows in `health`."""

    name = NAME
    capabilities = PlatformCapabilities(
        max_units=MAX_UNITS,
        idempotent_sends=True,
        reactions=True,
        typing=True,
        buttons=True,
        files=True,
        guidance=NAME,
        typing_seconds=10.0,
        edits=True,
        streaming=True,
        ephemeral=True,
        max_file=MAX_FILE_BYTES,
        takes_back=True,
        question_signs=QUESTION_SIGNS,
    )

    def __init__(self, settings: Settings, clock: Clock) -> None:
        rest = RestClient(settings, clock.monotonic)
        client = LibraryClient(rest, settings)
        own = OwnMessages(lambda: rest.server_clock.ahead(clock.now()), shares=bool(settings.shard_ids))
        desk = DiscordDeps(rest, DiscordAccount(rest), DmChannels(rest), clock, own)
        state = DiscordState(clock, settings.stalled_after, wants_content=settings.message_content)
        interactions = InteractionHandler(desk, state.note)
        DiscordVoice.__init__(self, desk, interactions)
        DiscordKnowledge.__init__(self, desk, interactions.sessions, client.guild_of)
        self._settings = settings
        self._clock = clock
        self._client = client
        self._starters = ThreadStarters(client, rest)
        self._receiving: EventReceiver | None = None
        self._claim = AccountClaim(NAME)
        self._gateway = GatewayRunner(ShardDeps(client, rest, desk.account, settings, clock, state), self._claim)
        self._probing = DiscordProber(desk, state, client.is_channel)
        self._state = state
        self._removals = RemovalLookup(desk, client.get_guild)

    async def run(self, ears: PlatformListener) -> None:
        """Deliver what arrives until cancelled; what is wrong shows in `health`."""
        self._claim.begin()
        self._desk.own.began = self._clock.now()
        marks = ReadWatermark(ears, self._clock, self._desk.rest.server_clock, self._settings.backfill_hours)
        await self._load(marks)
        for user, channel in reversed(marks.dms):
            self._desk.dms.learn(user, channel)
        lanes = ChannelLanes(ears, marks, self._clock, self._state)
        most = self._settings.backfill_messages if self._settings.backfill_hours else 0
        backfill = BackfillReader(self._desk.rest, self._clock, self._state, marks, most)
        parts = (lanes, marks, backfill, self._clock)
        self._receiving = EventReceiver(
            self._client,
            self._state,
            self._desk,
            self._starters,
            parts,
            lambda interaction: self._interactions.take(interaction, ears),
        )
        try:
            await self._gateway.run(ears)
        finally:
            await lanes.close()

    async def send(self, message: OutgoingMessage) -> Receipt:
        """Post or edit one chunk, unless the data is another account's; raise DeliveryError."""
        await self._claim.wait_for_leave()
        return await super().send(message)

    async def preview(self, preview: Preview) -> str:
        """Show an answer that is being written, unless the data is another account's; raise DeliveryError."""
        await self._claim.wait_for_leave()
        return await super().preview(preview)

    async def publish(self, menu: CommandMenu) -> None:
        """Register the commands that differ; a failure is logged, never raised."""
        with suppress(DeliveryError):
            await self._claim.wait_for_leave()
            await menus.publish(self._desk, menu, self._state.note)

    def health(self) -> AdapterHealth:
        """Say how the connection is."""
        return self._state.health().replace(ahead_ms=self._desk.rest.server_clock.ahead(self._clock.now()))

    async def probe(self, channel: ChannelId | None) -> Sequence[ProbeResult]:
        """Ask for the account, the intents and the rights in a channel; nothing is changed."""
        try:
            return await self._probing.probe(channel)
        except Exception as error:
            log.error("discord_probe_broke", error_type=type(error).__name__, exc_info=error)
            words = f"looking failed: {type(error).__name__}"
            return (ProbeResult(name=NAME, state="unknown", evidence=words, code="internal"),)

    async def who_deleted(self, channel: ChannelId, message_id: str, at: int) -> Author | None:
        """Read the audit log, where the bot may."""
        return await self._removals.who_deleted(channel, at)

    async def close(self) -> None:
        await self._interactions.close()
        await self._desk.rest.close_connections()

    async def _load(self, marks: ReadWatermark) -> None:
        backoff = Backoff()
        while True:
            try:
                await marks.load()
                return
            except StoreError as error:
                self._state.enter(AdapterState.DEGRADED, "store", str(error))
                self._claim.note_attempt()
                await self._clock.sleep(backoff.next())


def create(settings: Mapping[str, object], clock: Clock) -> DiscordAdapter:
    """Build from the `[platforms.discord]` table; raise pydantic's ValidationError."""
    return DiscordAdapter(Settings.model_validate(dict(settings)), clock)
