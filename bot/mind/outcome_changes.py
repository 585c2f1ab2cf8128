"""Notice that a channel's turns have begun to end otherwise: a cumulative sum over who was answered, skipped, failed.

Each ending adds the logarithm of how much likelier it is if the share has risen than if it is as usual, and the sum
never falls below nothing; where it passes a limit the share has risen, since the sum last was nothing. What is usual
is learnt slowly, and for each hour of the day apart, because nights differ from days (E. S. Page, Continuous Inspection
Schemes, Biometrika 41, 1954).
"""

from __future__ import annotations

from enum import StrEnum
from math import log
from typing import NamedTuple

RISEN = 8.0
"""The sum from which on a share has risen: some eight endings of the kind in a row where they are rare."""
FALLEN = 6.0
"""The same for the way back."""
MIN_ENDINGS = 30
"""Before that nothing is usual."""
_LEARNT_FROM = 300.0
"""About so many endings are what is usual learnt from; of one hour of the day the same number."""
_KEEP = 1.0 - 1.0 / _LEARNT_FROM
_HOUR_MS = 3_600_000
_HOURS = 24
_SLACK = 0.08
"""Over what is usual by so much, and by a third of itself, nothing has changed yet."""
_SLACK_SHARE = 1.35
_WATCHED_BELOW = 0.72
"""What happens more often than that as a rule cannot rise in a way that says something."""
_RISE = 0.75
"""A share that has risen has come by so much of the way to always."""
_NEW_NORMAL = 2000
"""After so many endings a risen share is what is usual."""
_PRIOR_ENDINGS = 8.0
"""So many endings of which one in fifty is of a kind are supposed before the first."""


class Ending(StrEnum):
    """How a turn ended, as far as it counts here."""

    ANSWERED = "answered"
    SKIPPED = "skipped"
    FAILED = "failed"


class OutcomeChange(NamedTuple):
    """A share that has risen, or (`is_over`) is as usual again. `since` is UTC ms, of the first ending that counts.

    `found` of the last `of` endings were of the kind; before, so many of twenty.
    """

    kind: Ending
    since: int
    at: int
    found: int
    of: int
    before_of_20: int
    is_over: bool = False


class _Share:
    """One kind of ending in a channel. Mutable: every turn adds to it."""

    __slots__ = (
        "before",
        "count",
        "down",
        "hour_ones",
        "hour_weights",
        "of",
        "ones",
        "since",
        "told",
        "turn",
        "up",
        "weight",
    )

    def __init__(self) -> None:
        self.ones = self.weight = 0.0
        self.hour_ones, self.hour_weights = [0.0] * _HOURS, [0.0] * _HOURS
        self.up = self.down = self.before = 0.0
        self.since = 0
        """When the sum last began to rise, or, of a share that has risen, when it last began to fall."""
        self.count = self.of = self.turn = 0
        self.told = False

    @property
    def usual(self) -> float:
        """Return the share that is usual at any hour."""
        return (self.ones + 0.02 * _PRIOR_ENDINGS) / (self.weight + _PRIOR_ENDINGS)

    def expected(self, hour: int) -> float:
        """Return the share that is usual, at this hour where that is more."""
        weight = self.hour_weights[hour]
        return max(self.usual, self.hour_ones[hour] / weight) if weight >= _PRIOR_ENDINGS else self.usual

    def learn(self, hour: int, is_one: float) -> None:
        """Let an ending count for what is usual."""
        self.ones, self.weight = self.ones * _KEEP + is_one, self.weight * _KEEP + 1.0
        ones, weights = self.hour_ones, self.hour_weights
        ones[hour] = ones[hour] * _KEEP + is_one
        weights[hour] = weights[hour] * _KEEP + 1.0
        self.turn += 1
        if not self.turn & 3:
            # the hours beside it learn a quarter as much: a night does not begin on the minute
            for at in (hour - 1, (hour + 1) % _HOURS):
                ones[at] = ones[at] * _KEEP + is_one
                weights[at] = weights[at] * _KEEP + 1.0

    def restart(self) -> None:
        """Begin to listen again."""
        self.up = self.down = 0.0
        self.since = self.count = self.of = 0


class OutcomeWatch:
    """The watch over one channel; pure, and cheap enough to be asked at the end of every turn."""

    __slots__ = ("_endings", "_shares")

    def __init__(self) -> None:
        self._shares = ((Ending.SKIPPED, _Share()), (Ending.FAILED, _Share()))
        self._endings = 0

    @property
    def risen(self) -> tuple[Ending, ...]:
        """The kinds whose share has risen and is not as usual again."""
        return tuple(kind for kind, share in self._shares if share.told)

    def ended(self, ending: Ending, at: int) -> OutcomeChange | None:
        """Take in how a turn ended (UTC ms); return what has changed with it, if anything has."""
        self._endings += 1
        hour, found = at // _HOUR_MS % _HOURS, None
        for kind, share in self._shares:
            if ending is not kind and share.up <= 0.0 and not share.told:
                share.learn(hour, 0.0)  # the usual case: nothing rises
            else:
                found = self._take(kind, share, ending is kind, at) or found
        return found

    def _take(self, kind: Ending, share: _Share, is_one: bool, at: int) -> OutcomeChange | None:
        hour = at // _HOUR_MS % _HOURS
        usual = share.expected(hour) * _SLACK_SHARE + _SLACK
        if not share.told and (usual >= _WATCHED_BELOW or self._endings <= MIN_ENDINGS):
            share.restart()
            share.learn(hour, float(is_one))
            return None
        usual = min(usual, _WATCHED_BELOW)
        risen = usual + _RISE * (1.0 - usual)
        step = log(risen / usual) if is_one else log((1.0 - risen) / (1.0 - usual))
        if share.told:
            return self._back(kind, share, step, is_one, at)
        if share.up <= 0.0:
            share.since, share.count, share.of, share.before = at, 0, 0, share.usual
        share.count, share.of = share.count + is_one, share.of + 1
        share.up = max(0.0, share.up + step)
        if share.up < RISEN:
            if share.up <= RISEN / 2:
                # what may turn out to be the change is not learnt before it is over
                share.learn(hour, float(is_one))
            return None
        share.told, share.down = True, 0.0
        return OutcomeChange(kind, share.since, at, share.count, share.of, round(20 * share.before))

    def _back(self, kind: Ending, share: _Share, step: float, is_one: bool, at: int) -> OutcomeChange | None:
        if share.down <= 0.0:
            share.since = at
        share.count, share.of = share.count + is_one, share.of + 1
        share.down = max(0.0, share.down - step)
        if share.down < FALLEN and share.of < _NEW_NORMAL:
            return None
        if share.down < FALLEN:
            # it has been so for so long that it is what is usual now
            rate = share.count / share.of
            share.ones = share.weight * rate
            share.hour_ones = [weight * rate for weight in share.hour_weights]
        since, share.told = share.since, False
        share.restart()
        return OutcomeChange(kind, since, at, 0, 0, round(20 * share.usual), is_over=True)
