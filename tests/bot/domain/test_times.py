"""Times as people read them."""

from __future__ import annotations

import pytest

from bot.domain.times import age, clock_time, minute
from tests.fakes.clock import START


def test_a_time_of_day_is_utc() -> None:
    assert clock_time(START) == "08:53:20"
    assert minute(START) == "08:53"
    assert clock_time(0) == "00:00:00"


@pytest.mark.parametrize(
    ("ms", "words"),
    [(0, "0 s"), (-5_000, "0 s"), (59_999, "59 s"), (60_000, "1 min"), (7_200_000, "2 h"), (3 * 86_400_000, "3 d")],
)
def test_an_age_is_coarse(ms: int, words: str) -> None:
    assert age(ms) == words
