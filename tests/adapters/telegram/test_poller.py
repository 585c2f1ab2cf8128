"""Nothing that people write is lost or heard twice, whatever happens between the bot and Telegram."""

from __future__ import annotations

import asyncio
import logging
import traceback

import orjson
import pytest
import structlog
from telegram.error import TelegramError

from adapters.telegram.api import KINDS
from adapters.telegram.poller import BacklogWatch, PollingStalled
from bot.domain.health import AdapterState
from tests.adapters.telegram.connected import FAST, Connected, connected, eventually, message
from tests.fakes.clock import FakeClock
from tests.fakes.logs import plain_logs
from tests.servers.telegram import (
    BACKWARDS,
    EMPTY,
    TWICE,
    Alters,
    Answers,
    BadGateway,
    Before,
    Dribbles,
    Drops,
    Flood,
    HalfOpen,
    Hangs,
    Refuses,
    Truncated,
)


def says(here, *texts):
    for text in texts:
        here.world.say(here.world.dm(here.ann), here.ann, text)


async def test_what_is_written_is_heard_once_and_in_order():
    async with connected() as here:
        says(here, "one", "two")
        here.listen()
        await here.caught_up()
        says(here, "three")
        await here.caught_up()
        assert here.ears.said == ["one", "two", "three"]
        assert here.telegram.health().state is AdapterState.UP
        assert here.telegram.health().last_event_at == here.clock.now()


async def test_every_kind_of_update_is_asked_for_and_nothing_is_dropped():
    async with connected() as here:
        here.listen()
        await here.caught_up()
        first, later = here.server.calls("getUpdates")[:2]
        assert set(first.params["allowed_updates"]) == set(KINDS) and len(KINDS) >= 23
        assert "message_reaction" in first.params["allowed_updates"]
        assert "offset" not in first.params and (first.params["timeout"], later.params["timeout"]) == (0, 1)
        assert not here.server.calls("deleteWebhook")


async def test_the_next_poll_confirms_only_what_was_stored():
    async with connected() as here:
        says(here, "one", "two")
        pending = [update["update_id"] for update in here.bot.inlet.pending]
        confirmed = []
        here.ears.before = lambda: confirmed.append(len(here.bot.inlet.pending))
        here.listen()
        await here.caught_up()
        assert confirmed[0] == 2
        assert here.ears.cursors["telegram", "updates"] == str(pending[-1])
        assert here.server.calls("getUpdates")[1].params["offset"] == pending[-1] + 1


async def test_it_goes_on_where_an_earlier_process_stopped():
    async with connected() as here:
        says(here, "one")
        here.listen()
        await here.caught_up()
        await here.close()
        says(here, "two")
        await here.restart()
        await here.caught_up()
        assert here.ears.said == ["one", "two"]
        first = [call for call in here.server.calls("getUpdates") if call.params.get("timeout") == 0][-1]
        assert first.params["offset"] == int(here.ears.cursors["telegram", "updates"])


async def test_what_cannot_be_stored_comes_back_with_what_came_since():
    async with connected() as here:
        says(here, "one")
        here.ears.cursors["telegram", "account"] = f"{here.bot.id} @{here.bot.username}"  # told in an earlier life
        here.ears.deaf = 2
        here.ears.before = lambda: says(here, "two") if not here.ears.refused else None
        here.listen()
        await here.caught_up()
        assert [[one.text for one in batch] for batch in here.ears.refused] == [["one"], ["one", "two"]]
        assert here.ears.said == ["one", "two"]
        assert here.clock.slept == sorted(here.clock.slept) and len(here.clock.slept) == 2


async def test_a_store_that_fails_shows_and_the_adapter_lives():
    async with connected(FakeClock(auto=False)) as here:
        says(here, "one")
        here.ears.deaf = 1
        here.listen()
        await here.healthy("store")
        assert here.telegram.health().state is AdapterState.DEGRADED
        here.clock.advance(60)
        await here.caught_up()
        assert here.ears.said == ["one"] and here.telegram.health().code == ""


