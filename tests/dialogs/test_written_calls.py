"""A tool that would have to be opened, written as text: it is called as by any other call, and nobody reads it."""

from __future__ import annotations

from typing import Any

import orjson
import pytest

from tests.dialogs.bot import GENERAL
from tests.dialogs.online import online
from tests.servers.model import Calls, Reply, Says, model_server

ASLEEP = "retrieve_tool_call_log"
WRITTEN = {
    "an object": '{"name": "%s", "arguments": %s}',
    "an object in code": '```json\n{"name": "%s", "arguments": %s}\n```',
    "between marks": '<tool_call>{"name": "%s", "arguments": %s}</tool_call>',
    "behind words": 'I look it up.\n<tool_call>{"name": "%s", "arguments": %s}</tool_call>',
}


@pytest.fixture
async def server():
    async with model_server() as server:
        yield server


@pytest.fixture
async def bot(tmp_path, server):
    async with online(tmp_path, server) as bot:
        yield bot


def last(server) -> dict[str, Any]:
    return orjson.loads(server.received[-1].body)


async def played(bot, server, place: str, first: Reply) -> tuple[list[str], str, list[str]]:
    """Return what people read, what the model was told of its call, and what it was offered behind it."""
    replies = iter([first, Says("Hello")])
    server.answer = lambda _: next(replies)
    lines = await bot.says("ann", "@glassmind what did you do?", place)
    read = [line.partition(" ")[2] for line in lines if "glassmind<" in line]
    request = last(server)
    (told,) = [one["content"] for one in request["messages"] if one["role"] == "tool"]
    return read, told, [tool["function"]["name"] for tool in request["tools"]]


@pytest.mark.parametrize("arguments", ["{}", '{"limit":"many"}'])
@pytest.mark.parametrize("how", WRITTEN)
async def test_it_is_called_as_by_any_other_call(bot, server, how, arguments):
    plain = await played(bot, server, "#kitchen", Calls([(ASLEEP, arguments)]))
    written = await played(bot, server, "#general", Says(WRITTEN[how] % (ASLEEP, arguments)))
    assert written == plain
    assert written[0] == ["glassmind< Hello"] and ASLEEP in written[2]
    (turn,) = await bot.store.journal.recent_turns(GENERAL, 1)
    assert turn.rounds == 2
