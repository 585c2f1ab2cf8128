"""What a command is told, and what it may use."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import NamedTuple

from bot.config.schema import Config
from bot.domain.access import Authority, Caller
from bot.domain.finding import NewAudit
from bot.domain.ids import ChannelKey, PersonKey
from bot.domain.ledger import GateVerdict, StoredInbound
from bot.domain.messages import Inbound
from bot.domain.revisions import ChangedBy
from bot.messaging.channels.queues import UndoReset
from bot.messaging.channels.registry import ChannelRegistry
from bot.messaging.channels.settings import SettingsBook
from bot.messaging.commands.own_limit import OwnDataLimiter
from bot.messaging.policy.command_syntax import CommandLine
from bot.messaging.policy.disk_guard import DiskGuard
from bot.messaging.policy.languages import Languages
from bot.messaging.policy.local_times import LocalTimes
from bot.ports.clock import Clock
from bot.ports.cortex import CortexPort
from bot.ports.platform import Platform
from bot.ports.store import Store
from bot.sentences import say
from bot.skills import SkillLibrary
from bot.text.text import quote_line


class GivenCommand(NamedTuple):
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
        """The message in which the command was given."""
        return self.stored.inbound

    @property
    def changed_by(self) -> ChangedBy:
        """Who changes what the command changes."""
        platform, user = self.caller.person
        return ChangedBy(platform=platform, actor=user, process="command", inbound=self.stored.id)

    @property
    def prefix(self) -> str:
        """How commands are best shown to this person; in a group a slash alone says that the bot is meant."""
        return (self.line.prefix or "/") if self.inbound.place.is_dm else "/"

    def typed(self, name: str) -> str:
        """Write a command as this person can type or tap it: behind a slash a hyphen would end its name."""
        return self.prefix + (name.replace("-", "_") if self.prefix == "/" else name)


StopWork = Callable[[ChannelKey, str, PersonKey | None], Awaitable[int]]
"""Stops what works for a channel, for a reason; of one person's only, if one is given. Returns how many that was."""


class CommandContext(NamedTuple):
    """What commands work with. `renew` cancels the running turn and begins the conversation anew, in order; `undo`
    takes that back, in order too.

    `would` asks every gate; `stop_work` stops branches and workers, of one person or of all, and returns how many.
    `added` are the commands of plugins.
    """

    config: Config
    store: Store
    clock: Clock
    platforms: Mapping[str, Platform]
    book: SettingsBook
    registry: ChannelRegistry
    cortex: Callable[[], CortexPort]
    room: DiskGuard
    renew: Callable[[ChannelKey, NewAudit], None]
    undo: Callable[[ChannelKey, UndoReset], None]
    would: Callable[[Inbound], tuple[GateVerdict, ...]]
    stop_work: StopWork
    skills: SkillLibrary
    own_data: OwnDataLimiter
    times: LocalTimes
    languages: Languages
    added: Sequence[ChatCommand] = ()


class ChatCommand(NamedTuple):
    """One command: who may use it, what help says about it, and what it does; `run` returns the answer.

    `about` names the sentence that help says.

    `argument` names what may be typed behind it, for the menus that ask for it (empty: nothing). A `private` answer is
    read by the asker alone. `in_group` is the tier that it takes there, because it changes something of everybody's.
    Who is below `told_to` hears no word of it, where others read along. `origin` is the plugin that brings it.
    """

    name: str
    tier: Authority
    about: str
    run: Callable[[GivenCommand, CommandContext], Awaitable[str]]
    argument: str = ""
    private: bool = False
    in_group: Authority = Authority.EVERYONE
    told_to: Authority = Authority.EVERYONE
    origin: str = ""

    @property
    def help(self) -> str:
        """What help says about it, in the language of who reads."""
        return say(self.about)

    def needs(self, *, is_dm: bool) -> Authority:
        """Return the tier that it takes in a private chat, or in a group."""
        return self.tier if is_dm else max(self.tier, self.in_group)


def shown(text: str, limit: int = 120) -> str:
    """Show what somebody typed: one line, nothing hidden, no live link, no ping."""
    return quote_line(text, limit)
