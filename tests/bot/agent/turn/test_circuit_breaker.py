"""Cool-downs begin with a fault of the service as a whole and end by success or by time."""

from __future__ import annotations

import pytest

from bot.agent.turn.circuit_breaker import (
    MAX_WAIT_SECONDS,
    OF_THE_REQUEST,
    OF_THE_SERVICE,
    CircuitBreaker,
    RequestOwner,
)
from bot.domain.channel import ProcessKind
from bot.domain.health import WorkKind
from bot.domain.ids import MAIN, ChannelId, ChannelKey
from bot.errors import ProviderError, ProviderFault
from tests.fakes.clock import START, FakeClock


def asker(name: str = "#general", kind: ProcessKind = ProcessKind.CHANNEL) -> RequestOwner:
    return RequestOwner(kind, ChannelKey(MAIN, ChannelId(f"console:{name}")), name, False)


def a_breaker() -> tuple[CircuitBreaker, FakeClock]:
    clock = FakeClock()
    return CircuitBreaker("openai/x", WorkKind.CONVERSATION, clock, cool_down=60), clock


def failed(
    retry_after: float | None = None, fault: ProviderFault = ProviderFault.OVERLOADED
) -> tuple[CircuitBreaker, FakeClock]:
    breaker, clock = a_breaker()
    breaker.failed(ProviderError("no", fault=fault, retry_after=retry_after), asker())
    return breaker, clock


def test_a_new_model_may_be_asked():
    assert a_breaker()[0].cooling == 0


def test_a_failure_is_visible_until_a_success():
    breaker, clock = failed()
    assert breaker.cooling == 60
    health = breaker.health()
    assert (health.cooling_until, health.fault, health.error) == (START + 60_000, "overloaded", "no")
    assert (health.failures, health.opened_at, health.opened_by) == (1, START, "channel")
    assert (health.opened_in, health.opened_in_name) == ("console:#general", "#general")
    clock.advance(60)
    assert breaker.cooling == 0
    assert (breaker.health().cooling_until, breaker.health().failures) == (0, 1)
    breaker.succeeded()
    assert breaker.health().failures == 0 and breaker.health().fault == ""
    assert breaker.health().last_success_at == clock.now()


@pytest.mark.parametrize("fault", [fault for fault in ProviderFault if fault not in OF_THE_SERVICE])
def test_what_one_channel_meets_stays_with_it(fault: ProviderFault):
    breaker, _ = a_breaker()
    for _ in range(5):
        breaker.failed(ProviderError("no", fault=fault), asker())
    assert breaker.cooling == 0 and breaker.health().fault == fault


@pytest.mark.parametrize("fault", [fault for fault in ProviderFault if fault not in OF_THE_SERVICE | OF_THE_REQUEST])
def test_two_channels_in_a_row_that_meet_the_same_are_the_service(fault: ProviderFault):
    breaker, _ = a_breaker()
    breaker.failed(ProviderError("no", fault=fault), asker("#a"))
    breaker.failed(ProviderError("no", fault=fault), asker("#b"))
    assert breaker.cooling == 60 and breaker.health().opened_in == "console:#b"


def test_an_answer_or_another_fault_in_between_is_not_in_a_row():
    breaker, _ = a_breaker()
    for fault, name in (("auth", "#a"), ("garbage", "#b"), ("auth", "#a")):
        breaker.failed(ProviderError("no", fault=ProviderFault(fault)), asker(name))
        assert breaker.cooling == 0
    breaker.succeeded()
    breaker.failed(ProviderError("no", fault=ProviderFault.AUTH), asker("#b"))
    assert breaker.cooling == 0


@pytest.mark.parametrize("fault", sorted(OF_THE_REQUEST))
def test_what_is_about_one_request_never_begins_one(fault: ProviderFault):
    breaker, _ = a_breaker()
    for name in ("#a", "#b", "#c"):
        breaker.failed(ProviderError("no", fault=fault), asker(name))
    assert breaker.cooling == 0


def test_a_service_that_limits_the_rate_says_for_how_long():
    assert failed(7, ProviderFault.RATE)[0].cooling == 7
    assert failed(None, ProviderFault.RATE)[0].cooling == 0


def test_what_was_still_under_way_is_no_reason_for_it():
    breaker, _ = failed()
    breaker.failed(ProviderError("flagged", fault=ProviderFault.AUTH), asker("#b"))
    assert (breaker.health().fault, breaker.health().error) == ("overloaded", "no")


def test_a_longer_wait_of_the_service_counts():
    assert failed(retry_after=300)[0].cooling == 300
    assert failed(retry_after=1)[0].cooling == 60


def test_a_service_that_asks_for_a_day_is_asked_again_sooner():
    assert failed(retry_after=86_400)[0].cooling == MAX_WAIT_SECONDS


def test_a_wall_clock_that_jumps_keeps_no_model_away():
    breaker, clock = failed()
    clock.set(0)
    assert breaker.cooling == 60
    clock.advance(61)
    assert breaker.cooling == 0
    breaker, clock = failed()
    clock.set(START + 3_600_000)
    assert breaker.cooling == 0
