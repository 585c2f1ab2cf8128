from __future__ import annotations

import pytest

from bot.config.schema import LimitsConfig
from bot.domain.ids import ChannelId
from bot.errors import DeliveryError
from bot.messaging.delivery.retry_policy import (
    MAX_PACED_CHANNELS,
    GiveUp,
    Park,
    Retry,
    RouteStatus,
    SendAttempts,
    SendPacing,
    code_of,
    decide,
)
from tests.fakes import values as v
from tests.fakes.platform import away, flood, hiccup, lost, refused

LIMITS = LimitsConfig(send_attempts=3, send_wait=2.0)


@pytest.mark.parametrize(
    ("error", "tries", "idempotent", "fate"),
    [
        (hiccup(), SendAttempts(), False, Retry(2.0, SendAttempts(failed=1))),
        (hiccup(), SendAttempts(failed=1), False, Retry(4.0, SendAttempts(failed=2))),
        (hiccup(), SendAttempts(failed=2), False, GiveUp(uncertain=False)),
        (refused(), SendAttempts(), True, GiveUp(uncertain=False)),
        (lost(), SendAttempts(), False, GiveUp(uncertain=True)),
        (lost(), SendAttempts(), True, Retry(2.0, SendAttempts(failed=1))),
        (lost(), SendAttempts(failed=2), True, GiveUp(uncertain=True)),
        (flood(9), SendAttempts(failed=2), False, Retry(9, SendAttempts(failed=2, waited=1))),
        (flood(9), SendAttempts(failed=2, waited=25), False, GiveUp(uncertain=False)),
        (flood(99_999), SendAttempts(), False, Retry(300, SendAttempts(waited=1))),
        (flood(-5), SendAttempts(), False, Retry(0, SendAttempts(waited=1))),
    ],
)
def test_what_follows_from_a_failure(error: DeliveryError, tries: SendAttempts, idempotent: bool, fate: Retry | GiveUp):
    assert decide(error, tries, LIMITS, RouteStatus(idempotent)) == fate


@pytest.mark.parametrize(
    ("error", "tries", "way", "fate"),
    [
        (away(), SendAttempts(), RouteStatus(False), Retry(2.0, SendAttempts(failed=1))),
        (away(), SendAttempts(failed=2), RouteStatus(False), Park()),
        (away("token"), SendAttempts(failed=2), RouteStatus(True), Park()),
        (away(), SendAttempts(), RouteStatus(False, is_shut=True), Park()),
        # what stands between says no, and the adapter hears nothing either
        (hiccup(), SendAttempts(failed=2), RouteStatus(False, "network"), Park()),
        (hiccup(), SendAttempts(), RouteStatus(False, is_shut=True), Retry(2.0, SendAttempts(failed=1))),
        (
            flood(9),
            SendAttempts(failed=2),
            RouteStatus(False, "network", is_shut=True),
            Retry(9, SendAttempts(failed=2, waited=1)),
        ),
        # only what was surely not sent is kept
        (lost(), SendAttempts(), RouteStatus(False, "network", is_shut=True), GiveUp(uncertain=True)),
        (lost(), SendAttempts(failed=2), RouteStatus(True, "network", is_shut=True), GiveUp(uncertain=True)),
        (refused(), SendAttempts(), RouteStatus(False, "network", is_shut=True), GiveUp(uncertain=False)),
    ],
)
def test_what_follows_while_a_platform_cannot_be_reached(
    error: DeliveryError, tries: SendAttempts, way: RouteStatus, fate: Retry | GiveUp | Park
):
    assert decide(error, tries, LIMITS, way) == fate


def test_a_failure_has_a_word():
    assert [code_of(e) for e in (refused("50007"), DeliveryError("x"), DeliveryError("x", permanent=True))] == [
        "50007",
        "unreachable",
        "refused",
    ]
    assert code_of(DeliveryError("x", uncertain=True)) == "uncertain"


def test_nothing_learned_costs_nothing():
    pacing = SendPacing(0)
    pacing.took(v.GENERAL, 10)
    assert pacing.wait(v.GENERAL, 10) == 0


def test_a_flood_limit_is_remembered_and_fades():
    pacing = SendPacing(0)
    for _ in range(4):
        pacing.slow_down(v.GENERAL)
    pacing.took(v.GENERAL, 0)
    first = pacing.wait(v.GENERAL, 0)
    assert first == pytest.approx(1.8)
    now = 0.0
    for _ in range(60):
        now += pacing.wait(v.GENERAL, now)
        pacing.took(v.GENERAL, now)
    assert pacing.wait(v.GENERAL, now) == 0


def test_the_slowest_pace_has_an_end():
    pacing = SendPacing(0)
    for _ in range(50):
        pacing.slow_down(v.GENERAL)
    pacing.took(v.GENERAL, 0)
    assert pacing.wait(v.GENERAL, 0) <= 10


def test_what_is_learned_is_bounded():
    pacing = SendPacing(1)
    for number in range(MAX_PACED_CHANNELS + 10):
        pacing.slow_down(ChannelId(f"console:{number}"), until=30)
        pacing.took(ChannelId(f"console:{number}"), 0)
    assert len(pacing._learned) == len(pacing._next) == MAX_PACED_CHANNELS


def test_nothing_goes_out_before_the_time_that_the_platform_named():
    pacing = SendPacing(0)
    pacing.slow_down(v.GENERAL, until=30)
    pacing.slow_down(v.GENERAL, until=20)
    assert pacing.wait(v.GENERAL, 5) == 25
    assert pacing.wait(v.GENERAL, 30) == 0
