"""An answer in which something had to be put right: `why` says what, as the record of its request does."""

from __future__ import annotations

import pytest

from tests.dialogs.online import online
from tests.servers.model import Calls, Reply, Says, model_server

TOLD = "Put right: its thoughts were in its answer, between marks."
THOUGHTS = "<think>\nAnn says hi.\n</think>\n\nHi Ann!"


@pytest.fixture
async def server():
    async with model_server() as server:
        yield server


@pytest.fixture
async def bot(tmp_path, server):
    async with online(tmp_path, server) as bot:
        yield bot


async def why(bot) -> str:
    before = len(bot.lines)
    await bot.says("root", "!cortex why")
    return " ".join("\n".join(bot.lines[before:]).split())


async def test_why_says_that_thoughts_were_taken_out(bot, server):
    server.answer = lambda _: Says(THOUGHTS)
    assert any(line.endswith("glassmind< Hi Ann!") for line in await bot.says("ann", "@glassmind hi"))
    assert TOLD in await why(bot)


async def test_why_names_each_kind_once_whichever_round_had_it(bot, server):
    said = '<tool_call>{"name": "memory_recall", "arguments": {"query": "tea"}}</tool_call>'
    replies: list[Reply] = [Says(said), Says(said), Says(THOUGHTS)]
    server.answer = lambda _: replies.pop(0)
    assert any(line.endswith("glassmind< Hi Ann!") for line in await bot.says("ann", "@glassmind hi"))
    report = await why(bot)
    assert report.count("Put right: ") == 2
    assert report.count("a tool call was written as text") == 1 and TOLD in report


async def test_why_says_nothing_of_it_where_nothing_was_put_right(bot, server):
    replies: list[Reply] = [Calls([("memory_recall", '{"query": "tea"}')]), Says("Hi Ann!")]
    server.answer = lambda _: replies.pop(0)
    await bot.says("ann", "@glassmind hi")
    assert "Put right" not in await why(bot)
