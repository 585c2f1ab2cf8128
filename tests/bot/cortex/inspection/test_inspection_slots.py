from __future__ import annotations

import pytest

from bot.cortex.inspection.inspection_slots import InspectionSlots
from bot.domain.ids import MAIN, ChannelId, ChannelKey, PersonKey, UserId
from bot.errors import UserError

ROOT, OTHER = (PersonKey("discord", UserId(n)) for n in "12")
A, B, C = (ChannelKey(MAIN, ChannelId(f"discord:1:{n}")) for n in "abc")


def test_one_inspection_per_person_and_channel_three_in_all():
    slots = InspectionSlots(3)
    slots.take(ROOT, A)
    with pytest.raises(UserError, match="still looking"):
        slots.take(ROOT, A)
    slots.take(OTHER, A)
    slots.take(ROOT, B)
    with pytest.raises(UserError, match="3 inspections"):
        slots.take(ROOT, C)
    slots.release(ROOT, B)
    slots.take(ROOT, C)
