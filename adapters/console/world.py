"""Everything of the console that changes: who is where, what was said, which buttons hang."""

from __future__ import annotations

import zlib
from collections import deque
from dataclasses import dataclass, field

from bot.domain.ids import ChannelId, UserId, channel_id
from bot.domain.messages import Button, OutboundAddress
from bot.sentences import ENGLISH, Words

NAME = "console"
GUILD = "terminal"


@dataclass(frozen=True, slots=True)
class ScrollbackLine:
    """One line of the scroll-back."""

    message_id: str
    channel: ChannelId
    name: str
    text: str
    by_bot: bool


@dataclass(frozen=True, slots=True)
class ShownButton:
    """A button that was shown and can be pressed."""

    channel: ChannelId
    label: str
    data: str


@dataclass(slots=True)
class ConsoleWorld:
    """The people, channels and messages of one terminal. `next_id` numbers messages, unique over restarts.

    `unheard` is why the bot did not take in what was said last; None while it does. `language` is that of whoever sits
    at the terminal.
    """

    here: ChannelId
    speaker: str
    next_id: int
    people: dict[str, UserId]
    admins: set[UserId]
    closed: set[UserId] = field(default_factory=set)
    said: deque[ScrollbackLine] = field(default_factory=lambda: deque(maxlen=2000))
    buttons: dict[int, ShownButton] = field(default_factory=dict)
    show_ids: bool = False
    unheard: Words | None = None
    language: str = ENGLISH

    def number(self, name: str) -> UserId:
        """Return a person's numeric id; a new name gets one that is the same after a restart."""
        known = self.people.get(name)
        if known is None:
            known = UserId(str(100_000 + zlib.crc32(name.encode()) % 900_000))
            self.people[name] = known
        return known

    def remember(self, channel: ChannelId, name: str, text: str, *, by_bot: bool) -> ScrollbackLine:
        """Give a line its number, and keep it."""
        self.next_id += 1
        said = ScrollbackLine(str(self.next_id), channel, name, text, by_bot)
        self.said.append(said)
        return said

    def find(self, message_id: str) -> ScrollbackLine | None:
        """Return a line by its id."""
        return next((said for said in reversed(self.said) if said.message_id == message_id), None)

    def hang(self, offered: tuple[Button, ...], channel: ChannelId) -> int:
        """Number buttons; return the first number."""
        first = max(self.buttons, default=0) + 1
        for n, button in enumerate(offered):
            self.buttons[first + n] = ShownButton(channel, button.label, button.data)
        return first

    def button(self, which: str) -> ShownButton | None:
        """Return a button by its number, or the newest one whose label begins so."""
        if which.isascii() and which.isdigit():
            return self.buttons.get(int(which))
        start = which.casefold()
        return next(
            (b for _, b in sorted(self.buttons.items(), reverse=True) if b.label.casefold().startswith(start)), None
        )

    def place(self, to: OutboundAddress) -> str:
        """Name an address as it stands in front of a line; a DM thread shows its title."""
        if not is_dm(to.channel):
            return to.channel.removeprefix(f"{NAME}:")
        owner = to.channel.rpartition(":")[2]
        name = next((name for name, number in self.people.items() if number == owner), owner)
        title = to.thread.partition(" ")[2]
        return f"dm {name} ▸ {title}" if title else f"dm {name}"


def dm_of(user: UserId) -> ChannelId:
    """Return somebody's direct messages with the bot."""
    return channel_id(NAME, "dm", user)


def is_dm(channel: ChannelId) -> bool:
    """Say whether a channel is somebody's direct messages."""
    return channel.startswith(f"{NAME}:dm:")
