"""What Discord knows about its people, channels and files."""

from __future__ import annotations

import re
from collections.abc import Sequence

from adapters.discord.base.interaction_windows import Sessions
from adapters.discord.base.places import NAME, dm_of, guild_channel
from adapters.discord.base.targets import target_of
from adapters.discord.people import channel_search
from adapters.discord.people.members import GuildOf, Members
from adapters.discord.rest import errors
from adapters.discord.rest.client import Failure
from adapters.discord.rest.files import Files
from adapters.discord.speaking.deps import Desk
from bot.domain.ids import ChannelId, Person
from bot.domain.messages import Attachment
from bot.domain.permalinks import DISCORD_DM, Located, discord_link
from bot.ports.platform import Whereabouts

# ids of today have 17 to 20 digits; shorter numbers are left to others
_BARE = re.compile(r"(?:<#)?([1-9]\d{16,19})>?", re.ASCII)
_BOTH = re.compile(r"([1-9]\d{16,19})[:/]([1-9]\d{16,19})", re.ASCII)
_DM_LINK = re.compile(r"/channels/@me/(\d{1,20})/")


class DiscordKnowledge:
    """Implements `bot.ports.platform.Knowledge`."""

    def __init__(self, desk: Desk, sessions: Sessions, guild_of: GuildOf) -> None:
        self._account = desk.account
        self._rest = desk.rest
        self._dms = desk.dms
        self._members = Members(desk.rest, sessions, guild_of)
        self._files = Files(desk.rest)
        self._guild_of = guild_of

    async def is_channel_admin(self, person: Person, channel: ChannelId) -> bool:
        """Ask the platform, now, whether this person owns this channel's guild or may manage it."""
        return await self._members.manages(person, channel)

    async def can_read(self, person: Person, channel: ChannelId) -> bool:
        """Ask the platform, now, whether this person may see this channel and read its history."""
        return await self._members.reads(person, channel)

    def resolve(self, text: str) -> Located | None:
        """Read a link, `<#id>`, a channel's number, or a guild's and a channel's number with a colon between."""
        text = text.strip()
        bare, both = _BARE.fullmatch(text), _BOTH.fullmatch(text)
        if both is not None:
            return Located(guild_channel(both[1], both[2]))
        if bare is not None and text.startswith("<#") == text.endswith(">"):
            return self._numbered(int(bare[1]))
        found = discord_link(text)
        return self._with_person(found, text) if found is not None else None

    async def find(self, text: str) -> Sequence[Whereabouts]:
        """Ask for channels by a name, a mention, a number, a link or an id; raise DeliveryError."""
        located, written = self.resolve(text), ChannelId(text.strip())
        channel = located.channel if located is not None else written if written.startswith(f"{NAME}:") else None
        bare = _BARE.fullmatch(text.strip())
        try:
            if channel is not None:
                return await channel_search.at(self._rest, target_of(channel))
            if bare is not None:
                return await channel_search.numbered(self._rest, int(bare[1]))
            return await channel_search.named(self._rest, text)
        except Failure as error:
            raise errors.failed(error) from None

    def invitation(self, payload: str) -> str:
        """Return the way to the bot's account; a button shows things to who presses it where more is to be told."""
        return "" if payload or not self._account.my_id else f"https://discord.com/users/{self._account.my_id}"

    async def fetch(self, attachment: Attachment, most: int) -> bytes:
        """Return the content of a file that came in; raise FetchError."""
        return await self._files.fetch(attachment, most)

    def _numbered(self, channel: int) -> Located | None:
        user, guild = self._dms.user_of(channel), self._guild_of(channel)
        if user is not None:
            return Located(dm_of(user))
        return Located(guild_channel(guild, channel)) if guild is not None else None

    def _with_person(self, found: Located, text: str) -> Located:
        """Put a person in the place of a private chat's number, where it is known."""
        number = _DM_LINK.search(text) if found.channel == DISCORD_DM else None
        user = self._dms.user_of(int(number[1])) if number is not None else None
        return found._replace(channel=dm_of(user)) if user is not None else found
