from __future__ import annotations

import pytest

from bot.mind.proof.sequential_test import SequentialTest, TwoRates, exact_test

FRESH = SequentialTest(high=0.8, low=0.2, odds_high=64, odds_low=256)


def after(test: SequentialTest, outcomes: str) -> SequentialTest:
    for one in outcomes:
        test = test.after(one == "+")
    return test


@pytest.mark.parametrize(
    ("outcomes", "holds"),
    [("++", None), ("+++", True), ("++-++", True), ("+-+-+-", None), ("---", None), ("----", False)],
)
def test_wald_decides_when_the_odds_are_reached(outcomes: str, holds: bool | None) -> None:
    assert after(FRESH, outcomes).holds is holds


@pytest.mark.parametrize(
    ("table", "value"),
    [
        # Fisher's own lady, who told three of four cups each
        (TwoRates(3, 4, 1, 4), 17 / 70),
        (TwoRates(5, 5, 0, 4), 1 / 126),
        (TwoRates(4, 4, 0, 4), 1 / 70),
        (TwoRates(0, 4, 4, 4), 1.0),
        (TwoRates(0, 3, 0, 3), 1.0),
    ],
)
def test_fisher(table: TwoRates, value: float) -> None:
    assert exact_test([table]) == pytest.approx(value)


def test_two_contexts_together_say_more_than_each() -> None:
    one = TwoRates(3, 3, 0, 3)
    assert exact_test([one]) == pytest.approx(1 / 20)
    assert exact_test([one, one]) == pytest.approx(1 / 400)


def test_a_difference_between_the_contexts_is_none_between_with_and_without() -> None:
    assert exact_test([TwoRates(5, 5, 5, 5), TwoRates(0, 5, 0, 5)]) == pytest.approx(1)
