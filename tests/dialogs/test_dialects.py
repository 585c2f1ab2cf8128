"""Services that want their requests otherwise: refused once, answered then and remembered; nothing said is lost."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson
import pytest

from adapters.openai import create as openai
from bot.config.explained_keys import explain_learnt
from tests.dialogs.bot import Bot, a_bot
from tests.dialogs.discord import a_discord_bot
from tests.dialogs.telegram import AT, a_telegram_bot
from tests.servers.model import Calls, Fails, Garbage, Language, ModelServer, Reply, Says, model_server, services
from tests.servers.model.services import Objection

MODEL = """
[providers.scripted]
kind = "openai"
[model]
name = "scripted/test-model"
context_window = 128000
retries = 0
rounds = 4
"""


def is_behind_tools(request: dict[str, Any]) -> bool:
    """Whether the newest thing in a request is what came of a tool."""
    last = request["messages"][-1]
    content = last["content"]
    blocks = content if isinstance(content, list) else []
    return last["role"] == "tool" or any(block["type"] == "tool_result" for block in blocks)


@dataclass
class Service:
    """A model server that refuses what a real service refuses, calls a tool for every question, and answers then."""

    server: ModelServer
    name: str
    objects: Objection
    refused: int = 0
    answered: int = 0
    is_down: bool = False
    tools: tuple[tuple[str, str], ...] = (("memory_recall", '{"query": "tea"}'),)
    accepted: list[dict[str, Any]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.server.objects = self._object
        self.server.answer = self._answer

    def _object(self, request: Any) -> Fails | None:
        if self.is_down:
            return Fails(500)
        found = self.objects(request)
        self.refused += found is not None
        return found

    def _answer(self, request: dict[str, Any]) -> Reply:
        self.accepted.append(request)
        if self.tools and request.get("tools") and not is_behind_tools(request):
            return Calls(self.tools)
        self.answered += 1
        return Says(f"{self.name} says {self.answered}")


@asynccontextmanager
async def a_service(name: str, objects: Objection, language: Language = "openai") -> AsyncIterator[Service]:
    async with model_server(language=language) as server:
        yield Service(server, name, objects)


ROWS: dict[str, tuple[Objection, tuple[tuple[str, str], ...], set[str]]] = {
    "S1": (services.deepseek, (), {"max_tokens", "reasoning_beside_calls"}),
    "S2": (services.gemini, (), {"signatures"}),
    "S3 after a reply": (
        services.mistral,
        (("reply", '{"text": "at once"}'),),
        {"max_tokens", "no_stream_options", "nine_ids", "no_user_after_tool"},
    ),
    "S4": (services.mistral_history, (), {"nine_ids"}),
    "S5": (services.lm_studio, (), {"no_null"}),
    "S6": (services.alternating, (), {"alternate"}),
    "S6 without a system role": (services.gemma, (), {"alternate", "system_as_user"}),
    "S7": (services.no_stream_options, (), {"no_stream_options"}),
    "S8 the limit": (services.older, (), {"max_tokens"}),
    "S8 a keyword": (services.no_keyword("minimum"), (), {"no_schema:minimum"}),
    "S8 one call": (
        services.single_calls,
        (("memory_recall", '{"query": "tea"}'), ("memory_recall", '{"query": "pears"}')),
        {"single_calls"},
    ),
    "S9": (services.no_tools, (), {"no_tools"}),
}


@asynccontextmanager
async def on(
    platform: str, path: Path, service: Service, more: str = "", **keys: Any
) -> AsyncIterator[tuple[Any, str]]:
    """Run a bot on a chat platform whose model is this service; also say how the bot is called there."""
    provider = openai("scripted", {"base_url": service.server.base_url, **keys})
    opened = a_discord_bot if platform == "discord" else a_telegram_bot
    try:
        async with opened(path / "data", model=provider, more=MODEL) as bot:
            yield bot, (bot.at if platform == "discord" else AT)
    finally:
        await provider.close()


@pytest.mark.parametrize("platform", ["discord", "telegram"])
@pytest.mark.parametrize("row", ROWS)
async def test_refused_once_answered_then_and_remembered(platform: str, row: str, tmp_path: Path):
    objects, tools, learnt = ROWS[row]
    async with a_service("it", objects) as service:
        service.tools = tools or service.tools
        async with on(platform, tmp_path, service) as (bot, at):
            await bot.hears(bot.james, "the kettle is on")
            await bot.hears(bot.ann, "and the pears are ripe")
            await bot.hears(bot.ann, f"{at} what was it about the tea?")
            await bot.hears(bot.james, f"{at} and the pears?")
            said = "\n".join(bot.texts())
            expected = ("at once",) if tools and tools[0][0] == "reply" else ("it says 1", "it says 2")
            assert all(words in said for words in expected), said
            assert {lesson.trait for lesson in bot.store.lessons.known} == learnt
            assert service.refused >= 1
            refused = service.refused
            await bot.restart()
            await bot.hears(bot.ann, f"{at} and now?")
            assert service.refused == refused, "what was learnt survives a restart"
            last = str(service.accepted[-1])
            for words in ("the kettle is on", "the pears are ripe", "about the tea?", "and the pears?", "and now?"):
                assert words in last


SIX: dict[str, tuple[Objection, Language]] = {
    "openai": (lambda _: None, "openai"),
    "anthropic": (lambda _: None, "anthropic"),
    "deepseek": (services.deepseek, "openai"),
    "gemini": (services.gemini, "openai"),
    "mistral": (services.several(services.mistral, services.alternating), "openai"),
    "gemma": (services.several(services.gemma, services.lm_studio), "openai"),
}
PAIR = """
[providers.first]
kind = "{one}"
[providers.second]
kind = "{other}"
[model]
name = "first/test-model"
fallbacks = ["second/test-model"]
context_window = 128000
max_output_tokens = 1000
retries = 0
rounds = 4
cool_down = 0.5
"""


@asynccontextmanager
async def a_pair(path: Path, one: Service, other: Service) -> AsyncIterator[Bot]:
    from adapters.anthropic import create as anthropic

    made = {"openai": openai, "anthropic": anthropic}
    clients = {
        name: made[service.server.language](name, {"base_url": service.server.base_url})
        for name, service in (("first", one), ("second", other))
    }
    try:
        more = PAIR.format(one=one.server.language, other=other.server.language)
        async with a_bot(path, providers=clients, more=more) as bot:
            yield bot
    finally:
        for client in clients.values():
            await client.close()


@pytest.mark.parametrize("second", SIX)
@pytest.mark.parametrize("first", SIX)
async def test_a_chat_that_used_tools_falls_back_with_its_history_whole(first: str, second: str, tmp_path: Path):
    async with (
        a_service("one", *SIX[first]) as one,
        a_service("two", *SIX[second]) as two,
        a_pair(tmp_path, one, two) as bot,
    ):
        await bot.says("james", "the kettle is on")
        lines = await bot.says("ann", "@glassmind question A?")
        one.is_down = True
        lines += await bot.says("ann", "@glassmind question B?")
        bot.clock.advance(10)
        one.is_down = False
        lines += await bot.says("ann", "@glassmind question C?")
        one.is_down = True
        bot.clock.advance(10)
        lines += await bot.says("ann", "@glassmind question D?")
        said = [line.partition("glassmind> ")[2] or line for line in lines]
        answers = ["one says 1", "two says 1", "one says 2", "two says 2"]
        assert [next((a for a in answers if a in line), None) for line in said if "says" in line] == answers, lines
        for service, told in ((one, answers[:2]), (two, answers[:3])):
            last = str(service.accepted[-1])
            for words in ("the kettle is on", "question A?", "question B?", "question C?", *told):
                assert words in last, (service.name, words)
            # every call that was ever made is told again, with what came of it
            calls = last.count("'tool_calls'") + last.count("'tool_use',")
            assert calls >= 2


async def test_what_was_not_proven_is_not_learnt(tmp_path: Path):
    def flagged(request: Any) -> Fails | None:
        return Fails(400, None, "content policy: the text 'your model does not support tools' is not allowed")

    async with a_service("it", flagged) as service, on("telegram", tmp_path, service) as (bot, at):
        await bot.hears(bot.ann, f"{at} your model does not support tools")
        assert bot.store.lessons.known == ()
        assert service.refused == 2
        service.objects = lambda _: None
        await bot.hears(bot.ann, f"{at} are you there?")
        assert "tools" in service.accepted[0]


async def test_where_nothing_may_be_learnt_the_key_is_named(tmp_path: Path):
    off = {"learn_dialect": False}
    async with a_service("it", services.older) as service, on("telegram", tmp_path, service, **off) as (bot, at):
        await bot.hears(bot.ann, f"{at} hello")
        assert service.refused == 1 and bot.store.lessons.known == ()
        (request,) = await bot.store.journal.recent_requests(bot.key(), 1)
        words = request.attempts[-1].error
        assert "max_completion_tokens" in words and '(set [providers.scripted] dialect = ["max_tokens"])' in words


@pytest.mark.parametrize(("key", "objects"), [("mistral", services.mistral), ("lm_studio", services.lm_studio)])
async def test_a_key_says_it_from_the_start(key: str, objects: Objection, tmp_path: Path):
    async with a_service("it", objects) as service, on("telegram", tmp_path, service, dialect=key) as (bot, at):
        await bot.hears(bot.ann, f"{at} hello")
        await bot.hears(bot.ann, f"{at} and again")
        assert service.refused == 0 and "it says 2" in "\n".join(bot.texts())


async def test_a_model_without_tools_is_not_counted_with_them(tmp_path: Path):
    async with a_service("it", services.no_tools) as service, on("telegram", tmp_path, service) as (bot, at):
        await bot.hears(bot.ann, f"{at} hello")
        found = await bot.app.inspector.inspect(bot.key())
        assert found.request.tools == () and found.numbers.stats.tools == 0
        first, second = reversed(await bot.store.journal.recent_requests(bot.key(), 2))
        assert first.record.stats.tools > 0 and second.record.stats.tools == 0
        assert second.record.encoder == "openai-chat/2 no_tools" and second.record.fallback_of == first.id


async def test_what_was_learnt_is_shown_and_can_be_forgotten(tmp_path: Path):
    both = services.several(services.no_tools, services.older)
    async with a_service("it", both) as service, on("telegram", tmp_path, service) as (bot, at):
        await bot.hears(bot.ann, f"{at} hello")
        await bot.hears(bot.root, "/why", bot.kitchen)
        told = bot.private(bot.root)
        assert "was answered" in told and "scripted/test-model takes no tools: it runs without them" in told
        await bot.hears(bot.root, "!cortex doctor", bot.kitchen)
        told = bot.private(bot.root)
        assert "requests to scripted/test-model" in told and "does not support tools" in told
        assert "it runs without tools (no_tools, learnt " in told and "learn_dialect" in told
        rows = {(one.key, one.value) for one in explain_learnt(bot.store.lessons.known)}
        assert ("providers.scripted.dialect", "test-model: no_tools") in rows
        service.objects = lambda _: None
        deaf = openai("scripted", {"base_url": service.server.base_url, "learn_dialect": False})
        bot.providers = {**bot.providers, "scripted": deaf}
        await bot.restart()
        assert bot.store.lessons.known == ()
        await bot.hears(bot.ann, f"{at} and now?")
        assert "tools" in service.accepted[-1]
        await deaf.close()


def streamed(*deltas: dict[str, Any]) -> Garbage:
    """Send these deltas as a service does, each in an event of its own."""
    rows = [{"choices": [{"index": 0, "delta": delta}]} for delta in deltas]
    rows.append({"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]})
    events = b"".join(b"data: " + orjson.dumps({"id": "x", "model": "m", **row}) + b"\n\n" for row in rows)
    return Garbage(events + b"data: [DONE]\n\n")


CALL = {"index": 0, "id": "call_x", "type": "function"} | {
    "function": {"name": "memory_recall", "arguments": '{"query": "tea"}'}
}
ADDED: dict[str, tuple[tuple[dict[str, Any], ...], tuple[str, ...]]] = {
    "S1 DeepSeek": (
        ({"reasoning_content": "They want "}, {"reasoning_content": "tea."}, {"tool_calls": [CALL]}),
        ("'reasoning_content': 'They want tea.'",),
    ),
    "S2 Gemini": (
        ({"tool_calls": [{**CALL, "extra_content": {"google": {"thought_signature": "c2lnbmVk"}}}]},),
        ("'extra_content': {'google': {'thought_signature': 'c2lnbmVk'}}",),
    ),
    "OpenRouter": (
        ({"reasoning_details": [{"type": "reasoning.encrypted", "data": "c2VhbGVk"}]}, {"tool_calls": [CALL]}),
        ("'reasoning_details': [{", "c2VhbGVk"),
    ),
}


@pytest.mark.parametrize("platform", ["discord", "telegram"])
@pytest.mark.parametrize("row", ADDED)
async def test_what_a_service_added_goes_back_as_it_came(platform: str, row: str, tmp_path: Path):
    deltas, wanted = ADDED[row]
    async with a_service("it", lambda _: None) as service, on(platform, tmp_path, service) as (bot, at):
        service.server.script[:] = [streamed(*deltas)]
        await bot.hears(bot.ann, f"{at} what of the tea?")
        await bot.restart()
        service.tools = ()
        await bot.hears(bot.ann, f"{at} and now?")
        assert "it says 2" in "\n".join(bot.texts())
        for request in service.accepted[-2:]:
            assert all(words in str(request) for words in wanted)


async def test_a_call_that_a_model_without_tools_writes_is_corrected_and_names_none(tmp_path: Path):
    async with a_service("it", services.no_tools) as service, on("telegram", tmp_path, service) as (bot, at):
        service.server.script[:] = [Says('reply(text="hello")'), Says("hello")]
        await bot.hears(bot.ann, f"{at} hello")
        assert bot.texts() == ["hello"]
        note = service.server.chats[-1]["messages"][-1]["content"]
        assert "Written as text it does nothing." in note and "through the tool interface" not in note
