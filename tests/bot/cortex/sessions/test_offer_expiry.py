"""An offer stands for as long as it was made for, whatever becomes of the clock on the wall."""

from __future__ import annotations

import pytest

from bot.cortex.sessions.offer_expiry import OfferExpiry
from bot.domain.finding import NewProposal, ResumeChannel
from bot.domain.ids import ChannelId, UserId
from tests.fakes.clock import START, FakeClock


def offer(expiry: OfferExpiry, secret_id: str, now: int) -> NewProposal:
    here = ChannelId("console:#general")
    return NewProposal(
        secret_id=secret_id,
        session=1,
        actor=UserId("1"),
        platform="console",
        channel=here,
        target=here,
        fix=ResumeChannel(channel=here, paused_at=1),
        preview=(),
        created_at=now,
        expires_at=expiry.begins(secret_id, now),
    )


@pytest.mark.parametrize("jump", [-3_600_000, -1000, 0, 3_600_000, -START])
def test_it_expires_when_its_time_has_passed(jump):
    clock = FakeClock()
    expiry = OfferExpiry(clock, 600)
    made = offer(expiry, "a", clock.now())
    assert made.expires_at == START + 600_000 and not expiry.is_over(made)
    clock.set(START + jump)
    assert expiry.is_over(made) is (jump > 0)
    clock.advance(601)
    assert expiry.is_over(made)
    clock.set(START + 1)
    assert expiry.is_over(made)


def test_one_of_an_earlier_process_goes_by_the_wall_clock_and_not_before_it_was_made():
    clock = FakeClock()
    made = offer(OfferExpiry(clock, 600), "a", clock.now())
    later = OfferExpiry(clock, 600)
    assert not later.is_over(made)
    clock.set(START - 1)
    assert later.is_over(made)
    clock.set(START + 600_000)
    assert later.is_over(made)


def test_what_is_long_over_is_forgotten():
    clock = FakeClock()
    expiry = OfferExpiry(clock, 600)
    for number in range(5000):
        expiry.begins(str(number), clock.now())
        clock.advance(1)
    assert len(expiry._over) <= 1001
