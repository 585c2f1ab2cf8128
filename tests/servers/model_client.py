"""A client without any cleverness of its own, for looking at what the model server really sends."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
import orjson
import pytest

from tests.servers.model import ModelServer, Reply, model_server

ASK: dict[str, Any] = {"model": "m", "messages": [{"role": "user", "content": "are you there?"}]}
STREAM = ASK | {"stream": True, "stream_options": {"include_usage": True}}
LOST = (aiohttp.ClientPayloadError, aiohttp.ClientOSError, aiohttp.ServerDisconnectedError)


class Answered:
    """One whole response, read to its end."""

    def __init__(self, response: aiohttp.ClientResponse, body: bytes) -> None:
        self.status = response.status
        self.headers: Mapping[str, str] = response.headers
        self.body = body

    def json(self) -> Any:
        return orjson.loads(self.body)

    def events(self) -> list[Any]:
        lines = self.body.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
        payloads = [line[5:].strip() for line in lines if line.startswith(b"data:")]
        return [orjson.loads(payload) for payload in payloads if payload != b"[DONE]"]

    def choices(self) -> list[Any]:
        return [choice for event in self.events() for choice in event["choices"]]

    def text(self) -> str:
        return "".join(choice["delta"].get("content") or "" for choice in self.choices())

    def finish(self) -> list[str]:
        return [choice["finish_reason"] for choice in self.choices() if choice["finish_reason"]]

    def calls(self) -> dict[int, dict[str, str]]:
        calls: dict[int, dict[str, str]] = {}
        for choice in self.choices():
            for piece in choice["delta"].get("tool_calls", ()):
                call = calls.setdefault(piece["index"], {"id": "", "name": "", "arguments": ""})
                call["id"] += piece.get("id", "")
                call["name"] += piece["function"].get("name", "")
                call["arguments"] += piece["function"]["arguments"]
        return calls


class Client:
    """Asks over one session and reads to the end."""

    def __init__(self, session: aiohttp.ClientSession) -> None:
        self.session = session

    async def ask(self, server: ModelServer, request: object = ASK, **options: Any) -> Answered:
        url = f"{server.base_url}/chat/completions"
        async with self.session.post(url, data=orjson.dumps(request), **options) as response:
            return Answered(response, await response.read())

    async def told(self, reply: Reply, request: object = STREAM) -> Answered:
        async with model_server(reply) as server:
            return await self.ask(server, request)

    async def read_until_lost(self, server: ModelServer, request: object = STREAM) -> bytes:
        body = b""
        url = f"{server.base_url}/chat/completions"
        with pytest.raises(LOST):
            async with self.session.post(url, data=orjson.dumps(request)) as response:
                async for piece in response.content.iter_any():
                    body += piece
        return body


@asynccontextmanager
async def plain_client() -> AsyncIterator[Client]:
    """Open a client for one test."""
    async with aiohttp.ClientSession() as session:
        yield Client(session)
