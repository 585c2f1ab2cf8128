"""Polls that come back well and empty while people write: noticed, said, and mended by a new connection."""

from __future__ import annotations

import pytest
import structlog
from telegram.error import TelegramError

from adapters.telegram.backlog_watch import InVain, Piling
from bot.domain.health import AdapterState
from tests.adapters.telegram.connected import Connected, connected, eventually
from tests.fakes.clock import FakeClock
from tests.servers.telegram import EMPTY, Answers, Before, Drops, Flood, HalfOpen, Refuses

ALWAYS = 1_000_000
QUIET = 91
LOOK = "getWebhookInfo"


def quiet_clock() -> FakeClock:
    return FakeClock(auto=False)


def says(here: Connected, *texts: str) -> None:
    for text in texts:
        here.world.say(here.world.dm(here.ann), here.ann, text)


async def polls(here: Connected, count: int) -> None:
    """Wait until so many polls from now on have come back."""
    await here.server.called("getUpdates", len(here.server.calls("getUpdates")) + count)


async def goes_dead(here: Connected, fault: object) -> None:
    """Let polls bring nothing from now on; the poll that waits now is the last that could."""
    here.server.fault("getUpdates", fault, times=ALWAYS)
    await polls(here, 2)


def told(here: Connected) -> dict[str, str]:
    return dict(here.telegram.health().facts)


async def test_a_line_that_is_silently_dead_is_noticed_and_made_anew():
    async with connected(quiet_clock()) as here:
        here.listen()
        await here.caught_up()
        before = here.server.calls("getUpdates")[-1].line
        await goes_dead(here, HalfOpen())
        says(here, "are you there?", "hello?")
        await polls(here, 3)
        assert here.telegram.health().state is AdapterState.UP, "nobody can know it yet"
        here.clock.advance(QUIET)
        await here.healthy("piling")
        health = here.telegram.health()
        assert health.state is AdapterState.DEGRADED and "empty while updates wait" in health.detail
        assert "proxy" in health.fix and told(here)["pending_updates"] == "2"
        here.clock.advance(2)
        await eventually(lambda: here.ears.said == ["are you there?", "hello?"])
        await here.caught_up()
        assert here.server.calls("getUpdates")[-1].line != before
        await eventually(lambda: here.telegram.health().state is AdapterState.UP)
        assert told(here)["pending_updates"] == "0"


async def test_what_was_heard_and_could_not_be_confirmed_is_not_heard_twice():
    async with connected(quiet_clock()) as here:
        here.listen()
        await here.caught_up()
        dead = HalfOpen()
        here.ears.before = lambda: here.server.fault("getUpdates", dead, times=ALWAYS)
        says(here, "one")
        await here.ears.until(lambda: here.ears.said == ["one"])
        says(here, "two")
        await polls(here, 2)
        here.clock.advance(QUIET)
        await here.healthy("piling")
        assert told(here)["pending_updates"] == "2", "the first of them was heard"
        here.clock.advance(2)
        await eventually(lambda: len(here.ears.said) > 1)
        await here.caught_up()
        assert here.ears.said == ["one", "two"]


async def test_while_updates_arrive_nobody_looks_and_while_none_do_hardly_anybody():
    async with connected(quiet_clock()) as here:
        here.listen()
        await here.caught_up()
        for minute in range(10):
            here.clock.advance(60)
            says(here, f"minute {minute}")
            await here.caught_up()
        assert len(here.server.calls(LOOK)) == 1, "the one before the first poll"
        for quiet in range(1, 4):
            here.clock.advance(QUIET)
            await here.server.called(LOOK, 1 + quiet)
            await polls(here, 3)
            assert len(here.server.calls(LOOK)) == 1 + quiet
        assert here.telegram.health().state is AdapterState.UP


async def test_what_is_written_between_a_poll_and_the_look_is_no_sign_of_anything():
    async with connected(quiet_clock()) as here:
        here.listen()
        await here.caught_up()
        line = here.server.calls("getUpdates")[-1].line
        with structlog.testing.capture_logs() as logged:
            for number in range(1, 4):
                here.server.fault(LOOK, Before(lambda: says(here, "just now")))
                here.clock.advance(QUIET)
                await here.ears.until(lambda number=number: len(here.ears.said) == number)
            await here.caught_up()
        assert {call.line for call in here.server.calls("getUpdates")} == {line}
        assert [call.result["pending_update_count"] for call in here.server.calls(LOOK)[1:]] == [1, 1, 1]
        assert not [line for line in logged if line["event"] == "telegram_poll_failed"]


async def test_of_what_is_suspected_a_poll_that_waits_for_nothing_decides():
    async with connected(quiet_clock()) as here:
        here.listen()
        await here.caught_up()
        here.server.fault(LOOK, Before(lambda: says(here, "just now")))
        here.clock.advance(QUIET)
        await here.ears.until(lambda: bool(here.ears.said))
        assert [call.params["timeout"] for call in here.server.calls("getUpdates") if call.result][-1] == 0


