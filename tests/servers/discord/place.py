"""A channel, a category, a forum, a thread or a direct message as it is kept, and how the API writes it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from . import delivery
from .permissions import bits, sees
from .values import Json, Overwrite, Role, User, stamp

if TYPE_CHECKING:
    from .bot import Bot
    from .channel import Channel
    from .guild import Guild
    from .message import Message
    from .state import State

TEXT, DIRECT, VOICE, CATEGORY, NEWS, PUBLIC_THREAD, PRIVATE_THREAD, STAGE, FORUM = 0, 1, 2, 4, 5, 11, 12, 13, 15
THREADS = (10, PUBLIC_THREAD, PRIVATE_THREAD)
SPOKEN = (VOICE, STAGE)  # whose chats take the right to connect
SPEAKABLE = (TEXT, DIRECT, NEWS, *SPOKEN, *THREADS)


@dataclass(slots=True, eq=False, repr=False)
class Place:
    """A place as it is kept; `recipients` are those of a direct message, `joined` those of a thread by their id."""

    id: int
    kind: int
    name: str
    world: State
    guild: Guild | None = None
    parent: Channel | None = None
    position: int = 0
    topic: str | None = None
    overwrites: dict[int, Overwrite] = field(default_factory=dict)
    recipients: list[User] = field(default_factory=list)
    messages: dict[int, Message] = field(default_factory=dict)
    owner: User | None = None
    joined: dict[int, float] = field(default_factory=dict)
    is_archived: bool = False
    is_locked: bool = False
    archived_at: float = 0
    archives_after: int = 4320
    is_gone: bool = False
    slow_mode: int = 0
    is_age_restricted: bool = False
    typing: list[tuple[User, float]] = field(default_factory=list)
    heard: set[int] = field(default_factory=set)

    def __repr__(self) -> str:
        return f"<Channel #{self.name}>"

    @property
    def is_thread(self) -> bool:
        """Say whether it hangs under another channel."""
        return self.kind in THREADS

    @property
    def is_private_thread(self) -> bool:
        """Say whether it is a thread for invited people."""
        return self.kind == PRIVATE_THREAD

    @property
    def mention(self) -> str:
        """Write what links to it."""
        return f"<#{self.id}>"

    @property
    def standing(self) -> list[Message]:
        """List the messages that everybody here can read now, oldest first."""
        return [one for one in self.messages.values() if one.stands]

    @property
    def last(self) -> Message | None:
        """Return the latest message."""
        return next((one for one in reversed(self.messages.values()) if one.stands), None)

    def allow(self, whom: Role | User, *names: str) -> None:
        """Give permissions here, by their names in discord.py."""
        self._overwrite(whom, names, given=True)

    def deny(self, whom: Role | User, *names: str) -> None:
        """Take permissions away here."""
        self._overwrite(whom, names, given=False)

    def change(self, **changes: object) -> None:
        """Set fields such as `name` and announce it."""
        for name, value in changes.items():
            setattr(self, name, value)
        delivery.tell_channel(self, "UPDATE")

    def delete(self) -> None:
        """Delete it for good."""
        self.is_gone = True
        self.world.channels.pop(self.id, None)
        if self.guild is not None:
            self.guild.channels.pop(self.id, None)
        delivery.tell_channel(self, "DELETE")

    def json(self, viewer: Bot) -> Json:
        """Write the `Channel` object, without what a bot may not know of it."""
        return self.obfuscated() if self.is_hidden_from(viewer) else self.whole(viewer)

    def is_hidden_from(self, viewer: Bot) -> bool:
        """Say whether a bot is told no more of the channel than that it exists; a category shows with its channels."""
        if not self.world.switches.obfuscates or self.guild is None or self.is_thread:
            return False
        inside = [one for one in self.guild.channels.values() if one.parent is self] if self.kind == CATEGORY else []
        return not any(sees(one, viewer) for one in (self, *inside))

    def obfuscated(self) -> Json:
        """Write the `Channel` object as the gateway brings it to who may not view the channel."""
        assert self.guild is not None
        nobody = {"id": str(self.guild.id), "type": 0, "allow": "0", "deny": str(bits(["view_channel"]))}
        body: Json = {"id": str(self.id), "type": self.kind, "position": self.position, "guild_id": str(self.guild.id)}
        body |= {"name": "___hidden___", "flags": 1 << 17, "permission_overwrites": [nobody], "parent_id": None}
        return body | {"topic": None, "last_message_id": None, "nsfw": False, "rate_limit_per_user": 0}

    def whole(self, viewer: Bot) -> Json:
        """Write the whole `Channel` object, as an interaction brings it in any case."""
        last = self.last
        body: Json = {"id": str(self.id), "type": self.kind, "last_message_id": last and str(last.id), "flags": 0}
        if self.guild is None:
            return body | {"recipients": [user.json() for user in self.recipients if user is not viewer]}
        body |= {"guild_id": str(self.guild.id), "name": self.name, "parent_id": self.parent and str(self.parent.id)}
        body |= {"rate_limit_per_user": self.slow_mode, "nsfw": self.is_age_restricted}
        return body | (self._thread(viewer) if self.is_thread else self._place())

    def _place(self) -> Json:
        body: Json = {"position": self.position, "topic": self.topic}
        body["permission_overwrites"] = [one.json() for one in self.overwrites.values()]
        if self.kind in SPOKEN:
            body |= {"bitrate": 64_000, "user_limit": 0, "rtc_region": None}
        if self.kind == FORUM:
            body |= {"available_tags": [], "default_reaction_emoji": None, "default_sort_order": None}
        return body

    def _thread(self, viewer: Bot) -> Json:
        spoken = len(self.standing) - (1 if self.parent and self.parent.kind == FORUM else 0)
        metadata: Json = {"archived": self.is_archived, "locked": self.is_locked, "invitable": True}
        metadata |= {"auto_archive_duration": self.archives_after}
        metadata |= {"archive_timestamp": stamp(self.archived_at), "create_timestamp": stamp(self.archived_at)}
        body: Json = {"owner_id": str(self.owner.id if self.owner else 0), "thread_metadata": metadata}
        body |= {"message_count": spoken, "total_message_sent": spoken, "member_count": len(self.joined)}
        if self.parent and self.parent.kind == FORUM:
            body["applied_tags"] = []
        if viewer.id in self.joined:
            body["member"] = self.membership(viewer)
        return body

    def membership(self, user: User) -> Json:
        """Write the `ThreadMember` object."""
        joined = stamp(self.joined[user.id])
        return {"id": str(self.id), "user_id": str(user.id), "join_timestamp": joined, "flags": 0}

    def _overwrite(self, whom: Role | User, names: tuple[str, ...], *, given: bool) -> None:
        shut = [bot for bot in self.world.bots.values() if not sees(self, bot)]
        own = self.overwrites.setdefault(whom.id, Overwrite(whom.id, 0 if isinstance(whom, Role) else 1))
        mask = bits(names)
        own.allow, own.deny = (own.allow | mask, own.deny & ~mask) if given else (own.allow & ~mask, own.deny | mask)
        delivery.tell_channel(self, "UPDATE")
        if any(sees(self, bot) for bot in shut):
            delivery.tell_threads(self)
