"""Turn what happens beside messages into what the bot hears."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, Protocol

import discord
from discord.abc import GuildChannel

from adapters.discord.base.authors import unknown_author
from adapters.discord.base.places import ELSEWHERE, NAME, DiscordPlace, Somewhere, dm_place, guild_place, unknown_place
from adapters.discord.rest.message import DiscordParseContext
from bot.domain.ids import UserId
from bot.domain.messages import (
    EVERYWHERE,
    Author,
    AuthorKind,
    EventKind,
    Inbound,
    InboundKind,
    PlatformEvent,
    ReferenceKind,
)
from bot.text.text import clean

_SPOKEN_IN = (discord.TextChannel, discord.VoiceChannel, discord.StageChannel)
_CHANNELS = {
    "guild_channel_create": EventKind.OTHER,
    "guild_channel_delete": EventKind.LEFT,
    "thread_create": EventKind.OTHER,
    "thread_join": EventKind.OTHER,
    "thread_remove": EventKind.LEFT,
    "thread_delete": EventKind.LEFT,
}
"""What happens to one channel, and what it means to the bot."""
HAPPENINGS = frozenset({*_CHANNELS, "guild_channel_update", "thread_update", "member_update", "guild_role_update"})


_INTERACTION = "INTERACTION_CREATE"
_MESSAGE_EVENTS = frozenset({"MESSAGE_CREATE", "message", _INTERACTION})
"""What people say by itself, and wait for an answer to."""


class UnreadEvent(NamedTuple):
    """What could not be read, and why."""

    name: str
    data: Any
    error: Exception


class _PlacedByNumber(Protocol):
    """What names a channel by numbers."""

    channel_id: int
    guild_id: int | None


def deletion_events(
    messages: Sequence[int], at: _PlacedByNumber, hearing: DiscordParseContext, known: Somewhere
) -> list[Inbound]:
    """Take messages that are gone; Discord names neither their author nor who deleted them."""
    where = _event_place(at.channel_id, at.guild_id, hearing, known)
    gone = _Happening(where, None, hearing.now)
    return [_inbound(gone, str(message)).replace(kind=InboundKind.DELETE) for message in messages]


def change_events(event: str, args: tuple[Any, ...], number: str, hearing: DiscordParseContext) -> Iterator[Inbound]:
    """Take what the library made of a change; what changes nothing for the bot leaves no row."""
    happening = _happening(event, args, hearing)
    if happening is not None:
        yield _inbound(happening, number)


def guild_joined(guild: discord.Guild, number: str, now: int) -> Inbound:
    """Take that the bot came into a guild; it is heard where a guild as a whole is spoken to."""
    return _inbound(_of_guild(guild, EventKind.JOINED, "guild_join", now), number)


def guild_left(guild: discord.Guild, number: str, now: int) -> list[Inbound]:
    """Take that the bot is in a guild no more, for each of its channels."""
    event = PlatformEvent(kind=EventKind.LEFT, name="guild_remove")
    channels = [*(one for one in guild.channels if isinstance(one, _SPOKEN_IN)), *guild.threads]
    return [_inbound(_Happening(guild_place(guild.id, one.id, one), event, now), number) for one in channels]


def second_program(heard: Inbound, now: int, *, was_first: bool) -> Inbound:
    """Tell that a message of the bot's account was posted by another program."""
    return _of_another(heard, now, f"voice-{heard.message_id}", "was first" if was_first else "")


def changed_elsewhere(heard: Inbound, now: int, at: int) -> Inbound:
    """Tell that a message of the bot was changed by another program with its account."""
    return _of_another(heard, now, f"changed-{heard.message_id}-{at}", "changed")


def _of_another(heard: Inbound, now: int, number: str, what: str) -> Inbound:
    event = PlatformEvent(kind=EventKind.SECOND_PROGRAM, name="second_program", what=what)
    return heard.replace(
        kind=InboundKind.EVENT,
        message_id=number,
        edit=0,
        refers=(),
        text="",
        sent_at=now,
        attachments=(),
        mentions_bot=False,
        mentions_others=False,
        replies_to=heard.message_id,
        replies_to_bot=False,
        original_sha256="",
        event=event,
    )