FAULTS = [
    Drops(),
    Drops(applied=True),
    Drops(applied=True, reset=True),
    BadGateway(),
    BadGateway(status=504, applied=True),
    Flood(3),
    Refuses(500, "Internal Server Error"),
    Refuses(400, "Bad Request: strange"),
    Truncated(20),
    Truncated(20, cut=True),
    Truncated(0),
    Answers(b"[]"),
    Answers(b'{"ok":false}'),
    Answers(b'{"ok":true}'),
    Answers(b'{"ok":true,"result":{"not":"a list"}}'),
    Answers(b'{"ok":true,"result":[null,5]}'),
    Dribbles(3),
    TWICE,
    BACKWARDS,
    Alters(lambda updates: updates[1:]),
    Alters(lambda updates: []),
]


async def test_what_comes_backwards_is_heard_in_the_order_in_which_it_was_said():
    async with connected() as here:
        says(here, "one", "two", "three")
        here.server.fault("getUpdates", BACKWARDS)
        here.listen()
        await here.caught_up()
        assert here.ears.said == ["one", "two", "three"]


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: type(fault).__name__)
async def test_no_fault_loses_or_doubles_anything(fault):
    async with connected() as here:
        says(here, "one", "two", "three")
        here.server.fault("getUpdates", fault, times=2)
        here.listen()
        await here.caught_up()
        says(here, "four")
        await here.caught_up()
        assert sorted(here.ears.said) == sorted(["one", "two", "three", "four"]) or _was_dropped(fault, here)
        await eventually(lambda: here.telegram.health().state is AdapterState.UP)


def _was_dropped(fault, here) -> bool:
    """An answer that leaves updates out and is confirmed loses them at Telegram; no poller can know."""
    return isinstance(fault, Alters) and here.ears.said[-1] == "four"


async def test_a_poll_that_hangs_is_given_up_and_called_stalled_in_time():
    async with connected(FakeClock(auto=False), poll_timeout=0.01, request_timeout=0.1) as here:
        here.listen()
        await _caught_up_as_time_passes(here)
        here.server.fault("getUpdates", Hangs(), times=3)
        says(here, "one")
        await here.healthy("network")
        assert here.telegram.health().detail.startswith(
            "timeout: getUpdates: no "
        )  # answer, or on a busy machine connection
        here.clock.advance(91)
        await here.healthy("stalled")
        assert here.telegram.health().state is AdapterState.DEGRADED
        await _caught_up_as_time_passes(here, seconds=60)
        assert here.ears.said == ["one"] and here.telegram.health().state is AdapterState.UP


async def test_while_polls_are_dead_the_platform_is_asked_what_waits_there():
    async with connected(FakeClock(auto=False), poll_timeout=0.01, request_timeout=0.1) as here:
        here.listen()
        await _caught_up_as_time_passes(here)
        here.server.fault("getUpdates", Hangs(), times=100)
        says(here, "one", "two")
        await here.healthy("network")
        await _waits_there(here, "2")
        assert "pending_before" not in dict(here.telegram.health().facts)
        says(here, "three")
        await _waits_there(here, "3")
        assert dict(here.telegram.health().facts)["pending_before"] == "2"


async def _caught_up_as_time_passes(here, seconds=5):
    """On a busy machine a connection takes longer than these short limits: what failed is tried again."""
    async with asyncio.timeout(20), asyncio.TaskGroup() as group:
        caught_up = group.create_task(here.caught_up())
        while not caught_up.done():
            await asyncio.wait({caught_up}, timeout=0.05)
            here.clock.advance(seconds)


async def _waits_there(here, count):
    async with asyncio.timeout(10):
        while dict(here.telegram.health().facts)["pending_updates"] != count:
            here.clock.advance(100)
            await asyncio.sleep(0.02)


async def test_a_poll_that_is_overdue_shows_before_anybody_notices():
    async with connected() as here:
        here.listen()
        await here.caught_up()
        here.clock.advance(91)
        health = here.telegram.health()
        assert (health.state, health.code) in {(AdapterState.DEGRADED, "stalled"), (AdapterState.UP, "")}


async def test_a_network_that_is_gone_shows_with_the_kind_of_failure():
    async with connected() as here:
        here.listen()
        await here.caught_up()
        await here.server.refuse()
        await here.healthy("network")
        assert "ConnectorError" in here.telegram.health().detail or "cut" in here.telegram.health().detail
        await here.server.accept()
        says(here, "one")
        await here.caught_up()
        assert here.ears.said == ["one"]


async def test_flood_control_is_obeyed_to_the_second():
    async with connected() as here:
        here.server.fault("getUpdates", Flood(17))
        here.listen()
        await here.caught_up()
        assert 17 in here.clock.slept


