"""A change in how a channel's turns end is found soon, and a quiet or busy or silent night is none."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator

import pytest

from bot.mind.outcome_changes import MIN_ENDINGS, Ending, OutcomeChange, OutcomeWatch

MINUTE, HOUR, DAY = 60_000, 3_600_000, 86_400_000
START = 20_000 * DAY


class Profile:
    """A channel: turns an hour by day and by night, and how often it skips and fails then."""

    def __init__(self, seed: int, busy: float, day_skip: float, night_skip: float, fail: float) -> None:
        self.chance = random.Random(seed)
        self.busy, self.day_skip, self.night_skip, self.fail = busy, day_skip, night_skip, fail

    def endings(self, days: float, skip: float | None = None, fail: float | None = None, since: int = START):
        """Every ending with its time: fewer at night, bursts now and then, more skips on Sundays and at night."""
        at, until = float(since), since + days * DAY
        while True:
            hour = at // HOUR % 24
            is_night = hour < 7 or hour >= 23
            rate = self.busy / (12 if is_night else 1)
            if self.chance.random() < 0.01:
                rate *= 8
            at += self.chance.expovariate(rate / HOUR)
            if at >= until:
                return
            skips = self.night_skip if is_night else self.day_skip
            if at // DAY % 7 == 3:
                skips = min(0.9, skips * 1.5)
            skips = skips if skip is None else skip
            fails = self.fail if fail is None else fail
            drawn = self.chance.random()
            ending = Ending.SKIPPED if drawn < skips else Ending.FAILED if drawn < skips + fails else Ending.ANSWERED
            yield ending, int(at)


def hear(watch: OutcomeWatch, endings: Iterator[tuple[Ending, int]]) -> Iterator[OutcomeChange]:
    for ending, at in endings:
        if found := watch.ended(ending, at):
            yield found


QUIET = {
    "busy": Profile(1, 40, 0.05, 0.05, 0.005),
    "chatty, skips a third": Profile(2, 40, 0.3, 0.35, 0.01),
    "silent nights": Profile(3, 30, 0.1, 0.5, 0.005),
    "few turns": Profile(4, 3, 0.05, 0.2, 0.02),
    "a bad service": Profile(5, 20, 0.05, 0.1, 0.12),
    "skips nearly always": Profile(6, 40, 0.85, 0.9, 0.0),
}


@pytest.mark.parametrize("name", QUIET)
def test_ninety_days_without_a_change_raise_at_most_one_alarm_a_month(name):
    """About 100,000 endings in all: the bar is a share of so many."""
    alarms = [one for one in hear(OutcomeWatch(), QUIET[name].endings(90)) if not one.is_over]
    assert len(alarms) <= 3, [(one.kind, one.found, one.of, one.before_of_20) for one in alarms]


def planted() -> Iterator[tuple[str, bool]]:
    """Thirty regressions in busy channels; whether each was found, with its kind, within five minutes."""
    for seed in range(30):
        kind = Ending.SKIPPED if seed % 3 else Ending.FAILED
        usual = 0.02 + 0.01 * (seed % 12)
        share = 0.85 + 0.01 * (seed % 14)
        channel, watch = Profile(100 + seed, 40, usual, min(0.5, 3 * usual), 0.01), OutcomeWatch()
        list(hear(watch, channel.endings(2)))
        since = START + 2 * DAY + 12 * HOUR
        channel.busy = 60 * (3 + seed % 4)
        changed = {"skip": share} if kind is Ending.SKIPPED else {"skip": usual, "fail": share}
        found = next(hear(watch, channel.endings(1 / 24, since=since, **changed)), None)
        yield kind, found is not None and found.kind is kind and found.at - since <= 5 * MINUTE


def test_of_thirty_regressions_at_least_twenty_eight_are_found_within_five_minutes():
    assert sum(is_found for _, is_found in planted()) >= 28


def test_a_change_is_told_once_with_its_beginning_and_its_end():
    watch = OutcomeWatch()
    at = START
    for number in range(200):
        at += MINUTE
        assert watch.ended(Ending.SKIPPED if number % 20 == 0 else Ending.ANSWERED, at) is None
    began = at + MINUTE
    told = []
    for _ in range(60):
        at += MINUTE
        told += [one] if (one := watch.ended(Ending.SKIPPED, at)) else []
    (found,) = told
    assert found.kind is Ending.SKIPPED and found.since == began and found.found == found.of <= 10
    assert found.before_of_20 == 1 and watch.risen == (Ending.SKIPPED,)
    back = at + MINUTE
    for _ in range(60):
        at += MINUTE
        told += [one] if (one := watch.ended(Ending.ANSWERED, at)) else []
    assert len(told) == 2 and told[1].is_over and told[1].since == back and watch.risen == ()


def test_a_new_channel_is_not_judged():
    watch = OutcomeWatch()
    assert all(watch.ended(Ending.SKIPPED, START + one) is None for one in range(MIN_ENDINGS))


def test_what_stays_so_becomes_what_is_usual():
    watch = OutcomeWatch()
    endings = [(Ending.ANSWERED, START + one * MINUTE) for one in range(100)]
    endings += [(Ending.SKIPPED, START + one * MINUTE) for one in range(100, 6000)]
    told = list(hear(watch, iter(endings)))
    assert [one.is_over for one in told] == [False, True]


def test_it_costs_next_to_nothing():
    watch = OutcomeWatch()
    list(hear(watch, ((Ending.ANSWERED, START + one) for one in range(1000))))
    best = 1.0
    for _ in range(5):
        began = time.perf_counter()
        for one in range(2000):
            watch.ended(Ending.ANSWERED, START + 1000 + one)
        best = min(best, (time.perf_counter() - began) / 2000)
    assert best < 5e-6, f"{best * 1e6:.1f} µs"
    print(f"{best * 1e6:.2f} µs an ending")
