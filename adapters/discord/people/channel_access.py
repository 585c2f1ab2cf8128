"""Look at where the bot stands: its guild, its membership, a channel that it may not even view, and the category."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from discord import ChannelType, Permissions
from discord.errors import HTTPException

from adapters.discord.base.targets import DiscordTarget
from adapters.discord.people import rights
from adapters.discord.people.members import WrongGuild
from adapters.discord.rest import errors, refusals
from adapters.discord.rest.client import RestClient

Json = dict[str, Any]

_SPOKEN = frozenset({ChannelType.voice.value, ChannelType.stage_voice.value})
_FORUMS = frozenset({ChannelType.forum.value, ChannelType.media.value})


class ChannelHidden(Exception):
    """Discord does not show the channel: the bot may not view it, or it is a private thread of others.

    Since 16 November 2026 a guild does not list what the bot may not view, and nobody tells it which overwrite it is.
    """

    def __init__(self, guild: Json, member: Json) -> None:
        super().__init__("Discord does not show the channel")
        self.guild = guild
        self.member = member

    @property
    def is_ungranted(self) -> bool:
        """Whether no role of the bot lets it view channels at all."""
        return not rights.in_guild(self.guild, self.member).view_channel


class ChannelAccess(NamedTuple):
    """What Discord says. `channel` is the one whose overwrites count: of a thread, that in which it lies."""

    guild: Json
    member: Json
    channel: Json
    thread: Json | None
    places: Mapping[str, Json]

    @property
    def may(self) -> Permissions:
        """What the bot may do there."""
        return rights.in_channel(self.guild, self.member, self.channel)

    @property
    def category(self) -> Json | None:
        """The category of the channel, where it has one."""
        return self.places.get(str(self.channel.get("parent_id")))

    @property
    def is_spoken(self) -> bool:
        """Whether it is the chat of a voice or stage channel, which takes Connect as well."""
        return self.channel.get("type") in _SPOKEN

    @property
    def is_forum(self) -> bool:
        """Whether nothing but posts is talked in there."""
        return self.thread is None and self.channel.get("type") in _FORUMS


async def channel_access(rest: RestClient, me: int, target: DiscordTarget) -> ChannelAccess:
    """Ask for everything; raise one of `rest.Failure`, WrongGuild, or ChannelHidden.

    `GET /guilds/{id}/channels` names channels with their overwrites, threads left out. It may name those that the bot
    cannot view, too; Discord itself does not any more.
    """
    guild: Json = await rest.call("GET", "/guilds/{guild_id}", guild_id=target.guild)
    path = "/guilds/{guild_id}/members/{user_id}"
    member: Json = await rest.call("GET", path, guild_id=target.guild, user_id=me)
    places = await list_channels(rest, target.guild)
    channel, thread = places.get(str(target.number)), None
    if channel is None:
        try:
            found = await _thread(rest, target)
        except HTTPException as error:
            if errors.refusal(error) == refusals.MISSING_ACCESS:
                raise ChannelHidden(guild, member) from None
            raise
        channel = places.get(str(found.get("parent_id"))) if rights.is_thread(found) else found
        thread = found if rights.is_thread(found) else None
    if channel is None:
        raise ChannelHidden(guild, member)
    return ChannelAccess(guild, member, channel, thread, places)


async def list_channels(rest: RestClient, guild: int) -> Mapping[str, Json]:
    """Return the channels of a guild by their ids, threads left out; raise one of `rest.Failure`."""
    found: list[Json] = await rest.call("GET", "/guilds/{guild_id}/channels", guild_id=guild)
    return {str(one["id"]): one for one in found}


async def _thread(rest: RestClient, target: DiscordTarget) -> Json:
    found: Json = await rest.call("GET", "/channels/{channel_id}", channel_id=target.number)
    if str(found.get("guild_id")) != str(target.guild):
        raise WrongGuild
    return found
