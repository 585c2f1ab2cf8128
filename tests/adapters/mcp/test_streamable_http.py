"""A server at an address: the key it wants, what it may not send, and that it goes away."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest
from aiohttp import web

from bot.domain.base import JsonText
from bot.errors import ToolServerError
from bot.ports.look_server import LookAnswer, LookOffer, OfferedLook
from bot.ports.toolservers import ServerAddress, ToolServer

pytest.importorskip("mcp", reason="the extra `mcp` is not installed")

TOKEN = "the-token-of-this-test"


async def add(name: str, arguments) -> LookAnswer:
    return LookAnswer("five" if name == "add" else "no such look", {"sum": 5}, failed=name != "add")


ADD = JsonText('{"properties":{"a":{"type":"integer"}},"type":"object"}')
DESK = LookOffer("adder", "1", "", [OfferedLook("add", "Add.", ADD)], add)


@asynccontextmanager
async def our_own() -> AsyncIterator[str]:
    """Our own server, which speaks the newest protocol."""
    from adapters.mcp.look_server import McpLookServer
    from tests.peers.processes import free_port

    port = free_port()
    serving = asyncio.get_running_loop().create_task(McpLookServer().over_http(DESK, port, TOKEN))
    await asyncio.sleep(0)
    try:
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)


@asynccontextmanager
async def answering(answer: Callable[[web.Request], Awaitable[web.StreamResponse]]) -> AsyncIterator[str]:
    """A server that answers every request so."""
    app = web.Application()
    app.router.add_route("*", "/{where:.*}", answer)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    try:
        yield f"{site.name}/mcp"
    finally:
        await runner.cleanup()


@asynccontextmanager
async def connected(url: str, **headers: str) -> AsyncIterator[ToolServer]:
    from adapters.mcp import create

    address = ServerAddress(url=url, headers=headers, start_timeout=5)
    async with create({}).connect(address, lambda: None) as server:
        yield server


async def refusal(url: str, **headers: str) -> str:
    with pytest.raises(ToolServerError) as refused:
        async with connected(url, **headers):
            pass
    return str(refused.value)


async def test_tools_come_over_http_with_the_key_that_is_configured():
    async with our_own() as url:
        assert await refusal(url) == "it answered 401: it wants a key (see `headers`)"
        async with connected(url, Authorization=f"Bearer {TOKEN}") as server:
            assert server.title == "adder 1"
            (tool,) = await server.tools()
            assert (tool.name, tool.description, tool.parameters) == ("add", "Add.", ADD)
            served = await server.call("add", {"a": 1}, 5)
            assert (served.texts, served.structured, served.is_error) == (("five",), '{"sum":5}', False)
            assert (await server.call("subtract", {}, 5)).is_error
            assert not server.ended


async def test_a_server_that_goes_away_is_said_to_be_away():
    home = our_own()
    url = await home.__aenter__()
    with pytest.raises(ToolServerError, match="I cannot reach it"):
        async with connected(url, Authorization=f"Bearer {TOKEN}") as server:
            await home.__aexit__(None, None, None)
            await server.call("add", {}, 5)


async def large(request: web.Request) -> web.StreamResponse:
    answer = web.StreamResponse(headers={"Content-Type": "application/json"})
    await answer.prepare(request)
    for _ in range(10_000):
        await answer.write(b" " * (1 << 20))
    return answer


async def packed(request: web.Request) -> web.StreamResponse:
    return web.Response(body=b"\x1f\x8b", headers={"Content-Type": "application/json", "Content-Encoding": "gzip"})


async def elsewhere(request: web.Request) -> web.StreamResponse:
    raise web.HTTPTemporaryRedirect("http://169.254.169.254/latest/meta-data/")


async def broken(request: web.Request) -> web.StreamResponse:
    return web.Response(status=503, text="<html>")


async def nonsense(request: web.Request) -> web.StreamResponse:
    return web.Response(text='{"jsonrpc": "2.0"', content_type="application/json")


async def a_page(request: web.Request) -> web.StreamResponse:
    return web.Response(text="<html>", content_type="text/html")


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (large, "it sent an answer of more than 8 MB"),
        (packed, "it sent a compressed answer, which I did not ask for"),
        (elsewhere, "Redirect to http://169.254.169.254/latest/meta-data/ not followed"),
        (broken, "it answered 503"),
        (nonsense, "Failed to parse JSON response"),
        (a_page, "Unexpected content type: text/html"),
    ],
)
async def test_what_is_no_answer_is_told_apart(answer, said):
    async with answering(answer) as url:
        assert said in await refusal(url, Authorization="Bearer s3cret")


async def test_nobody_listens_there():
    assert await refusal("http://127.0.0.1:9/mcp") == "I cannot reach it (ConnectError)"
