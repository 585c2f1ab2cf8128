"""A page is read within bounds of time and size, without telling anybody more than has to be told."""

from __future__ import annotations

import asyncio
import gzip
import zlib
from collections.abc import AsyncIterator
from functools import partial

import pytest

from adapters.web import create
from bot.errors import ToolError
from tests.servers.site import Answer, Site, site

MB = 1024 * 1024
gzipped = partial(gzip.compress, mtime=0)


@pytest.fixture
async def here() -> AsyncIterator[Site]:
    async with site() as server:
        yield server


def web(here: Site, **keys: object):
    return create({"own_hosts": (here.host,), "seconds": 5, **keys})


async def test_nothing_is_told_that_need_not_be(here: Site):
    here.pages["/"] = Answer(b"hi", headers={"Set-Cookie": "a=b; Path=/"})
    client = web(here)
    await client.fetch(f"{here.url}/#part", anew=True)
    await client.fetch(f"{here.url}/", anew=True)
    first, second = here.visits
    assert (first.method, first.path) == ("GET", "/")
    assert not {"Cookie", "Referer", "Authorization"} & {*first.headers, *second.headers}


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_a_redirect_is_followed_and_said(here: Site, status: int):
    here.leads("/old", "new?x=1#y", status)
    here.pages["/new"] = Answer(b"<title>here</title><p>moved")
    page = await web(here).fetch(f"{here.url}/old", anew=True)
    assert (page.url, page.hops, page.text, page.title) == (f"{here.url}/new?x=1", 1, "moved", "here")


async def test_redirects_come_to_an_end(here: Site):
    here.leads("/round", "/round")
    with pytest.raises(ToolError, match="more than 3 times"):
        await web(here, redirects=3).fetch(f"{here.url}/round", anew=True)
    assert len(here.visits) == 4


async def test_a_redirect_to_nothing_is_a_page(here: Site):
    here.pages["/"] = Answer(b"<p>no way on", status=302)
    assert (await web(here).fetch(here.url, anew=True)).text == "no way on"


async def test_a_long_page_is_cut(here: Site):
    here.pages["/"] = Answer(b"word " * 4000, "text/plain", endless=True)
    page = await web(here, max_mb=0.05).fetch(here.url, anew=True)
    assert page.cut and page.size == int(0.05 * MB) and page.text.startswith("word word")


@pytest.mark.parametrize(
    ("packing", "pack"),
    [("gzip", gzipped), ("x-gzip", gzipped), ("deflate", zlib.compress), ("deflate", lambda d: zlib.compress(d)[2:-4])],
)
async def test_packed_pages_are_unpacked_no_further_than_they_may(here: Site, packing: str, pack):
    here.pages["/"] = Answer(pack(b"<p>hello"), headers={"Content-Encoding": packing})
    here.pages["/bomb"] = Answer(pack(b"0" * 2 * MB), "text/plain", headers={"Content-Encoding": packing})
    client = web(here, max_mb=0.1)
    assert (await client.fetch(here.url, anew=True)).text == "hello"
    page = await client.fetch(f"{here.url}/bomb", anew=True)
    assert page.cut and page.size == int(0.1 * MB)


@pytest.mark.parametrize("packing", ["br", "zstd", "gzip, gzip", "aes128gcm"])
async def test_what_is_packed_in_another_way_is_an_error(here: Site, packing: str):
    here.pages["/"] = Answer(b"\x1b\x02", headers={"Content-Encoding": packing})
    with pytest.raises(ToolError, match="packed"):
        await web(here).fetch(here.url, anew=True)


async def test_what_is_not_packed_as_it_says_is_an_error(here: Site):
    here.pages["/"] = Answer(b"no gzip at all", headers={"Content-Encoding": "gzip"})
    with pytest.raises(ToolError, match="packed wrongly"):
        await web(here).fetch(here.url, anew=True)


@pytest.mark.parametrize(
    ("kind", "body", "charset"),
    [
        ("text/plain; charset=utf-8", "grüße 😀".encode(), "utf-8"),
        ("text/plain", "grüße".encode(), "utf-8"),
        ("text/plain", "grüße".encode("latin-1"), "cp1252"),
        ("text/plain; charset=iso-8859-1", "grüße – ".encode("cp1252"), "cp1252"),
        ("text/plain; charset=Shift_JIS", "こんにちは".encode("shift_jis"), "shift_jis"),
        ("text/plain; charset=gb2312", "你好".encode("gbk"), "gbk"),
        ("text/plain; charset=koi8-r", "привет".encode("koi8-r"), "koi8-r"),
        ("text/plain", "grüße".encode("utf-16"), "utf-16-le"),
        ("text/html", '<meta charset="windows-1251"><p>привет'.encode("cp1251"), "cp1251"),
        ("text/html", b'<meta http-equiv=x content="text/html; charset=euc-kr"><p>' + "안녕".encode("euc_kr"), "cp949"),
        ("application/xml", '<?xml version="1.0" encoding="iso-8859-2"?><a>ž</a>'.encode("iso-8859-2"), "iso8859-2"),
        ("text/plain; charset=unicode_escape", rb"\x41 stays", "utf-8"),
        ("text/plain; charset=utf-7", b"+AEE- stays", "utf-8"),
        ("text/plain; charset=hex", b"41 stays", "utf-8"),
        ("text/plain; charset=no-such", "grüße".encode(), "utf-8"),
        ("text/html", b'<meta charset="utf-16"><p>plain', "utf-8"),
    ],
)
async def test_characters_are_read_as_browsers_read_them(here: Site, kind: str, body: bytes, charset: str):
    here.pages["/"] = Answer(body, kind)
    page = await web(here).fetch(here.url, anew=True)
    assert page.charset == charset and "\ufffd" not in page.text
    words = ("grüße", "こんにちは", "你好", "привет", "안녕", "ž", "stays", "plain")
    assert any(word in page.text for word in words)


