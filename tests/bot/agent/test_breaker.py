"""Cool-downs begin with a failure and end by success or by time."""

from __future__ import annotations

from bot.agent.breaker import LONGEST_WAIT, Breaker
from bot.errors import ProviderError, ProviderFault
from tests.fakes.clock import START, FakeClock


def failed(retry_after: float | None = None) -> tuple[Breaker, FakeClock]:
    clock = FakeClock()
    breaker = Breaker("openai/x", clock, cool_down=60)
    breaker.failed(ProviderError("no", fault=ProviderFault.CREDIT, retry_after=retry_after))
    return breaker, clock


def test_a_new_model_may_be_asked():
    assert Breaker("x/y", FakeClock(), 60).cooling == 0


def test_a_failure_is_visible_until_a_success():
    breaker, clock = failed()
    assert breaker.cooling == 60
    health = breaker.health()
    assert (health.cooling_until, health.fault, health.error, health.failures) == (START + 60_000, "credit", "no", 1)
    clock.advance(60)
    assert breaker.cooling == 0
    assert (breaker.health().cooling_until, breaker.health().failures) == (0, 1)
    breaker.succeeded()
    assert breaker.health().failures == 0 and breaker.health().fault == ""
    assert breaker.health().last_success_at == clock.now()


def test_a_longer_wait_of_the_service_counts():
    assert failed(retry_after=300)[0].cooling == 300
    assert failed(retry_after=1)[0].cooling == 60


def test_a_service_that_asks_for_a_day_is_asked_again_sooner():
    assert failed(retry_after=86_400)[0].cooling == LONGEST_WAIT


def test_a_wall_clock_that_jumps_keeps_no_model_away():
    breaker, clock = failed()
    clock.set(0)
    assert breaker.cooling == 60
    clock.advance(61)
    assert breaker.cooling == 0
    breaker, clock = failed()
    clock.set(START + 3_600_000)
    assert breaker.cooling == 0
