"""A loopback address that takes what is posted and counts who knocks; it answers as it is told.

async with hook_server(Answer(503)) as hook:
    ...  # point the caller at hook.url
    assert hook.posted == [{"content": "..."}]
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import orjson
from aiohttp import web

from tests.servers.model.listener import HOST, Listener

PATH = "/api/webhooks/123456789012345678/aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789"


class Answer(NamedTuple):
    """What comes back; one that `hangs` never comes, one that is `endless` never ends."""

    status: int = 204
    headers: Mapping[str, str] = {}
    hangs: bool = False
    endless: bool = False


class Knock(NamedTuple):
    """A call as it came over the wire."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes


@dataclass
class HookServer:
    """`answers` are used up one per call; then everything is taken."""

    answers: list[Answer] = field(default_factory=list)
    knocks: list[Knock] = field(default_factory=list)
    open_again: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        self.listener = Listener(self._handle)

    @property
    def url(self) -> str:
        return f"http://{HOST}:{self.listener.port}{PATH}"

    @property
    def posted(self) -> list[Any]:
        return [orjson.loads(knock.body) for knock in self.knocks if knock.method == "POST"]

    async def _handle(self, request: web.BaseRequest) -> web.StreamResponse:
        body = await request.content.read()
        self.knocks.append(Knock(request.method, request.path, request.headers, body))
        answer = self.answers.pop(0) if self.answers else Answer()
        if answer.hangs:
            await self.open_again.wait()
        if answer.endless:
            response = web.StreamResponse()
            await response.prepare(request)
            await response.write(b"x" * 65_536)
            await self.open_again.wait()
            return response
        return web.Response(status=answer.status, headers=dict(answer.headers))


@asynccontextmanager
async def hook_server(*answers: Answer) -> AsyncIterator[HookServer]:
    """Run one for a test."""
    server = HookServer(list(answers))
    await server.listener.open()
    try:
        yield server
    finally:
        server.open_again.set()
        await server.listener.close()
