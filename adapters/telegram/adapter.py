"""Telegram as one connection: updates come in by polling, and everything else goes out over a session of its own."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress

import structlog
from telegram import BotCommand, BotCommandScope, BotCommandScopeChat, BotCommandScopeDefault
from telegram.error import TelegramError

from adapters.accounts import AccountClaim
from adapters.silent_session import SilentSession
from adapters.telegram.api import ApiSessions, BotApi
from adapters.telegram.convert import move_event
from adapters.telegram.failures import TelegramFailures
from adapters.telegram.groups import MovedGroups
from adapters.telegram.handoff import TelegramHandoff, take_up
from adapters.telegram.lookups import TelegramKnowledge
from adapters.telegram.markup import MAX_ENTITIES
from adapters.telegram.places import NAME, KnownPlaces
from adapters.telegram.poller import UpdatePoller
from adapters.telegram.presses import PressReceiver
from adapters.telegram.prober import TelegramProber
from adapters.telegram.sender import MAX_UNITS, RichSupport, TelegramSender
from adapters.telegram.settings import Settings
from adapters.telegram.speaker import TelegramVoice
from adapters.telegram.state import TelegramState
from bot.domain.access import Authority
from bot.domain.bot_accounts import BotAccount
from bot.domain.health import AdapterHealth, ProbeResult
from bot.domain.ids import ChannelId
from bot.domain.messages import ButtonPress, Inbound, OutgoingMessage, Preview, Receipt
from bot.errors import DeliveryError, StoreError, name_of
from bot.ports.clock import Clock
from bot.ports.platform import CommandMenu, Heard, MenuEntry, PlatformCapabilities, PlatformListener
from bot.runtime.tasks import TaskSupervisor

log = structlog.get_logger(__name__)

MAX_FILE_BYTES = 50_000_000
"""What a bot may send through Telegram's own servers: https://core.telegram.org/bots/api#senddocument."""
# https://core.telegram.org/bots/api#botcommand
_MAX_COMMANDS = 100
_MAX_NAME_CHARS = 32
_MAX_HELP_CHARS = 256


