"""Turn a message of Discord into what the bot hears."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import discord

from adapters.discord.base.attachments import attachments_of
from adapters.discord.base.authors import author_of, is_not_typed
from adapters.discord.base.places import NAME, DiscordPlace, dm_place, guild_place, unknown_place
from adapters.discord.base.references import references_of
from adapters.discord.rest.dms import DmChannels
from bot.domain.messages import EventKind, Inbound, InboundKind, Mention, MentionKind, PieceSign, PlatformEvent
from bot.text.text import clean, utf16_length

_EPOCH, _TIME_SHIFT = 1_420_070_400_000, 22
"""Ids tell when they were made (https://discord.com/developers/docs/reference#snowflakes)."""


_NOT_WRITTEN = (discord.MessageType.thread_starter_message, discord.MessageType.poll_result)
"""What Discord writes in somebody's name although the library does not count it to the system's."""


_LONG = 2000 * 7 // 8
"""Whoever has more to say than 2,000 characters sends it in parts."""


class DiscordParseContext(NamedTuple):
    """What is read with: who the bot is, whose private chats are known, the time (UTC ms), and the bot's account.

    The library keeps the account as the gateway tells of it, renamed or not.
    """

    me: int
    dms: DmChannels
    now: int
    account: discord.ClientUser | None = None


class _Mentions(NamedTuple):
    bot: bool
    others: bool
    mentioned: tuple[Mention, ...] = ()


def read_message(
    message: discord.Message, hearing: DiscordParseContext, kind: InboundKind = InboundKind.MESSAGE
) -> Inbound:
    """Take a message as it was first seen, or its edit.

    What the platform writes itself is an event; what it keeps the words of comes with none.
    """
    where = where_of(message, hearing)
    cleaned = clean(_text(message))
    calls = _mentions(message, hearing)
    answered = _answered_message(message)
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
        sign=None if event else sign_of(message),
        mentioned=() if event else calls.mentioned,
        account_names=_names(message, hearing),
        refers=() if event else references_of(message, hearing.me),
    )


def sign_of(message: discord.Message) -> PieceSign | None:
    """Say whether more of the same thought may come at once: a forward's comment follows it, as does a text's rest."""
    reference = message.reference
    if reference is not None and reference.type is discord.MessageReferenceType.forward:
        return PieceSign.FORWARD
    return PieceSign.LONG if utf16_length(message.content) >= _LONG else None


def where_of(message: discord.Message, hearing: DiscordParseContext) -> DiscordPlace:
    """Say where a message stands; a private chat is named by the person, whoever of both wrote."""
    guild = message.guild.id if message.guild is not None else getattr(message.channel, "guild_id", None)
    if guild is not None:
        return guild_place(guild, message.channel.id, message.channel)
    user = hearing.dms.user_of(message.channel.id) if message.author.id == hearing.me else message.author.id
    return dm_place(user) if user is not None else unknown_place()


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
    """Return the words; what is forwarded stands in a copy of its own, and beside words that somebody wrote with it."""
    forwarded = (snapshot.content for snapshot in message.message_snapshots)
    return message.content or "\n\n".join(word for word in forwarded if word)


def _event(message: discord.Message) -> PlatformEvent | None:
    if message.is_system() or message.type in _NOT_WRITTEN:
        # the library gives a type that it does not know a name of its own
        is_known = message.type in discord.MessageType
        return PlatformEvent(kind=EventKind.OTHER if is_known else EventKind.UNREADABLE, name=message.type.name)
    return None


def _is_reply(message: discord.Message) -> bool:
    return message.type is discord.MessageType.reply and message.reference is not None


def _answered_message(message: discord.Message) -> discord.Message | None:
    resolved = message.reference.resolved if _is_reply(message) and message.reference is not None else None
    return resolved if isinstance(resolved, discord.Message) else None


def _names(message: discord.Message, hearing: DiscordParseContext) -> tuple[str, ...]:
    """Return every name that the bot's account has where a message stands: of its own, and in that guild."""
    user, here = hearing.account, message.guild.me if message.guild is not None and hearing.account else None
    names = (user.name, user.global_name) if user is not None else ()
    return tuple(dict.fromkeys(clean(name).text for name in (*names, here.nick if here is not None else None) if name))


def _mentions(message: discord.Message, hearing: DiscordParseContext) -> _Mentions:
    called = list(_called_mentions(message, hearing))
    others = tuple(one for one in called if one is not None)
    crowd = (Mention(kind=MentionKind.EVERYONE, name="everyone"),) if message.mention_everyone else ()
    return _Mentions(None in called, bool(others), (*others, *crowd))


def _called_mentions(message: discord.Message, hearing: DiscordParseContext) -> Iterator[Mention | None]:
    """Yield everybody whom the words call, None for the bot; who is only answered is not called."""
    words, me = message.content, hearing.me
    for user in message.mentions:
        if not words or f"<@{user.id}>" in words or f"<@!{user.id}>" in words:
            name = clean(user.display_name).text
            yield None if user.id == me else Mention(kind=MentionKind.USER, name=name, id=str(user.id))
    here = message.guild.me if message.guild is not None and hearing.account is not None else None
    for role in message.role_mentions:
        # the role that came with the bot is the bot, and many people call it so
        is_bot = role.tags is not None and role.tags.bot_id == me
        is_held = here is not None and here.get_role(role.id) is not None
        name = clean(role.name).text
        yield None if is_bot else Mention(kind=MentionKind.ROLE, name=name, id=str(role.id), is_held=is_held)
