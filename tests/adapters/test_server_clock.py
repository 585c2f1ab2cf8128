"""What time it is for Discord is what its newest answer says, and what has passed since."""

from __future__ import annotations

import pytest

from adapters.server_clock import ServerClock

HERE = 4_102_444_799_000
THERE = "Thu, 09 Oct 2025 08:53:20 GMT"


def test_it_is_what_was_said_and_what_has_passed():
    passed = [100.0]
    time = ServerClock(lambda: passed[0])
    time.note(THERE)
    passed[0] += 2.5
    time.note("")
    assert time.now(HERE) == 1_760_000_002_500


@pytest.mark.parametrize("date", ["", "yesterday", "Thu, 09 Oct 99999 08:53:20 GMT", "Thu, 32 Oct 2025 08:53:20 GMT"])
def test_what_says_nothing_is_passed_over(date):
    time = ServerClock(lambda: 1.0)
    time.note(date)
    assert time.now(HERE) == HERE
