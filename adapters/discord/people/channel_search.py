"""Find a channel that nothing ever came from: the guilds of the bot are asked which one bears a name or a number."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from discord.errors import HTTPException

from adapters.discord.base.places import guild_channel
from adapters.discord.base.targets import Kind, Target
from adapters.discord.people import rights
from adapters.discord.people.channel_access import listed
from adapters.discord.rest import errors, refusals
from adapters.discord.rest.client import Rest
from bot.domain.messages import Place
from bot.ports.platform import Whereabouts
from bot.text.text import clean

Json = dict[str, Any]

_MOST_GUILDS = 50
_CATEGORY = 4


async def named(rest: Rest, name: str) -> list[Whereabouts]:
    """Return the channels of a name in the guilds that the bot is in; raise one of `rest.Failure`."""
    wanted, found = _plain(name), list[Whereabouts]()
    guilds: list[Json] = await rest.call("GET", "/users/@me/guilds", params={"limit": _MOST_GUILDS}) or []
    for guild in guilds[:_MOST_GUILDS] if wanted else ():
        number = int(guild["id"])
        places = await listed(rest, number)
        found += [
            _described(number, one, places)
            for one in places.values()
            if one.get("type") != _CATEGORY and _plain(str(one.get("name") or "")) == wanted
        ]
    return found


async def numbered(rest: Rest, channel: int) -> list[Whereabouts]:
    """Return the channel of a number, if Discord shows it; raise one of `rest.Failure`."""
    try:
        found: Json = await rest.call("GET", "/channels/{channel_id}", channel_id=channel)
    except HTTPException as error:
        if errors.refusal(error) in {refusals.MISSING_ACCESS, refusals.UNKNOWN_CHANNEL}:
            return []
        raise
    guild = str(found.get("guild_id") or "")
    return [await _in_guild(rest, int(guild), found)] if guild.isdecimal() else []


async def at(rest: Rest, target: Target) -> list[Whereabouts]:
    """Return a channel by its guild and number, whatever Discord shows of it; raise one of `rest.Failure`."""
    if target.kind is not Kind.GUILD:
        return []
    # what is not shown is asked about most urgently: its name stays out
    found = [one for one in await numbered(rest, target.number) if one.place.guild_id == str(target.guild)]
    number, guild = str(target.number), str(target.guild)
    return found or [Whereabouts(channel=guild_channel(guild, number), name=f"channel {number}", place=_place(guild))]


async def _in_guild(rest: Rest, guild: int, channel: Json) -> Whereabouts:
    return _described(guild, channel, await listed(rest, guild) if rights.is_thread(channel) else {})


def _described(guild: int, channel: Json, places: Mapping[str, Json]) -> Whereabouts:
    name, parent = str(channel.get("name") or channel["id"]), str(channel.get("parent_id") or "")
    above = [parent] if parent else []
    shown = f"#{name}"
    if rights.is_thread(channel):
        under = places.get(parent) or {}
        shown = f"#{under.get('name') or parent} › {name}"
        above += [str(under["parent_id"])] if under.get("parent_id") else []
    where = guild_channel(guild, channel["id"])
    return Whereabouts(channel=where, name=clean(shown).text, place=_place(str(guild), *above))


def _place(guild: str, *parents: str) -> Place:
    return Place(guild_id=guild, parents=parents)


def _plain(name: str) -> str:
    return name.strip().lstrip("#").strip().casefold()
