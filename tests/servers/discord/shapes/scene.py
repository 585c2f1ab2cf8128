"""What all shapes share: who, where, when, and the words."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from tests.servers.discord.bot import Bot
from tests.servers.discord.channel import Channel
from tests.servers.discord.talk import Person
from tests.servers.discord.values import Json, merged, stamp

FIRST = 1_390_000_000_000_000_000
STRANGER = 1_200_000_000_000_000_001
EARLIER = 1_300_000_000_000_000_001


@dataclass(frozen=True, slots=True)
class Shape:
    """One event; `counts` says whether its words may be a command of the person.

    `breaks` marks what discord.py itself cannot read: it raises out of its reader, which ends the client.
    """

    name: str
    event: str
    data: Json
    counts: bool = False
    breaks: bool = False

    def numbered(self, number: int) -> Shape:
        """Give a message its id."""
        is_message = self.event in ("MESSAGE_CREATE", "MESSAGE_UPDATE") and "id" in self.data
        return replace(self, data=self.data | {"id": str(number)}) if is_message else self


@dataclass(frozen=True, slots=True)
class Scene:
    """A channel, a person in it, a bot, and the words that are said; people as `User` objects of the wire."""

    guild: str
    channel: str
    person: Json
    member: Json
    bot: Json
    private: str
    text: str
    date: float = 1_750_000_000
    number: int = FIRST

    @classmethod
    def of(cls, channel: Channel, person: Person, bot: Bot, text: str) -> Scene:
        """Set the scene in a guild's channel of a world."""
        assert channel.guild is not None
        member = channel.guild.members[person.id].json(user=False)
        where = (str(channel.guild.id), str(channel.id))
        return cls(*where, person.json(), member, bot.json(), str(person.dm(bot).id), text)

    def message(self, **fields: Any) -> Json:
        """Write an ordinary message with these differences; an Ellipsis takes a field away."""
        plain: Json = {"id": "0", "channel_id": self.channel, "guild_id": self.guild, "type": 0}
        plain |= {"author": self.person, "member": self.member, "content": self.text, "flags": 0}
        plain |= {"timestamp": stamp(self.date), "edited_timestamp": None, "tts": False, "pinned": False}
        plain |= {"mention_everyone": False, "mentions": [], "mention_roles": []}
        plain |= {"attachments": [], "embeds": [], "components": []}
        return merged(plain, fields)

    def silent(self, **fields: Any) -> Json:
        """Write a message that has something else instead of a text."""
        return self.message(content="", **fields)

    def said(self, name: str, counts: bool = False, breaks: bool = False, **fields: Any) -> Shape:
        """Write a new message with these differences."""
        return Shape(name, "MESSAGE_CREATE", self.message(**fields), counts, breaks)

    def edited(self, name: str, breaks: bool = False, **fields: Any) -> Shape:
        """Write an edit with these differences."""
        body = self.message(edited_timestamp=stamp(self.date + 9))
        return Shape(name, "MESSAGE_UPDATE", merged(body, fields), False, breaks)

    def stranger(self, username: str = "stranger", **fields: Any) -> Json:
        """Write somebody else."""
        user: Json = {"id": str(STRANGER), "username": username, "global_name": None, "avatar": None}
        return user | {"discriminator": "0", "public_flags": 0} | fields

    def earlier(self, **fields: Any) -> Json:
        """Write somebody else's message from before."""
        body = self.message(id=str(EARLIER), author=self.stranger(), member=..., guild_id=..., content="earlier")
        return merged(body, fields)

    def reference(self, kind: int = 0, **fields: Any) -> Json:
        """Write a reference to that message."""
        where = {"channel_id": self.channel, "guild_id": self.guild, "message_id": str(EARLIER)}
        return {"type": kind} | where | fields
