from __future__ import annotations

import pytest

from bot.messaging.channels.debounce import DebounceWindow, MessageBurst

DEBOUNCE = DebounceWindow(quiet=1.5, longest=5.0)


@pytest.mark.parametrize(
    ("burst", "now", "wait"),
    [
        (MessageBurst(None, 10, 10, 1), 10, 0),  # the first message ever
        (MessageBurst(2, 10, 10, 1), 10, 0),  # the first of a burst
        (MessageBurst(9, 10, 10, 1), 10, 1.5),  # the second of a burst
        (MessageBurst(9, 10, 10, 1), 11, 0.5),
        (MessageBurst(9, 10, 10, 1), 30, 0),  # it has waited behind a turn already
        (MessageBurst(None, 10, 10, 2), 10, 1.5),  # two at once
        (MessageBurst(9, 10, 14.8, 6), 14.8, 0.2),  # five seconds at most
        (MessageBurst(9, 10, 16, 7), 16, 0),
    ],
)
def test_how_long_a_turn_waits(burst: MessageBurst, now: float, wait: float):
    assert DEBOUNCE.wait(burst, now) == pytest.approx(wait)


def test_no_debounce_at_all():
    assert DebounceWindow(0, 0).wait(MessageBurst(9, 10, 10, 3), 10) == 0