async def test_ids_that_begin_anew_are_taken():
    async with connected() as here:
        says(here, "one")
        here.listen()
        await here.caught_up()
        here.bot.inlet.renumber(5)
        says(here, "two", "three")
        await here.caught_up()
        here.bot.inlet.skip(1000)
        says(here, "four")
        await here.caught_up()
        assert here.ears.said == ["one", "two", "three", "four"]


async def test_the_same_batch_again_and_again_is_not_asked_for_at_full_speed():
    async with connected() as here:
        same = {"update_id": 9, "message": here.world.say(here.world.dm(here.ann), here.ann, "one").json}
        here.bot.inlet.clear()
        here.server.fault("getUpdates", Alters(lambda _: [same]), times=5)
        here.listen()
        await here.server.called("getUpdates", 7)
        assert here.ears.said == ["one"] and len(here.clock.slept) >= 4


async def test_one_unreadable_update_does_not_hide_the_others():
    async with connected() as here:
        says(here, "one")
        here.world.push({"message": {"message_id": "?", "chat": 5}})
        here.world.push({"future_kind": {"chat": {"id": 5}}})
        says(here, "two")
        here.listen()
        await here.caught_up()
        assert here.ears.said == ["one", "two"]
        assert here.ears.events == ["unreadable message", "future_kind"]


async def test_a_broken_character_costs_only_itself():
    async with connected() as here:
        body = {"update_id": 9, "message": here.world.say(here.world.dm(here.ann), here.ann, "HERE").json}
        here.bot.inlet.clear()
        raw = orjson.dumps({"ok": True, "result": [body]}).replace(b"HERE", rb"a\ud800b\\ud800 \ud83d\ude00")
        here.server.fault("getUpdates", Answers(raw))
        here.listen()
        await eventually(lambda: bool(here.ears.said))
        assert here.ears.said == ["a\ufffdb\\ud800 😀"]


async def test_a_second_poller_is_a_conflict_and_nobody_dies_of_it():
    async with connected() as here:
        here.listen()
        await here.caught_up()
        here.bot.inlet.abort("terminated by other getUpdates request; make sure that only one bot instance is running")
        await here.healthy("conflict")
        health = here.telegram.health()
        assert health.state is AdapterState.CONFLICT and "another program polls" in health.detail
        says(here, "one")
        await here.caught_up()
        assert here.ears.said == ["one"]
        assert here.telegram.health().state is AdapterState.CONFLICT, "one good poll proves nothing"
        here.clock.advance(31)
        await eventually(lambda: here.telegram.health().state is AdapterState.UP)


async def test_a_webhook_of_somebody_else_is_reported_and_left_alone():
    async with connected(FakeClock(auto=False)) as here:
        here.world.set_webhook("https://other.example/secret-path")
        says(here, "one")
        here.listen()
        await here.healthy("webhook")
        health = here.telegram.health()
        assert health.state is AdapterState.CONFLICT and "other.example" in health.detail
        assert "secret-path" not in str(health) and "take_over" in health.fix
        assert not here.server.calls("getUpdates") and not here.server.calls("deleteWebhook")
        here.world.set_webhook("")
        here.clock.advance(60)
        await here.caught_up()
        assert here.ears.said == ["one"]


async def test_a_webhook_is_removed_when_the_owner_says_so():
    async with connected(take_over=True) as here:
        says(here, "one")
        here.world.set_webhook("https://other.example/hook")
        here.listen()
        await here.caught_up()
        assert here.ears.said == ["one"]
        assert here.server.calls("deleteWebhook")[0].params["drop_pending_updates"] is False


async def test_a_webhook_that_is_set_later_is_told_from_a_second_poller():
    async with connected(FakeClock(auto=False)) as here:
        here.listen()
        await here.caught_up()
        here.world.set_webhook("https://other.example/hook")
        here.bot.inlet.abort("terminated by setWebhook request")
        await here.healthy("webhook")
        here.clock.advance(60)
        await eventually(lambda: "other.example" in here.telegram.health().detail)


async def test_a_wrong_token_is_no_restart_storm():
    async with connected(FakeClock(auto=False), token="123:wrong") as here:
        here.listen()
        await here.healthy("token")
        health = here.telegram.health()
        assert health.state is AdapterState.DOWN and "wrong" not in str(health)
        here.clock.advance(299)
        await asyncio.sleep(0.02)
        assert here.clock.slept == [300]


