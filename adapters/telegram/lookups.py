"""What Telegram knows about its people, chats and files."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from telegram import ChatMember
from telegram.constants import ChatType
from telegram.error import BadRequest, Forbidden, TelegramError

from adapters.telegram import errors
from adapters.telegram.api import FILES, ApiSessions, BotApi
from adapters.telegram.places import NAME, KnownPlaces, target_of
from adapters.telegram.request import TooLarge
from adapters.telegram.state import TelegramState
from bot.domain.ids import ChannelId, PersonKey, channel_id
from bot.domain.messages import Attachment, Author, ChannelPlace
from bot.domain.permalinks import MessageLocation, telegram_link
from bot.errors import DeliveryError, FetchError
from bot.ports.platform import PlatformChannel
from bot.sentences import say
from bot.text.text import clean

# a person's id has at most 52 bits (https://core.telegram.org/bots/api#user), which leaves longer numbers to others
_BARE_ID = re.compile(r"(-[1-9]\d{4,18}|[1-9]\d{4,15})(?::([1-9]\d{0,15}))?", re.ASCII)
_PUBLIC_NAME = re.compile(r"@([A-Za-z]\w{3,31})", re.ASCII)
_CHAT = re.compile(r"-?[1-9]\d{4,18}", re.ASCII)
_RULING_STATUSES = frozenset({ChatMember.OWNER, ChatMember.ADMINISTRATOR})


class TelegramKnowledge:
    """Implements `bot.ports.platform.PlatformDirectory`."""

    def __init__(self, connection: ApiSessions, state: TelegramState, known: KnownPlaces) -> None:
        self._connection = connection
        self._state = state
        self._known = known

    async def is_channel_admin(self, person: PersonKey, channel: ChannelId) -> bool:
        """Ask the platform, now, whether this person created or administers this chat."""
        return await is_ruling(self._connection.api, person, channel)

    async def moderates(self, person: PersonKey, channel: ChannelId) -> bool:
        """Ask whether they administer the chat: Telegram has no other moderators. A private chat has none."""
        return await is_ruling(self._connection.api, person, channel, in_private=False)

    async def can_read(self, person: PersonKey, channel: ChannelId) -> bool:
        """Ask the same: of all members, Telegram vouches only for those to a bot."""
        return await is_ruling(self._connection.api, person, channel)

    async def who_deleted(self, channel: ChannelId, message_id: str, at: int) -> Author | None:
        """Telegram tells no bot who deletes messages, and hardly ever that somebody does."""

    def resolve(self, text: str) -> MessageLocation | None:
        """Read a link, a chat's number (`-1001234`, a topic behind a colon) or the public name of a known chat."""
        text = text.strip()
        bare, named = _BARE_ID.fullmatch(text), _PUBLIC_NAME.fullmatch(text)
        if bare is not None:
            return MessageLocation(channel_id(NAME, *(part for part in bare.groups() if part)))
        if named is not None:
            chat = self._known.chat_of(named[1])
            return MessageLocation(channel_id(NAME, chat)) if chat is not None else None
        found = telegram_link(text)
        return self._with_number(found) if found is not None else None

    async def find(self, text: str) -> Sequence[PlatformChannel]:
        """Ask for a chat by its number, its public name or a link; Telegram finds none by its title. DeliveryError."""
        text, located = text.strip(), self.resolve(text)
        written = located.channel.partition(":")[2] if located is not None else text.removeprefix(f"{NAME}:")
        chat, _, topic = written.partition(":")
        if not (_CHAT.fullmatch(chat) or _PUBLIC_NAME.fullmatch(chat)):
            return ()
        try:
            return (
                _chat_whereabouts(await self._connection.api.chat(int(chat) if _CHAT.fullmatch(chat) else chat), topic),
            )
        except (BadRequest, Forbidden):
            # a group is asked about most urgently where Telegram shows nothing of it; what a name means is not known
            return (_unseen_whereabouts(chat, topic),) if chat.startswith("-") else ()
        except TelegramError as error:
            raise errors.delivery_error(error) from None

    def invitation(self, payload: str) -> str:
        """Return a link that opens the private chat and says `/start <payload>`; empty before the name is known."""
        me = self._state.me
        start = f"?start={payload}" if payload else ""
        return f"https://t.me/{me.username}{start}" if me and me.username else ""

    async def fetch(self, attachment: Attachment, most: int) -> bytes:
        """Return the content of a file that came in; raise FetchError."""
        return await fetch_file(self._connection, attachment, most)

    def _with_number(self, found: MessageLocation) -> MessageLocation:
        """Put a chat's number in the place of its public name, where anything ever arrived from there."""
        _, name, *topic = found.channel.split(":")
        chat = self._known.chat_of(name[1:]) if name.startswith("@") else None
        return found._replace(channel=channel_id(NAME, chat, *topic)) if chat is not None else found


def _chat_whereabouts(chat: dict[str, Any], topic: str) -> PlatformChannel:
    number, is_private = int(chat["id"]), chat.get("type") == ChatType.PRIVATE
    title = "direct messages" if is_private else clean(str(chat.get("title") or number)).text
    return _whereabouts(number, topic, title, is_private=is_private)


def _unseen_whereabouts(chat: str, topic: str) -> PlatformChannel:
    return _whereabouts(int(chat), topic, f"chat {chat}", is_private=False)


def _whereabouts(number: int, topic: str, name: str, *, is_private: bool) -> PlatformChannel:
    place = ChannelPlace(is_dm=is_private, guild_id="" if is_private else str(number))
    if not topic:
        return PlatformChannel(channel=channel_id(NAME, number), name=name, place=place)
    place = place.replace(parents=(str(number),))
    return PlatformChannel(channel=channel_id(NAME, number, topic), name=f"{name} › topic {topic}", place=place)


async def fetch_file(connection: ApiSessions, attachment: Attachment, most: int) -> bytes:
    """Return the content of a file; raise FetchError. Its size is checked as it is said, and as it comes."""
    if not attachment.reference:
        raise FetchError(say("fetching.no-content"))
    try:
        found = await connection.api.get_file(attachment.reference)
        if (found.file_size or 0) > most:
            raise TooLarge("the file is too large")
        path = (found.file_path or "").removeprefix(FILES)
        if not path or path.startswith("/"):
            raise FetchError(say("fetching.nowhere", platform="Telegram"))
        return await connection.carrier.download(path, most)
    except TooLarge:
        raise FetchError(say("fetching.too-large", kb=-(-most // 1000))) from None
    except TelegramError as error:
        raise FetchError(say("fetching.not-given", platform="Telegram", why=error.message)) from None


async def is_ruling(api: BotApi, person: PersonKey, channel: ChannelId, *, in_private: bool = True) -> bool:
    """Say whether somebody created or administers a chat; their own private chat is theirs. Doubt means no.

    Without `in_private`, that does not count.
    """
    if person.platform != NAME or not (person.user_id.isascii() and person.user_id.isdigit()):
        return False
    try:
        target = target_of(channel)
        if target.is_private:
            return in_private and str(target.chat) == person.user_id
        return (await api.get_chat_member(target.chat, int(person.user_id))).status in _RULING_STATUSES
    except (DeliveryError, TelegramError):
        return False
