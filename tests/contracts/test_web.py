"""What everybody who reads the web for tools promises, whether there is a network or none."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass

import orjson
import pytest

from adapters.web import create
from bot.errors import ToolError
from bot.ports.web import WebHit, WebHits, WebPage, WebReader
from tests.fakes.web import FakeWeb
from tests.servers.site import Answer, Site, site


@dataclass
class Reader:
    """A reader, and the server that it reads; the fake one has pages of its own."""

    web: WebReader
    url: str
    server: Site | None = None


@pytest.fixture(params=["http", "fake"])
async def reader(request: pytest.FixtureRequest) -> AsyncIterator[Reader]:
    if request.param == "fake":
        url = "https://example.org"
        page = WebPage(
            asked=f"{url}/page", url=f"{url}/page", status=200, kind="html", title="A page", text="Some words."
        )
        fake = FakeWeb(page)
        fake.found["words"] = WebHits(hits=(WebHit(title="one", url=f"{url}/1"), WebHit(title="two", url=f"{url}/2")))
        yield Reader(fake, url)
        return
    results = [{"title": "one", "url": "https://example.org/1"}, {"title": "two", "url": "https://example.org/2"}]
    search = Answer(orjson.dumps({"results": results}), "application/json")
    async with site(page=Answer(b"<title>A page</title><p>Some words."), search=search) as server:
        web = create({"own_hosts": (server.host,), "search": "searxng", "search_url": server.url})
        yield Reader(web, server.url, server)
        await web.close()
        await web.close()  # harmless


async def test_a_page_is_read(reader: Reader):
    page = await reader.web.fetch(f"{reader.url}/page", anew=True)
    assert (page.asked, page.url) == (f"{reader.url}/page", f"{reader.url}/page")
    assert (page.status, page.kind, page.title, page.text) == (200, "html", "A page", "Some words.")


async def test_what_cannot_be_read_is_said_in_words(reader: Reader):
    for url in ("https://no-such-name.invalid/", "http://127.0.0.1/", "nonsense", ""):
        with pytest.raises(ToolError) as caught:
            await reader.web.fetch(url, anew=True)
        assert str(caught.value).endswith(".")


async def test_a_copy_is_read_on_until_it_is_wanted_anew(reader: Reader):
    first = await reader.web.fetch(f"{reader.url}/page", anew=True)
    if reader.server:
        reader.server.pages["/page"] = Answer(b"<p>Other words.")
    assert await reader.web.fetch(f"{reader.url}/page", anew=False) == first
    if reader.server:
        assert (await reader.web.fetch(f"{reader.url}/page", anew=True)).text == "Other words."


async def test_a_search_finds_no_more_than_was_wanted(reader: Reader):
    assert [hit.title for hit in (await reader.web.search("words", 5)).hits] == ["one", "two"]
    assert [hit.title for hit in (await reader.web.search("words", 1)).hits] == ["one"]
