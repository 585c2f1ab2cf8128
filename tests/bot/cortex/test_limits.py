from __future__ import annotations

import pytest

from bot.cortex.limits import Bucket, Slots
from bot.domain.ids import MAIN, ChannelId, ChannelKey, Person, UserId
from bot.errors import UserError
from tests.fakes.clock import FakeClock

ROOT, OTHER = (Person("discord", UserId(n)) for n in "12")
A, B, C = (ChannelKey(MAIN, ChannelId(f"discord:1:{n}")) for n in "abc")


def test_a_minute_holds_so_many_commands_of_one_person():
    clock = FakeClock()
    bucket = Bucket(clock, 6)
    assert [bucket.take(ROOT) for _ in range(8)] == [True] * 6 + [False] * 2
    assert bucket.take(OTHER)
    clock.advance(60)
    assert bucket.take(ROOT)


def test_one_inspection_per_person_and_channel_three_in_all():
    slots = Slots(3)
    slots.take(ROOT, A)
    with pytest.raises(UserError, match="still looking"):
        slots.take(ROOT, A)
    slots.take(OTHER, A)
    slots.take(ROOT, B)
    with pytest.raises(UserError, match="3 inspections"):
        slots.take(ROOT, C)
    slots.release(ROOT, B)
    slots.take(ROOT, C)
