"""What Discord knows about its people, channels and files."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from discord.errors import HTTPException

from adapters.discord.base.interaction_windows import OpenInteractions
from adapters.discord.base.places import NAME, dm_of, guild_channel
from adapters.discord.base.targets import DiscordTarget, TargetKind, target_of
from adapters.discord.people import rights
from adapters.discord.people.channel_access import list_channels
from adapters.discord.people.members import GuildOf, MemberLookup
from adapters.discord.rest import errors, refusals
from adapters.discord.rest.client import Failure, RestClient
from adapters.discord.rest.files import FileFetcher
from adapters.discord.speaking.deps import DiscordDeps
from bot.domain.ids import ChannelId, PersonKey
from bot.domain.messages import Attachment, ChannelPlace
from bot.domain.permalinks import DISCORD_DM, MessageLocation, discord_link
from bot.ports.platform import PlatformChannel
from bot.text.text import clean

# ids of today have 17 to 20 digits; shorter numbers are left to others
_BARE = re.compile(r"(?:<#)?([1-9]\d{16,19})>?", re.ASCII)
_BOTH = re.compile(r"([1-9]\d{16,19})[:/]([1-9]\d{16,19})", re.ASCII)
_DM_LINK = re.compile(r"/channels/@me/(\d{1,20})/")
Json = dict[str, Any]
_MAX_GUILDS = 50
_CATEGORY = 4


class DiscordKnowledge:
    """Implements `bot.ports.platform.PlatformDirectory`."""

    def __init__(
        self, desk: DiscordDeps, sessions: OpenInteractions, guild_of: GuildOf, *, knows_all: bool = True
    ) -> None:
        self._account = desk.account
        self._rest = desk.rest
        self._dms = desk.dms
        self._members = MemberLookup(desk.rest, sessions, guild_of, knows_all=knows_all)
        self._files = FileFetcher(desk.rest)
        self._guild_of = guild_of

    async def is_channel_admin(self, person: PersonKey, channel: ChannelId) -> bool:
        """Ask the platform, now, whether this person owns this channel's guild or may manage it."""
        return await self._members.manages(person, channel)

    async def moderates(self, person: PersonKey, channel: ChannelId) -> bool:
        """Ask the platform, now, whether this person may read this channel and delete others' messages there."""
        return await self._members.moderates(person, channel)

    async def can_read(self, person: PersonKey, channel: ChannelId) -> bool:
        """Ask the platform, now, whether this person may see this channel and read its history."""
        return await self._members.reads(person, channel)

    def resolve(self, text: str) -> MessageLocation | None:
        """Read a link, `<#id>`, a channel's number, or a guild's and a channel's number with a colon between."""
        text = text.strip()
        bare, both = _BARE.fullmatch(text), _BOTH.fullmatch(text)
        if both is not None:
            return MessageLocation(guild_channel(both[1], both[2]))
        if bare is not None and text.startswith("<#") == text.endswith(">"):
            return self._numbered(int(bare[1]))
        found = discord_link(text)
        return self._with_person(found, text) if found is not None else None

    async def find(self, text: str) -> Sequence[PlatformChannel]:
        """Ask for channels by a name, a mention, a number, a link or an id; raise DeliveryError."""
        located, written = self.resolve(text), ChannelId(text.strip())
        channel = located.channel if located is not None else written if written.startswith(f"{NAME}:") else None
        bare = _BARE.fullmatch(text.strip())
        try:
            if channel is not None:
                return await channel_at(self._rest, target_of(channel))
            if bare is not None:
                return await channel_numbered(self._rest, int(bare[1]))
            return await channels_named(self._rest, text)
        except Failure as error:
            raise errors.delivery_error(error) from None

    def invitation(self, payload: str) -> str:
        """Return the way to the bot's account; a button shows things to who presses it where more is to be told."""
        return "" if payload or not self._account.my_id else f"https://discord.com/users/{self._account.my_id}"

    async def fetch(self, attachment: Attachment, most: int) -> bytes:
        """Return the content of a file that came in; raise FetchError."""
        return await self._files.fetch(attachment, most)

    def _numbered(self, channel: int) -> MessageLocation | None:
        user, guild = self._dms.user_of(channel), self._guild_of(channel)
        if user is not None:
            return MessageLocation(dm_of(user))
        return MessageLocation(guild_channel(guild, channel)) if guild is not None else None

    def _with_person(self, found: MessageLocation, text: str) -> MessageLocation:
        """Put a person in the place of a private chat's number, where it is known."""
        number = _DM_LINK.search(text) if found.channel == DISCORD_DM else None
        user = self._dms.user_of(int(number[1])) if number is not None else None
        return found._replace(channel=dm_of(user)) if user is not None else found


async def channels_named(rest: RestClient, name: str) -> list[PlatformChannel]:
    """Return the channels of a name in the guilds that the bot is in; raise one of `rest.Failure`."""
    wanted, found = _plain_name(name), list[PlatformChannel]()
    guilds: list[Json] = await rest.call("GET", "/users/@me/guilds", params={"limit": _MAX_GUILDS}) or []
    for guild in guilds[:_MAX_GUILDS] if wanted else ():
        number = int(guild["id"])
        places = await list_channels(rest, number)
        found += [
            _whereabouts(number, one, places)
            for one in places.values()
            if one.get("type") != _CATEGORY and _plain_name(str(one.get("name") or "")) == wanted
        ]
    return found


async def channel_numbered(rest: RestClient, channel: int) -> list[PlatformChannel]:
    """Return the channel of a number, if Discord shows it; raise one of `rest.Failure`."""
    try:
        found: Json = await rest.call("GET", "/channels/{channel_id}", channel_id=channel)
    except HTTPException as error:
        if errors.refusal(error) in {refusals.MISSING_ACCESS, refusals.UNKNOWN_CHANNEL}:
            return []
        raise
    guild = str(found.get("guild_id") or "")
    return [await _in_guild(rest, int(guild), found)] if guild.isdecimal() else []


async def channel_at(rest: RestClient, target: DiscordTarget) -> list[PlatformChannel]:
    """Return a channel by its guild and number, whatever Discord shows of it; raise one of `rest.Failure`."""
    if target.kind is not TargetKind.GUILD:
        return []
    # what is not shown is asked about most urgently: its name stays out
    found = [one for one in await channel_numbered(rest, target.number) if one.place.guild_id == str(target.guild)]
    number, guild = str(target.number), str(target.guild)
    return found or [
        PlatformChannel(channel=guild_channel(guild, number), name=f"channel {number}", place=_place(guild))
    ]


async def _in_guild(rest: RestClient, guild: int, channel: Json) -> PlatformChannel:
    return _whereabouts(guild, channel, await list_channels(rest, guild) if rights.is_thread(channel) else {})


def _whereabouts(guild: int, channel: Json, places: Mapping[str, Json]) -> PlatformChannel:
    name, parent = str(channel.get("name") or channel["id"]), str(channel.get("parent_id") or "")
    above = [parent] if parent else []
    shown = f"#{name}"
    if rights.is_thread(channel):
        under = places.get(parent) or {}
        shown = f"#{under.get('name') or parent} › {name}"
        above += [str(under["parent_id"])] if under.get("parent_id") else []
    where = guild_channel(guild, channel["id"])
    return PlatformChannel(channel=where, name=clean(shown).text, place=_place(str(guild), *above))


def _place(guild: str, *parents: str) -> ChannelPlace:
    return ChannelPlace(guild_id=guild, parents=parents)


def _plain_name(name: str) -> str:
    return name.strip().lstrip("#").strip().casefold()
