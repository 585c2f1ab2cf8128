"""What a trace viewer is shown: turns, requests, tools, memories, workers, findings; and nobody's words unasked."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import orjson
import pytest

from bot.domain.ledger import Outcome
from tests.dialogs.chat_bot import NOWHERE, alive
from tests.dialogs.online import client_of, model_config
from tests.dialogs.served import BOTS, Stage, a_stage
from tests.dialogs.telegram import TelegramBot
from tests.dialogs.test_log_lines import CANARY, WORDS, logged, of, play
from tests.dialogs.test_work_online import Plot
from tests.dialogs.tide import TidalClock
from tests.servers.collector import Collector, Seen, collector
from tests.servers.model import Calls, Fails, Says, model_server
from tests.servers.telegram import World, telegram_server

CONTENT = (
    *("system_instructions", "input_messages", "output_messages", "tool_definitions"),
    *("tool_arguments", "tool_results", "memories", "findings"),
)


@asynccontextmanager
async def looked_at(data: Any, platform: str, **traced: Any) -> AsyncIterator[tuple[Stage, Collector]]:
    """A bot on a platform, and a collector of its traces."""
    async with (
        collector() as seen,
        a_stage(data, platform, traced={"endpoint": seen.address, "version": "1.0", **traced}) as it,
    ):
        yield it, seen


async def shown(it: Stage) -> None:
    await it.bot.settled()
    await it.bot.app.edges.traces.hand_over()


def below(above: Seen, spans: list[Seen]) -> set[str]:
    return {span.name for span in spans if span.parent == above.id and span.trace == above.trace}


@pytest.mark.parametrize("platform", BOTS)
async def test_a_turn_has_its_request_its_tool_its_memory_and_its_message(tmp_path, platform):
    async with looked_at(tmp_path / "data", platform) as (it, seen):
        it.server.script += [Calls([("memory_save", '{"content": "ann likes tea", "type": "fact"}')]), Says("Noted.")]
        await it.asks("I like tea")
        await it.bot.settled()
        it.server.script += [Calls([("memory_recall", '{"query": "tea"}')]), Says("Tea.")]
        await it.asks("what do I like?")
        await shown(it)
        first, second = seen.named("invoke_agent main")
        assert first.trace != second.trace and not first.parent and not second.parent
        assert {"execute_tool memory_save", "create_memory", f"send {platform}"} < below(first, seen.spans)
        chats = [span for span in seen.named("chat ") if span.parent == first.id]
        assert len(chats) == 2 and all(first.start <= chat.start <= first.end for chat in chats)
        assert chats[1]["gen_ai.usage.input_tokens"] > 0 and chats[1]["gen_ai.response.finish_reasons"] == ("stop",)
        (saved,) = seen.named("execute_tool memory_save")
        assert saved["glassmind.outcome"] == "ok" and not saved.is_error
        (search,) = seen.named("search_memory")
        assert search["gen_ai.memory.record.count"] == 1
        assert search.parent == seen.named("execute_tool memory_recall")[0].id
        assert (first["gen_ai.agent.name"], first["glassmind.outcome"]) == ("main", "replied")
        (sent,) = [span for span in seen.named("send ") if span.parent == first.id]
        assert sent["messaging.system"] == platform and sent["messaging.message.id"]


@pytest.mark.parametrize("platform", BOTS)
async def test_what_is_named_can_be_opened_in_the_chat(tmp_path, platform):
    async with looked_at(tmp_path / "data", platform) as (it, seen):
        it.server.script += [Says("hello")]
        await it.asks()
        await shown(it)
        (turn,), (chat,) = seen.named("invoke_agent"), seen.named("chat")
        bot, private = it.bot, it.bot.dm(it.bot.root)
        for name in (turn["glassmind.turn"], turn["glassmind.inbound"], chat["glassmind.request"]):
            before = len(bot.texts(private))
            if platform == "telegram":
                bot.say(bot.root, f"!cortex open {name}", private)
            else:
                await bot.root.says(bot.me, f"!cortex open {name}")
            await bot.settled()
            assert name in "\n".join(bot.texts(private)[before:])


@pytest.mark.parametrize("platform", BOTS)
async def test_a_fault_and_what_the_cortex_finds_of_it_stand_in_the_trace_of_the_message(tmp_path, platform):
    async with looked_at(tmp_path / "data", platform) as (it, seen):
        it.server.script += [Fails(401)]
        await it.asks()
        await it.bot.settled()
        await it.told("why")
        await shown(it)
        (turn,) = seen.named("invoke_agent main")
        (chat,) = seen.named("chat ")
        assert turn.is_error and turn["error.type"] == "provider"
        assert chat.is_error and (chat["error.type"], chat["http.response.status_code"]) == ("auth", 401)
        (verdict,) = seen.named("evaluate ")
        assert (verdict.trace, verdict.parent) == (turn.trace, turn.id)
        assert verdict["gen_ai.evaluation.score.label"] in {"confirmed", "likely"}
        ((event, told),) = verdict.events
        assert (
            event == "gen_ai.evaluation.result" and told["gen_ai.evaluation.name"] == verdict["gen_ai.evaluation.name"]
        )
        assert "gen_ai.evaluation.explanation" not in told


async def test_branches_and_workers_stand_below_the_turn_that_sent_them_out(tmp_path):
    plot = Plot()
    plot.is_slow = False
    clock = TidalClock()
    async with collector() as seen, model_server() as server:
        server.answer = plot
        provider = client_of(server)
        world = World(clock=lambda: clock.now() / 1000)
        async with telegram_server(world) as telegram:
            traced = {"endpoint": seen.address, "version": "1"}
            whole = TelegramBot(
                data=tmp_path / "data",
                world=world,
                server=telegram,
                clock=clock,
                providers={"openai": provider},
                more=model_config(),
                traced=traced,
            )
            async with alive(whole) as bot:
                bot.say(bot.ann, "@glassmind_bot what is the number?")
                await bot.settled()
                assert "It is 42." in bot.texts()
                await bot.app.edges.traces.hand_over()
        await provider.close()
    (branch,), (worker,) = seen.named("invoke_agent branch"), seen.named("invoke_agent worker")
    first = seen.named("invoke_agent main")[0]
    spans = {span.id: span for span in seen.spans}
    assert spans[branch.parent].name == "invoke_agent main"
    assert {span.trace for span in seen.named("invoke_agent", "chat", "execute_tool", "send")} == {first.trace}
    ends = {span.id for span in seen.spans} | {b""}
    assert all(span.parent in ends for span in seen.spans)
    # the worker's own turn, and the turn that tells of its result
    assert {span.name for span in seen.spans if span.parent == worker.id} == {"invoke_agent main"}


@pytest.mark.parametrize("platform", BOTS)
async def test_no_words_of_anybody_are_shown_unasked(tmp_path, platform):
    async with looked_at(tmp_path / "data", platform) as (it, seen):
        setattr(it.bot.ann, "first_name" if platform == "telegram" else "display", f"Ann {CANARY}")
        await play(it)
        await shown(it)
        assert CANARY in "\n".join(it.bot.texts())
    assert len(seen.named("invoke_agent main")) >= 9 and seen.named("execute_tool unknown")
    assert not [body for body in seen.bodies if CANARY.encode() in body]


@pytest.mark.parametrize("switch", CONTENT)
async def test_each_kind_of_content_has_a_switch_of_its_own(tmp_path, switch):
    where = {
        "system_instructions": "gen_ai.system_instructions",
        "input_messages": "gen_ai.input.messages",
        "output_messages": "gen_ai.output.messages",
        "tool_definitions": "gen_ai.tool.definitions",
        "tool_arguments": "gen_ai.tool.call.arguments",
        "tool_results": "gen_ai.tool.call.result",
        "memories": "gen_ai.memory.records",
        "findings": "gen_ai.evaluation.explanation",
    }
    async with looked_at(tmp_path / "data", "telegram", **{switch: True}) as (it, seen):
        it.server.script += [
            Calls([("memory_save", '{"content": "ann likes sk-abcdefghijklmnopqrstuv1234 tea", "type": "fact"}')]),
            Says("Noted tea."),
            Fails(401),
        ]
        for words in ("I like tea", "and?"):
            await it.asks(words)
            await it.bot.settled()
        await it.told("why")
        await shown(it)
    found = {name for span in seen.spans for name in span.attributes if name in where.values()}
    assert found == {where[switch]}
    texts = [span[where[switch]] for span in seen.spans if span[where[switch]]]
    assert texts and not [text for text in texts if "sk-abcdefghijklmnopqrstuv1234" in text]
    if switch.endswith(("messages", "instructions", "definitions", "memories")):
        assert all(orjson.loads(text) for text in texts)
    if switch in {"input_messages", "output_messages", "tool_arguments", "memories"}:
        assert any("tea" in text for text in texts)


async def test_what_is_said_in_private_needs_one_more_switch_and_talks_with_the_cortex_are_never_shown(tmp_path):
    for more, is_shown in (({}, False), ({"direct_messages": True}, True)):
        switches = dict.fromkeys(CONTENT, True)
        async with looked_at(tmp_path / f"data{is_shown}", "telegram", **switches, **more) as (it, seen):
            bot = it.bot
            bot.say(bot.ann, "/start", bot.dm(bot.ann))
            await bot.settled()
            it.server.script += [Says(f"you said {CANARY}")]
            bot.say(bot.ann, f"tell me of {CANARY}", bot.dm(bot.ann))
            await shown(it)
            assert f"you said {CANARY}" in bot.texts(bot.dm(bot.ann))
            assert any(CANARY.encode() in body for body in seen.bodies) is is_shown


@pytest.mark.parametrize("trouble", ["down", "refusing", "hanging", "unwell"])
async def test_a_collector_in_trouble_delays_nobody_and_is_told_once(tmp_path, monkeypatch, trouble):
    with logged(monkeypatch, "info") as written:
        where = {"endpoint": NOWHERE} if trouble == "down" else {}
        async with looked_at(tmp_path / "data", "telegram", **where) as (it, seen):
            traces = it.bot.app.edges.traces
            if trouble == "hanging":
                seen.hangs = asyncio.Event()
            elif trouble != "down":
                seen.answers = [401 if trouble == "refusing" else 503] * 3
            it.server.script += [Says("hello")] * 3
            for _ in range(3):
                await it.asks()
                await it.bot.settled()
                await traces.hand_over()
                assert await it.outcome() is Outcome.REPLIED
            page = "\n".join(await it.told("doctor"))
            assert "traces" in page.lower()
            if seen.hangs is not None:
                seen.hangs.set()
    (line,) = of(written, "traces_not_taken")
    assert line["correlation"] == "-" and CANARY not in written.getvalue()


async def test_what_waited_is_shown_when_the_collector_is_back(tmp_path, monkeypatch):
    with logged(monkeypatch, "info") as written:
        async with looked_at(tmp_path / "data", "telegram") as (it, seen):
            seen.answers = [503, 429]
            it.server.script += [Says("hello")] * 2
            for _ in range(2):
                await it.asks()
                await shown(it)
            assert not seen.spans
            await shown(it)
            assert len(seen.named("invoke_agent main")) == 2
            assert len({(span.trace, span.id) for span in seen.spans}) == len(seen.spans)
    assert len(of(written, "traces_not_taken")) == 2 and len(of(written, "traces_taken_again")) == 1


async def test_the_queue_has_an_end(tmp_path, monkeypatch):
    monkeypatch.setattr("adapters.otel.exporter.MOST_WAITING", 4)
    async with looked_at(tmp_path / "data", "telegram") as (it, seen):
        it.server.script += [Says("hello")] * 4
        for _ in range(4):
            await it.asks()
            await it.bot.settled()
        await shown(it)
        assert len(seen.spans) == 4 and it.bot.app.edges.traces.health().dropped > 0
        assert seen.spans[-1]["glassmind.kind"] == "reply" or seen.spans[-1].name.startswith("send")


async def test_who_speaks_and_what_it_goes_by_is_said_with_each_batch(tmp_path):
    headers = {"Authorization": "Bearer abcdef"}
    async with looked_at(tmp_path / "data", "telegram", headers=headers, service_name="kitchen-bot") as (it, seen):
        it.server.script += WORDS[:1]
        await it.asks()
        await shown(it)
        (batch,) = seen.batches
        (resource,) = batch.resource_spans
        named = {pair.key: pair.value.string_value for pair in resource.resource.attributes}
        assert named == {"service.name": "kitchen-bot", "service.version": "1.0"}
        assert resource.schema_url == "https://opentelemetry.io/schemas/1.45.0"
        assert seen.headers[0]["Authorization"] == "Bearer abcdef"
        assert seen.headers[0]["Content-Type"] == "application/x-protobuf"
