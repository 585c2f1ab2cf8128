"""When the admins hear of a platform's hearing, whatever its connection does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.cortex.alerts.adapter_watch import (
    AdapterHearing,
    ClockReading,
    HearingChange,
    HearingLevel,
    level_of,
    news_of,
    observe,
)
from bot.domain.health import AdapterHealth, AdapterState
from tests.fakes.clock import START
from tests.fakes.lengths import whole_or

DEAF_AFTER = 90.0
STATES = st.lists(st.tuples(st.sampled_from(AdapterState), st.integers(1, 60)), max_size=20)


def at(look: int) -> ClockReading:
    return ClockReading(START + look * 10_000, look * 10.0)


def word(state: AdapterState, since: int = START) -> AdapterHealth:
    return AdapterHealth(name="discord", state=state, since=since)


def played(states: Sequence[AdapterState]) -> Iterator[tuple[int, AdapterHearing, HearingChange | None]]:
    """Look at one state after the other; the platform does not know since when it is so."""
    ear = None
    for look, state in enumerate(states):
        ear, news = news_of(observe(ear, word(state), at(look)), DEAF_AFTER, at(look))
        yield look, ear, news


@given(STATES)
@settings(max_examples=whole_or(150, 40), deadline=None)
def test_whatever_happens_worse_and_better_alternate_and_nothing_floods(spells):
    states = [state for state, looks in spells for _ in range(looks)]
    known, rose = HearingLevel.WELL, -1000
    for look, ear, news in played(states):
        if news is None:
            continue
        assert news.before == known != ear.level == news.ear.level == level_of(states[look])
        if ear.level > known:
            assert (look - rose) * 10 >= 600
            assert all(level_of(state) == ear.level for state in states[look - 9 : look + 1])
            rose = look
        assert news.before_since <= ear.since <= START + look * 10_000
        known = ear.told


@given(STATES, st.sampled_from(AdapterState))
@settings(max_examples=whole_or(150, 40), deadline=None)
def test_what_lasts_is_always_told_in_the_end(spells, last):
    states = [state for state, looks in spells for _ in range(looks)] + [last] * 80
    (*_, (_, ear, _)) = played(states)
    assert ear.told == level_of(last)


def test_the_time_is_the_platforms_own_unless_that_cannot_be():
    ear = observe(None, word(AdapterState.UP), at(0))
    assert observe(ear, word(AdapterState.DOWN, START + 4000), at(1)).since == START + 4000
    assert observe(ear, word(AdapterState.DOWN, START - 4000), at(1)).since == START
    assert observe(ear, word(AdapterState.DOWN, START + 99_000), at(1)).since == START + 10_000


def test_one_cause_after_the_other_is_one_deafness():
    ear = observe(None, word(AdapterState.DOWN), at(0))
    for look, state in enumerate((AdapterState.STARTING, AdapterState.CONFLICT, AdapterState.DOWN), 1):
        ear = observe(ear, word(state, START + look * 10_000), at(look))
    assert (ear.since, ear.began, ear.health.state) == (START, 0.0, AdapterState.DOWN)
