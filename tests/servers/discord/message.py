"""One message, and how the API writes it for a bot."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from .values import Json, User, merged, stamp

if TYPE_CHECKING:
    from .bot import Bot
    from .channel import Channel

DEFAULT, PINNED, JOINED, THREAD_CREATED, REPLY, COMMAND, THREAD_STARTER, MENU = 0, 6, 7, 18, 19, 20, 21, 23
SPOKEN = (DEFAULT, REPLY, COMMAND, MENU)
SUPPRESS_EMBEDS, EPHEMERAL, LOADING, HAS_THREAD, V2 = 1 << 2, 1 << 6, 1 << 7, 1 << 5, 1 << 15


@dataclass(slots=True, eq=False, repr=False)
class Message:
    """A message as it stands now.

    `pings` are the people whose phone it moved; `is_for` is the one who sees an ephemeral one; `versions` are the
    contents it had, the present one last; `extra` holds raw fields of the wire form, an Ellipsis removes one.
    """

    id: int
    channel: Channel
    author: User
    content: str
    at: float
    kind: int = DEFAULT
    nonce: str | int | None = None
    edited: float | None = None
    embeds: list[Json] = field(default_factory=list)
    attachments: list[Json] = field(default_factory=list)
    components: list[Json] = field(default_factory=list)
    poll: Json | None = None
    flags: int = 0
    mentions: list[User] = field(default_factory=list)
    mention_roles: list[int] = field(default_factory=list)
    mention_everyone: bool = False
    pings: list[User] = field(default_factory=list)
    reference: Json | None = None
    referenced: Message | None = None
    webhook: int | None = None
    application: int | None = None
    interaction: Json | None = None
    thread: Channel | None = None
    reactions: dict[str, list[User]] = field(default_factory=dict)
    versions: list[str] = field(default_factory=list)
    extra: Json = field(default_factory=dict)
    is_for: User | None = None
    is_pinned: bool = False
    is_deleted: bool = False

    def __repr__(self) -> str:
        return f"<Message {self.author.name}: {self.text!r}>"

    @property
    def text(self) -> str:
        """Return what a person reads in it: content, embeds, a poll, and the texts of its components."""
        parts = [self.content]
        for embed in [] if self.flags & SUPPRESS_EMBEDS else self.embeds:
            parts += [embed.get("title") or "", embed.get("description") or ""]
            parts += [f"{one.get('name')}: {one.get('value')}" for one in embed.get("fields", ())]
            parts.append((embed.get("footer") or {}).get("text") or "")
        parts += [_poll_text(self.poll)] if self.poll else []
        parts += [one["content"] for one in flat(self.components) if one.get("type") == 10]
        return "\n".join(part for part in parts if part)

    @property
    def buttons(self) -> list[Json]:
        """List everything that can be pressed or chosen from."""
        return [one for one in flat(self.components) if "custom_id" in one or "url" in one]

    @property
    def stands(self) -> bool:
        """Say whether everybody in its channel can read it now."""
        return not self.is_deleted and self.is_for is None

    @property
    def is_ephemeral(self) -> bool:
        """Say whether one person alone sees it."""
        return bool(self.flags & EPHEMERAL)

    @property
    def link(self) -> str:
        """Write the address that jumps to it."""
        guild = self.channel.guild.id if self.channel.guild else "@me"
        return f"https://discord.com/channels/{guild}/{self.channel.id}/{self.id}"

    async def becomes(self, text: str) -> Message:
        """Wait until it says this, by an edit."""
        await self.channel.world.until(lambda: text in self.text, lambda: f"it never said {text!r}, but {self.text!r}")
        return self

    async def vanishes(self) -> None:
        """Wait until it is deleted."""
        await self.channel.world.until(lambda: self.is_deleted, lambda: f"{self.text!r} still stands")

    def json(self, viewer: Bot, *, whole: bool = True, deep: bool = True) -> Json:
        """Write the `Message` object; without the content intent most of it is empty."""
        body: Json = {"id": str(self.id), "channel_id": str(self.channel.id), "type": self.kind}
        body |= {"author": self.author.json(), "content": self.content if whole else ""}
        body |= {"timestamp": stamp(self.at), "edited_timestamp": self.edited and stamp(self.edited)}
        body |= {"tts": False, "pinned": self.is_pinned, "flags": self.flags}
        body |= {"mention_everyone": self.mention_everyone, "mentions": [user.json() for user in self.mentions]}
        body |= {"mention_roles": [str(role) for role in self.mention_roles]}
        body |= {"embeds": self.embeds if whole else [], "components": self.components if whole else []}
        body["attachments"] = [self.channel.world.signed(one) for one in self.attachments] if whole else []
        if self.poll is not None:
            body["poll"] = self.poll
        body |= self._links(viewer, deep, whole)
        if self.reactions:
            body["reactions"] = [_reaction(emoji, users, viewer) for emoji, users in self.reactions.items()]
        return merged(body, self.extra | ({} if whole else {"poll": ...}))

    def event(self, viewer: Bot, *, whole: bool = True) -> Json:
        """Write it as the gateway does, with the guild and the author's membership."""
        body = self.json(viewer, whole=whole)
        if self.nonce is not None and self.author is viewer:
            body["nonce"] = self.nonce
        if (guild := self.channel.guild) is None:
            return body
        body["guild_id"] = str(guild.id)
        member = guild.members.get(self.author.id)
        if member is not None and self.webhook is None:
            body["member"] = member.json(user=False)
        return merged(body, self.extra)

    def _links(self, viewer: Bot, deep: bool, whole: bool) -> Json:
        links: Json = {"webhook_id": self.webhook and str(self.webhook), "message_reference": self.reference}
        links["application_id"] = self.application and str(self.application)
        links["interaction_metadata"] = self.interaction
        if self.thread is not None:
            links["thread"] = self.thread.json(viewer)
        links = {name: value for name, value in links.items() if value is not None}
        if self.kind in (REPLY, THREAD_STARTER) and deep:
            target = None if self.referenced is None or self.referenced.is_deleted else self.referenced
            links["referenced_message"] = target and target.json(viewer, whole=whole, deep=False)
        return links


def flat(components: list[Json]) -> list[Json]:
    """List components with everything inside them."""
    every: list[Json] = []
    for one in components:
        every.append(one)
        every += flat(one.get("components", []))
        every += flat([one["accessory"]] if one.get("accessory") else [])
    return every


def _poll_text(poll: Json) -> str:
    options = " / ".join(one["poll_media"]["text"] for one in poll["answers"])
    return f"📊 {poll['question']['text']} ({options})"


def _reaction(emoji: str, users: list[User], viewer: User) -> Json:
    body: Json = {"emoji": {"id": None, "name": emoji}, "count": len(users), "me": viewer in users, "me_burst": False}
    return body | {"count_details": {"burst": 0, "normal": len(users)}, "burst_colors": []}
