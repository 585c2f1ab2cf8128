"""What is kept of requests whose words are not, and how a person is forgotten."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Protocol

from bot.domain.decision_check import DecisionCheck
from bot.domain.dialect import DialectLesson
from bot.domain.erasure import Erasure, PersonalFootprint, ReleasedCopies
from bot.domain.handles import Handle
from bot.domain.health import ProgramStart
from bot.domain.ids import ChannelId, ChannelKey, PersonKey
from bot.domain.memory import Memory
from bot.domain.turn import RequestMark, StoredRequest


class OutlineStore(Protocol):
    """Requests without their words: digests, sizes, what became of them."""

    async def outlines_of_turn(self, turn: int) -> Sequence[StoredRequest]:
        """Return a turn's requests that have no words (any more), in order; they name no section and no message."""

    async def outline_by_handle(self, handle: Handle) -> StoredRequest | None:
        """Return the newest request of a handle's slot, if it has no words."""

    async def newest_mark(self, key: ChannelKey) -> RequestMark | None:
        """Return why the last request of a channel is not on record as it was sent; None where it is."""


class ErasureStore(Protocol):
    """Taking one person out of everything that is kept here. Digests, sizes and numeric ids stay."""

    async def footprint(self, person: PersonKey, within: Collection[ChannelId] | None = None) -> PersonalFootprint:
        """Count what is theirs by author or subject, everywhere or in some channels; nothing changes."""

    async def erase(self, person: PersonKey, within: Collection[ChannelId] | None = None) -> PersonalFootprint:
        """Take it out, for good: texts, names, memories, captures, files; count what was taken.

        What repeats their words goes too, but only in channels where they wrote. It works in small units, and may be
        repeated: what is gone is not counted again. What a live conversation holds in memory is not reached.
        """

    async def replace_copies(self, person: PersonKey) -> ReleasedCopies:
        """Remove the copies of the database that hold their words, once a new one was made and checked; else none."""

    async def memories_of(self, person: PersonKey) -> Sequence[Memory]:
        """Return what is remembered by somebody or about them, the oldest first."""

    async def ask(self, person: PersonKey, at: int) -> None:
        """Note that somebody asked to be forgotten themselves; nothing is taken out yet."""

    async def unfinished(self) -> Sequence[Erasure]:
        """Return what was confirmed and is not over, oldest first."""

    async def finished(self, row: int, at: int) -> None:
        """Note that an erasure is over."""


class OptOutStore(Protocol):
    """People who want nothing that they write kept or told to a model."""

    async def opted_out(self) -> Sequence[PersonKey]:
        """Return everybody who opted out."""

    async def opt_out(self, person: PersonKey, at: int) -> None:
        """Note that somebody did; with an `at` of 0, that they do not want it any more."""


class ChoiceStore(Protocol):
    """What people chose for themselves of one kind, such as their time zone; whoever is forgotten chose nothing."""

    async def all(self) -> Sequence[tuple[PersonKey, str]]:
        """Return what everybody chose."""

    async def choose(self, person: PersonKey, value: str) -> None:
        """Note what somebody chose; with an empty value, forget it."""


class CheckStore(Protocol):
    """Recorded turns with what should be decided; one for a request."""

    async def kept(self) -> Sequence[DecisionCheck]:
        """Return all, the oldest request first."""

    async def keep(self, check: DecisionCheck) -> None:
        """Keep one in the place of what was expected of the same request before."""

    async def drop(self, request: int) -> bool:
        """Keep that of a request no longer; False where there is none."""


class StartLog(Protocol):
    """When the program was started, and when it read its configuration anew."""

    async def started(self, at: int) -> None:
        """Note a start; the same one again is no other."""

    async def reloaded(self, at: int, keys: Sequence[str]) -> None:
        """Note that these keys of the configuration were read anew while the program ran."""

    async def all(self) -> Sequence[ProgramStart]:
        """Return what is on record, oldest first; there is an end to how far back that goes."""


class LessonStore(Protocol):
    """What refusals taught of how services want their requests."""

    @property
    def known(self) -> Sequence[DialectLesson]:
        """All of it, oldest first; it was read when the store was opened."""

    async def load(self) -> None:
        """Read it anew: another process may have learnt something."""

    async def learn(self, lessons: Sequence[DialectLesson]) -> None:
        """Keep these; what was known of the same trait stays."""

    async def forget(self, models: Collection[str]) -> int:
        """Forget what was learnt of these models; return how much that was."""
