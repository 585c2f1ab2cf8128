"""Who taught the bot how much, and when: counts of memories by author and by span of time."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from bot.domain.ids import PersonKey

_HOUR_MS = 3_600_000
_DAY_MS = 24 * _HOUR_MS
_STEPS_MS = tuple(_HOUR_MS * hours for hours in (1, 24, 7 * 24, 28 * 24, 91 * 24))
_MAX_STEPS = 53
"""A year in weeks: so many bars can be told apart on a phone."""


class TimelineSpan(NamedTuple):
    """Equal steps from a time on (UTC ms); where a step is a day or more, each begins at midnight UTC."""

    since: int
    step_ms: int
    steps: int

    @property
    def until(self) -> int:
        """When it ends."""
        return self.since + self.step_ms * self.steps

    def at(self, step: int) -> int:
        """Return when a step begins."""
        return self.since + self.step_ms * step

    @classmethod
    def back(cls, now: int, span_ms: int) -> TimelineSpan:
        """Return the steps that lead through a span to now, as short as can be told apart; now is in the last one."""
        fitting = (step for step in _STEPS_MS if -(-span_ms // step) <= _MAX_STEPS)
        step_ms = next(fitting, _STEPS_MS[-1])
        steps = min(_MAX_STEPS, max(1, -(-span_ms // step_ms)))
        unit = min(step_ms, _DAY_MS)
        until = (now // unit + 1) * unit
        return cls(until - steps * step_ms, step_ms, steps)


class MemoryCount(NamedTuple):
    """How many memories: those that still count, and those that were forgotten since."""

    kept: int = 0
    forgotten: int = 0

    @property
    def total(self) -> int:
        return self.kept + self.forgotten

    def plus(self, other: MemoryCount) -> MemoryCount:
        """Return both together."""
        return MemoryCount(self.kept + other.kept, self.forgotten + other.forgotten)


class TeacherCounts(NamedTuple):
    """What somebody (None: everybody else together, who are `people`) had remembered, step by step.

    `name` is what the newest of it says.
    """

    person: PersonKey | None
    name: str
    steps: tuple[MemoryCount, ...]
    people: int = 1

    @property
    def total(self) -> MemoryCount:
        """All of it together."""
        return sum_counts(self.steps)


class MemoryTimeline(NamedTuple):
    """Who taught how much, most first; `kinds` says what it is, and `older` how many were saved before."""

    span: TimelineSpan
    teachers: tuple[TeacherCounts, ...] = ()
    kinds: tuple[tuple[str, int], ...] = ()
    older: int = 0

    @property
    def total(self) -> MemoryCount:
        """All of it together."""
        return sum_counts(teacher.total for teacher in self.teachers)

    @property
    def steps(self) -> tuple[MemoryCount, ...]:
        """How many there were in each step."""
        return tuple(sum_counts(one.steps[step] for one in self.teachers) for step in range(self.span.steps))


def sum_counts(counts: Iterable[MemoryCount]) -> MemoryCount:
    """Add counts up."""
    total = MemoryCount()
    for count in counts:
        total = total.plus(count)
    return total
