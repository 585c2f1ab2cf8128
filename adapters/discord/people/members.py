"""Ask Discord what somebody is and may do in a channel, now; nothing is remembered, and doubt means no."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

from discord import Permissions

from adapters.discord.base.interaction_windows import OpenInteractions
from adapters.discord.base.places import NAME
from adapters.discord.base.targets import DiscordTarget, TargetKind, target_of, user_number
from adapters.discord.people import rights
from adapters.discord.rest import errors, refusals
from adapters.discord.rest.client import Failure, RestClient
from bot.domain.ids import ChannelId, PersonKey
from bot.errors import DeliveryError

Json = dict[str, Any]
GuildOf = Callable[[int], int | None]
"""Says to which guild a channel belongs, as far as the gateway told of it; that never changes."""

Ask = Callable[[int, DiscordTarget], Awaitable[bool]]


class MemberAccess(NamedTuple):
    """What the platform says of somebody in a channel. `thread` is set where the channel is one of its threads."""

    guild: Json
    member: Json
    channel: Json
    thread: Json | None = None

    @property
    def everywhere(self) -> Permissions:
        """What they may do in the guild."""
        return rights.in_guild(self.guild, self.member)

    @property
    def here(self) -> Permissions:
        """What they may do in the channel."""
        return rights.in_channel(self.guild, self.member, self.channel)


class WrongGuild(Exception):
    """The channel is not in the guild that its id names."""


class MemberLookup:
    """Answers who may do and read what in a guild.

    Unless it `knows_all` channels there are, one that Discord does not show is taken to be in the guild that its id
    names: under an id that names another one nothing is on record, and nothing is said where the bot may not look.
    """

    def __init__(
        self, rest: RestClient, sessions: OpenInteractions, guild_of: GuildOf, *, knows_all: bool = True
    ) -> None:
        self._knows_all = knows_all
        self._rest = rest
        self._sessions = sessions
        self._guild_of = guild_of

    async def manages(self, person: PersonKey, channel: ChannelId) -> bool:
        """Say whether somebody owns the guild of a channel or may manage it; their own private chat is theirs."""
        return await self._asked(person, channel, self._manages)

    async def reads(self, person: PersonKey, channel: ChannelId) -> bool:
        """Say whether somebody may see a channel and read what was written there; of threads, that they are in."""
        return await self._asked(person, channel, self._reads)

    async def moderates(self, person: PersonKey, channel: ChannelId) -> bool:
        """Say whether somebody may read a channel and delete others' messages there; nobody does in a private chat."""
        return await self._asked(person, channel, self._moderates, in_private=False)

    async def channel_access(self, user: int, target: DiscordTarget) -> MemberAccess:
        """Ask for everything at once; raise one of `rest.Failure`, or WrongGuild."""
        guild, member = await self._member(user, target)
        channel = await self._channel(target)
        if not rights.is_thread(channel):
            return MemberAccess(guild, member, channel)
        parent = await self._channel(target._replace(number=int(channel["parent_id"])))
        return MemberAccess(guild, member, parent, channel)

    async def _member(self, user: int, target: DiscordTarget) -> tuple[Json, Json]:
        guild: Json = await self._rest.call("GET", "/guilds/{guild_id}", guild_id=target.guild)
        path = "/guilds/{guild_id}/members/{user_id}"
        return guild, await self._rest.call("GET", path, guild_id=target.guild, user_id=user)

    async def _channel(self, target: DiscordTarget) -> Json:
        """Ask for a channel; of one that the bot itself may not view, no more is known than where it is."""
        try:
            found: Json = await self._rest.call("GET", "/channels/{channel_id}", channel_id=target.number)
        except Failure as error:
            if errors.refusal(error) != refusals.MISSING_ACCESS or not self._may_be_there(target):
                raise
            return {"id": str(target.number)}
        if str(found.get("guild_id")) != str(target.guild):
            raise WrongGuild
        return found

    def _may_be_there(self, target: DiscordTarget) -> bool:
        known = self._guild_of(target.number)
        return known == target.guild or (known is None and not self._knows_all)

    async def _asked(self, person: PersonKey, channel: ChannelId, ask: Ask, *, in_private: bool = True) -> bool:
        user = user_number(person.user_id)
        if person.platform != NAME or user is None:
            return False
        try:
            target = target_of(channel)
            if target.kind is TargetKind.DM:
                return in_private and target.number == user
            if target.kind is TargetKind.EPHEMERAL:
                return in_private and self._sessions.user_of(target.number) == user
            return await ask(user, target)
        except (DeliveryError, WrongGuild, *Failure, KeyError, TypeError, ValueError):
            return False

    async def _manages(self, user: int, target: DiscordTarget) -> bool:
        return (await self.channel_access(user, target)).everywhere.manage_guild

    async def _moderates(self, user: int, target: DiscordTarget) -> bool:
        found = await self.channel_access(user, target)
        # who manages the guild can give themselves every other right in it
        may = found.here.manage_messages or found.everywhere.manage_guild
        return may and await self._can_read(user, target, found)

    async def _reads(self, user: int, target: DiscordTarget) -> bool:
        return await self._can_read(user, target, await self.channel_access(user, target))

    async def _can_read(self, user: int, target: DiscordTarget, found: MemberAccess) -> bool:
        may = found.here
        if not (may.view_channel and may.read_message_history):
            return False
        if found.thread is None or not rights.is_private_thread(found.thread) or may.manage_threads:
            return True
        return await self._is_in(user, target)

    async def _is_in(self, user: int, target: DiscordTarget) -> bool:
        await self._rest.call(
            "GET", "/channels/{channel_id}/thread-members/{user_id}", channel_id=target.number, user_id=user
        )
        return True
