"""What the world is made of besides places and talk: accounts, roles, memberships, files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .roster import Roster

Json = dict[str, Any]


@dataclass(slots=True, eq=False, repr=False)
class User:
    """An account; `username` is unique, `display` is what others read."""

    id: int
    username: str
    display: str | None = None

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.username}>"

    @property
    def is_bot(self) -> bool:
        """Say whether a program speaks here."""
        return False

    @property
    def name(self) -> str:
        """Name them in a transcript."""
        return self.display or self.username

    @property
    def mention(self) -> str:
        """Write what pings them."""
        return f"<@{self.id}>"

    def json(self) -> Json:
        """Write the `User` object."""
        user: Json = {"id": str(self.id), "username": self.username, "global_name": self.display}
        user |= {"discriminator": "0", "avatar": None, "public_flags": 0}
        return user | ({"bot": True, "discriminator": "0000"} if self.is_bot else {})


@dataclass(slots=True, eq=False, repr=False)
class Role:
    """A role; `permissions` is a bit field, `bot` the account that it came with (`tags.bot_id`)."""

    id: int
    name: str
    permissions: int = 0
    position: int = 0
    bot: User | None = None

    @property
    def mention(self) -> str:
        """Write what pings its members."""
        return f"<@&{self.id}>"

    def json(self) -> Json:
        """Write the `Role` object."""
        body: Json = {"id": str(self.id), "name": self.name, "permissions": str(self.permissions)}
        body |= {"position": self.position, "color": 0, "colors": {"primary_color": 0}, "hoist": False}
        body |= {"tags": {"bot_id": str(self.bot.id)}} if self.bot is not None else {}
        is_managed = self.bot is not None
        return body | {"managed": is_managed, "mentionable": False, "flags": 0, "icon": None, "unicode_emoji": None}


@dataclass(slots=True)
class Overwrite:
    """What a channel gives and takes, for a role (kind 0) or a member (kind 1)."""

    id: int
    kind: int
    allow: int = 0
    deny: int = 0

    def json(self) -> Json:
        """Write the `Overwrite` object."""
        return {"id": str(self.id), "type": self.kind, "allow": str(self.allow), "deny": str(self.deny)}


@dataclass(slots=True, eq=False, repr=False)
class Member:
    """Somebody in a guild; until `timed_out` they may read, and nothing else."""

    who: User
    guild: Roster
    joined: float
    roles: list[Role] = field(default_factory=list)
    nick: str | None = None
    timed_out: float | None = None

    def json(self, *, user: bool = True) -> Json:
        """Write the `GuildMember` object."""
        body: Json = {"roles": [str(role.id) for role in self.roles], "nick": self.nick, "avatar": None}
        body |= {"joined_at": stamp(self.joined), "premium_since": None, "deaf": False, "mute": False}
        body |= {"flags": 0, "pending": False}
        body["communication_disabled_until"] = None if self.timed_out is None else stamp(self.timed_out)
        return body | ({"user": self.who.json()} if user else {})


@dataclass(frozen=True, slots=True)
class Upload:
    """A file as somebody sends it; `size` may be claimed larger than the content is."""

    name: str
    content: bytes
    mime: str = "application/octet-stream"
    size: int | None = None


@dataclass(frozen=True, slots=True)
class Stored:
    """A file as the CDN keeps it."""

    id: int
    path: str
    upload: Upload


def stamp(seconds: float) -> str:
    """Write a time as the API does."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="microseconds")


def merged(first: Json, second: Mapping[str, Any] | None) -> Json:
    """Join two objects; an Ellipsis in the second removes a field, because null means something here."""
    return {key: value for key, value in (first | dict(second or {})).items() if value is not ...}
