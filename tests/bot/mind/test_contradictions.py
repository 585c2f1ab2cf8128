"""Two sentences that cannot both be true are told from two that can."""

from __future__ import annotations

from bot.mind.contradictions import Difference, contradiction
from tests.bench.contradictions import HALVES, wrong


def test_contradictions_are_seen_and_harmless_pairs_left_alone():
    for _, pairs, harmless in HALVES:
        missed, alarms = wrong(pairs, harmless)
        assert len(missed) <= 0.1 * len(pairs) and not alarms
    _, pairs, harmless = HALVES[0]
    assert len(pairs) >= 40 and len(harmless) >= 40


def test_what_differs_is_named():
    found = contradiction("The raid is at 9 pm.", "Welcome! The raid is at 8 pm.")
    assert found is not None and found.difference is Difference.FIGURE
    assert (found.other, found.values) == ("The raid is at 8 pm.", (("time:21:00",), ("time:20:00",)))
    found = contradiction("Carla eats meat.", "Carla does not eat meat.")
    assert found is not None and found.difference is Difference.NEGATION


def test_the_order_of_the_two_says_nothing():
    for _, pairs, harmless in HALVES:
        assert all(contradiction(one.other, one.one) is None for one in harmless)
        assert sum(contradiction(one.other, one.one) is not None for one in pairs) >= 0.9 * len(pairs)
