"""Waiting after failures."""

from __future__ import annotations

from bot.runtime.backoff import Backoff


def test_waiting_doubles_is_bounded_and_spread():
    backoff = Backoff()
    waits = [backoff.next() for _ in range(12)]
    assert waits == [Backoff.next(again) for again in [Backoff()] for _ in range(12)]
    assert all(0.75 * 2**n <= wait <= 1.25 * 2**n for n, wait in enumerate(waits[:5]))
    assert all(22.5 <= wait <= 37.5 for wait in waits[6:]) and len(set(waits)) == 12
    backoff.reset()
    assert backoff.next() == waits[0]
