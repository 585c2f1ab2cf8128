"""What is counted of trouble with a service."""

from __future__ import annotations

from bot.domain.incident import MAX_PLACES, Incident


def test_channels_are_counted_once_and_not_without_end():
    one = Incident(provider="openai", fault="rate", since=1, last=1)
    for number in range(2 * MAX_PLACES):
        one = one.met("openai/a", f"place {number % (MAX_PLACES + 5)}", at=number)
    assert (len(one.places), one.failed, one.models) == (MAX_PLACES, 2 * MAX_PLACES, ("openai/a",))
    assert not any("place" in place for place in one.places)


def test_it_is_over_when_every_model_that_failed_has_answered():
    one = Incident(provider="openai", fault="rate", since=1, last=1).met("a", "x", 2).met("b", "x", 3)
    assert one.recovered("a", 4).ended == 0
    assert one.recovered("a", 4).recovered("b", 5).ended == 5
    assert one.recovered("c", 4) == one


def test_what_begins_again_goes_on():
    one = Incident(provider="openai", fault="rate", since=1, last=1).met("a", "x", 2).recovered("a", 4)
    again = one.met("a", "y", 9)
    assert (again.ended, again.kind) == (0, one.kind)
