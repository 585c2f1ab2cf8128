"""Conversations with a bot whose model speaks Anthropic's language: tools, trouble, and what the cortex says of it."""

from __future__ import annotations

import hashlib
import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import orjson
import pytest

from bot.domain.channel import ProcessKind
from bot.domain.ledger import Outcome
from bot.domain.turn import TurnStatus
from tests.dialogs.bot import GENERAL, a_bot
from tests.dialogs.online import client_of, model_config, online
from tests.servers.model import FAILURES_OF, Calls, Hangs, Interrupted, Reply, Says, model_server

TROUBLES = FAILURES_OF["anthropic"]
CONFIG = model_config(
    language="anthropic",
    model="price_input = 1.0\nprice_output = 5.0\nprice_cached = 0.1\nprice_cache_write = 1.25",
)


@pytest.fixture
async def server():
    async with model_server(language="anthropic") as server:
        server.answer = lambda _: Says("Hello!")
        yield server


@pytest.fixture
async def bot(tmp_path, server):
    async with online(tmp_path, server, CONFIG) as bot:
        yield bot


def recall(query: str) -> tuple[str, str]:
    return "memory_recall", json.dumps({"query": query})


def blocks(request: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    return [block for message in request["messages"] for block in message["content"] if block["type"] == kind]


async def recorded(bot) -> list[Any]:
    return list(reversed(await bot.store.journal.recent_requests(GENERAL, 50)))


async def test_a_conversation_with_a_round_of_tools(bot, server):
    server.script += [Calls([recall("tea"), recall("cake")], text="let me see"), Says("Tea, and no cake.")]
    assert await bot.says("ann", "@glassmind what do I like?") == ["[#general] glassmind< Tea, and no cake."]
    assert await bot.says("ann", "@glassmind thanks") == ["[#general] glassmind< Hello!"]
    first, second, third = server.chats
    assert [message["role"] for message in second["messages"]] == ["user", "assistant", "user"]
    calls, results = blocks(second, "tool_use"), blocks(second, "tool_result")
    assert [call["input"] for call in calls] == [{"query": "tea"}, {"query": "cake"}]
    assert [result["tool_use_id"] for result in results] == [call["id"] for call in calls]
    # what was done stays in the conversation as it was done
    assert blocks(third, "tool_use") == calls and len(third["messages"]) == 5
    assert first["tools"][0]["name"] == third["tools"][0]["name"] and first["system"] and first["max_tokens"] == 1000


async def test_what_is_shown_is_what_was_sent(bot, server):
    server.script += [Calls([recall("tea")]), Says("Tea.")]
    await bot.says("ann", "@glassmind what do I like?")
    requests = await recorded(bot)
    assert [r.record.encoder for r in requests] == ["anthropic-messages/1"] * 2
    for request, received in zip(requests, server.received, strict=True):
        shown = await bot.app.inspector.inspect(GENERAL, request.id)
        again = client_of(server).encode(request.record.request)
        assert shown.wire.body == again.body == received.body
        assert request.record.wire_sha256 == hashlib.sha256(received.body).hexdigest()
    await bot.says("root", "!cortex export #general")
    (exported,) = (bot.data / "context").rglob("*-context.json")
    found = orjson.loads(exported.read_bytes())
    assert found["kind"] == "next" and found["request"]["messages"][0] == server.chats[-1]["messages"][0] | {
        "content": found["request"]["messages"][0]["content"]
    }


async def test_quiet_turns_are_read_from_the_cache(bot, server):
    for number in range(6):
        await bot.says("bo", f"I am talking about {number} things")
        await bot.says("ann", f"@glassmind hello {number}")
    usages = [request.response.usage for request in await recorded(bot)]
    assert not usages[0].cached and usages[0].written
    for before, now in pairwise(usages):
        assert now.cached >= before.cached + before.written, "what was kept was not read"
        assert now.input - now.cached - now.written < 300, "more than the newest message was read anew"
    (row,) = await bot.store.meter.usage(GENERAL, 0)
    assert row.cached == sum(usage.cached for usage in usages)
    dollars = sum(u.input - u.cached - u.written + u.cached * 0.1 + u.written * 1.25 + u.output * 5 for u in usages)
    assert row.cost_usd == pytest.approx(dollars / 1_000_000)
    await bot.says("root", "!cortex context #general", "dm")
    view = bot.private()[-1]
    assert f"Cache hits {100 * row.cached / row.input:.1f} %" in view


async def test_counts_are_estimates_that_learn(bot, server):
    server.count = lambda body: len(body)
    await bot.says("ann", "@glassmind hello")
    assert await bot.store.meter.learned_ratio("anthropic/test-model") > 1.5


WHY = {
    "overloaded": (TROUBLES["overloaded"], "is busy", "the service is overloaded", "HTTP 529"),
    "overloaded in the middle": (
        Interrupted(TROUBLES["overloaded"], Says("Hello and")),
        "is busy",
        "the service is overloaded",
        "overloaded",
    ),
    "limited": (TROUBLES["rate_limited"], "is busy", "the service rate-limits us", "HTTP 429"),
    "wrong key": (TROUBLES["bad_key"], "refuses me", "the service rejects our key", "HTTP 401"),
    "no credit": (TROUBLES["no_credit"], "refuses me", "the account is out of credit", "HTTP 400"),
    "unknown model": (TROUBLES["no_such_model"], "refuses me", "no such model", "HTTP 404"),
    "too long": (TROUBLES["context_too_long"], "more text than the model can read", "the prompt is too long", ""),
    "nothing but pings": (
        Hangs("first_token", heartbeat=0.01),
        "did not answer in time",
        "the service is too slow",
        "",
    ),
}


@pytest.mark.parametrize("what", WHY)
async def test_it_says_why_it_cannot_answer(tmp_path: Path, server, what: str):
    trouble, told, verdict, status = WHY[what]
    config = model_config(retries=1, language="anthropic")
    async with online(tmp_path, server, config, first_token_timeout=0.3) as bot:
        server.answer = lambda _: trouble
        (line,) = await bot.says("ann", "@glassmind hello")
        assert told in line
        asked = len(server.chats)
        await bot.says("root", "!cortex why")
        report = "\n".join(bot.private())
        assert f"✗ #general: {verdict}\n  confirmed · rules only, no model used" in report and status in report
        assert len(server.chats) == asked, "the rules asked a model"
        (newest,) = await bot.store.ledger.recent(GENERAL, 1)
        assert newest.outcome in (Outcome.FAILED, Outcome.COMMAND)


async def test_what_the_doctor_asks_is_on_record_and_counts_into_the_day(bot, server):
    await bot.says("root", "!cortex doctor", "dm")
    (asked,) = [one for one in server.received if one.is_chat]
    (row,) = await bot.store.meter.usage(None, 0)
    assert (row.kind, row.model, row.requests) == (ProcessKind.CORTEX, "anthropic/test-model", 1)
    assert row.cost_usd > 0 and f"({row.input:,} tokens in, <$0.0001)" in bot.private()[-1]
    (stored,) = await bot.store.journal.requests_of_turn(1)
    assert stored.record.wire_sha256 == hashlib.sha256(asked.body).hexdigest()
    assert (await bot.store.journal.turn(1)).status is TurnStatus.REPLIED
    await bot.says("root", "!cortex doctor", "dm")
    assert len(await bot.store.meter.usage(None, 0)) == 1, "what is still known is not asked again"
    assert not await bot.store.journal.running_turns()


async def test_what_a_service_refuses_the_doctor_is_on_record_too(bot, server):
    server.key = "another"
    await bot.says("root", "!cortex doctor", "dm")
    (stored,) = await bot.store.journal.requests_of_turn(1)
    assert stored.attempts[0].status == 401
    assert (await bot.store.journal.turn(1)).status is TurnStatus.FAILED


async def test_the_doctor_says_how_the_service_is(bot, server):
    await bot.says("root", "!cortex doctor", "dm")
    assert "provider anthropic" in bot.private()[-1] and server.received[0].path == "/v1/models"
    assert "answered a one-token request" in bot.private()[-1]
    server.key = "another"
    await bot.says("root", "!cortex doctor", "dm")
    failed = bot.private()[-1]
    assert failed.count("x-api-key header is required") == 2 and "Check api_key" in failed


BOTH = """
[providers.openai]
kind = "openai"
[providers.anthropic]
kind = "anthropic"
[model]
name = "{0}/first"
fallbacks = ["{1}/second"]
context_window = 128000
max_output_tokens = 1000
retries = 0
cool_down = 30
rounds = 4
"""


@pytest.mark.parametrize(("main", "other"), [("openai", "anthropic"), ("anthropic", "openai")])
async def test_one_service_goes_on_where_the_other_broke_off(tmp_path: Path, main, other):
    async with model_server(language=main) as first, model_server(language=other) as second:
        providers = {server.language: client_of(server) for server in (first, second)}
        # numbered from nought in every round, as some servers do
        tools: list[Reply] = [Calls([recall("tea")], ids=["call_0"]), Calls([recall("cake")], ids=["call_0"])]
        first.script += [*tools, FAILURES_OF[first.language]["overloaded"]]
        second.script += [Says("Tea, and no cake."), Calls([recall("milk")], ids=["call_0"]), Says("No milk.")]
        try:
            async with a_bot(tmp_path, providers=providers, more=BOTH.format(main, other)) as bot:
                assert await bot.says("ann", "@glassmind what?") == ["[#general] glassmind< Tea, and no cake."]
                assert await bot.says("ann", "@glassmind milk?") == ["[#general] glassmind< No milk."]
                bot.clock.advance(60)
                first.script.append(Says("I am back."))
                assert await bot.says("ann", "@glassmind well?") == ["[#general] glassmind< I am back."]
                requests = await recorded(bot)
        finally:
            for provider in providers.values():
                await provider.close()
    assert [str(request.record.request.model).partition("/")[0] for request in requests] == [
        *(main, main, main, other),
        *(other, other),
        main,
    ]
    assert requests[3].record.fallback_of == requests[2].id
    received = [*first.received, *second.received]
    assert {hashlib.sha256(one.body).hexdigest() for one in received} == {r.record.wire_sha256 for r in requests}
