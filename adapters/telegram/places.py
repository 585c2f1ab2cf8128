"""Where things are: chats and topics as channels, and what was learnt of their names."""

from __future__ import annotations

import re
from itertools import islice
from typing import NamedTuple

from telegram import Chat, Message
from telegram.constants import ChatType

from bot.domain.ids import ChannelId, channel_id
from bot.domain.messages import ChannelPlace, OutboundAddress
from bot.errors import DeliveryError
from bot.runtime.lru_cache import LRUCache
from bot.sentences import later
from bot.text.text import clean

NAME = "telegram"
ELSEWHERE = channel_id(NAME, "elsewhere")
"""Stands for what happened in no chat of the bot: inline queries, polls, other people's business chats."""
GENERAL = 1
BUSINESS = "business"
_MAX_NAMES = 10_000
_MAX_NAMED = 20
_NAMED = re.compile(r"(?:@|/)([A-Za-z]\w{3,31})", re.ASCII)
_CHAT = re.compile(r"-?[1-9]\d{0,19}", re.ASCII)
_TOPIC = re.compile(r"[1-9]\d{0,19}", re.ASCII)


class TelegramPlace(NamedTuple):
    """A channel as an inbound names it."""

    channel: ChannelId
    name: str
    place: ChannelPlace


class TelegramTarget(NamedTuple):
    """A channel as the Bot API names it. `thread` is None outside topics."""

    chat: int
    thread: int | None

    @property
    def is_private(self) -> bool:
        """Whether it is one person's chat with the bot: such chats have the person's positive id."""
        return self.chat > 0


class KnownPlaces:
    """What was learnt from what arrived: names of topics, chats of public names, new ids of chats that moved."""

    def __init__(self) -> None:
        self._topics: LRUCache[tuple[int, int], str] = LRUCache(_MAX_NAMES)
        self._public: LRUCache[str, int] = LRUCache(_MAX_NAMES)
        self._sent: LRUCache[tuple[str, str], ChannelId] = LRUCache(_MAX_NAMES)
        self.moved: dict[int, int] = {}

    def learn(self, message: Message) -> None:
        """Take what a message tells of its chat."""
        chat, root = message.chat, message.reply_to_message
        if chat.username and chat.type != ChatType.PRIVATE:
            self.learn_name(chat.username, chat.id)
        for told in (message, root):
            thread = told.message_thread_id if told else None
            if told is not None and thread is not None:
                self._learn_topic((chat.id, thread), told)

    def learn_sent(self, channel: ChannelId, message_id: str) -> None:
        """Take where a message of the bot stands, if that is a topic: what happens to it is told without one."""
        if channel.count(":") > 1:
            self._sent.put((channel.split(":")[1], message_id), channel)

    def place_of_sent(self, chat: int, message_id: int) -> ChannelId | None:
        """Return the topic in which a message of the bot stands, if it was sent to one."""
        return self._sent.get((str(chat), str(message_id)))

    def topic(self, chat: int, thread: int) -> str:
        """Return the name of a topic, or its number where it is not known."""
        return self._topics.get((chat, thread)) or f"topic {thread}"

    def named_in(self, text: str) -> dict[str, int]:
        """Return the chats whose public names stand in a text, as far as they are known."""
        names = {name.lower() for name in islice(_NAMED.findall(text), _MAX_NAMED)}
        return {name: chat for name in names if (chat := self._public.get(name)) is not None}

    def learn_name(self, username: str, chat: int) -> None:
        """Take whose a public name is."""
        self._public.put(username.lower(), chat)

    def chat_of(self, username: str) -> int | None:
        """Return the chat of a public name, if anything ever arrived from there."""
        return self._public.get(username.lower())

    def _learn_topic(self, key: tuple[int, int], told: Message) -> None:
        created, edited = told.forum_topic_created, told.forum_topic_edited
        if created is not None and key not in self._topics:
            # every message of a topic repeats what it was called first; a later name stays
            self._topics.put(key, clean(created.name).text)
        if edited is not None and edited.name:
            self._topics.put(key, clean(edited.name).text)


def chat_place(chat: Chat, message: Message | None, known: KnownPlaces) -> TelegramPlace:
    """Name the channel of a chat, or of a message's topic in it."""
    thread = thread_of(message) if message else None
    return place_of(chat.id, chat.title or "", thread, known, is_private=chat.type == ChatType.PRIVATE)


def place_of(chat: int, title: str, thread: int | None, known: KnownPlaces, *, is_private: bool) -> TelegramPlace:
    """Name the channel of a chat by its number, or of a topic in it."""
    name = "direct messages" if is_private else clean(title or str(chat)).text
    place = ChannelPlace(is_dm=is_private, guild_id="" if is_private else str(chat))
    if thread is None:
        return TelegramPlace(channel_id(NAME, chat), name, place)
    place = place.replace(parents=(str(chat),))
    return TelegramPlace(channel_id(NAME, chat, thread), f"{name} › {known.topic(chat, thread)}", place)


def business_place(connection: str, chat: int, name: str) -> TelegramPlace:
    """Describe a chat of somebody's business account; it bears the number of one with the bot, and is another one."""
    return TelegramPlace(
        channel_id(NAME, BUSINESS, connection, chat), clean(f"business chat with {name}").text, ChannelPlace()
    )


def is_business(channel: ChannelId) -> bool:
    """Say whether a channel is a chat of somebody's business account."""
    return channel.startswith(f"{NAME}:{BUSINESS}:")


def unknown_place() -> TelegramPlace:
    """Describe what happened in no chat of the bot."""
    return TelegramPlace(ELSEWHERE, "elsewhere", ChannelPlace())


def thread_of(message: Message) -> int | None:
    """Return the topic of a message; a forum's general one, and threads of replies, are their chat itself."""
    thread = message.message_thread_id
    is_general = thread == GENERAL and message.chat.type != ChatType.PRIVATE
    return thread if message.is_topic_message and not is_general else None


def target_of(channel: ChannelId) -> TelegramTarget:
    """Read a channel id; raise DeliveryError for what no message can be sent to."""
    platform, *path = channel.split(":")
    if platform == NAME and len(path) in {1, 2} and _CHAT.fullmatch(path[0]) and all(map(_TOPIC.fullmatch, path[1:])):
        return TelegramTarget(int(path[0]), int(path[1]) if len(path) == 2 else None)
    words = later("delivery_failures.no-channel", channel=channel, platform="Telegram")
    raise DeliveryError(words, code="chat_not_found", permanent=True)


def target_of_address(to: OutboundAddress) -> TelegramTarget:
    """Read an address; raise DeliveryError when it is meant for one person and others could read it."""
    target = target_of(to.channel)
    if to.private_to is not None and str(target.chat) != to.private_to:
        words = later("delivery_failures.not-private", place=to.channel)
        raise DeliveryError(words, code="not_private", permanent=True)
    return target
