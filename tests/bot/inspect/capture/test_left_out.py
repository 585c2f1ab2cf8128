"""What was left out is named so that it can be read."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from bot.inspect.capture.left_out import left_out


def test_neighbours_are_one_and_history_comes_first():
    sources = ["ledger", "history:13-24", "history:1-12", "history:30-31", "history:2-3#c1", "ledger"]
    assert left_out(sources) == "history:1-24, history:30-31, ledger"
    assert left_out([]) == ""


def test_of_very_many_the_number_is_said():
    named = left_out(f"history:{at}-{at}" for at in range(1, 100, 2))
    assert named.startswith("history:1-1, history:3-3, ") and named.endswith(" and 36 more parts")


@given(st.sets(st.integers(1, 40)))
def test_exactly_the_pieces_that_are_missing_are_named(missing):
    named = left_out(f"history:{at}-{at}" for at in missing).partition(" and ")[0]
    covered = {at for a, b in re.findall(r"history:(\d+)-(\d+)", named) for at in range(int(a), int(b) + 1)}
    assert covered <= missing and (covered == missing or len(covered) >= 14)
