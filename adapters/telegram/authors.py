"""Who stands behind a message: only a person who speaks for themselves is one."""

from __future__ import annotations

import re
from typing import NamedTuple

from telegram import Chat, Message, User

from bot.domain.bot_accounts import BotAccount
from bot.domain.ids import UserId
from bot.domain.messages import Author, AuthorKind
from bot.text.text import clean

# https://core.telegram.org/bots/api#message: the accounts that stand in for many people
ANONYMOUS_ADMIN = 1087968824
_LOCALE = re.compile(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8}){0,3}")
_CHANNEL_BOT = 136817688
_SERVICE = 777000


class TelegramAccount(NamedTuple):
    """The bot's own account, as getMe says; `reads_all` is group privacy switched off, `name` is what people read."""

    id: int
    username: str
    reads_all: bool = False
    has_topics: bool = False
    name: str = ""

    @classmethod
    def of(cls, user: User) -> TelegramAccount:
        """Read the answer to getMe."""
        reads_all, has_topics = bool(user.can_read_all_group_messages), bool(user.has_topics_enabled)
        return cls(user.id, user.username or "", reads_all, has_topics, clean(user.full_name).text)

    @property
    def names(self) -> tuple[str, ...]:
        """Every name that the account has."""
        return tuple(dict.fromkeys(filter(None, (self.username, self.name))))

    @property
    def account(self) -> BotAccount:
        """The account as it is kept beside what was read."""
        return BotAccount(str(self.id), f"@{self.username}")


def author_of(message: Message, me: TelegramAccount) -> Author:
    """Say who wrote a message."""
    chat, user = message.sender_chat, message.from_user
    if chat is not None and chat.id == message.chat.id and not _is_channel(message):
        return _of_chat(chat, AuthorKind.ANONYMOUS_ADMIN, message.author_signature)
    if chat is not None or user is None:
        return _of_chat(chat or message.chat, AuthorKind.CHANNEL_POST, message.author_signature)
    if user.id == ANONYMOUS_ADMIN:
        return _of_chat(message.chat, AuthorKind.ANONYMOUS_ADMIN, message.author_signature)
    if user.id in (_CHANNEL_BOT, _SERVICE):
        return author(user, me).replace(kind=AuthorKind.CHANNEL_POST)
    if message.sender_business_bot is not None:
        return author(user, me).replace(kind=AuthorKind.BOT)
    return author(user, me)


def author(user: User, me: TelegramAccount) -> Author:
    kind = AuthorKind.SELF if user.id == me.id else AuthorKind.BOT if user.is_bot else AuthorKind.PERSON
    return Author(user_id=UserId(str(user.id)), name=clean(user.full_name).text, kind=kind)


def locale_of(user: User | None) -> str:
    """Return the language of somebody's app (`de`, `pt-br`); Telegram does not always tell it."""
    code = user.language_code or "" if user is not None else ""
    return code if _LOCALE.fullmatch(code) else ""


def chat_author(chat: Chat) -> Author:
    """Name a chat as the one who did something, where Telegram names nobody else."""
    return _of_chat(chat, AuthorKind.CHANNEL_POST, None)


def signed_author(chat: Chat, signature: str | None) -> Author:
    """Name a chat as the one who wrote something first, with the name that its author signed with."""
    named = chat_author(chat)
    return named.replace(name=f"{named.name} ({clean(signature).text})") if signature else named


def unknown_author() -> Author:
    """Stand for somebody whom Telegram does not name."""
    return Author(user_id=UserId("0"), name="Telegram", kind=AuthorKind.WEBHOOK)


def is_not_typed(message: Message) -> bool:
    """Say whether the author did not type these words themselves: forwarded, or made by an inline bot."""
    return bool(message.forward_origin or message.via_bot or message.is_automatic_forward)


def writes_as_channel(message: Message) -> bool:
    """Say whether somebody chose to write in a group under the name of a channel; what is posted there is no such."""
    chat = message.sender_chat
    is_other = chat is not None and chat.id != message.chat.id and not _is_channel(message)
    return is_other and not is_not_typed(message)


def _is_channel(message: Message) -> bool:
    return message.chat.type == "channel"


def _of_chat(chat: Chat, kind: AuthorKind, signature: str | None) -> Author:
    name = signature or chat.title or chat.full_name or str(chat.id)
    return Author(user_id=UserId(str(chat.id)), name=clean(name).text, kind=kind)