def links_unfolded(heard: Inbound) -> Iterator[Inbound]:
    """Tell what Discord has found behind the links of a message by now; its words are as they were."""
    links = tuple(one for one in heard.refers if one.kind is ReferenceKind.LINKS)
    if links:
        yield heard.replace(
            kind=InboundKind.EVENT,
            message_id=f"links-{heard.message_id}",
            edit=0,
            text="",
            attachments=(),
            mentions_bot=False,
            mentions_others=False,
            replies_to=heard.message_id,
            replies_to_bot=False,
            refers=links,
            event=PlatformEvent(kind=EventKind.UNFOLDED, name="unfolded"),
        )


def reaction_event(
    payload: discord.RawReactionActionEvent, number: str, hearing: DiscordParseContext, known: Somewhere
) -> Inbound:
    """Take that somebody put a reaction on a message, or took it back."""
    where, is_new = (
        _event_place(payload.channel_id, payload.guild_id, hearing, known),
        payload.event_type == "REACTION_ADD",
    )
    what = f"{'+' if is_new else '-'}{clean(str(payload.emoji.name or payload.emoji.id or '?')).text}"
    event = PlatformEvent(kind=EventKind.REACTION, name=payload.event_type.lower(), what=what)
    member, user = payload.member, UserId(str(payload.user_id))
    name = clean(member.display_name).text if member is not None else user
    kind = AuthorKind.BOT if member is not None and member.bot else AuthorKind.PERSON
    told = _inbound(_Happening(where, event, hearing.now), number)
    return told.replace(author=Author(user_id=user, name=name, kind=kind), replies_to=str(payload.message_id))


def unreadable_event(unread: UnreadEvent, number: str, hearing: DiscordParseContext, known: Somewhere) -> Inbound:
    """Take what could not be read: where it happened, who did it, and whether the bot was called, as far as it tells.

    None of its content is kept. What changes a message has a row of its own, beside that of the message.
    """
    name, data, error = unread
    channel, guild, user = _id_field(data, "channel_id"), _id_field(data, "guild_id"), _user(data, hearing.me)
    where = _event_place(channel, guild, hearing, known) if channel else unknown_place()
    if where.channel == ELSEWHERE and channel and user is not None and _is_of_one_person(user):
        where = dm_place(int(user.user_id))
    kind = EventKind.UNREADABLE if name in _MESSAGE_EVENTS else EventKind.OTHER
    event = PlatformEvent(kind=kind, name=f"unreadable {name}"[:100], what=type(error).__name__)
    answered = _object_field(data, "referenced_message")
    own = _id_field(data, "id") if name in _MESSAGE_EVENTS else None
    return _inbound(_Happening(where, event, hearing.now), str(own or number)).replace(
        author=user or unknown_author(),
        mentions_bot=name == _INTERACTION or _calls(data, hearing.me),
        replies_to=str(_id_field(_object_field(data, "message_reference"), "message_id") or ""),
        replies_to_bot=_id_field(_object_field(answered, "author"), "id") == hearing.me,
    )


def _user(data: Any, me: int) -> Author | None:
    """Name who wrote or pressed, where that much can be read."""
    found = (
        _object_field(data, "author")
        or _object_field(_object_field(data, "member"), "user")
        or _object_field(data, "user")
    )
    number = _id_field(found, "id")
    if number is None:
        return None
    is_program = bool(found.get("bot")) or _id_field(data, "webhook_id") is not None
    kind = AuthorKind.SELF if number == me else AuthorKind.BOT if is_program else AuthorKind.PERSON
    name = found.get("global_name") or found.get("username")
    return Author(user_id=UserId(str(number)), name=clean(str(name or number)).text, kind=kind)


def _is_of_one_person(author: Author) -> bool:
    return author.kind is AuthorKind.PERSON


def _calls(data: Any, me: int) -> bool:
    """Say whether a message names the bot; the words themselves are looked at, and not kept."""
    mentions, words = _field(data, "mentions"), _field(data, "content")
    listed = isinstance(mentions, list) and any(_id_field(one, "id") == me for one in mentions)
    return listed or (isinstance(words, str) and (f"<@{me}>" in words or f"<@!{me}>" in words))


class _Happening(NamedTuple):
    """What tells of an event; a deletion has none."""

    at: DiscordPlace
    event: PlatformEvent | None
    when: int


