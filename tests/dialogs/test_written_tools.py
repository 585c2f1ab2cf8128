"""A model whose service takes no tools is told of them in words, and what it writes as a call is one."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest

from bot.domain.dialect import Dialect
from tests.dialogs.bot import GENERAL
from tests.dialogs.online import client_of, online
from tests.servers.model import Reply, Says, model_server

CALL = '<tool_call>{"name": "%s", "arguments": %s}</tool_call>'


@pytest.fixture
async def server():
    async with model_server() as server:
        yield server


@pytest.fixture
async def bot(tmp_path, server):
    async with online(tmp_path, server, dialect=["text_tools"]) as bot:
        yield bot


def plays(server, *replies: Reply) -> None:
    left = list(replies)
    server.answer = lambda _: left.pop(0)


def system_of(request: dict[str, Any]) -> str:
    return "".join(one["content"] for one in request["messages"] if one["role"] == "system")


async def why(bot) -> str:
    await bot.says("root", "!cortex why")
    return " ".join("\n".join(bot.private()).split())


async def test_a_tool_is_told_of_called_and_told_what_came_of_it(bot, server):
    plays(server, Says("I look.\n" + CALL % ("memory_recall", '{"query": "tea"}')), Says("Hello"))
    assert await bot.says("ann", "@glassmind do I like tea?") == ["[#general] glassmind< Hello"]
    first, second = server.chats
    assert "tools" not in first and "tool_choice" not in first
    assert '"memory_recall"' in system_of(first) and '"query"' in system_of(first)
    assert system_of(second) == system_of(first)
    assert [one["role"] for one in second["messages"]] == ["system", "user", "assistant", "user"]
    assert second["messages"][-1]["content"].startswith("[What your tools returned]\nmemory_recall ")
    said = await why(bot)
    assert "openai/test-model takes no tools: the bot describes them in text" in said and "Put right" not in said


async def test_arguments_are_validated(bot, server):
    plays(server, Says(CALL % ("memory_recall", '{"limit": "many"}')), Says("Hello"))
    assert await bot.says("ann", "@glassmind do I like tea?") == ["[#general] glassmind< Hello"]
    assert "memory_recall was not run." in server.chats[-1]["messages"][-1]["content"]


async def test_a_tool_that_is_opened_is_told_of_from_then_on(bot, server):
    plays(server, Says(CALL % ("retrieve_tool_call_log", "{}")), Says("Hello"))
    await bot.says("ann", "@glassmind what did you do?")
    first, second = map(system_of, server.chats)
    assert '"name":"retrieve_tool_call_log"' not in first and '"name":"retrieve_tool_call_log"' in second


async def test_a_call_that_cannot_be_read_is_never_posted(bot, server):
    server.answer = lambda _: Says('<tool_call>{"name": "memory_recall", "arguments": {"query</tool_call>')
    (line,) = await bot.says("ann", "@glassmind do I like tea?")
    assert "in a way that I cannot read" in line and "tool_call" not in line


async def test_shown_is_sent(bot, server):
    plays(server, Says(CALL % ("memory_recall", '{"query": "tea"}')), Says("Hello"))
    await bot.says("ann", "@glassmind do I like tea?")
    requests = list(reversed(await bot.store.journal.recent_requests(GENERAL, 2)))
    for stored, received in zip(requests, server.received, strict=True):
        record = stored.record
        fresh = client_of(server).encode(record.request, Dialect.of_encoder(record.encoder))
        assert fresh.body == received.body and hashlib.sha256(fresh.body).hexdigest() == record.wire_sha256
        shown = await bot.app.inspector.inspect(GENERAL, stored.id)
        assert shown.wire.body == received.body
        (told,) = [one for one in record.sections if one.name == "written_tools"]
        assert told.tokens > 100 and "tool:memory_recall" in told.sources


def test_calls_in_words_must_be_read(server):
    with pytest.raises(ValueError, match="text_calls must not be false"):
        client_of(server, dialect=["text_tools"], text_calls=False)
