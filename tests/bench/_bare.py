"""The least that a Telegram bot with a model can be: no store, no rules, no record. It is the floor we are held to.

`python -m tests.bench._bare BOT_API MODEL minimal|full plain|orjson`: python-telegram-bot's `Bot` over aiohttp, one
task per update; JSON as these libraries read and write it by themselves, or by orjson, as we do.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections import defaultdict
from collections.abc import Callable
from typing import Any, NamedTuple

import aiohttp
import orjson
from telegram import Bot, Update
from telegram.request import BaseRequest, RequestData

from tests.bench._chats import prose
from tests.bench._loopback import TOKEN

SYSTEM_WORDS, TOOLS, TOOL_WORDS = 10_400, 20, 145
"""What makes 12k tokens and a usual set of tools; a request is as long as ours is (`request_kib`)."""


class Codec(NamedTuple):
    """How JSON is written and read."""

    dumps: Callable[[Any], str | bytes]
    loads: Callable[[bytes], Any]


WAYS = {
    "plain": Codec(json.dumps, json.loads),  # noqa: TID251 - what a bare loop would use
    "orjson": Codec(orjson.dumps, orjson.loads),
}


class AiohttpRequest(BaseRequest):
    """Carries python-telegram-bot's calls over one aiohttp session."""

    read_timeout = 5.0

    def __init__(self, way: Codec) -> None:
        self.way = way

    async def initialize(self) -> None:
        self.session = aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0))

    async def shutdown(self) -> None:
        await self.session.close()

    async def do_request(
        self, url: str, method: str, request_data: RequestData | None = None, *_: Any, **__: Any
    ) -> tuple[int, bytes]:
        data = request_data.json_parameters if request_data else None
        async with self.session.request(method, url, data=data) as response:
            return response.status, await response.read()

    def parse_json_payload(self, payload: bytes) -> Any:
        return self.way.loads(payload)


def context(size: str) -> dict[str, Any]:
    """Return what goes with every message: next to nothing, or what a grown bot tells its model."""
    if size == "minimal":
        return {"model": "bench", "messages": [{"role": "system", "content": "You are a helpful bot."}]}
    schema = {"type": "object", "properties": {"text": {"type": "string", "description": prose(20, 7)}}}
    words = [prose(TOOL_WORDS, n) for n in range(TOOLS)]
    tools = [
        {"type": "function", "function": {"name": f"tool_{n}", "description": said, "parameters": schema}}
        for n, said in enumerate(words)
    ]
    return {"model": "bench", "messages": [{"role": "system", "content": prose(SYSTEM_WORDS, 1)}], "tools": tools}


class Bare:
    """Answers; the conversation is kept in memory where the context is full-size, as ours is."""

    def __init__(self, bot: Bot, session: aiohttp.ClientSession, model: str, size: str, way: Codec) -> None:
        self.bot = bot
        self.session = session
        self.way = way
        self.url = f"{model}/chat/completions"
        self.context = context(size)
        self.keeps = size == "full"
        self.history: dict[int, list[dict[str, str]]] = defaultdict(list)

    async def answer(self, update: Update) -> None:
        message = update.effective_message
        assert message is not None
        said = {"role": "user", "content": message.text or ""}
        history = self.history[message.chat_id] if self.keeps else []
        history.append(said)
        body = self.way.dumps({**self.context, "messages": [*self.context["messages"], *history]})
        async with self.session.post(self.url, data=body, headers={"Content-Type": "application/json"}) as response:
            text = self.way.loads(await response.read())["choices"][0]["message"]["content"]
        history.append({"role": "assistant", "content": text})
        await self.bot.send_message(message.chat_id, text)


async def run(bot_api: str, model: str, size: str, written: str) -> None:
    way = WAYS[written]
    requests = AiohttpRequest(way), AiohttpRequest(way)
    bot = Bot(TOKEN, base_url=bot_api, request=requests[0], get_updates_request=requests[1])
    connector = aiohttp.TCPConnector(limit=0)
    async with bot, aiohttp.ClientSession(connector=connector) as session, asyncio.TaskGroup() as tasks:
        bare, offset = Bare(bot, session, model, size, way), 0
        while True:
            for update in await bot.get_updates(offset, timeout=25, allowed_updates=Update.ALL_TYPES):
                offset = update.update_id + 1
                tasks.create_task(bare.answer(update))


if __name__ == "__main__":
    asyncio.run(run(*sys.argv[1:5]))
