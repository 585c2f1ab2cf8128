"""What a family of faults is: many cases of one kind of trouble, each of which either holds or says what went wrong."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path


class Size(StrEnum):
    """How many cases are played: a few in every test run, more at night, all of them before a release."""

    SLICE = "slice"
    NIGHTLY = "nightly"
    RELEASE = "release"


Figure = float | Sequence[float]


@dataclass(frozen=True)
class Verdict:
    """What came of a case. `n` is how many trials it stands for (programs, examples, cuts; 1 where it is one itself).

    `counts` are added up over all cases (`lost`, `twice`, `uncertain`); `figures` are kept one by one, several of a
    case as a list, with their unit in the name (`window_ms`, `rss_mib`). A case that does not hold raises
    AssertionError, or names its `trouble`.
    """

    n: int = 1
    counts: Mapping[str, int] = field(default_factory=dict)
    figures: Mapping[str, Figure] = field(default_factory=dict)
    trouble: str = ""


_OF_MESSAGES = ("lost", "missed", "twice", "again", "disorder", "silent", "wordy", "hung", "late", "stuck")
_OF_DATA = ("corrupt", "unseen", "leaked", "foreign", "live", "elsewhere")
_OF_PROMISES = ("escaped", "crashed", "wrong", "wrong_status", "misnamed", "unconfirmed", "effects", "passed", "wiped")
_OF_OTHERS = ("changed", "unanswered")
NEVER = frozenset((*_OF_MESSAGES, *_OF_DATA, *_OF_PROMISES, *_OF_OTHERS))
"""What no family may count even once."""


def _nothing() -> str:
    return ""


@dataclass(frozen=True)
class Family:
    """One kind of trouble.

    `cases` gives the keys of all cases of a size, in order; a key says everything that is needed to play the case
    again (seed, place, number). For Size.SLICE it is asked while tests are collected, so it must cost nothing there;
    for the other sizes it may play a run first to see how many places there are. `play` gets a key and an empty
    directory of its own. `seconds` is how long a case may take in real time; `alone` is set where time is measured,
    so that nothing runs beside it. `missing` says what this machine lacks ("" when everything is there).
    """

    name: str
    title: str
    cases: Callable[[Size], Iterable[str]]
    play: Callable[[str, Path], Awaitable[Verdict]]
    seconds: float = 120.0
    alone: bool = False
    missing: Callable[[], str] = _nothing

    async def judge(self, key: str, directory: Path) -> Verdict:
        """Play a case; what was counted that must not be is its trouble, where it does not say so itself."""
        verdict = await self.play(key, directory)
        found = ", ".join(f"{name} {many:,}" for name, many in verdict.counts.items() if name in NEVER and many)
        return replace(verdict, trouble=found) if found and not verdict.trouble else verdict


def seeds(slice_: int, nightly: int, release: int, name: str = "seed") -> Callable[[Size], Iterable[str]]:
    """Give numbered cases: `seed0`, `seed1`, ... as many as each size has."""
    many = {Size.SLICE: slice_, Size.NIGHTLY: nightly, Size.RELEASE: release}
    return lambda size: (f"{name}{number}" for number in range(many[size]))


def seed_of(key: str) -> int:
    """Read the number at the end of a key."""
    digits = key[len(key.rstrip("0123456789")) :]
    return int(digits)
