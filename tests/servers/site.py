"""A web server on loopback with pages to order, and one beside it that nobody from outside may reach.

async with site() as here, site() as inside:
    here.pages["/"] = Answer(b"<p>hello")
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import NamedTuple

from aiohttp import web

from tests.servers.model.listener import HOST, Listener


class Answer(NamedTuple):
    """What comes back; one that `hangs` never comes, one that is `endless` never ends (without a body: it stalls)."""

    body: bytes = b""
    kind: str = "text/html; charset=utf-8"
    status: int = 200
    headers: Mapping[str, str] = {}
    hangs: bool = False
    endless: bool = False


class Visit(NamedTuple):
    """Somebody came by."""

    method: str
    path: str
    headers: Mapping[str, str]


@dataclass
class Site:
    """`pages` are by path; everything else is not found."""

    pages: dict[str, Answer] = field(default_factory=dict)
    visits: list[Visit] = field(default_factory=list)
    gone: asyncio.Event = field(default_factory=asyncio.Event)
    came: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        self.listener = Listener(self._handle)

    @property
    def host(self) -> str:
        return f"{HOST}:{self.listener.port}"

    @property
    def url(self) -> str:
        return f"http://{self.host}"

    @property
    def paths(self) -> list[str]:
        return [visit.path for visit in self.visits]

    def leads(self, path: str, target: str, status: int = 302) -> None:
        self.pages[path] = Answer(status=status, headers={"Location": target})

    async def _handle(self, request: web.BaseRequest) -> web.StreamResponse:
        self.visits.append(Visit(request.method, request.path_qs, request.headers))
        self.came.set()
        answer = self.pages.get(request.path, Answer(b"nothing here", "text/plain", 404))
        headers = {**answer.headers, **({"Content-Type": answer.kind} if answer.kind else {})}
        if answer.hangs:
            await self.gone.wait()
        if not answer.endless:
            return web.Response(body=answer.body, status=answer.status, headers=headers)
        response = web.StreamResponse(headers=headers)
        await response.prepare(request)
        while answer.body and not self.gone.is_set():
            await response.write(answer.body)
        await self.gone.wait()
        return response


@asynccontextmanager
async def site(**pages: Answer) -> AsyncIterator[Site]:
    """Run one for a test; keywords are paths without their slash."""
    here = Site({f"/{name}": answer for name, answer in pages.items()})
    await here.listener.open()
    try:
        yield here
    finally:
        here.gone.set()
        await here.listener.close()
