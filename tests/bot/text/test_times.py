"""Times as people read them."""

from __future__ import annotations

import pytest

from bot.text.text import excerpt
from bot.text.times import age, clock_time, minute, plain_times
from tests.fakes.clock import START


def test_a_time_of_day_is_a_mark_that_is_written_out_in_utc() -> None:
    assert clock_time(START) == f"<t:{START // 1000}:T>"
    assert plain_times(f"at {clock_time(START)} UTC, {minute(START)}.") == "at 08:53:20 UTC, 08:53."
    assert plain_times(clock_time(0)) == "00:00:00"


def test_what_others_said_is_left_as_they_said_it() -> None:
    fenced = "```\n<t:1760000000:T>\n```"
    assert plain_times(f"{minute(0)}\n{fenced}\n{minute(0)}") == f"00:00\n{fenced}\n00:00"


def test_no_half_of_a_mark_is_left_where_a_line_is_cut() -> None:
    line = f"Set {minute(START)} by a moderator"
    for limit in range(5, len(line)):
        cut = plain_times(excerpt(line, limit))
        assert "<" not in cut and (cut == "Set…" or cut.startswith("Set 08:53"))


@pytest.mark.parametrize(
    ("ms", "words"),
    [(0, "0 s"), (-5_000, "0 s"), (59_999, "59 s"), (60_000, "1 min"), (7_200_000, "2 h"), (3 * 86_400_000, "3 d")],
)
def test_an_age_is_coarse(ms: int, words: str) -> None:
    assert age(ms) == words