async def test_presses_are_handed_over_after_they_were_stored_and_answered_once():
    async with connected() as here:
        sent = await here.telegram.send(message(here.world.dm(here.ann), "well?"))
        posted = here.world.dm(here.ann).messages[int(sent.message_id)]
        posted.json["reply_markup"] = {"inline_keyboard": [[{"text": "Go", "callback_data": "x1"}]]}
        here.listen()
        here.ears.answer = "It is done."
        press = here.world.press(posted, "Go", here.ann)
        await here.server.called("answerCallbackQuery")
        assert press.answer["text"] == "It is done." and not press.answer.get("show_alert")
        assert [one.data for one in here.ears.presses] == ["x1"] and "callback_query" in here.ears.events
        here.world.press_again(press)
        await here.caught_up()
        assert len(here.ears.presses) == 1
        here.ears.answer = "x" * 500
        long = here.world.press(posted, "Go", here.ann)
        await here.server.called("answerCallbackQuery", 2)
        assert len(long.answer["text"]) == 200 and long.answer["show_alert"]


async def test_a_press_that_is_too_old_to_be_answered_breaks_nothing():
    async with connected() as here:
        sent = await here.telegram.send(message(here.world.dm(here.ann), "well?"))
        posted = here.world.dm(here.ann).messages[int(sent.message_id)]
        here.server.fault(
            "answerCallbackQuery",
            Refuses(400, "Bad Request: query is too old and response timeout expired or query ID is invalid"),
        )
        here.listen()
        here.world.press(posted, "anything", here.ann, raw=True)
        here.world.delete(posted)
        here.ears.speaks, here.ann.language_code = "de", "fr"
        late = here.world.press(posted, "anything", here.ann, raw=True)
        await here.server.called("answerCallbackQuery", 2)
        assert late.answer["text"].startswith("Diese Nachricht ist zu alt"), "French is not spoken here, German is"
        assert len(here.ears.presses) == 1, "a message that cannot be seen any more starts nothing"
        says(here, "one")
        await here.caught_up()
        assert here.ears.said == ["one"]


async def test_polling_waits_for_no_press():
    async with connected() as here:
        sent = await here.telegram.send(message(here.world.dm(here.ann), "well?"))
        posted = here.world.dm(here.ann).messages[int(sent.message_id)]
        gate = asyncio.Event()

        async def slow(press):
            await gate.wait()
            return "late"

        here.ears.pressed = slow
        here.listen()
        here.world.press(posted, "x", here.ann, raw=True)
        await here.caught_up()
        says(here, "one")
        await here.caught_up()
        assert here.ears.said == ["one"]
        gate.set()
        await here.server.called("answerCallbackQuery")


FAULTS_OF_A_PROXY = [
    BadGateway(body=b"<html>POST /bot%TOKEN%/getMe</html>"),
    Refuses(400, "Bad Request: no %TOKEN%"),
    Answers(b'{"ok":true,"result":"%TOKEN%"}'),
    Drops(),
    Hangs(),
    Flood(1),
]


async def test_the_token_is_nowhere(caplog):
    """At DEBUG, over everything that is done and everything that goes wrong: logs, errors and their chains, health."""
    caplog.set_level(logging.DEBUG)
    structlog.configure(
        processors=[structlog.processors.format_exc_info, structlog.stdlib.render_to_log_kwargs],
        logger_factory=structlog.stdlib.LoggerFactory(),
    )
    said: list[str] = []
    try:
        async with connected(request_timeout=0.1) as here:
            said += await _everything(here)
            token = here.bot.token
    finally:
        plain_logs()
    said += [caplog.handler.format(record) + repr(record.__dict__) for record in caplog.records]
    assert len(said) > 30
    canary = token.partition(":")[2].lower()  # the library changes the case of what the API says
    assert not [line for line in said if canary in line.lower()]