class TelegramAdapter(TelegramVoice, TelegramKnowledge):
    """One bot account. What it is told stays with it; what it finds out shows in `health`."""

    name = NAME
    capabilities = PlatformCapabilities(
        max_units=MAX_UNITS,
        # a title and a time count too
        max_marks=MAX_ENTITIES - 10,
        idempotent_sends=False,
        reactions=True,
        typing=True,
        buttons=True,
        files=True,
        guidance=NAME,
        typing_seconds=5.0,
        edits=True,
        streaming=True,
        max_file=MAX_FILE_BYTES,
        takes_back=True,
        # a card is a formatted message there
        polls=True,
        # people have no question mark among their reactions there, save as an emoji of their own
        question_signs=("🤔",),
        # of telegram:<chat>:<topic>: what it counts it counts for a chat
        pace_parts=1,
    )

    def __init__(self, settings: Settings, clock: Clock, *, listens: bool = True) -> None:
        connection, known, state = (
            ApiSessions(settings, clock.monotonic),
            KnownPlaces(),
            TelegramState(clock, settings.stalled_after, listens=listens),
        )
        api = connection.api
        groups, rich = MovedGroups(known.moved, self._has_moved), RichSupport(settings.rich_messages)
        sending = TelegramSender(api, clock, settings.upload_timeout, groups, rich)
        self.capabilities = type(self).capabilities.replace(tables=settings.rich_messages)
        TelegramVoice.__init__(self, api, sending)
        TelegramKnowledge.__init__(self, connection, state, known)
        self._clock = clock
        self._ears: PlatformListener | None = None
        self._tasks = TaskSupervisor()
        self._claim = AccountClaim(NAME)
        presses = PressReceiver(api, self._tasks)
        self._session = (
            UpdatePoller(connection, clock, state, known, presses, self._claim)
            if listens
            else SilentSession(clock, self._claim, self._log_in, state.silent, TelegramFailures(state).note)
        )
        self._probing = TelegramProber(api, clock, state)

    async def run(self, ears: PlatformListener) -> None:
        """Deliver what arrives, or only be at work, until cancelled; what is wrong shows in `health`."""
        self._ears = ears
        await self._session.run(ears)

    def handoff(self, heard: Inbound | ButtonPress) -> str:
        """Return the chats whose public names stand in what was said."""
        named = self._known.named_in(heard.text) if isinstance(heard, Inbound) else {}
        return TelegramHandoff(names=named).stored

    def take_up(self, heard: Heard, handoff: str) -> Heard:
        """Learn what the process that polls knew; what happened to a message of the bot, happened in its topic."""
        self._state.event()
        if isinstance(heard, ButtonPress):
            return heard
        return take_up(heard, TelegramHandoff.read(handoff), self._known, self._state)

    def take(self, channels: Sequence[ChannelId]) -> None:
        """Do nothing: Telegram tells no bot what is said in its name."""

    def share(self, processes: int) -> None:
        """Do nothing: Telegram says itself when it takes no more, and for how long."""

    async def send(self, message: OutgoingMessage) -> Receipt:
        """Post or edit one chunk, unless the data is another account's; raise DeliveryError."""
        await self._claim.wait_for_leave()
        receipt = await super().send(message)
        self._known.learn_sent(message.to.channel, receipt.message_id)
        return receipt

    async def preview(self, preview: Preview) -> str:
        """Show an answer that is being written, unless the data is another account's; raise DeliveryError."""
        await self._claim.wait_for_leave()
        return await super().preview(preview)

    async def publish(self, menu: CommandMenu) -> None:
        """Set the menus that differ; a failure is logged, never raised."""
        with suppress(DeliveryError):
            await self._claim.wait_for_leave()
            await publish(self._api, menu)

    def health(self) -> AdapterHealth:
        """Say how the connection is."""
        return self._state.health().replace(ahead_ms=self._connection.server_clock.ahead(self._clock.now()))

    async def probe(self, channel: ChannelId | None) -> Sequence[ProbeResult]:
        """Ask for the account, the webhook and the rights in a channel; nothing is polled or changed."""
        try:
            return await self._probing.probe(channel)
        except Exception as error:
            log.error("telegram_probe_broke", error_type=type(error).__name__, exc_info=error)
            words = f"looking failed: {type(error).__name__}"
            return (ProbeResult(name=NAME, state="unknown", evidence=words, code="internal"),)

    async def close(self) -> None:
        await self._tasks.close()
        await self._connection.close()

    async def _log_in(self) -> BotAccount:
        return self._state.is_me(await self._api.get_me()).account

    async def _has_moved(self, old: int, new: int) -> None:
        """Note that a group has another id, and let the bot hear of it."""
        self._known.moved[old] = new
        log.info("telegram_group_moved", old=old, new=new)
        if self._ears is None:
            return
        try:
            await self._ears.receive([move_event(old, new, self._clock.now())], None)
        except StoreError as error:
            # the group's own message tells it too
            log.warning("telegram_move_not_heard", error=name_of(error))


def create(
    settings: Mapping[str, object], clock: Clock, *, listens: bool = True, speaks: bool = True
) -> TelegramAdapter:
    """Build from the `[platforms.telegram]` table; raise pydantic's ValidationError.

    Unless it `listens`, it polls for nothing. Who does not speak is told by Telegram of nothing that others say.
    """
    return TelegramAdapter(Settings.model_validate(dict(settings)), clock, listens=listens)


async def publish(api: BotApi, menu: CommandMenu) -> None:
    """Set the menu of everyone, and of those who may more in their own chats; never raises."""
    await _set_commands(api, BotCommandScopeDefault(), menu.of(Authority.EVERYONE))
    for user in sorted(menu.tiers.everybody, key=int):
        await _set_commands(api, BotCommandScopeChat(int(user)), menu.of(menu.tiers.of(user)))


async def _set_commands(api: BotApi, scope: BotCommandScope, entries: Sequence[MenuEntry]) -> None:
    wanted = commands(entries)
    try:
        if await api.get_my_commands(scope=scope) != wanted:
            await api.set_my_commands(wanted, scope=scope)
    except TelegramError as error:
        # somebody who never opened the chat has no menu yet
        log.debug("telegram_menu_not_set", scope=scope.type, error=name_of(error))


def commands(entries: Sequence[MenuEntry]) -> tuple[BotCommand, ...]:
    """Write entries as Telegram takes them; a name that it cannot write is left out."""
    typed = (entry for entry in entries if not entry.on_message)
    found = {_name(entry.name): entry.help.strip()[:_MAX_HELP_CHARS] for entry in typed}
    listed = [BotCommand(name, text or name) for name, text in found.items() if name]
    return tuple(listed[:_MAX_COMMANDS])


def _name(name: str) -> str:
    return re.sub(r"[^a-z0-9_]", "", name.lower().replace("-", "_"))[:_MAX_NAME_CHARS]
