"""Discord as one connection: what happens comes in by the gateway, and everything else goes by the REST interface."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import islice
from typing import Any, TypeGuard

import structlog

from adapters.accounts import AccountClaim
from adapters.discord.base.authors import own_author
from adapters.discord.base.handoff import DiscordHandoff, KnownChannels
from adapters.discord.base.markup import MAX_UNITS
from adapters.discord.base.places import NAME, dm_of
from adapters.discord.base.settings import Settings
from adapters.discord.base.state import DiscordState
from adapters.discord.base.targets import TargetKind, target_of, user_number
from adapters.discord.gateway.event_receiver import QUESTION_SIGNS
from adapters.discord.gateway.listening import GatewaySession
from adapters.discord.interactions import menus
from adapters.discord.interactions.interactions import InteractionHandler
from adapters.discord.people.knowledge import DiscordKnowledge
from adapters.discord.people.prober import DiscordProber
from adapters.discord.people.removals import RemovalLookup, asked_right
from adapters.discord.rest.account import DiscordAccount
from adapters.discord.rest.client import RestClient
from adapters.discord.rest.dms import DmChannels
from adapters.discord.rest.login_failures import LoginFailures
from adapters.discord.speaker import DiscordVoice
from adapters.discord.speaking.deps import DiscordDeps
from adapters.discord.speaking.own_messages import OwnMessages
from adapters.discord.speaking.second_program import SecondProgramWatch
from adapters.silent_session import SilentSession
from bot.domain.health import AdapterHealth, ProbeResult
from bot.domain.ids import ChannelId
from bot.domain.messages import Author, AuthorKind, ButtonPress, Inbound, InboundKind, OutgoingMessage, Preview, Receipt
from bot.errors import DeliveryError, StoreError, name_of
from bot.ports.clock import Clock
from bot.ports.platform import CommandMenu, Heard, PlatformCapabilities, PlatformListener
from bot.runtime.tasks import TaskSupervisor

log = structlog.get_logger(__name__)

MAX_FILE_BYTES = 10_000_000
"""The limit was 10 MiB from January 2025 on and 20 MiB since September 2026; the smaller one is taken everywhere.

