"""A minute holds so many of a kind; what somebody did does not count against another."""

from __future__ import annotations

from bot.domain.ids import Person, UserId
from bot.messaging.bucket import Bucket
from tests.fakes.clock import FakeClock

ROOT, OTHER = (Person("discord", UserId(n)) for n in "12")


def test_a_minute_holds_so_many_commands_of_one_person():
    clock = FakeClock()
    bucket = Bucket(clock, 6)
    assert [bucket.take(ROOT) for _ in range(8)] == [True] * 6 + [False] * 2
    assert bucket.take(OTHER)
    clock.advance(60)
    assert bucket.take(ROOT)
