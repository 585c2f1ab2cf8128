"""What somebody may do: permission bits, and how roles and overwrites of a channel add up."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .place import Place
    from .roster import Roster
    from .values import User

BITS = {
    "kick_members": 1,
    "ban_members": 2,
    "administrator": 3,
    "manage_channels": 4,
    "manage_guild": 5,
    "add_reactions": 6,
    "view_audit_log": 7,
    "view_channel": 10,
    "send_messages": 11,
    "manage_messages": 13,
    "embed_links": 14,
    "attach_files": 15,
    "read_message_history": 16,
    "mention_everyone": 17,
    "use_external_emojis": 18,
    "connect": 20,
    "manage_roles": 28,
    "manage_webhooks": 29,
    "use_application_commands": 31,
    "manage_threads": 34,
    "create_public_threads": 35,
    "create_private_threads": 36,
    "send_messages_in_threads": 38,
    "moderate_members": 40,
    "send_polls": 49,
    "pin_messages": 51,
}
USUAL = (
    "add_reactions view_channel send_messages embed_links attach_files read_message_history mention_everyone "
    "use_external_emojis use_application_commands create_public_threads create_private_threads "
    "send_messages_in_threads connect send_polls"
)


def bits(names: Iterable[str]) -> int:
    """Add up permissions by their names, as discord.py spells them."""
    total = 0
    for name in names:
        if name not in BITS:
            raise ValueError(f"no permission {name!r}; there are {', '.join(BITS)}")
        total |= 1 << BITS[name]
    return total


EVERYTHING = bits(BITS)
VOICE_KINDS = (2, 13)
EVERYONE = bits(USUAL.split())
# worth nothing to who may not write
NEEDS_SPEECH = bits(["embed_links", "attach_files", "mention_everyone", "send_polls"])
IN_TIME_OUT = bits(["view_channel", "read_message_history"])
IN_DIRECT = EVERYONE & ~bits(["mention_everyone", "create_public_threads", "create_private_threads", "connect"])


def in_guild(guild: Roster, user: User) -> int:
    """Add up somebody's permissions in a guild; nothing for somebody who is not there."""
    member = guild.members.get(user.id)
    if member is None:
        return 0
    total = guild.everyone.permissions
    for role in member.roles:
        total |= role.permissions
    return EVERYTHING if guild.owner is user or total & bits(["administrator"]) else total


def in_channel(channel: Place, user: User) -> int:
    """Add up somebody's permissions in a channel, a thread or a direct message; of voice only where there is some."""
    total = _in_channel(channel, user)
    return total if channel.kind in VOICE_KINDS else total & ~bits(["connect"])


def _in_channel(channel: Place, user: User) -> int:
    guild = channel.guild
    if guild is None:
        return IN_DIRECT if user in channel.recipients else 0
    base = in_guild(guild, user)
    if base == EVERYTHING or not base:
        return base
    place = channel.parent if channel.is_thread and channel.parent else channel
    total = _overwritten(place, base, user)
    if not total & bits([_speaks(channel)]):
        total &= ~NEEDS_SPEECH
    ends = guild.members[user.id].timed_out
    if ends is not None and guild.world.now < ends:
        total &= IN_TIME_OUT
    return total if total & bits(["view_channel"]) else 0


def _speaks(channel: Place) -> str:
    return "send_messages_in_threads" if channel.is_thread else "send_messages"


def may(channel: Place, user: User, *names: str) -> bool:
    """Say whether somebody may do all of this in a channel."""
    wanted = bits(names)
    return in_channel(channel, user) & wanted == wanted


def sees(channel: Place, user: User) -> bool:
    """Say whether a channel is there for somebody; a private thread is for its members and who manages threads."""
    if not may(channel, user, "view_channel"):
        return False
    return not channel.is_private_thread or user.id in channel.joined or may(channel, user, "manage_threads")


def _overwritten(channel: Place, base: int, user: User) -> int:
    assert channel.guild is not None
    overwrites, guild = channel.overwrites, channel.guild
    if everyone := overwrites.get(guild.everyone.id):
        base = base & ~everyone.deny | everyone.allow
    roles = [overwrites[role.id] for role in guild.members[user.id].roles if role.id in overwrites]
    for one in roles:
        base &= ~one.deny
    for one in roles:
        base |= one.allow
    if own := overwrites.get(user.id):
        base = base & ~own.deny | own.allow
    return base