async def test_a_kind_of_update_that_was_not_asked_for_waits_nowhere():
    async with connected(quiet_clock()) as here:
        here.listen()
        await here.caught_up()
        assert not here.bot.inlet.add("kind_of_tomorrow", {"chat": {"id": 5}}, here.world.now)
        here.clock.advance(QUIET)
        await here.server.called(LOOK, 2)
        await polls(here, 2)
        assert len(here.server.calls(LOOK)) == 2 and here.telegram.health().state is AdapterState.UP


async def test_while_it_lasts_the_growth_is_told_once_and_every_poll_gets_a_line_of_its_own():
    async with connected(quiet_clock()) as here:
        here.listen()
        await here.caught_up()
        await goes_dead(here, Answers(EMPTY))
        says(here, "one")
        with structlog.testing.capture_logs() as logged:
            here.clock.advance(QUIET)
            await here.healthy("piling")
            since = here.telegram.health().since
            says(here, "two", "three")
            lines = {here.server.calls("getUpdates")[-1].line}
            for tries, wait in enumerate((2, 3, 6), 2):
                here.clock.advance(wait)
                await eventually(lambda tries=tries: len(here.clock.slept) == tries)
                lines.add(here.server.calls("getUpdates")[-1].line)
        assert len(lines) == 4 and here.clock.slept == sorted(here.clock.slept), "not at full speed"
        assert (told(here)["pending_updates"], told(here)["pending_before"]) == ("3", "1")
        assert (here.telegram.health().code, here.telegram.health().since) == ("piling", since)
        said = [line for line in logged if line["event"] == "telegram_poll_failed" and line["log_level"] == "warning"]
        assert [line["code"] for line in said] == ["piling"] and "proxy" in said[0]["fix"]


async def test_a_cursor_that_is_ahead_of_what_waits_there_is_forgotten():
    """Telegram itself forgives it; a Bot API server of one's own may answer with nothing for ever."""
    async with connected(quiet_clock()) as here:
        here.ears.cursors["telegram", "updates"] = "999999999"
        here.ears.cursors["telegram", "account"] = f"{here.bot.id} @{here.bot.username}"
        here.server.fault(
            "getUpdates", Answers(EMPTY), times=ALWAYS, when=lambda asked: asked.get("offset", 0) > 900_000_000
        )
        here.listen()
        await polls(here, 2)
        says(here, "are you there?")
        here.clock.advance(QUIET)
        await here.healthy("piling")
        here.clock.advance(2)
        await eventually(lambda: here.ears.said == ["are you there?"])
        await here.caught_up()
        assert "offset" not in next(call.params for call in here.server.calls("getUpdates") if call.result)
        assert int(here.ears.cursors["telegram", "updates"]) < 900_000_000


@pytest.mark.parametrize(
    "fault",
    [Refuses(500, "Internal Server Error"), Flood(30), Drops(), Answers(b"[]")],
    ids=lambda it: type(it).__name__,
)
async def test_a_look_that_fails_harms_no_poll_and_is_not_repeated_at_once(fault):
    async with connected(quiet_clock()) as here:
        here.listen()
        await here.caught_up()
        here.server.fault(LOOK, fault, times=ALWAYS)
        here.clock.advance(QUIET)
        await here.server.called(LOOK, 2)
        await polls(here, 3)
        assert len(here.server.calls(LOOK)) == 2
        says(here, "one")
        await here.caught_up()
        assert here.ears.said == ["one"] and here.telegram.health().state is AdapterState.UP


async def test_a_look_that_fails_while_polls_are_doubted_is_a_failure_of_the_network():
    async with connected(quiet_clock()) as here:
        here.listen()
        await here.caught_up()
        await goes_dead(here, Answers(EMPTY))
        says(here, "one")
        here.server.fault(LOOK, Drops(), nth=2, times=ALWAYS)
        here.clock.advance(QUIET)
        await here.healthy("network")
        assert LOOK in here.telegram.health().detail


async def test_updates_that_wait_for_a_webhook_are_called_that():
    async with connected(quiet_clock()) as here:
        here.listen()
        await here.caught_up()
        await goes_dead(here, Answers(EMPTY))
        here.world.set_webhook("https://other.example/secret-path")
        says(here, "one")
        here.clock.advance(QUIET)
        await here.healthy("webhook")
        assert "other.example" in here.telegram.health().detail


async def test_doctor_shows_it():
    async with connected(quiet_clock()) as here:
        here.listen()
        await here.caught_up()
        await goes_dead(here, Answers(EMPTY))
        says(here, "one")
        here.clock.advance(QUIET)
        await here.healthy("piling")
        _, webhook, polling = await here.telegram.probe(None)
        assert webhook.evidence == "no webhook; 1 updates wait"
        assert (polling.state, polling.code) == ("warning", "piling") and polling.fix
        assert "polls come back empty while updates wait there" in polling.evidence


def test_two_looks_with_a_poll_between_them_are_needed():
    clock = FakeClock()
    piling = Piling(clock, 90)
    assert not piling.is_due
    clock.advance(90)
    assert piling.is_due
    piling.saw(1)
    assert piling.is_due, "the next empty poll decides"
    with pytest.raises(InVain):
        piling.saw(1)
    piling.saw(0)
    assert not piling.is_due
    clock.advance(90)
    piling.saw(1)
    piling.rests()
    clock.advance(90)
    piling.saw(1)
    assert issubclass(InVain, TelegramError)
