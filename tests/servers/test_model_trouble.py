"""Everything that can happen to a reply on its way, as a plain client sees it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import aiohttp
import orjson
import pytest

from tests.servers.model import (
    HEARTBEAT,
    Commented,
    Crlf,
    Cut,
    Dribbles,
    Fails,
    Hangs,
    Headed,
    Interrupted,
    NoDone,
    Reply,
    Says,
    SlowBy,
    Spaceless,
    body_of,
    model_server,
)
from tests.servers.model_client import ASK, STREAM, Client, plain_client


@pytest.fixture
async def client() -> AsyncIterator[Client]:
    async with plain_client() as client:
        yield client


@pytest.mark.parametrize("request_", [ASK, STREAM], ids=["whole", "stream"])
async def test_a_body_cut_at_any_byte(client, request_):
    reply = Says("tea 🍵", chunks=2)
    whole = body_of(reply, request_, prompt_tokens=len(orjson.dumps(request_)) // 4)
    for at in (0, 1, len(whole) // 2, len(whole) - 1):
        async with model_server(Cut(at, reply)) as server:
            assert await client.read_until_lost(server, request_) == whole[:at]
    assert (await client.told(Cut(len(whole) + 1, reply), request_)).body == whole


async def test_a_stream_cut_at_every_byte(client):
    async with model_server() as server:
        whole = body_of(Says("🍵", chunks=1), ASK | {"stream": True}, prompt_tokens=30)
        server.count = lambda body: 30
        for at in range(len(whole) + 1):
            server.script = [Cut(at, Says("🍵", chunks=1))]
            body = await client.read_until_lost(server, ASK | {"stream": True})
            assert len(body) == at


async def test_a_cut_may_be_a_reset(client):
    async with model_server(Cut(10, Says("yes"), reset=True)) as server:
        assert len(await client.read_until_lost(server)) <= 10


@pytest.mark.parametrize(("before", "text"), [("headers", None), ("first_token", ""), ("between_tokens", "half ")])
@pytest.mark.parametrize("heartbeat", [None, 0.01])
async def test_a_hang_ends_with_the_clients_patience(client, before, text, heartbeat):
    if before == "headers" and heartbeat:
        with pytest.raises(ValueError, match="heartbeat"):
            Hangs(before, heartbeat=heartbeat)
        return
    reply = Hangs(before, Says("half done", chunks=("half ", "done")), heartbeat)
    async with model_server(reply) as server:
        seen = b""
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                async with client.session.post(f"{server.base_url}/chat/completions", json=STREAM) as response:
                    seen = b"headers"
                    async for piece in response.content.iter_any():
                        seen += piece
        await server.idle()
    assert (b'"half "' in seen, b'"done"' in seen) == (bool(text), False)
    assert bool(seen) == (text is not None)
    assert (HEARTBEAT in seen) == (heartbeat is not None)


@pytest.mark.parametrize("before", ["headers", "first_token", "between_tokens"])
@pytest.mark.parametrize("request_", [ASK, STREAM], ids=["whole", "stream"])
async def test_a_released_hang_sends_the_rest(client, before, request_):
    async with model_server(Hangs(before, Says("half done"))) as server:
        async with asyncio.TaskGroup() as group:
            asked = group.create_task(client.ask(server, request_))
            await server.hung()
            assert not asked.done()
            server.release()
        assert asked.result().body == body_of(Says("half done"), request_, 0, server.count(server.received[0].body))


async def test_closing_the_server_waits_for_no_hang(client):
    loop = asyncio.get_running_loop()
    hangs: list[Reply] = [
        Hangs("headers"),
        Hangs("first_token"),
        Hangs("between_tokens", heartbeat=60),
        SlowBy(60, Says("never")),
    ]
    async with model_server(*hangs) as server, asyncio.TaskGroup() as group:
        for _ in hangs:
            group.create_task(client.read_until_lost(server))
        await server.heard(len(hangs))
        await server.hung(3)
        began = loop.time()
        await server.close()
        assert loop.time() - began < 0.1


async def test_a_client_that_leaves_frees_the_server(client):
    async with model_server(Hangs("first_token")) as server:
        async with asyncio.TaskGroup() as group:
            asked = group.create_task(client.ask(server, STREAM))
            await server.hung()
            assert server.open_replies == 1
            asked.cancel()
        await server.idle()
        assert server.open_replies == 0


async def test_a_slow_reply_is_slow(client):
    loop = asyncio.get_running_loop()
    for before in ("headers", "first_token", "between_tokens"):
        began = loop.time()
        assert (await client.told(SlowBy(0.03, Says("at last"), before))).text() == "at last"
        assert loop.time() - began >= 0.03


async def test_a_stream_without_done(client):
    answered = await client.told(NoDone(Says("yes")))
    assert answered.text() == "yes"
    assert b"[DONE]" not in answered.body


async def test_an_error_inside_a_stream(client):
    answered = await client.told(Interrupted(Fails(502, 502, "Provider disconnected"), Says("yes, here")))
    assert answered.status == 200
    assert answered.events()[-1]["error"] == {"code": 502, "message": "Provider disconnected"}
    assert answered.finish() == ["error"]
    assert "yes, here".startswith(answered.text()) and answered.text()
    assert (await client.told(Interrupted(Fails(502), Says("yes")), ASK)).status == 502


async def test_characters_are_cut_across_writes(client):
    reads: list[bytes] = []
    async with (
        model_server(Dribbles(3, Says("🍵" * 20, chunks=1))) as server,
        client.session.post(f"{server.base_url}/chat/completions", json=STREAM) as response,
    ):
        async for piece in response.content.iter_any():
            reads.append(piece)
    assert "🍵" * 20 in b"".join(reads).decode()
    assert sum("\ufffd" in piece.decode(errors="replace") for piece in reads) > 5


@pytest.mark.parametrize("newline", [b"\r\n", b"\r"])
async def test_other_ends_of_line(client, newline):
    answered = await client.told(Crlf(Says("one\ntwo"), newline))
    assert answered.text() == "one\ntwo"
    assert answered.body.endswith(b"data: [DONE]" + newline * 2)


async def test_comments_between_events(client):
    answered = await client.told(Commented(Says("yes")))
    assert answered.text() == "yes"
    assert answered.body.count(b": OPENROUTER PROCESSING\n\n") == answered.body.count(b"data: ")


async def test_data_without_the_space(client):
    answered = await client.told(Spaceless(Says("data: yes", chunks=1)))
    assert answered.text() == "data: yes"
    assert b'data:{"id"' in answered.body and b'data: {"id"' not in answered.body


async def test_headers_of_the_tests_choice(client):
    skewed = {"Date": "Thu, 01 Jan 1970 00:00:00 GMT", "x-request-id": "r1"}
    answered = await client.told(Headed(skewed, Says("yes")))
    assert {name: answered.headers[name] for name in skewed} == skewed
    assert (await client.told(Headed({"content-type": "text/plain"}, Says("yes")))).headers.getall("Content-Type") == [
        "text/plain"
    ]


async def test_one_line_of_more_than_600_kilobytes(client):
    answered = await client.told(Says("🍵" * 200_000, chunks=1))
    assert max(len(line) for line in answered.body.split(b"\n")) > 600_000
    assert answered.text() == "🍵" * 200_000


async def test_wrappers_nest(client):
    reply = Dribbles(50, Crlf(NoDone(Commented(SlowBy(0.001, Says("one two three"))))))
    assert (await client.told(reply)).text() == "one two three"


async def test_refusing_and_accepting_on_the_same_port(client):
    async with model_server(Says("before"), Hangs(), Says("after")) as server:
        url = server.base_url
        assert (await client.ask(server, STREAM)).text() == "before"
        async with asyncio.TaskGroup() as group:
            group.create_task(client.read_until_lost(server))
            await server.hung()
            await server.refuse()
        await server.idle()
        for _ in range(3):
            with pytest.raises(aiohttp.ClientConnectorError) as caught:
                await client.ask(server)
            assert isinstance(caught.value.os_error, ConnectionRefusedError)
        await server.refuse()
        await server.accept()
        await server.accept()
        assert (server.base_url, (await client.ask(server, STREAM)).text()) == (url, "after")
        await server.refuse()
