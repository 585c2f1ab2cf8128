"""One call of one bot, as the handlers see it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .bot import Bot
from .channel import Channel
from .guild import Guild
from .message import Message
from .permissions import bits, in_channel, in_guild, sees
from .refusals import MISSING_ACCESS, MISSING_PERMISSIONS, Refused, invalid, unknown
from .state import State, found
from .values import Json, Upload


@dataclass(frozen=True, slots=True)
class Ask:
    """What a bot asks for: the parts of the path, the query, the body and the files by the index of their field."""

    world: State
    bot: Bot
    path: Mapping[str, str]
    query: Mapping[str, str]
    body: Any
    files: Mapping[int, Upload]

    @property
    def form(self) -> Json:
        """Return the body as an object."""
        return self.body if isinstance(self.body, dict) else {}

    @property
    def channel(self) -> Channel:
        """Find the channel of the path; one that the bot may not see is missing access."""
        channel = self.world.channel(self.path["channel"])
        guild = channel.guild
        if guild is not None and (self.bot.id not in guild.members or guild.is_down):
            raise unknown("Channel") if guild.is_down else Refused(*MISSING_ACCESS)
        if not sees(channel, self.bot):
            raise Refused(*MISSING_ACCESS)
        return channel

    @property
    def guild(self) -> Guild:
        """Find the guild of the path, in which the bot must be."""
        guild = found(self.world.guilds, self.path["guild"], "Guild")
        if self.bot.id not in guild.members:
            raise unknown("Guild")
        return guild

    def message(self, channel: Channel, number: object = None) -> Message:
        """Find a message of a channel that is still there and that a fetch can see."""
        message = found(channel.messages, self.path["message"] if number is None else number, "Message")
        if message.is_deleted or message.is_for is not None:
            raise unknown("Message")
        return message

    def needs(self, channel: Channel, *names: str) -> None:
        """Refuse unless the bot has these permissions there."""
        wanted = bits(names)
        if in_channel(channel, self.bot) & wanted != wanted:
            raise Refused(*MISSING_PERMISSIONS)

    def needs_in(self, guild: Guild, *names: str) -> None:
        """Refuse unless the bot has these permissions in the guild as a whole."""
        wanted = bits(names)
        if in_guild(guild, self.bot) & wanted != wanted:
            raise Refused(*MISSING_PERMISSIONS)

    def whole(self, name: str, default: int, low: int, high: int) -> int:
        """Return a number of the query, between its bounds."""
        text = self.query.get(name, str(default))
        if not text.isdecimal() or not low <= int(text) <= high:
            raise invalid(name, "NUMBER_TYPE_MAX", f"int value should be between {low} and {high}.")
        return int(text)