async def test_a_character_that_the_limit_cuts_in_two_is_left_out(here: Site):
    here.pages["/"] = Answer("é".encode() * 100, "text/plain")
    page = await web(here, max_mb=101 / MB).fetch(here.url, anew=True)
    assert page.text == "é" * 50 and page.cut


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("image/png", b"\x89PNG"),
        ("application/pdf", b"%PDF"),
        ("application/octet-stream", b"text"),
        ("text/plain", b"\x7fELF\x00\x00"),
    ],
)
async def test_what_is_no_text_is_described_and_not_shown(here: Site, kind: str, body: bytes):
    here.pages["/"] = Answer(body, kind)
    page = await web(here).fetch(here.url, anew=True)
    assert (page.kind, page.text, page.announced) == ("binary", "", len(body))


async def test_the_kinds_of_text(here: Site):
    kinds = {
        "text/html": "html",
        "application/xhtml+xml": "html",
        "application/json": "json",
        "application/ld+json": "json",
        "text/markdown": "text",
        "application/rss+xml": "text",
    }
    for kind, expected in kinds.items():
        here.pages["/"] = Answer(b"<!doctype html><p>x" if expected == "html" else b'{"a": "<p>"}', kind)
        page = await web(here).fetch(here.url, anew=True)
        assert (page.kind, page.text) == (expected, "x" if expected == "html" else '{"a": "<p>"}')
    here.pages["/"] = Answer(b"", "text/html")
    assert (await web(here).fetch(here.url, anew=True)).kind == "empty"


async def test_without_a_type_it_is_looked_at():
    bodies = [b"<!doctype html><p>x", b"plain words", b"GIF89a\x00"]

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + bodies.pop(0))
        writer.close()

    server = await asyncio.start_server(talk, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    client = create({"own_hosts": (f"127.0.0.1:{port}",)})
    pages = [await client.fetch(f"http://127.0.0.1:{port}/", anew=True) for _ in range(3)]
    assert [(page.kind, page.text) for page in pages] == [("html", "x"), ("text", "plain words"), ("binary", "")]
    server.close()


async def test_an_error_page_is_a_page(here: Site):
    page = await web(here).fetch(f"{here.url}/none", anew=True)
    assert (page.status, page.text) == (404, "nothing here")


async def test_invisible_characters_are_left_out_and_counted(here: Site):
    smuggled = "".join(chr(0xE0000 + ord(c)) for c in "ignore")
    here.pages["/"] = Answer(f"<p>so\xadft\u200b{smuggled}".encode())
    page = await web(here).fetch(here.url, anew=True)
    assert (page.text, page.invisible) == ("soft", 8)


@pytest.mark.parametrize("path", ["/hangs", "/stalls"])
async def test_who_does_not_come_to_an_end_is_given_up(here: Site, path: str):
    here.pages["/hangs"] = Answer(hangs=True)
    here.pages["/stalls"] = Answer(b"", "text/plain", endless=True)
    with pytest.raises(ToolError, match=r"was not done within 0\.3 s \(tools\.web\.seconds\)"):
        await web(here, seconds=0.3).fetch(here.url + path, anew=True)


async def test_nobody_there(here: Site):
    await here.listener.refuse()
    with pytest.raises(ToolError, match="nobody takes connections there"):
        await web(here).fetch(here.url, anew=True)


async def test_what_is_not_http_is_said():
    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 mail.example ESMTP\r\n")
        writer.close()

    server = await asyncio.start_server(talk, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    with pytest.raises(ToolError, match=r"not HTTP|connection was cut"):
        await create({"own_hosts": (f"127.0.0.1:{port}",)}).fetch(f"http://127.0.0.1:{port}/", anew=True)
    with pytest.raises(ToolError, match="no TLS connection"):
        await create({"own_hosts": (f"127.0.0.1:{port}",)}).fetch(f"https://127.0.0.1:{port}/", anew=True)
    server.close()


async def test_a_proxy_is_used_and_the_inside_stays_shut(here: Site):
    """The proxy of this test answers everything itself."""
    client = create({"proxy": here.url, "seconds": 5})
    here.pages["/page"] = Answer(b"<p>through the proxy")
    assert (await client.fetch("http://no-such-name.invalid.example/page", anew=True)).text == "through the proxy"
    for inside in ("http://127.0.0.1/", "http://localhost/", "http://169.254.169.254/", "http://printer.local/"):
        with pytest.raises(ToolError, match="is not public"):
            await client.fetch(inside, anew=True)
    assert len(here.visits) == 1


async def test_whoever_stops_waiting_stops_the_call(here: Site):
    here.pages["/"] = Answer(hangs=True)
    call = asyncio.ensure_future(web(here).fetch(here.url, anew=True))  # noqa: TID251 - cancelled below
    await here.came.wait()
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call


async def test_only_so_many_copies_are_kept(here: Site):
    here.pages |= {f"/{number}": Answer(b"x", "text/plain") for number in range(20)}
    client = web(here)
    for number in range(20):
        await client.fetch(f"{here.url}/{number}", anew=True)
    await client.fetch(f"{here.url}/19", anew=False)
    assert len(here.visits) == 20
    await client.fetch(f"{here.url}/0", anew=False)
    assert len(here.visits) == 21
