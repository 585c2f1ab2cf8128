"""Turn a message of Discord into what the bot hears."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import discord

from adapters.discord.attachments import attachments_of
from adapters.discord.authors import author_of, is_not_typed
from adapters.discord.dms import Dms
from adapters.discord.places import NAME, Where, in_guild, in_private, nowhere
from bot.domain.messages import Event, EventKind, Inbound, InboundKind
from bot.domain.text import clean

_EPOCH, _TIME_SHIFT = 1_420_070_400_000, 22
"""Ids tell when they were made (https://discord.com/developers/docs/reference#snowflakes)."""


_NOT_WRITTEN = (discord.MessageType.thread_starter_message, discord.MessageType.poll_result)
"""What Discord writes in somebody's name although the library does not count it to the system's."""


class Hearing(NamedTuple):
    """What is read with: who the bot is, whose private chats are known, and the time (UTC ms)."""

    me: int
    dms: Dms
    now: int


class _Mentions(NamedTuple):
    """Whom a text calls."""

    bot: bool
    others: bool


def said(message: discord.Message, hearing: Hearing, kind: InboundKind = InboundKind.MESSAGE) -> Inbound:
    """Take a message as it was first seen, or its edit.

    What the platform writes itself is an event; what it keeps the words of comes with none.
    """
    where = where_of(message, hearing)
    cleaned = clean(_text(message))
    calls = _mentions(message, hearing.me)
    answered = _answered(message)
    event = _event(message)
    return Inbound(
        adapter=NAME,
        channel=where.channel,
        channel_name=where.name,
        place=where.place,
        kind=InboundKind.EVENT if event else kind,
        message_id=str(message.id),
        edit=edit_of(message) if kind is InboundKind.EDIT else 0,
        author=author_of(message, hearing.me),
        text="" if event else cleaned.text,
        sent_at=time_of(message.id),
        mentions_bot=calls.bot,
        mentions_others=calls.others,
        replies_to=str(message.reference.message_id) if _is_reply(message) and message.reference else "",
        replies_to_bot=answered is not None and answered.author.id == hearing.me,
        forwarded=is_not_typed(message),
        original_sha256=cleaned.original_sha256 or "",
        attachments=attachments_of(message),
        event=event,
    )


def where_of(message: discord.Message, hearing: Hearing) -> Where:
    """Say where a message stands; a private chat is named by the person, whoever of both wrote."""
    guild = message.guild.id if message.guild is not None else getattr(message.channel, "guild_id", None)
    if guild is not None:
        return in_guild(guild, message.channel.id, message.channel)
    user = hearing.dms.user_of(message.channel.id) if message.author.id == hearing.me else message.author.id
    return in_private(user) if user is not None else nowhere()


def time_of(snowflake: int) -> int:
    """Say when an id was made, in UTC ms."""
    return (snowflake >> _TIME_SHIFT) + _EPOCH


def snowflake_at(at: int) -> int:
    """Return the smallest id of a time (UTC ms)."""
    return max(0, at - _EPOCH) << _TIME_SHIFT


def edit_of(message: discord.Message) -> int:
    """Name an edit by its time; 0 for what was not edited, such as a link that has unfolded."""
    return round(message.edited_at.timestamp() * 1000) if message.edited_at is not None else 0


def _text(message: discord.Message) -> str:
    """Return the words; what is forwarded stands in a copy of its own."""
    words = [message.content, *(snapshot.content for snapshot in message.message_snapshots)]
    return "\n\n".join(word for word in words if word)


def _event(message: discord.Message) -> Event | None:
    if message.is_system() or message.type in _NOT_WRITTEN:
        # the library gives a type that it does not know a name of its own
        is_known = message.type in discord.MessageType
        return Event(kind=EventKind.OTHER if is_known else EventKind.UNREADABLE, name=message.type.name)
    return None


def _is_reply(message: discord.Message) -> bool:
    return message.type is discord.MessageType.reply and message.reference is not None


def _answered(message: discord.Message) -> discord.Message | None:
    resolved = message.reference.resolved if _is_reply(message) and message.reference is not None else None
    return resolved if isinstance(resolved, discord.Message) else None


def _mentions(message: discord.Message, me: int) -> _Mentions:
    called = list(_called(message, me))
    return _Mentions(any(called), not all(called))


def _called(message: discord.Message, me: int) -> Iterator[bool]:
    """Yield for everybody whom the words call whether it is the bot; who is only answered is not called."""
    words = message.content
    for user in message.mentions:
        if not words or f"<@{user.id}>" in words or f"<@!{user.id}>" in words:
            yield user.id == me
    for role in message.role_mentions:
        # the role that came with the bot is the bot, and many people call it so
        yield role.tags is not None and role.tags.bot_id == me