def _happening(event: str, args: tuple[Any, ...], hearing: DiscordParseContext) -> _Happening | None:
    match args:
        case [GuildChannel() | discord.Thread() as channel]:
            return _of_channel(channel, _CHANNELS[event], event, hearing.now)
        case [discord.Thread() as before, discord.Thread() as after]:
            name = _thread_name(before, after)
            return _of_channel(after, EventKind.OTHER, name, hearing.now) if name else None
        case [GuildChannel() as before, GuildChannel() as after]:
            changed = before.overwrites != after.overwrites
            return _of_channel(after, EventKind.RIGHTS, "channel_permissions", hearing.now) if changed else None
        case [discord.Member() as before, discord.Member() as after]:
            name = _member_name(before, after) if after.id == hearing.me else ""
            return _rights_of_guild(after.guild, name, hearing.now) if name else None
        case [discord.Role() as before, discord.Role() as after]:
            mine = after.guild.me is not None and after in after.guild.me.roles
            changed = mine and before.permissions != after.permissions
            return _rights_of_guild(after.guild, "role_permissions", hearing.now) if changed else None
        case _:
            return None


def _member_name(before: discord.Member, after: discord.Member) -> str:
    if before.timed_out_until != after.timed_out_until:
        return "timed_out" if after.is_timed_out() else "timeout_over"
    return "own_roles" if before.roles != after.roles else ""


def _thread_name(before: discord.Thread, after: discord.Thread) -> str:
    if (before.archived, before.locked) == (after.archived, after.locked):
        return ""
    return "thread_locked" if after.locked else "thread_archived" if after.archived else "thread_opened"


def _of_channel(channel: GuildChannel | discord.Thread, kind: EventKind, name: str, now: int) -> _Happening:
    return _Happening(guild_place(channel.guild.id, channel.id, channel), PlatformEvent(kind=kind, name=name), now)


def _of_guild(guild: discord.Guild, kind: EventKind, name: str, now: int) -> _Happening:
    channel = _meeting_place(guild)
    where = guild_place(guild.id, channel.id, channel) if channel is not None else unknown_place()
    return _Happening(where, PlatformEvent(kind=kind, name=name), now)


def _rights_of_guild(guild: discord.Guild, name: str, now: int) -> _Happening:
    found = _of_guild(guild, EventKind.RIGHTS, name, now)
    return found._replace(event=PlatformEvent(kind=EventKind.RIGHTS, name=name, what=EVERYWHERE))


def _meeting_place(guild: discord.Guild) -> GuildChannel | None:
    """Choose where a guild as a whole is spoken to: its own choice first, then the first channel that allows it."""
    spoken_in = [one for one in guild.channels if isinstance(one, _SPOKEN_IN)]
    ordered = [*([guild.system_channel] if guild.system_channel else []), *sorted(spoken_in, key=_place)]
    allowed = (one for one in ordered if guild.me is not None and _allows(one.permissions_for(guild.me)))
    return next(allowed, ordered[0] if ordered else None)


def _place(channel: GuildChannel) -> tuple[bool, int, int]:
    return not isinstance(channel, discord.TextChannel), channel.position, channel.id


def _allows(permissions: discord.Permissions) -> bool:
    return permissions.view_channel and permissions.send_messages


def _event_place(channel: int, guild: int | None, hearing: DiscordParseContext, known: Somewhere) -> DiscordPlace:
    if guild is not None:
        return guild_place(guild, channel, known)
    user = hearing.dms.user_of(channel)
    return dm_place(user) if user is not None else unknown_place()


def _inbound(happening: _Happening, number: str) -> Inbound:
    return Inbound(
        adapter=NAME,
        channel=happening.at.channel,
        channel_name=happening.at.name,
        place=happening.at.place,
        kind=InboundKind.EVENT,
        message_id=number,
        author=unknown_author(),
        text="",
        sent_at=happening.when,
        event=happening.event,
    )


def _field(data: Any, name: str) -> Any:
    return data.get(name) if isinstance(data, dict) else None


def _object_field(data: Any, name: str) -> dict[str, Any]:
    found = _field(data, name)
    return found if isinstance(found, dict) else {}


def _id_field(data: Any, name: str) -> int | None:
    found = _field(data, name)
    return int(found) if isinstance(found, str | int) and str(found).isascii() and str(found).isdigit() else None
