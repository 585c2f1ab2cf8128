"""What tools did, or want done at the end of the turn: one append-only list, read back in the model's order."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeVar

from bot.domain.directive import Directive
from bot.domain.memory import NewMemory
from bot.domain.turn import ToolCallRecord

SkipCategory = Literal["not_for_me", "nothing_to_add", "instructed", "declined"]


class Said(NamedTuple):
    """A message that went out in the middle of a turn. `certain` is False when it may or may not have arrived."""

    text: str
    message_ids: tuple[str, ...]
    certain: bool = True


class Skipped(NamedTuple):
    """The model decided to say nothing."""

    reason: str
    category: SkipCategory


class Reacted(NamedTuple):
    """A reaction stands under the message."""

    emoji: str


class Remembered(NamedTuple):
    """A memory to be stored with the turn; `silences` when it orders the bot to be silent (admins hear at once)."""

    memory: NewMemory
    silences: Directive | None = None


class Touched(NamedTuple):
    """Memories that were read."""

    rows: tuple[int, ...]


class Called(NamedTuple):
    """The record of a finished call."""

    record: ToolCallRecord


Effect = Said | Skipped | Reacted | Remembered | Touched | Called
E = TypeVar("E", Said, Skipped, Reacted, Remembered, Touched, Called)


class Effects:
    """The write-back list of a turn. Calls share it; each writes under its own place in the model's order."""

    def __init__(self, log: list[tuple[int, Effect]] | None = None, order: int = 0) -> None:
        self._log: list[tuple[int, Effect]] = [] if log is None else log
        self._order = order

    def at(self, order: int) -> Effects:
        """Return the same list, written to under another place."""
        return Effects(self._log, order)

    def add(self, effect: Effect) -> None:
        """Append; nothing is ever changed or taken away."""
        self._log.append((self._order, effect))

    def of(self, kind: type[E]) -> tuple[E, ...]:
        """Return the effects of one kind, in the order in which the model made the calls."""
        found = [(order, effect) for order, effect in self._log if isinstance(effect, kind)]
        return tuple(effect for _, effect in sorted(found, key=lambda entry: entry[0]))
