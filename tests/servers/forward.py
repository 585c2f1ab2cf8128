"""A forward proxy on loopback: it passes plain HTTP requests on to the address that they name, and remembers them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import aiohttp
from aiohttp import web

_OWN = frozenset({"host", "connection", "proxy-connection", "transfer-encoding", "content-length", "content-encoding"})


@dataclass
class Forward:
    """`passed` are the last parts of the paths that went through, in order."""

    address: str = ""
    passed: list[str] = field(default_factory=list)

    async def handle(self, session: aiohttp.ClientSession, request: web.Request) -> web.Response:
        """Pass one request on."""
        self.passed.append(request.path.rpartition("/")[2])
        headers = {name: value for name, value in request.headers.items() if name.lower() not in _OWN}
        body = await request.read()
        async with session.request(request.method, request.raw_path, data=body, headers=headers) as answer:
            kept = {name: value for name, value in answer.headers.items() if name.lower() not in _OWN}
            return web.Response(status=answer.status, body=await answer.read(), headers=kept)


@asynccontextmanager
async def forward_proxy() -> AsyncIterator[Forward]:
    """Run one."""
    forward = Forward()
    async with aiohttp.ClientSession() as session:

        async def handle(request: web.BaseRequest) -> web.StreamResponse:
            assert isinstance(request, web.BaseRequest)
            return await forward.handle(session, request)  # type: ignore[arg-type]

        runner = web.ServerRunner(web.Server(handle))
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        assert site._server is not None
        forward.address = f"http://127.0.0.1:{site._server.sockets[0].getsockname()[1]}"  # type: ignore[attr-defined]
        try:
            yield forward
        finally:
            await runner.cleanup()
