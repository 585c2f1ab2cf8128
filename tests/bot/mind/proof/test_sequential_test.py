from __future__ import annotations

from math import comb, exp, log

import pytest

from bot.mind.proof.sequential_test import SequentialTest, TwoRates, exact_test, log_e_value

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


def test_an_e_value_is_how_much_likelier_two_rates_are_than_the_best_single_one() -> None:
    assert log_e_value([TwoRates(5, 5, 0, 5)], 0.9, 0.1) == pytest.approx(10 * log(0.9 / 0.5))
    assert log_e_value([TwoRates(2, 2, 2, 2)], 0.9, 0.1) == pytest.approx(2 * log(0.9) + 2 * log(0.1))
    one = TwoRates(4, 5, 1, 6)
    assert log_e_value([one, one], 0.9, 0.1) == pytest.approx(2 * log_e_value([one], 0.9, 0.1))
    assert log_e_value([TwoRates(0, 0, 0, 0)], 0.9, 0.1) == 0


@pytest.mark.parametrize("rate", [0.1, 0.3, 0.5, 0.7, 0.9])
def test_where_nothing_differs_an_e_value_is_one_on_average_at_most(rate: float) -> None:
    def chance(hits: int, runs: int) -> float:
        return comb(runs, hits) * rate**hits * (1 - rate) ** (runs - hits)

    average = sum(
        chance(one, 6) * chance(other, 9) * exp(log_e_value([TwoRates(one, 6, other, 9)], 0.9, 0.1))
        for one in range(7)
        for other in range(10)
    )
    assert average <= 1


def test_who_looks_after_every_run_is_seldom_misled() -> None:
    """Whoever stops when it looks good has an exact test below .01 far more often than once in a hundred."""
    chances = {(0, 0): 1.0}
    misled = 0.0
    for pairs in range(1, 41):
        after: dict[tuple[int, int], float] = {}
        for (one, other), chance in chances.items():
            for left in (0, 1):
                for right in (0, 1):
                    key = (one + left, other + right)
                    after[key] = after.get(key, 0.0) + chance / 4
        chances = {}
        for (one, other), chance in after.items():
            if log_e_value([TwoRates(one, pairs, other, pairs)], 0.9, 0.1) >= log(100):
                misled += chance
            else:
                chances[one, other] = chance
    assert misled <= 0.01
