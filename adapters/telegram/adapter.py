"""Telegram as one connection: updates come in by polling, and everything else goes out over a session of its own."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import structlog
from telegram import ReactionTypeEmoji
from telegram.constants import ChatAction
from telegram.error import TelegramError

from adapters.telegram import faults, files, members, menus, threads
from adapters.telegram.api import Connection
from adapters.telegram.convert import moved
from adapters.telegram.places import NAME, Known, target_of
from adapters.telegram.polling import Poller
from adapters.telegram.presses import Presses
from adapters.telegram.previews import Previews
from adapters.telegram.probing import Probing
from adapters.telegram.reactions import reaction
from adapters.telegram.sending import MOST_UNITS, Sending, number_of
from adapters.telegram.settings import Settings
from adapters.telegram.state import State
from bot.domain.health import AdapterHealth, Probe
from bot.domain.ids import ChannelId, Person, channel_id
from bot.domain.messages import Address, Attachment, Outgoing, Preview, Receipt
from bot.domain.permalinks import Located, telegram_link
from bot.errors import DeliveryError, StoreError
from bot.ports.clock import Clock
from bot.ports.platform import Capabilities, Ears, Menu
from bot.tasks import Tasks

log = structlog.get_logger(__name__)

# a person's id has at most 52 bits (https://core.telegram.org/bots/api#user), which leaves longer numbers to others
_BARE_ID = re.compile(r"(-[1-9]\d{4,18}|[1-9]\d{4,15})(?::([1-9]\d{0,15}))?", re.ASCII)
_PUBLIC_NAME = re.compile(r"@([A-Za-z]\w{3,31})", re.ASCII)


class Telegram:
    """One bot account. What it is told stays with it; what it finds out shows in `health`."""

    name = NAME
    capabilities = Capabilities(
        max_units=MOST_UNITS,
        idempotent_sends=False,
        reactions=True,
        typing=True,
        buttons=True,
        files=True,
        guidance=NAME,
        typing_seconds=5.0,
        streaming=True,
    )

    def __init__(self, settings: Settings, clock: Clock) -> None:
        self._clock = clock
        self._ears: Ears | None = None
        self._known = Known()
        self._tasks = Tasks()
        self._state = State(clock, settings.stalled_after)
        self._connection = connection = Connection(settings)
        self._api = api = connection.api
        self._poller = Poller(connection, clock, self._state, self._known, Presses(api, self._tasks))
        self._sending = Sending(api, clock, settings.upload_timeout, self._known.moved, self._has_moved)
        self._previews = Previews(api, self._sending)
        self._probing = Probing(api, self._state)

    async def run(self, ears: Ears) -> None:
        """Deliver what arrives until cancelled; what is wrong shows in `health`."""
        self._ears = ears
        await self._poller.run(ears)

    async def send(self, message: Outgoing) -> Receipt:
        """Post one chunk, or put it in the place of the message that it edits; raise DeliveryError.

        What was lost on its way is uncertain: Telegram recognises no repetition.
        """
        return await self._sending.send(message)

    async def preview(self, preview: Preview) -> str:
        """Show an answer that is being written: a draft in private chats, an edited message elsewhere."""
        return await self._previews.show(preview)

    async def retract(self, channel: ChannelId, message_id: str) -> None:
        """Delete a message of the bot; raise DeliveryError."""
        await self._sending.retract(channel, message_id)

    async def fetch(self, attachment: Attachment, most: int) -> bytes:
        """Return the content of a file that came in; raise FetchError."""
        return await files.fetch(self._connection, attachment, most)

    async def react(self, channel: ChannelId, message_id: str, emoji: str) -> None:
        """Put the allowed reaction that comes nearest on a message; raise DeliveryError."""
        target, allowed = self._sending.target(target_of(channel)), reaction(emoji)
        if allowed is None:
            raise DeliveryError(f"{emoji} is no reaction on Telegram", code="unsupported_emoji", permanent=True)
        try:
            await self._api.set_message_reaction(target.chat, number_of(message_id), [ReactionTypeEmoji(allowed)])
        except TelegramError as error:
            raise faults.failed(error, is_private=target.is_private) from None

    async def set_typing(self, channel: ChannelId, on: bool) -> None:
        """Show that an answer is being written, for five seconds; raise DeliveryError."""
        if not on:
            return
        target = self._sending.target(target_of(channel))
        try:
            await self._api.send_chat_action(target.chat, ChatAction.TYPING, message_thread_id=target.thread)
        except TelegramError as error:
            raise faults.failed(error, is_private=target.is_private) from None

    async def open_thread(self, person: Person, title: str) -> Address:
        """Start a topic in somebody's private chat, or a titled message to answer; raise DeliveryError."""
        return await threads.open_thread(self._api, person, title)

    def invitation(self, payload: str) -> str:
        """Return a link that opens the private chat and says `/start <payload>`; empty before the name is known."""
        me = self._state.me
        return f"https://t.me/{me.username}?start={payload}" if me and me.username else ""

    async def publish(self, menu: Menu) -> None:
        """Set the menus that differ; a failure is logged, never raised."""
        await menus.publish(self._api, menu)

    async def is_channel_admin(self, person: Person, channel: ChannelId) -> bool:
        """Ask the platform, now, whether this person created or administers this chat."""
        return await members.rules(self._api, person, channel)

    async def can_read(self, person: Person, channel: ChannelId) -> bool:
        """Ask the same: of all members, Telegram vouches only for those to a bot (ruling 17)."""
        return await members.rules(self._api, person, channel)

    def resolve(self, text: str) -> Located | None:
        """Read a link, a chat's number (`-1001234`, a topic behind a colon) or the public name of a known chat."""
        text = text.strip()
        bare, named = _BARE_ID.fullmatch(text), _PUBLIC_NAME.fullmatch(text)
        if bare is not None:
            return Located(channel_id(NAME, *(part for part in bare.groups() if part)))
        if named is not None:
            chat = self._known.chat_of(named[1])
            return Located(channel_id(NAME, chat)) if chat is not None else None
        found = telegram_link(text)
        return self._with_number(found) if found is not None else None

    def health(self) -> AdapterHealth:
        """Say how the connection is."""
        return self._state.health()

    async def probe(self, channel: ChannelId | None) -> Sequence[Probe]:
        """Ask for the account, the webhook and the rights in a channel; nothing is polled or changed."""
        try:
            return await self._probing.probe(channel)
        except Exception as error:
            log.error("telegram_probe_broke", error_type=type(error).__name__, exc_info=error)
            words = f"looking failed: {type(error).__name__}"
            return (Probe(name=NAME, state="unknown", evidence=words, code="internal"),)

    async def close(self) -> None:
        """Let go of connections."""
        await self._tasks.close()
        await self._connection.close()

    def _with_number(self, found: Located) -> Located:
        """Put a chat's number in the place of its public name, where anything ever arrived from there."""
        _, name, *topic = found.channel.split(":")
        chat = self._known.chat_of(name[1:]) if name.startswith("@") else None
        return found._replace(channel=channel_id(NAME, chat, *topic)) if chat is not None else found

    async def _has_moved(self, old: int, new: int) -> None:
        """Note that a group has another id, and let the bot hear of it."""
        self._known.moved[old] = new
        log.info("telegram_group_moved", old=old, new=new)
        if self._ears is None:
            return
        try:
            await self._ears.heard([moved(old, new, self._clock.now())], None)
        except StoreError as error:
            # the group's own message tells it too
            log.warning("telegram_move_not_heard", error=str(error))


def create(settings: Mapping[str, object], clock: Clock) -> Telegram:
    """Build from the `[platforms.telegram]` table; raise pydantic's ValidationError."""
    return Telegram(Settings.model_validate(dict(settings)), clock)
