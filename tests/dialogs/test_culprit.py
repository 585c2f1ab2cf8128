"""What the service's filter refuses: the newest message is refused alone, anything earlier is found and left out."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import orjson
import pytest
from structlog.testing import capture_logs

from bot.domain.handles import HandleKind, handle
from bot.domain.turn import StoredTurn
from tests.dialogs.bot import GENERAL
from tests.dialogs.online import model_config, online
from tests.servers.model import Calls, Fails, Reply, Says, model_server

CONFIG = model_config(retries=0, model="").replace("cool_down = 0.5", "cool_down = 60")
FILTERED = Fails(
    400,
    "content_filter",
    "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
)
MARK = "xyzzy"


def filtering(request: dict[str, Any]) -> Reply:
    return FILTERED if MARK in str(request["messages"]) else Says("Hello")


@pytest.fixture
async def server():
    async with model_server() as server:
        server.answer = filtering
        yield server


@pytest.fixture
async def bot(tmp_path, server):
    async with online(tmp_path, server, CONFIG) as bot:
        yield bot


async def is_answered(bot, name: str, place: str = "#general", text: str = "are you there?") -> bool:
    return any("glassmind< Hello" in line for line in await bot.says(name, f"@glassmind {text}", place))


async def test_an_overheard_message_is_left_out_for_good_and_named(bot, server):
    for number in range(10):
        await bot.says("james", f"talk {number}" + (f" {MARK}" if number == 3 else ""))
    assert await is_answered(bot, "ann")
    tries = len(server.received)
    assert tries <= 8
    sent = server.received[-1].body.decode()
    assert MARK not in sent and "left out because" in sent and "talk 2" in sent and "talk 4" in sent
    assert await is_answered(bot, "ann", text="and now?")
    assert len(server.received) == tries + 1
    await bot.says("root", "!cortex why")
    report = "\n".join(bot.lines)
    assert "Left out of requests: i" in report


async def test_what_the_search_took_is_counted_and_named(bot, server):
    for number in range(10):
        await bot.says("james", f"talk {number}" + (f" {MARK}" if number == 3 else ""))
    with capture_logs() as logs:
        assert await is_answered(bot, "ann")
    tries = [orjson.loads(one.body) for one in server.received[1:-1]]
    passed = [one for one in tries if MARK not in str(one["messages"])]
    assert len(tries) > len(passed) > 0 and all(one["max_completion_tokens"] == 16 for one in tries)
    (turn,) = [entry for entry in logs if entry["event"] == "turn"]
    (row,) = await bot.store.meter.usage(GENERAL, 0)
    assert turn["tokens_in"] == row.input > 3 * 2000
    await bot.says("root", "!cortex why")
    report = " ".join("\n".join(bot.lines).split())
    assert f"{len(tries)} requests only looked for what the filter refuses (" in report
    stored = await bot.store.journal.turn((await found_by(bot)).id)
    await bot.says("root", f"!cortex open {handle(HandleKind.TURN, stored.id)}")
    record = " ".join("\n".join(bot.lines).split())
    assert record.count("sent only to find what the filter refuses") == len(tries)


async def test_a_refusal_that_repeats_the_words_keeps_them_from_no_erasure(bot, server):
    def repeats(request: dict[str, Any]) -> Reply:
        words = f"Flagged by the content management policy: talk {MARK}4711"
        return Fails(400, "content_filter", words) if MARK in str(request["messages"]) else Says("Hello")

    server.answer = repeats
    await bot.says("james", f"talk {MARK}4711")
    assert await is_answered(bot, "ann")
    assert "are forgotten" in "\n".join(await bot.says("james", "!forgetme now", "dm"))
    for key in [known.key for known in await bot.store.channels.known()]:
        assert MARK not in (await bot.store.channels.load(key)).settings.model_dump_json()
    for row in range(1, 9):
        found = await bot.store.ledger.inbound(row)
        assert found is None or MARK not in f"{found.outcome_reason}{found.inbound.text}"


async def test_an_admin_brings_it_back(bot, server):
    await bot.says("james", f"talk {MARK}")
    assert await is_answered(bot, "ann")
    server.answer = lambda _: Says("Hello")
    await bot.says("root", "!cortex why")
    report = "\n".join(bot.lines)
    name = report.partition("`undo ")[2].partition("`")[0]
    await bot.types("/as root", "/dm", f"undo {name}", "/press Show models again")
    assert f"{name} is shown to models again" in "\n".join(bot.lines)
    assert await is_answered(bot, "ann", text="and now?")
    assert MARK in server.received[-1].body.decode()


async def test_it_stays_left_out_after_a_restart(bot, server):
    await bot.says("james", f"talk {MARK}")
    assert await is_answered(bot, "ann")
    tries = len(server.received)
    await bot.restart()
    assert await is_answered(bot, "ann", text="and now?")
    assert len(server.received) == tries + 1 and MARK not in server.received[-1].body.decode()


async def test_an_earlier_question_is_found_too(bot, server):
    server.answer = lambda _: Says("Hello")
    assert await is_answered(bot, "ann", text=f"what of {MARK}?")
    assert await is_answered(bot, "ann", text="and pears?")
    server.answer = filtering
    assert await is_answered(bot, "ann", text="and apples?")
    assert "and pears?" in server.received[-1].body.decode() and MARK not in server.received[-1].body.decode()


async def test_the_newest_message_is_refused_alone(bot, server):
    await bot.says("james", "talk")
    lines = await bot.says("ann", f"@glassmind what of {MARK}?")
    assert any("does not accept the words of this message" in line for line in lines)
    assert len(server.received) == 2
    assert await is_answered(bot, "james") and await is_answered(bot, "ann")


LEFT = "left out because the model's service does not accept its words"


def refusing(words: str, otherwise: Callable[[dict[str, Any]], Reply]) -> Callable[[dict[str, Any]], Reply]:
    return lambda request: FILTERED if words in json.dumps(request["messages"]) else otherwise(request)


def looks_first(request: dict[str, Any]) -> Reply:
    """Look something up for every question, and then answer."""
    looked = request["messages"][-1]["role"] == "tool"
    return Says("Hello") if looked else Calls([("memory_recall", json.dumps({"query": "tea"}))])


async def found_by(bot) -> StoredTurn:
    """Return the turn that found what is left out last."""
    (left_out, *_) = reversed((await bot.store.channels.load(GENERAL)).settings.left_out)
    return await bot.store.journal.turn(left_out.turn)


def sent(server) -> list[dict[str, Any]]:
    return orjson.loads(server.received[-1].body)["messages"]


def of_role(server, role: str) -> list[dict[str, Any]]:
    return [message for message in sent(server) if message["role"] == role]


async def test_what_a_tool_returned_is_found_and_its_call_keeps_a_result(bot, server):
    server.answer = looks_first
    assert await is_answered(bot, "ann")
    (result,) = of_role(server, "tool")
    assert await is_answered(bot, "ann", text="and pears?")
    server.answer = refusing(result["content"], lambda _: Says("Hello"))
    assert await is_answered(bot, "ann", text="and apples?")
    results = of_role(server, "tool")
    assert len(results) == 2 and all(LEFT in one["content"] for one in results)
    named = [call["id"] for message in of_role(server, "assistant") for call in message.get("tool_calls", [])]
    assert [one["tool_call_id"] for one in results] == named
    tries = len(server.received)
    assert await is_answered(bot, "ann", text="and now?")
    assert len(server.received) == tries + 1
    await bot.says("root", "!cortex why")
    report = "\n".join(bot.lines)
    assert "Left out of requests: what tools returned in t" in " ".join(report.split())
    found = report.partition("tools returned in ")[2].split()[0].strip(".,:")
    assert "answered without what tools returned in t" in (await found_by(bot)).reason
    await bot.says("root", f"!cortex open {found}")
    assert "memory_recall" in "\n".join(bot.lines)


async def test_what_a_tool_returns_now_is_found_in_the_same_turn(bot, server):
    server.answer = looks_first
    assert await is_answered(bot, "ann")
    (result,) = of_role(server, "tool")
    server.answer = refusing(result["content"], looks_first)
    assert await is_answered(bot, "ann", text="and pears?")
    results = of_role(server, "tool")
    assert len(results) == 2 and all(LEFT in one["content"] for one in results)


async def test_the_bots_own_words_are_found(bot, server):
    server.answer = lambda _: Says(f"Hello, {MARK}")
    assert await is_answered(bot, "ann")
    server.answer = lambda _: Says("Hello")
    assert await is_answered(bot, "ann", text="and pears?")
    server.answer = filtering
    assert await is_answered(bot, "ann", text="and apples?")
    said = [message["content"] for message in of_role(server, "assistant")]
    assert len(said) == 2 and LEFT in said[0] and said[1] == "Hello"


async def test_what_the_bot_asked_a_tool_is_found(bot, server):
    def looks_for_it(request: dict[str, Any]) -> Reply:
        looked = request["messages"][-1]["role"] == "tool"
        return Says("Hello") if looked else Calls([("memory_recall", json.dumps({"query": MARK}))])

    server.answer = looks_for_it
    assert await is_answered(bot, "ann")
    server.answer = filtering
    assert await is_answered(bot, "ann", text="and pears?")
    (call,) = [call for message in of_role(server, "assistant") for call in message.get("tool_calls", [])]
    assert call["function"] == {"name": "memory_recall", "arguments": "{}"}


async def test_a_question_and_all_that_repeats_it_are_left_out_together(bot, server):
    for number in range(4):
        server.answer = lambda _: Says("Hello")
        assert await is_answered(bot, "ann", text=f"what of {number}?")
    replies = iter([Calls([("memory_recall", json.dumps({"query": MARK}))]), Says(f"Hello, {MARK}")])
    server.answer = lambda _: next(replies)
    assert await is_answered(bot, "ann", text=f"what of {MARK}?")
    server.answer = filtering
    assert await is_answered(bot, "ann", text="and pears?")
    assert MARK not in server.received[-1].body.decode()


async def test_an_admin_brings_the_bots_words_back(bot, server):
    server.answer = lambda _: Says(f"Hello, {MARK}")
    assert await is_answered(bot, "ann")
    server.answer = filtering
    assert await is_answered(bot, "ann", text="and pears?")
    server.answer = lambda _: Says("Hello")
    await bot.says("root", "!cortex why")
    name = "\n".join(bot.lines).partition("`undo ")[2].partition("`")[0]
    assert name.startswith("t")
    await bot.types("/as root", "/dm", f"undo {name}", "/press Show models again")
    assert f"{name} is shown to models again" in "\n".join(bot.lines)
    assert await is_answered(bot, "ann", text="and now?")
    assert MARK in server.received[-1].body.decode()
