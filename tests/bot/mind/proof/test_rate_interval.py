"""The interval of a rate, against figures that others publish."""

from __future__ import annotations

import pytest

from bot.mind.proof.rate_interval import wilson_interval


@pytest.mark.parametrize(
    ("hits", "cases", "low", "high"),
    # R. G. Newcombe, "Two-sided confidence intervals for the single proportion" (1998), table I, method 3
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_published_figures(hits, cases, low, high):
    found = wilson_interval(hits, cases)
    assert found.low == pytest.approx(low, abs=0.00006) and found.high == pytest.approx(high, abs=0.00006)


def test_of_nothing_nothing_is_known():
    assert wilson_interval(0, 0)[2:] == (0.0, 1.0) and wilson_interval(0, 0).rate == 0.0
    assert wilson_interval(7, 7).high == 1.0 and 0.6 < wilson_interval(7, 7).low < 1.0
