"""Who is told of what: intents, permissions, and the content that is kept back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from .permissions import sees
from .values import Json, User, merged

if TYPE_CHECKING:
    from .bot import Bot
    from .message import Message
    from .place import Place
    from .roster import Roster
    from .session import Session
    from .state import State

INTENTS = {
    "guilds": 0,
    "members": 1,
    "moderation": 2,
    "expressions": 3,
    "presences": 8,
    "guild_messages": 9,
    "guild_reactions": 10,
    "guild_typing": 11,
    "dm_messages": 12,
    "dm_reactions": 13,
    "dm_typing": 14,
    "message_content": 15,
}
PRIVILEGED = ("members", "presences", "message_content")
KNOWN = 0b11_0011_0001_1111_1111_1111_1111  # every intent that exists, and no other
Writes = Callable[["Session"], Json]


def has(intents: int, name: str) -> bool:
    """Say whether an intent is among these."""
    return bool(intents >> INTENTS[name] & 1)


def announce(
    world: State,
    event: str,
    writes: Writes,
    *,
    guild: Roster | None = None,
    channel: Place | None = None,
    intent: str | None = None,
) -> None:
    """Tell every session that may know; in a channel, of a guild, or everybody's."""
    where = channel.guild if channel is not None else guild
    for bot in list(world.bots.values()):
        if not _concerns(bot, where, channel):
            continue
        for session in list(bot.sessions):
            if session.holds(where) and session.wants(intent):
                session.add(event, writes(session))
    world.changed.set()


def in_place(channel: Place, what: str) -> str:
    """Name the intent for messages, reactions or typing of a place."""
    return f"{'dm' if channel.guild is None else 'guild'}_{what}"


def tell(message: Message, event: str = "MESSAGE_CREATE", change: Json | None = None) -> None:
    """Announce a message or its edit, to each bot as its intents let it see it."""

    def writes(session: Session) -> Json:
        whole = has(session.intents, "message_content") or exempt(message, session.bot)
        return merged(message.event(session.bot, whole=whole), change)

    channel = message.channel
    if message.is_for is None:
        announce(channel.world, event, writes, channel=channel, intent=in_place(channel, "messages"))
    else:
        _whisper(message, event, lambda session: message.json(session.bot))


def exempt(message: Message, bot: Bot) -> bool:
    """Say whether a bot may read a message without the content intent: its own, private ones, and those naming it."""
    return message.author is bot or message.channel.guild is None or bot in message.mentions


def tell_gone(message: Message) -> None:
    """Announce that a message was deleted."""
    channel = message.channel
    body = {"id": str(message.id), "channel_id": str(channel.id)} | guild_id(channel)
    if message.is_for is None:
        announce(channel.world, "MESSAGE_DELETE", lambda _: body, channel=channel, intent=in_place(channel, "messages"))
    else:
        _whisper(message, "MESSAGE_DELETE", lambda _: {"id": str(message.id), "channel_id": str(channel.id)})


def tell_swept(messages: Sequence[Message]) -> None:
    """Announce that many messages of a channel were deleted at once."""
    channel = messages[0].channel
    body = {"ids": [str(one.id) for one in messages], "channel_id": str(channel.id)} | guild_id(channel)
    intent = in_place(channel, "messages")
    announce(channel.world, "MESSAGE_DELETE_BULK", lambda _: body, channel=channel, intent=intent)


def _whisper(message: Message, event: str, writes: Writes) -> None:
    """Tell a bot of its own ephemeral message: as if it were a direct one, without guild, under that intent."""
    world = message.channel.world
    for session in [session for bot in world.bots.values() if bot is message.author for session in bot.sessions]:
        if session.holds(None) and session.wants("dm_messages"):
            session.add(event, writes(session))
    world.changed.set()


def tell_reaction(message: Message, user: User, emoji: str, *, added: bool) -> None:
    """Announce a reaction, or that it was taken back."""
    channel = message.channel
    body: Json = {"user_id": str(user.id), "channel_id": str(channel.id), "message_id": str(message.id)}
    body |= guild_id(channel) | {"emoji": {"id": None, "name": emoji}, "burst": False, "type": 0}
    if added:
        body["message_author_id"] = str(message.author.id)
        member = channel.guild.members.get(user.id) if channel.guild else None
        body |= {"member": member.json()} if member else {}
    event = f"MESSAGE_REACTION_{'ADD' if added else 'REMOVE'}"
    announce(channel.world, event, lambda _: body, channel=channel, intent=in_place(channel, "reactions"))


def tell_typing(channel: Place, user: User) -> None:
    """Announce that somebody types."""
    body: Json = {"channel_id": str(channel.id), "user_id": str(user.id), "timestamp": int(channel.world.now)}
    body |= guild_id(channel)
    member = channel.guild.members.get(user.id) if channel.guild else None
    body |= {"member": member.json()} if member else {}
    announce(channel.world, "TYPING_START", lambda _: body, channel=channel, intent=in_place(channel, "typing"))


def tell_channel(channel: Place, event: str) -> None:
    """Announce a channel or thread that came, changed or went: `CREATE`, `UPDATE`, `DELETE`."""
    kind = "THREAD" if channel.is_thread else "CHANNEL"

    def writes(session: Session) -> Json:
        fresh = {"newly_created": True} if (kind, event) == ("THREAD", "CREATE") else {}
        return channel.json(session.bot) | fresh

    # a bot is told of every channel, even of those it may not enter, but of threads only where it may
    hidden = {"guild": channel.guild} if kind == "CHANNEL" else {"channel": channel}
    announce(channel.world, f"{kind}_{event}", writes, intent="guilds", **hidden)


def tell_threads(channel: Place) -> None:
    """Tell the bots that may see a channel of the open threads in it, as when they have just got the permission."""
    threads = [one for one in channel.world.channels.values() if one.parent is channel and not one.is_archived]

    def writes(session: Session) -> Json:
        seen = [one for one in threads if sees(one, session.bot)]
        members = [one.membership(session.bot) for one in seen if session.bot.id in one.joined]
        body: Json = {"channel_ids": [str(channel.id)], "threads": [one.json(session.bot) for one in seen]}
        return body | guild_id(channel) | {"members": members}

    if threads:
        announce(channel.world, "THREAD_LIST_SYNC", writes, channel=channel, intent="guilds")


def tell_arrival(thread: Place, user: User) -> None:
    """Tell a bot of a private thread that it has just been let into."""
    for session in [session for bot in thread.world.bots.values() if bot is user for session in bot.sessions]:
        if session.holds(thread.guild) and session.wants("guilds"):
            session.add("THREAD_CREATE", thread.json(session.bot))


def tell_members(thread: Place, user: User) -> None:
    """Announce who has come into a thread."""
    body: Json = {"id": str(thread.id), "member_count": len(thread.joined)} | guild_id(thread)
    body["added_members"] = [thread.membership(user)]
    announce(thread.world, "THREAD_MEMBERS_UPDATE", lambda _: body, channel=thread, intent="guilds")


def guild_id(channel: Place) -> Json:
    """Write the guild of a channel where there is one."""
    return {"guild_id": str(channel.guild.id)} if channel.guild else {}


def _concerns(bot: Bot, guild: Roster | None, channel: Place | None) -> bool:
    if guild is not None and (bot.id not in guild.members or guild.is_down):
        return False
    return channel is None or sees(channel, bot)