https://github.com/discord/discord-api-docs/pull/7312, https://github.com/discord/discord-api-docs/pull/8578
"""
# ids of today have 17 to 20 digits
_NUMBER = re.compile(r"(?<!\d)\d{17,20}(?!\d)", re.ASCII)
_MOST_NAMED = 20


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
        cards=True,
        polls=True,
        question_signs=QUESTION_SIGNS,
    )

    def __init__(self, settings: Settings, clock: Clock, *, listens: bool = True, speaks: bool = True) -> None:
        rest = RestClient(settings, clock.monotonic)
        own = OwnMessages(
            lambda: rest.server_clock.ahead(clock.now()),
            shares=bool(settings.shard_ids),
            listens=listens,
            speaks=speaks,
        )
        desk = DiscordDeps(rest, DiscordAccount(rest), DmChannels(rest), clock, own)
        wants_content = settings.message_content
        state = DiscordState(clock, settings.stalled_after, wants_content=wants_content, listens=listens)
        interactions = InteractionHandler(desk, state.note, speaks=speaks)
        self._clock, self._state, self._known = clock, state, KnownChannels()
        self._claim = AccountClaim(NAME)
        self.gateway = GatewaySession(desk, state, interactions.take, self._claim) if listens else None
        self._session = self.gateway or SilentSession(
            clock, self._claim, desk.account.log_in, state.silent, LoginFailures(state).note
        )
        known = self._known if self.gateway is None else self.gateway.client
        DiscordVoice.__init__(self, desk, interactions)
        DiscordKnowledge.__init__(self, desk, interactions.sessions, known.guild_of, knows_all=listens)
        self._probing = DiscordProber(desk, state, known.is_channel)
        may_view = partial(asked_right, desk) if self.gateway is None else self.gateway.client.may_view_audit_log
        self._removals = RemovalLookup(desk, may_view)
        self._ears: PlatformListener | None = None
        self._tasks = TaskSupervisor()
        # where there is a gateway, what hears it watches
        self._second = None if listens else SecondProgramWatch(own, clock, state.note, self._tell)

    async def run(self, ears: PlatformListener) -> None:
        """Deliver what arrives, or only be at work, until cancelled; what is wrong shows in `health`."""
        self._claim.begin()
        self._ears = ears
        await self._session.run(ears)

    def handoff(self, heard: Inbound | ButtonPress) -> str:
        """Return what the interaction opened, and where channels are that it names or stands in."""
        named = self.gateway.told_of(_numbers_in(heard)) if self.gateway is not None else DiscordHandoff()
        away = {guild: since for guild in named.channels.values() if (since := self._state.away_since(guild))}
        user = user_number(heard.channel.removeprefix(dm_of("")))
        number = self._desk.dms.known(user) if user is not None else None
        dms = {user: number} if number is not None else {}
        posted_as = self._desk.own.name_of(int(heard.message_id)) if _is_own_message(heard) else None
        window = self._interactions.hand_over(heard)
        more: dict[str, Any] = {"away": away, "dms": dms, "posted_as": posted_as, "window": window}
        return named.model_copy(update=more).stored

    def take_up(self, heard: Heard, handoff: str) -> Heard:
        """Learn what goes with what was heard; what the bot deleted from here, it deleted itself."""
        known = DiscordHandoff.read(handoff)
        self._state.event()
        self._known.learn(known)
        for guild in known.channels.values():
            self._state.learn_away(guild, known.away.get(guild, 0))
        for user, channel in known.dms.items():
            self._desk.dms.learn(user, channel)
        if known.window is not None:
            self._interactions.take_up(known.window)
        if isinstance(heard, ButtonPress):
            return self._interactions.take_up_press(heard)
        if known.posted_as is not None and _is_own_message(heard) and self._second is not None:
            self._hear_own(self._second, heard, known.posted_as)
        if heard.kind is InboundKind.DELETE and heard.message_id.isdecimal():
            is_ours = self._desk.own.was_deleted_here(int(heard.message_id))
            return heard.replace(author=own_author(self._desk.account.my_id)) if is_ours else heard
        return heard

    def take(self, channels: Sequence[ChannelId]) -> None:
        """Tell what another program says in these channels from now on from what is said here."""
        for channel in channels:
            with suppress(DeliveryError):
                target = target_of(channel)
                if target.kind is TargetKind.GUILD:
                    self._desk.own.take(target.number, self._clock.now())

    def share(self, processes: int) -> None:
        """Make no more than a part of the calls that Discord takes in a second from the account."""
        self._desk.rest.share(processes)

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

    def _hear_own(self, watch: SecondProgramWatch, heard: Inbound, nonce: str) -> None:
        """See whether a message of the bot's account was posted from here; people are written to by others, too."""
        number = int(heard.message_id)
        if not watch.heard(number, heard) and heard.place.guild_id:
            self._desk.own.told(number, nonce or None, target_of(heard.channel).number)

    def _tell(self, inbound: Inbound) -> None:
        with suppress(RuntimeError):
            self._tasks.spawn("second program", self._heard_here(inbound))

    async def _heard_here(self, inbound: Inbound) -> None:
        if self._ears is None:
            return
        try:
            await self._ears.receive([inbound], None)
        except StoreError as error:
            # that it was so shows in the health
            log.warning("discord_second_program_not_heard", error=name_of(error))

    async def close(self) -> None:
        await self._tasks.close()
        await self._interactions.close()
        await self._desk.rest.close_connections()


def create(
    settings: Mapping[str, object], clock: Clock, *, listens: bool = True, speaks: bool = True
) -> DiscordAdapter:
    """Build from the `[platforms.discord]` table; raise pydantic's ValidationError.

    Unless it `listens`, it opens no gateway; unless it `speaks`, other processes do with the same account.
    """
    return DiscordAdapter(Settings.model_validate(dict(settings)), clock, listens=listens, speaks=speaks)


def parts(settings: Mapping[str, object]) -> Sequence[Mapping[str, object]]:
    """Return the settings for each part of what there is to hear, of which a process may listen to one alone."""
    ranges = Settings.model_validate(dict(settings)).ranges
    return [{**settings, "shard_ranges": 1, "shard_ids": shards} if shards else settings for shards in ranges]


def _is_own_message(heard: Inbound | ButtonPress) -> TypeGuard[Inbound]:
    """Say whether the bot's account wrote it."""
    if isinstance(heard, ButtonPress) or heard.kind is not InboundKind.MESSAGE:
        return False
    return heard.author.kind is AuthorKind.SELF and heard.message_id.isdecimal()


def _numbers_in(heard: Inbound | ButtonPress) -> set[int]:
    """Return what may be the number of a channel: where it stands, and what it names."""
    where = (heard.channel, heard.around or "") if isinstance(heard, ButtonPress) else (heard.channel, heard.text)
    return {
        int(number) for text in (*where, *heard.place.parents) for number in islice(_NUMBER.findall(text), _MOST_NAMED)
    }
