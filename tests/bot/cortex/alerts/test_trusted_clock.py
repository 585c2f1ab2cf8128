"""A clock is believed as long as a platform says the same, or it goes on evenly from a moment at which it was right."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.cortex.alerts.trusted_clock import DAY_MS, HOUR_MS, TrustedClock, clock_slack_ms
from bot.domain.health import AdapterHealth, AdapterState, Heartbeat
from tests.fakes.clock import START, FakeClock


def beat(at: int, proven_at: int = 0) -> Heartbeat:
    return Heartbeat(instance="aa", pid=1, started_at=at, at=at, version="0", proven_at=proven_at)


def trusted(clock: FakeClock, ahead: list[int | None]) -> TrustedClock:
    def health():
        return [
            AdapterHealth(name=f"p{n}", state=AdapterState.UP, since=0, ahead_ms=one) for n, one in enumerate(ahead)
        ]

    return TrustedClock(clock, health, lambda: DAY_MS)


def test_a_clock_that_goes_on_is_believed_for_ever():
    clock = FakeClock()
    one = trusted(clock, [])
    one.wake(None)
    for _ in range(50):
        clock.advance(400 * 86_400)
        assert not one.doubt(clock.now())


@pytest.mark.parametrize("leap", [400 * DAY_MS, -400 * DAY_MS, -START, 10**15, -(10**15)])
@pytest.mark.parametrize("ends", ["back", "vouched", "agrees"])
def test_a_leap_is_doubted_however_long_it_runs_on_until_it_is_settled(leap: int, ends: str):
    clock, ahead = FakeClock(), [None]
    one = trusted(clock, ahead)
    one.wake(beat(START - HOUR_MS))
    assert not one.doubt(clock.now())
    clock.at += leap
    for _ in range(50):
        clock.advance(86_400)
        assert "my clock says" in one.doubt(clock.now())
        ahead[0] = -leap
        assert "P0 says" in one.doubt(clock.now())
        ahead[0] = None
    proven = one.proven_at
    later = trusted(clock, ahead)
    later.is_vouched_for = ends == "vouched"
    later.wake(beat(clock.now(), proven))
    if ends == "back":
        assert later.doubt(clock.now())
        clock.at -= leap + 50 * DAY_MS
    if ends == "agrees":
        ahead[0] = 700
    assert not later.doubt(clock.now())
    ahead[0] = None
    assert not later.doubt(clock.now())


def test_a_wrong_clock_that_a_platform_contradicts_is_doubted_though_it_goes_on():
    clock, ahead = FakeClock(), [-400 * DAY_MS, None]
    one = trusted(clock, ahead)
    one.wake(beat(clock.now()))
    assert "P0 says 2024-09-04" in one.doubt(clock.now())
    ahead[1] = 0
    assert not one.doubt(clock.now())


@given(st.integers(0, 10**12))
def test_the_slack_is_never_more_than_what_is_kept_shortest(shortest: int):
    assert HOUR_MS <= clock_slack_ms(shortest) <= DAY_MS
    assert clock_slack_ms(shortest) <= max(HOUR_MS, shortest or DAY_MS)
