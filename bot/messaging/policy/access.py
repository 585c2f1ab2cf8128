"""The one authority check: who somebody is, and what they may look at."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, assert_never

from bot.config.schema import Config
from bot.domain.access import AccessRight, Authority, AuthorityTiers, Caller
from bot.domain.ids import ChannelId, ChannelKey, PersonKey, UserId, channel_id, platform_of
from bot.domain.messages import ChannelPlace
from bot.ports.platform import Platform
from bot.sentences import say


class AccessDecision(NamedTuple):
    """Whether it is allowed; `reason` is plain and may be shown to an admin."""

    allowed: bool
    reason: str = ""


_ALLOWED = AccessDecision(True)
HOST_PERSON = PersonKey("host", UserId("0"))
"""Whoever can read the files of the data directory; no platform is called so."""


def tiers_of(config: Config) -> dict[str, AuthorityTiers]:
    """Return the configured ids by platform."""
    return {
        name: AuthorityTiers(
            frozenset(platform.owner_ids), frozenset(platform.admin_ids), frozenset(platform.moderator_ids)
        )
        for name, platform in config.platforms.items()
    }


def dm_owner(channel: ChannelId) -> UserId:
    """Return whose private chat a channel is: `<platform>:dm:<user>` or `<platform>:<user>[:<topic>]`."""
    path = channel.split(":")[1:]
    return UserId(path[1] if path[0] == "dm" and len(path) > 1 else path[0])


def is_home(channel: ChannelId, person: PersonKey) -> bool:
    """Say whether a channel is somebody's direct messages themselves, and no topic in them."""
    return channel in {channel_id(person.platform, "dm", person.user_id), channel_id(person.platform, person.user_id)}


class AccessPolicy:
    """Decides by numeric ids and the platform's live word; platform rights alone give nothing."""

    def __init__(
        self, tiers: Mapping[str, AuthorityTiers], platforms: Mapping[str, Platform], inspect_dms: bool
    ) -> None:
        self._tiers = tiers
        self._platforms = platforms
        self._inspect_dms = inspect_dms

    def take_tiers(self, tiers: Mapping[str, AuthorityTiers]) -> None:
        """Decide by these ids from now on."""
        self._tiers = tiers

    def tier(self, person: PersonKey) -> Authority:
        return self._tiers.get(person.platform, AuthorityTiers()).of(person.user_id)

    def caller(self, person: PersonKey, name: str) -> Caller:
        """Return somebody with the tier that was looked up."""
        return Caller(person, name, self.tier(person))

    async def may(self, right: AccessRight, person: PersonKey, key: ChannelKey, place: ChannelPlace) -> AccessDecision:
        """Say whether somebody has a right over a channel, now; asked for each list, page and button."""
        match right:
            case AccessRight.INSPECT:
                return await self.may_inspect(person, key, place)
            case AccessRight.READ:
                return await self.may_read_content(person, key, place)
            case AccessRight.AUDIT | AccessRight.RECALL:
                if self.tier(person) is Authority.MODERATOR:
                    return await self._may_audit(person, key, place)
                inspects = right is AccessRight.AUDIT
                return await self.may(AccessRight.INSPECT if inspects else AccessRight.READ, person, key, place)
            case _:
                assert_never(right)

    async def may_inspect(self, person: PersonKey, key: ChannelKey, place: ChannelPlace) -> AccessDecision:
        """Say whether somebody may inspect a channel, now; asked when a command comes and again at every press."""
        tier = self.tier(person)
        if tier < Authority.ADMIN:
            return AccessDecision(False, say("messaging.only-configured"))
        if place.is_dm:
            return self._private(person, tier, key.channel)
        if tier is Authority.OWNER:
            return _ALLOWED
        platform = self._same_platform(person, key.channel)
        if platform is None:
            return AccessDecision(False, say("messaging.own-platform"))
        if await platform.is_channel_admin(person, key.channel):
            return _ALLOWED
        return AccessDecision(False, say("messaging.not-administered"))

    async def may_read_content(self, person: PersonKey, key: ChannelKey, place: ChannelPlace) -> AccessDecision:
        """Say whether somebody may see what was said in a channel: they must be able to read it there themselves."""
        decision = await self.may_inspect(person, key, place)
        if not decision.allowed or place.is_dm or self.tier(person) is Authority.OWNER:
            return decision
        platform = self._same_platform(person, key.channel)
        if platform is not None and await platform.can_read(person, key.channel):
            return _ALLOWED
        return AccessDecision(False, say("messaging.not-readable"))

    async def _may_audit(self, person: PersonKey, key: ChannelKey, place: ChannelPlace) -> AccessDecision:
        """Let a moderator of the configuration into the channels that they moderate by the platform's own word."""
        if place.is_dm:
            return AccessDecision(False, say("messaging.moderators-private"))
        platform = self._same_platform(person, key.channel)
        if platform is None:
            return AccessDecision(False, say("messaging.moderators-platform"))
        if await platform.moderates(person, key.channel):
            return _ALLOWED
        return AccessDecision(False, say("messaging.not-moderated"))

    def _private(self, person: PersonKey, tier: Authority, channel: ChannelId) -> AccessDecision:
        if person.platform == platform_of(channel) and dm_owner(channel) == person.user_id:
            return _ALLOWED
        if tier is Authority.OWNER and self._inspect_dms:
            return _ALLOWED
        return AccessDecision(False, say("messaging.private-owner" if tier is Authority.OWNER else "messaging.private"))

    def _same_platform(self, person: PersonKey, channel: ChannelId) -> Platform | None:
        name = platform_of(channel)
        return self._platforms.get(name) if person.platform == name else None


class HostAccess(AccessPolicy):
    """The access of whoever can read the files anyway: what the commands of the host show, to them alone."""

    def tier(self, person: PersonKey) -> Authority:
        return Authority.OWNER if person == HOST_PERSON else Authority.EVERYONE

    async def may(self, right: AccessRight, person: PersonKey, key: ChannelKey, place: ChannelPlace) -> AccessDecision:
        """Let the host in everywhere, and nobody else anywhere."""
        return _ALLOWED if person == HOST_PERSON else AccessDecision(False, say("messaging.host-only"))
