"""Numbers as people read them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.context.usage_figures import percent, short_number, spark_line, stacked_bar, tokens, usd
from bot.domain.snapshot import ContextStats, CountMethod, Tokenizer


@pytest.mark.parametrize(
    ("number", "text"),
    [(0, "0"), (999, "999"), (1200, "1.2K"), (999_949, "999.9K"), (999_950, "1.0M")],
)
def test_short_numbers(number, text):
    assert short_number(number) == text


def test_what_is_not_exact_is_marked():
    def stats(method):
        return ContextStats(system_prompt=1, tools=1, history=1, window=9, tokenizer=Tokenizer(name="x", method=method))

    assert tokens(1200, stats(CountMethod.EXACT)) == "1.2K"
    assert tokens(1200, stats(CountMethod.ESTIMATE)) == "≈1.2K"
    assert tokens(1200, stats(CountMethod.BYTES)) == "≈1.2K"


@pytest.mark.parametrize(
    ("share", "level"),
    [(0, "normal"), (69.9, "normal"), (70, "warning"), (89.9, "warning"), (300, "critical")],
)
def test_the_levels_of_the_bar(share, level):
    bar, _, said = stacked_bar((round(share * 10),), 1000).partition(" ")
    assert said == level and len(bar) == 20


def test_the_parts_of_a_bar_stand_behind_each_other():
    assert stacked_bar((25, 25, 10), 100) == "█████▓▓▓▓▓▒▒░░░░░░░░ normal"
    assert stacked_bar((0, 0, 0), 100) == "░" * 20 + " normal"
    assert stacked_bar((90, 90, 90), 100) == "█" * 18 + "▓" * 2 + " critical"
    assert stacked_bar((5, 5, 5), 0) == "░" * 20 + " normal"


@given(st.lists(st.integers(0, 10**7), max_size=3), st.integers(0, 10**7))
def test_a_bar_is_always_as_wide(parts, whole):
    assert len(stacked_bar(parts, whole).partition(" ")[0]) == 20


def test_little_columns():
    assert spark_line([0, 50, 100]) == "▁▅█" and spark_line([0]) == "▁" and spark_line([]) == ""


def test_shares_and_money():
    assert percent(1, 3) == "33.3 %" and percent(1, 0) == "0.0 %"
    assert (usd(0), usd(0.04), usd(0.0012)) == ("$0.00", "$0.04", "$0.0012")
