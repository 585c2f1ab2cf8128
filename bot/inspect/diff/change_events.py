"""The events that can change what a model is told, and what records tell of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from bot.domain.channel import ChannelSettings
from bot.domain.handles import HandleKind, handle
from bot.domain.health import ProgramStart
from bot.domain.memory import Memory


class EpochKind(StrEnum):
    """What can change what a model is told."""

    CONFIG = "config"
    MEMORY_SAVED = "memory saved"
    MEMORY_FORGOTTEN = "memory forgotten"
    MEMORY_RESTORED = "memory restored"
    MEMORY_REPLACED = "memory replaced"
    SKILL = "skill"
    MODEL = "model"
    MODE = "mode"
    TOOL_ADDED = "tool added"
    TOOL_REMOVED = "tool removed"
    COMPACTION = "compaction"
    RESTART = "restart"
    RESET = "fresh start"
    EDIT = "edit"
    TRIGGER = "trigger"
    TALK = "new talk"
    ROUND = "tool round"
    LOST = "turn not kept"
    RIGHTS = "rights of who asks"
    WINDOW = "window"
    CHANNELS = "channels of the server"
    UNKNOWN = "unknown"


class EpochEvent(NamedTuple):
    """One event. `what` is in our own words, without anybody's; `handle` opens its record (empty: it has none).

    `at` is UTC ms (0: not known).
    """

    kind: EpochKind
    what: str
    at: int = 0
    handle: str = ""


class OrderedCommand(NamedTuple):
    """A command that somebody gave in the channel: its name, when, and its row of the ledger."""

    name: str
    at: int
    inbound: int


class AuditedAction(NamedTuple):
    """Something an admin did: what, to which record, when, and its row."""

    action: str
    detail: str
    at: int
    row: int


class EndedTurn(NamedTuple):
    """A turn and how it ended (its status; empty: not known)."""

    turn: int
    status: str


@dataclass(frozen=True)
class ChangeRecords:
    """What happened from one request (`since`, UTC ms) to the next (`until`), as far as records tell, oldest first.

    `memories` are those that either shows, and those in reach that were saved or forgotten meanwhile; `replaced` are
    the rows that newer memories update. `started` are the starts of the program. `edited` maps a platform message to
    the row of its newest form. `settings` are the channel's of now. `ended` are the turns of both requests. `ran_on`:
    the program was not started anew meanwhile. `reloads` are those of the configuration, with the keys that changed.
    """

    since: int = 0
    until: int = 0
    memories: tuple[Memory, ...] = ()
    replaced: frozenset[int] = frozenset()
    commands: tuple[OrderedCommand, ...] = ()
    audits: tuple[AuditedAction, ...] = ()
    started: tuple[int, ...] = ()
    edited: tuple[tuple[str, int], ...] = ()
    settings: ChannelSettings | None = None
    ended: tuple[EndedTurn, ...] = ()
    reloads: tuple[ProgramStart, ...] = ()
    ran_on: bool = False

    def holds(self, at: int) -> bool:
        """Say whether something happened in this time."""
        return self.since < at <= self.until

    def order(self, names: frozenset[str], kind: EpochKind, what: str) -> tuple[EpochEvent, ...]:
        """Return the newest of some commands as an epoch; none when none was given."""
        found = [command for command in self.commands if command.name in names]
        return tuple(EpochEvent(kind, what, c.at, handle(HandleKind.INBOUND, c.inbound)) for c in found[-1:])

    def reload(self, keys: Sequence[str], what: str) -> tuple[EpochEvent, ...]:
        """Return the newest reload that took one of these keys, or one below them; none when there was none."""
        found = [one for one in self.reloads if any(_is_below(key, name) for key in one.keys for name in keys)]
        return tuple(EpochEvent(EpochKind.CONFIG, what, one.at) for one in found[-1:])

    def start(self, kind: EpochKind, what: str) -> tuple[EpochEvent, ...]:
        """Return the newest start of the program as an epoch; none when it ran on."""
        return tuple(EpochEvent(kind, what, at) for at in self.started[-1:])


def _is_below(key: str, name: str) -> bool:
    return key == name or key.startswith(f"{name}.")


NO_RECORDS = ChangeRecords()
