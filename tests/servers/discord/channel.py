"""A place to talk: what is said there, how a test waits for it, and threads that open and close."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from . import delivery
from .permissions import sees
from .place import CATEGORY, DIRECT, FORUM, PRIVATE_THREAD, PUBLIC_THREAD, SPEAKABLE, SPOKEN, TEXT, THREADS, Place
from .transcript import transcript
from .values import User

if TYPE_CHECKING:
    from .message import Message

__all__ = [
    "CATEGORY",
    "DIRECT",
    "FORUM",
    "PRIVATE_THREAD",
    "PUBLIC_THREAD",
    "SPEAKABLE",
    "SPOKEN",
    "TEXT",
    "THREADS",
    "Channel",
]


@dataclass(slots=True, eq=False, repr=False)
class Channel(Place):
    """A place as people and tests use it."""

    def transcript(self) -> str:
        """Write the channel as a person reads it, one line a message."""
        return transcript(self.standing)

    async def hears(self, text: str = "") -> Message:
        """Wait for a bot's message that says this, other than those heard before."""

        def fresh() -> Message | None:
            for one in self.standing:
                if one.author.is_bot and one.id not in self.heard and text in one.text:
                    self.heard.add(one.id)
                    return one
            return None

        words = f"no bot said {text!r} in #{self.name}; there stands:\n"
        message = await self.world.until(fresh, lambda: words + self.transcript())
        assert message is not None
        return message

    async def sees_typing(self, count: int = 1) -> None:
        """Wait until a bot has shown so often that it types."""
        words = f"nobody typed in #{self.name} {count} times"
        await self.world.until(lambda: sum(one.is_bot for one, _ in self.typing) >= count, lambda: words)

    def admit(self, user: User) -> None:
        """Let somebody into the thread; a bot is told of the thread first if it could not see it before."""
        was_hidden = not sees(self, user)
        self.joined[user.id] = self.world.now
        if was_hidden:
            delivery.tell_arrival(self, user)
        delivery.tell_members(self, user)

    def archive(self, *, locked: bool = False) -> None:
        """Close the thread; a locked one is opened again by moderators only."""
        self.change(is_archived=True, is_locked=locked or self.is_locked, archived_at=self.world.now)

    def unarchive(self) -> None:
        """Open the thread again."""
        self.change(is_archived=False, archived_at=self.world.now)

    def lock(self) -> None:
        """Let only moderators speak in the thread, which stays open."""
        self.change(is_locked=True)
