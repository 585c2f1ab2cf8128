"""A guild: its channels, and whether it is there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from . import delivery
from .channel import CATEGORY, FORUM, TEXT, Channel
from .roster import Roster
from .values import User


@dataclass(slots=True, eq=False, repr=False)
class Guild(Roster):
    """A guild with its places."""

    def channel(
        self, name: str, *, under: Channel | None = None, kind: int = TEXT, topic: str | None = None
    ) -> Channel:
        """Make a text channel."""
        number = self.world.snowflake()
        channel = Channel(number, kind, name, self.world, self, under, len(self.channels), topic)
        self.channels[number] = self.world.channels[number] = channel
        if under is not None:
            channel.overwrites = {key: replace(one) for key, one in under.overwrites.items()}
        delivery.tell_channel(channel, "CREATE")
        return channel

    def category(self, name: str) -> Channel:
        """Make a category."""
        return self.channel(name, kind=CATEGORY)

    def forum(self, name: str, *, under: Channel | None = None) -> Channel:
        """Make a forum, in which only threads are talked in."""
        return self.channel(name, kind=FORUM, under=under)

    def go_down(self) -> None:
        """Let the guild be unavailable, as in an outage."""
        self.is_down = True
        self._each(lambda bot: self._vanish(bot, {"unavailable": True}))

    def come_back(self) -> None:
        """Let the guild be available again."""
        self.is_down = False
        self._each(lambda bot: self._appear(bot, {"unavailable": False}))

    def _each(self, act: Callable[[User], None]) -> None:
        for member in list(self.members.values()):
            if member.who.is_bot:
                act(member.who)
