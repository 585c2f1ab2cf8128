"""The page over HTTP: a real socket in front of the whole bot, and what a browser may not do to it."""

from __future__ import annotations

import asyncio
import re
import socket
from contextlib import asynccontextmanager

import aiohttp
import pytest

from adapters.page_server import MAX_AT_ONCE, MAX_BODY_BYTES, create
from bot.app.adapters import page_server
from bot.app.window import site_of
from bot.errors import UserError
from bot.ports.page_server import PageRequest, PageResponse
from tests.dialogs.bot import a_bot


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


@asynccontextmanager
async def serving(answer, port, language="en"):
    listens = asyncio.Event()
    async with asyncio.TaskGroup() as group:
        task = group.create_task(create({}).serve(answer, "127.0.0.1", port, listens.set, lambda: language))
        await listens.wait()
        try:
            yield f"http://127.0.0.1:{port}"
        finally:
            task.cancel()


async def test_a_browser_enters_and_looks(tmp_path):
    port = free_port()
    async with a_bot(tmp_path, more=f"[web_page]\nenabled = true\nport = {port}\n") as bot:
        await bot.says("ann", "@glassmind say good morning")
        site = site_of(bot.app, bot.app.config.web_page, bot.app.cortex_wiring)
        said = "\n".join(await bot.says("root", "!cortex web", "dm"))
        link = re.search(rf"http://127\.0\.0\.1:{port}/enter/[\w-]+", said)[0]
        jar = aiohttp.CookieJar(unsafe=True)
        async with serving(site.answer, port) as url, aiohttp.ClientSession(cookie_jar=jar) as browser:
            async with browser.get(f"{url}/overview") as found:
                assert found.status == 401
            async with browser.get(link) as found:
                assert found.status == 200 and "Open this page?" in await found.text()
            form, own = {"token": link.rpartition("/")[2]}, {"Origin": url}
            async with browser.post(f"{url}/enter", data=form, headers={"Origin": "https://evil.example"}) as found:
                assert found.status == 403
            async with browser.post(f"{url}/enter", data=form, headers=own) as found:
                assert found.status == 200 and found.url.path == "/overview"
                assert "#general" in await found.text()
                assert found.headers["Content-Security-Policy"].startswith("default-src 'self'")
            async with browser.get(f"{url}/overview.json") as found:
                assert (await found.json())["channels"][0]["state"] == "well"
            async with browser.head(f"{url}/overview") as found:
                assert found.status == 200 and await found.read() == b""


async def test_one_answer_may_set_two_cookies():
    async def answer(asked: PageRequest) -> PageResponse:
        return PageResponse(200, b"", (("Content-Type", "text/plain"), ("Set-Cookie", "a=1"), ("Set-Cookie", "b=2")))

    async with serving(answer, free_port()) as url, aiohttp.ClientSession() as browser, browser.get(url) as found:
        assert found.headers.getall("Set-Cookie") == ["a=1", "b=2"]
        assert found.headers.getall("Content-Type") == ["text/plain"]


async def test_what_is_too_large_is_not_read():
    async def answer(asked: PageRequest) -> PageResponse:
        return PageResponse(200, str(len(asked.body)).encode())

    async with serving(answer, free_port()) as url, aiohttp.ClientSession() as browser:
        async with browser.post(url, data=b"a" * MAX_BODY_BYTES) as found:
            assert (found.status, await found.text()) == (200, str(MAX_BODY_BYTES))
        async with browser.post(url, data=b"a" * (MAX_BODY_BYTES + 1)) as found:
            assert found.status == 413

        async def endless():
            for _ in range(100):
                yield b"a" * 1000

        async with browser.post(url, data=endless()) as found:
            assert found.status == 413
        async with browser.get(f"{url}/?{'a' * 9000}") as found:
            assert found.status == 400


async def test_who_is_refused_reads_why_in_the_language_of_their_browser_or_else_in_the_bots():
    async def answer(asked: PageRequest) -> PageResponse:
        return PageResponse(200)

    german, english = "Diese Anfrage ist zu groß.\n", "This request is too large.\n"
    async with serving(answer, free_port(), "de") as url, aiohttp.ClientSession() as browser:
        for wanted, said in (
            ("", german),
            ("fr-FR, xx;q=0.3", german),
            ("en-GB,en;q=0.9,de;q=0.8", english),
            ("en;q=0.4, fr, de-AT;q=0.7", german),
            ("de;q=0, EN;q=0.1", english),
            ("\u00e4; q=1;;, =,-", german),
        ):
            headers = {"Accept-Language": wanted} if wanted else {}
            async with browser.post(url, data=b"a" * (MAX_BODY_BYTES + 1), headers=headers) as found:
                assert (found.status, await found.text()) == (413, said), wanted


async def test_a_port_in_use_is_said_in_words():
    async def answer(asked: PageRequest) -> PageResponse:
        return PageResponse(200)

    port = free_port()
    async with serving(answer, port):
        with pytest.raises(UserError, match=f"Port {port} of 127.0.0.1 cannot be used"):
            await page_server().serve(answer, "127.0.0.1", port, lambda: None, lambda: "en")


async def test_a_path_comes_as_it_was_sent():
    heard = []

    async def answer(asked: PageRequest) -> PageResponse:
        heard.append((asked.path, asked.query, asked.headers["host"]))
        return PageResponse(200)

    port = free_port()
    async with serving(answer, port):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET /a%2Fb/..;x?of=a%23b&c=%00 HTTP/1.1\r\nHost: one\r\nConnection: close\r\n\r\n")
        assert (await reader.read()).startswith(b"HTTP/1.1 200")
        writer.close()
    assert heard == [("/a%2Fb/..;x", "of=a%23b&c=%00", ["one"])]


async def test_a_browser_that_is_gone_and_one_that_does_not_read_hold_nothing(monkeypatch):
    monkeypatch.setattr("adapters.page_server.EVENT_SECONDS", 0.2)
    ended = asyncio.Queue[str]()

    async def events(name):
        try:
            while True:
                yield b"data: news\n\n" * 100_000
                await asyncio.sleep(0)
        finally:
            ended.put_nowait(name)

    async def answer(asked: PageRequest) -> PageResponse:
        return PageResponse(200, b"", (("Content-Type", "text/event-stream"),), events(asked.path))

    port = free_port()
    async with serving(answer, port):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET /gone HTTP/1.1\r\nHost: one\r\n\r\n")
        assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 200")
        writer.transport.abort()
        assert await ended.get() == "/gone"
        # it is open, and takes nothing in
        _, deaf = await asyncio.open_connection("127.0.0.1", port)
        deaf.transport.pause_reading()
        deaf.write(b"GET /deaf HTTP/1.1\r\nHost: one\r\n\r\n")
        assert await ended.get() == "/deaf"
        deaf.transport.abort()


async def test_pages_that_are_followed_keep_nobody_waiting():
    stop = asyncio.Event()

    async def events():
        yield b": here\n\n"
        await stop.wait()

    async def answer(asked: PageRequest) -> PageResponse:
        return PageResponse(200, b"", (), events()) if asked.path == "/live" else PageResponse(200, b"a page")

    connector = aiohttp.TCPConnector(limit=0)
    async with serving(answer, free_port()) as url, aiohttp.ClientSession(connector=connector) as browser:
        follows = [await browser.get(f"{url}/live") for _ in range(MAX_AT_ONCE + 3)]
        assert await follows[-1].content.readany() == b": here\n\n"
        async with browser.get(f"{url}/overview") as found:
            assert await found.text() == "a page"
        stop.set()
        for one in follows:
            await one.read()