async def _everything(here) -> list[str]:
    said, dm = [], here.world.dm(here.ann)
    listening = here.listen()
    await here.caught_up()
    for fault in FAULTS_OF_A_PROXY:
        if hasattr(fault, "body"):
            fault = type(fault)(**{**_fields(fault), "body": fault.body.replace(b"%TOKEN%", here.bot.token.encode())})
        if hasattr(fault, "description"):
            fault = Refuses(400, fault.description.replace("%TOKEN%", here.bot.token))
        for method in ("getMe", "sendMessage", "getUpdates", "getFile"):
            here.server.fault(method, fault)
        says(here, "hi")
        said += await _failing(here.telegram.send(message(dm, "hello")))
        said += [str(await here.telegram.probe(f"telegram:{dm.id}")), str(here.telegram.health())]
        await here.caught_up()
        here.server.release()
    await here.server.refuse()
    said += await _failing(here.telegram.send(message(dm, "hello")))
    said += [str(await here.telegram.probe(None)), repr(here.telegram), repr(vars(here.telegram))]
    listening.cancel()
    await here.server.accept()
    here.bot.token, kept = "nobody", here.bot.token
    here.world.bots.clear()
    said += await _failing(here.telegram.send(message(dm, "hello")))
    said += [str(await here.telegram.probe(None))]
    here.bot.token = kept
    return said


async def _failing(work) -> list[str]:
    """Return an error as every log could show it: its words, its chain with all causes, the variables of its frames."""
    try:
        await work
    except Exception as error:  # noqa: BLE001 - any error may be logged
        said, link = [], error
        while link is not None:
            shown = traceback.TracebackException.from_exception(link, capture_locals=True)
            said += ["".join(shown.format()), repr(link), repr(link.args), repr(getattr(link, "__dict__", {}))]
            link = link.__cause__ or link.__context__
        return said
    return []


def _fields(value) -> dict:
    return {name: getattr(value, name) for name in type(value).__dataclass_fields__}


assert FAST["poll_timeout"] == 1, "one second of Telegram is five milliseconds of the server"


ALWAYS = 1_000_000
QUIET = 91
LOOK = "getWebhookInfo"


def quiet_clock() -> FakeClock:
    return FakeClock(auto=False)


def says_of_backlog_watch(here: Connected, *texts: str) -> None:
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
        says_of_backlog_watch(here, "are you there?", "hello?")
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
        says_of_backlog_watch(here, "one")
        await here.ears.until(lambda: here.ears.said == ["one"])
        says_of_backlog_watch(here, "two")
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
            says_of_backlog_watch(here, f"minute {minute}")
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
                here.server.fault(LOOK, Before(lambda: says_of_backlog_watch(here, "just now")))
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
        here.server.fault(LOOK, Before(lambda: says_of_backlog_watch(here, "just now")))
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
        says_of_backlog_watch(here, "one")
        with structlog.testing.capture_logs() as logged:
            here.clock.advance(QUIET)
            await here.healthy("piling")
            since = here.telegram.health().since
            says_of_backlog_watch(here, "two", "three")
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
        says_of_backlog_watch(here, "are you there?")
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
        says_of_backlog_watch(here, "one")
        await here.caught_up()
        assert here.ears.said == ["one"] and here.telegram.health().state is AdapterState.UP


async def test_a_look_that_fails_while_polls_are_doubted_is_a_failure_of_the_network():
    async with connected(quiet_clock()) as here:
        here.listen()
        await here.caught_up()
        await goes_dead(here, Answers(EMPTY))
        says_of_backlog_watch(here, "one")
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
        says_of_backlog_watch(here, "one")
        here.clock.advance(QUIET)
        await here.healthy("webhook")
        assert "other.example" in here.telegram.health().detail


async def test_doctor_shows_it():
    async with connected(quiet_clock()) as here:
        here.listen()
        await here.caught_up()
        await goes_dead(here, Answers(EMPTY))
        says_of_backlog_watch(here, "one")
        here.clock.advance(QUIET)
        await here.healthy("piling")
        _, webhook, polling = await here.telegram.probe(None)
        assert webhook.evidence == "no webhook; 1 update waiting"
        assert (polling.state, polling.code) == ("warning", "piling") and polling.fix
        assert "polls come back empty while updates wait there" in polling.evidence


def test_two_looks_with_a_poll_between_them_are_needed():
    clock = FakeClock()
    piling = BacklogWatch(clock, 90)
    assert not piling.is_due
    clock.advance(90)
    assert piling.is_due
    piling.note_pending(1)
    assert piling.is_due, "the next empty poll decides"
    with pytest.raises(PollingStalled):
        piling.note_pending(1)
    piling.note_pending(0)
    assert not piling.is_due
    clock.advance(90)
    piling.note_pending(1)
    piling.start_over()
    clock.advance(90)
    piling.note_pending(1)
    assert issubclass(PollingStalled, TelegramError)
