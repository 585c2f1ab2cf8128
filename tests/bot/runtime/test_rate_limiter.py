"""So many in so many seconds, one word about it, and no end of keys."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bot.domain.ids import PersonKey, UserId
from bot.runtime import rate_limiter
from bot.runtime.rate_limiter import RateLimiter
from tests.fakes.clock import FakeClock

ANN, BEN = (PersonKey("console", UserId(n)) for n in "12")


def test_six_a_minute_and_again_a_minute_later() -> None:
    clock = FakeClock()
    limiter: RateLimiter[PersonKey] = RateLimiter(clock, 6)

    assert [limiter.take(ANN) for _ in range(7)] == [True] * 6 + [False]
    assert limiter.take(BEN), "everybody for themselves"

    clock.advance(60)
    assert limiter.take(ANN)


def test_a_refusal_is_told_once_in_a_window() -> None:
    clock = FakeClock()
    limiter: RateLimiter[PersonKey] = RateLimiter(clock, 1)

    assert [limiter.tells(ANN) for _ in range(3)] == [True, False, False]
    assert limiter.tells(BEN)

    clock.advance(60)
    assert limiter.tells(ANN)


def test_ten_thousand_strangers_do_not_fill_the_memory() -> None:
    clock = FakeClock()
    limiter: RateLimiter[int] = RateLimiter(clock, 1)

    for stranger in range(rate_limiter.MAX_KEYS + 500):
        assert limiter.take(stranger)
        limiter.tells(stranger)

    assert limiter.used(0) == 0
    assert limiter.used(rate_limiter.MAX_KEYS + 499) == 1


@given(st.lists(st.floats(0, 30), max_size=60), st.integers(1, 5))
def test_never_more_than_allowed_in_any_window(pauses: list[float], most: int) -> None:
    clock = FakeClock()
    limiter: RateLimiter[PersonKey] = RateLimiter(clock, most)
    taken: list[float] = []

    for pause in pauses:
        clock.advance(pause)
        if limiter.take(ANN):
            taken.append(clock.monotonic())

    for at in taken:
        assert sum(at - 60 < other <= at for other in taken) <= most
