"""Add up what somebody may do, from what the REST interface says of a guild, a member and a channel; pure.

https://discord.com/developers/docs/topics/permissions#permission-overwrites
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

from discord import ChannelType, Permissions
from discord.utils import parse_time

Json = Mapping[str, Any]

_THREADS = frozenset({ChannelType.public_thread.value, ChannelType.private_thread.value, ChannelType.news_thread.value})
_ROLE, _MEMBER = 0, 1


def in_guild(guild: Json, member: Json) -> Permissions:
    """Add up what a member may do in a guild; its owner may do everything."""
    if str(guild["owner_id"]) == _member_id(member):
        return Permissions.all()
    has = {str(guild["id"]), *map(str, member.get("roles", ()))}
    total = 0
    for role in guild.get("roles", ()):
        if str(role["id"]) in has:
            total |= int(role["permissions"])
    return Permissions.all() if Permissions(total).administrator else Permissions(total)


def in_channel(guild: Json, member: Json, channel: Json) -> Permissions:
    """Add up what a member may do in a channel; for a thread hand over the channel to which it belongs.

    Of a channel whose overwrites are not known, nobody may do anything but those who may everything everywhere.
    """
    base = in_guild(guild, member)
    if base.administrator:
        return base
    if "permission_overwrites" not in channel:
        return Permissions.none()
    overwrites = {(int(one["type"]), str(one["id"])): one for one in channel.get("permission_overwrites") or ()}
    allow, deny = _added_up(overwrites, [(_ROLE, str(guild["id"]))])
    value = base.value & ~deny | allow
    allow, deny = _added_up(overwrites, [(_ROLE, str(role)) for role in member.get("roles", ())])
    value = value & ~deny | allow
    allow, deny = _added_up(overwrites, [(_MEMBER, _member_id(member))])
    total = Permissions(value & ~deny | allow)
    return total if total.view_channel else Permissions.none()


class RightDenial(NamedTuple):
    """Who keeps a right from a member: a role's overwrite, their own, or nobody who grants it.

    `by` is a role's id, or empty: then it is the member's own overwrite (`is_own`), or no role grants the right.
    """

    by: str = ""
    is_own: bool = False


def denial(guild: Json, member: Json, channel: Json, right: str) -> RightDenial | None:
    """Say which overwrite takes a right away in a channel, in the order in which Discord adds them up; None: none."""
    bit = Permissions(**{right: True}).value
    base = in_guild(guild, member)
    if base.administrator:
        return None
    overwrites = {(int(one["type"]), str(one["id"])): one for one in channel.get("permission_overwrites") or ()}
    roles = [overwrites[key] for role in member.get("roles", ()) if (key := (_ROLE, str(role))) in overwrites]
    own, everybody = overwrites.get((_MEMBER, _member_id(member))), overwrites.get((_ROLE, str(guild["id"])))
    if own is not None and int(own["allow"]) & bit:
        return None
    if own is not None and int(own["deny"]) & bit:
        return RightDenial(is_own=True)
    if any(int(one["allow"]) & bit for one in roles):
        return None
    if denied := next((one for one in roles if int(one["deny"]) & bit), None):
        return RightDenial(str(denied["id"]))
    if everybody is not None and int(everybody["deny"]) & bit:
        return RightDenial(str(guild["id"]))
    is_allowed = everybody is not None and int(everybody["allow"]) & bit
    return None if is_allowed or base.value & bit else RightDenial()


def is_synced(channel: Json, category: Json) -> bool:
    """Say whether a channel has its overwrites from its category, where they are then changed."""
    return _overwrites(channel) == _overwrites(category)


def _overwrites(channel: Json) -> set[tuple[int, str, int, int]]:
    # one that says nothing is none
    every = (
        (int(one["type"]), str(one["id"]), int(one["allow"]), int(one["deny"]))
        for one in channel.get("permission_overwrites") or ()
    )
    return {one for one in every if one[2] or one[3]}


def is_thread(channel: Json) -> bool:
    """Say whether a channel is a thread, whose rights are those of its parent."""
    return channel.get("type") in _THREADS


def is_private_thread(channel: Json) -> bool:
    """Say whether a thread is there for its members alone, and for who manages threads."""
    return channel.get("type") == ChannelType.private_thread.value


def timed_out_until(member: Json, now: int) -> int:
    """Return until when a member may only look (UTC ms); 0 when they may do more."""
    until: datetime | None = parse_time(member.get("communication_disabled_until"))
    at = round(until.timestamp() * 1000) if until is not None else 0
    return at if at > now else 0


def _added_up(overwrites: Mapping[tuple[int, str], Json], keys: list[tuple[int, str]]) -> tuple[int, int]:
    found = [overwrites[key] for key in keys if key in overwrites]
    allow = deny = 0
    for one in found:
        allow |= int(one["allow"])
        deny |= int(one["deny"])
    return allow, deny


def _member_id(member: Json) -> str:
    return str(member["user"]["id"])
