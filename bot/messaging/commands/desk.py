"""What a command is told, and what it may use."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import NamedTuple

from bot.config.schema import Config
from bot.domain.access import Authority, Caller
from bot.domain.ids import ChannelKey
from bot.domain.ledger import GateVerdict, StoredInbound
from bot.domain.links import defang
from bot.domain.messages import Inbound
from bot.domain.text import excerpt
from bot.messaging.bucket import Bucket
from bot.messaging.command_line import CommandLine
from bot.messaging.commands.own_limit import OwnDataLimiter
from bot.messaging.door import CortexDoor
from bot.messaging.registry import ChannelRegistry
from bot.messaging.room import Room
from bot.messaging.settings import SettingsBook
from bot.ports.clock import Clock
from bot.ports.platform import Platform
from bot.ports.store import Store
from bot.skills import Skills


class Call(NamedTuple):
    """A command that somebody gave, with the tier that code looked up; `answer` says something later."""

    stored: StoredInbound
    caller: Caller
    line: CommandLine
    answer: Callable[[str], Awaitable[None]]

    @property
    def key(self) -> ChannelKey:
        """The channel it was given in, and is about."""
        return self.stored.key

    @property
    def inbound(self) -> Inbound:
        """The message that it is."""
        return self.stored.inbound

    @property
    def prefix(self) -> str:
        """How commands are best shown to this person; in a group a slash alone says that the bot is meant."""
        return (self.line.prefix or "/") if self.inbound.place.is_dm else "/"

    def typed(self, name: str) -> str:
        """Write a command as this person can type or tap it: behind a slash a hyphen would end its name."""
        return self.prefix + (name.replace("-", "_") if self.prefix == "/" else name)


class Desk(NamedTuple):
    """What commands work with. `renew` cancels the running turn and begins the conversation anew, in order.

    `would` asks every gate; `stop_work` stops branches and workers, and returns how many; `strangers` counts how often
    somebody is told that the bot is not open to them.
    """

    config: Config
    store: Store
    clock: Clock
    platforms: Mapping[str, Platform]
    book: SettingsBook
    registry: ChannelRegistry
    door: CortexDoor
    room: Room
    renew: Callable[[ChannelKey], None]
    would: Callable[[Inbound], tuple[GateVerdict, ...]]
    strangers: Bucket
    stop_work: Callable[[ChannelKey, str], Awaitable[int]]
    skills: Skills
    own_data: OwnDataLimiter


class Command(NamedTuple):
    """One command: who may use it, what help says about it, and what it does; `run` returns the answer.

    `argument` names what may be typed behind it, for the menus that ask for it (empty: nothing). A `private` answer is
    read by the asker alone.
    """

    name: str
    tier: Authority
    help: str
    run: Callable[[Call, Desk], Awaitable[str]]
    argument: str = ""
    private: bool = False


def shown(text: str, limit: int = 120) -> str:
    """Show what somebody typed: one line, nothing hidden, no live link, no ping."""
    return defang(excerpt(text, limit))
