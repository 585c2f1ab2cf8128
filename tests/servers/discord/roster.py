"""Who is in a guild, with which roles, and how a bot learns of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from . import delivery, writing
from .permissions import EVERYONE, bits
from .values import Json, Member, Role, User

if TYPE_CHECKING:
    from .channel import Channel
    from .session import Session
    from .state import State


@dataclass(slots=True, eq=False, repr=False)
class Roster:
    """A guild as its members make it; its first role is everybody's and has its id.

    `takes_commands`: whether the bot was invited with the scope for commands.
    """

    id: int
    name: str
    world: State
    owner: User
    roles: dict[int, Role] = field(default_factory=dict)
    members: dict[int, Member] = field(default_factory=dict)
    channels: dict[int, Channel] = field(default_factory=dict)
    audit: list[Json] = field(default_factory=list)
    is_down: bool = False
    verification_level: int = 0
    takes_commands: bool = True

    def __repr__(self) -> str:
        return f"<Guild {self.name}>"

    @property
    def everyone(self) -> Role:
        """Return the role that all members have."""
        return self.roles.setdefault(self.id, Role(self.id, "@everyone", EVERYONE))

    def role(self, name: str, *permissions: str, members: tuple[User, ...] = (), bot: User | None = None) -> Role:
        """Make a role with permissions, by their names in discord.py, and give it to some; or the one of a `bot`."""
        role = Role(self.world.snowflake(), name, bits(permissions), len(self.roles), bot)
        self.roles[role.id] = role
        self._tell("GUILD_ROLE_CREATE", {"role": role.json()})
        for who in members:
            self.give(who, role)
        return role

    def permit(self, role: Role, *permissions: str) -> None:
        """Let a role have exactly these permissions from now on."""
        role.permissions = bits(permissions)
        self._tell("GUILD_ROLE_UPDATE", {"role": role.json()})

    def give(self, who: User, role: Role) -> None:
        """Give somebody a role."""
        self.members[who.id].roles.append(role)
        self._tell("GUILD_MEMBER_UPDATE", self.members[who.id].json(), "members", about=who)

    def take(self, who: User, role: Role) -> None:
        """Take a role away from somebody."""
        self.members[who.id].roles.remove(role)
        self._tell("GUILD_MEMBER_UPDATE", self.members[who.id].json(), "members", about=who)

    def rename(self, who: User, nick: str | None) -> None:
        """Give somebody another name here."""
        self.members[who.id].nick = nick
        self._tell("GUILD_MEMBER_UPDATE", self.members[who.id].json(), "members", about=who)

    def time_out(self, who: User, seconds: float) -> None:
        """Let somebody only read for a while."""
        self.members[who.id].timed_out = self.world.now + seconds
        self._tell("GUILD_MEMBER_UPDATE", self.members[who.id].json(), "members", about=who)

    def admit(self, *people: User) -> None:
        """Let people have been here all along: no event goes out."""
        for who in people:
            self.members[who.id] = Member(who, self, self.world.now)

    def join(self, who: User) -> None:
        """Let somebody come in; a bot is told of the whole guild."""
        self.admit(who)
        if who.is_bot:
            self._appear(who, {})
        self._tell("GUILD_MEMBER_ADD", self.members[who.id].json(), "members")

    def leave(self, who: User) -> None:
        """Let somebody go, or be thrown out; a bot is told that the guild is gone."""
        del self.members[who.id]
        self._tell("GUILD_MEMBER_REMOVE", {"user": who.json()}, "members")
        if who.is_bot:
            self._vanish(who, {})

    def log_deletion(self, by: User, author: User, channel: Channel) -> None:
        """Write into the audit log who deleted a message; what comes soon after is counted in the same entry.

        Bots that delete one message, and authors of what they delete, are left out, as the real one does.
        """
        if by.is_bot or by is author:
            return
        options = {"channel_id": str(channel.id), "count": "1"}
        for entry in self.audit:
            same = (entry["user_id"], entry["target_id"], entry["options"]["channel_id"])
            if same == (str(by.id), str(author.id), options["channel_id"]):
                entry["options"]["count"] = str(int(entry["options"]["count"]) + 1)
                return
        entry = {"id": str(self.world.snowflake()), "action_type": 72, "user_id": str(by.id)}
        self.audit.insert(0, entry | {"target_id": str(author.id), "options": options})

    def log_sweep(self, by: User, channel: Channel, count: int) -> None:
        """Write into the audit log who deleted many messages at once, bots too."""
        if count > 1:
            entry = {"id": str(self.world.snowflake()), "action_type": 73, "user_id": str(by.id)}
            self.audit.insert(0, entry | {"target_id": str(channel.id), "options": {"count": str(count)}})

    def _appear(self, bot: User, more: Json) -> None:
        for session in self._sessions(bot):
            members = delivery.has(session.intents, "members")
            session.add("GUILD_CREATE", writing.guild_create(self, session.bot, members=members) | more)

    def _vanish(self, bot: User, more: Json) -> None:
        for session in self._sessions(bot):
            session.add("GUILD_DELETE", {"id": str(self.id)} | more)

    def _sessions(self, bot: User) -> list[Session]:
        sessions = getattr(bot, "sessions", [])
        return [session for session in sessions if session.holds(self) and session.wants("guilds")]

    def _tell(self, event: str, body: Json, intent: str = "guilds", about: User | None = None) -> None:
        def writes(_: Session) -> Json:
            return body | {"guild_id": str(self.id)}

        # a bot is told of its own changes without the members intent
        own = about is not None and about.is_bot
        delivery.announce(self.world, event, writes, guild=self, intent="guilds" if own else intent)
