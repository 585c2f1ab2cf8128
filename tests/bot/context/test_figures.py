"""Numbers as people read them."""

from __future__ import annotations

import pytest

from bot.context.figures import percent, short, tokens, usage_bar, usd
from bot.domain.snapshot import ContextStats, CountMethod, Tokenizer


@pytest.mark.parametrize(
    ("number", "text"),
    [(0, "0"), (999, "999"), (1200, "1.2K"), (999_949, "999.9K"), (999_950, "1.0M")],
)
def test_short_numbers(number, text):
    assert short(number) == text


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
    bar = usage_bar(share)
    assert bar.endswith(level) and len(bar.split("]")[0]) == 21


def test_shares_and_money():
    assert percent(1, 3) == "33.3 %" and percent(1, 0) == "0.0 %"
    assert (usd(0), usd(0.04), usd(0.0012)) == ("$0.00", "$0.04", "$0.0012")
