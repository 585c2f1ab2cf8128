"""What everybody who draws pages promises: what a person would see, from the outside alone, and nothing left behind."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest

from adapters.browser import create
from bot.errors import ToolError
from bot.ports.web import Browser, BrowserView
from tests.adapters.browser.machine import SETTINGS, needs_chromium
from tests.fakes.web import FakeBrowser
from tests.servers.site import Answer, site

PNG = b"\x89PNG\r\n\x1a\n"
PAGE = b"""<title>A page</title><p id=p>not yet</p><a href="/next">go on</a><p style="display:none">unseen</p>
<script>alert(1); document.getElementById('p').textContent = 'made by a script'</script>"""


@dataclass
class Screen:
    """A browser, and the page that it can draw."""

    browser: Browser
    url: str


@pytest.fixture(params=[pytest.param("chromium", marks=needs_chromium), "fake"])
async def screen(request: pytest.FixtureRequest) -> AsyncIterator[Screen]:
    if request.param == "fake":
        url = "https://example.org/page"
        links = (("go on", "https://example.org/next"),)
        text = "made by a script\n\ngo on"
        view = BrowserView(asked=url, url=url, title="A page", text=text, links=links, picture=PNG, status=200)
        yield Screen(FakeBrowser(view), url)
        return
    async with site(page=Answer(PAGE)) as server:
        browser = create({**SETTINGS, "own_hosts": (server.host,)})
        yield Screen(browser, f"{server.url}/page")
        await browser.close()


async def test_a_page_is_drawn_as_a_person_sees_it(screen: Screen):
    assert screen.browser.missing() == ""
    view = await screen.browser.draw(screen.url, picture=True)
    assert (view.asked, view.url, view.title, view.status) == (screen.url, screen.url, "A page", 200)
    assert view.text.split() == ["made", "by", "a", "script", "go", "on"]
    assert [words for words, _ in view.links] == ["go on"] and view.links[0][1].endswith("/next")
    assert view.picture.startswith(PNG) and not view.cut
    for url in ("http://127.0.0.1/", "file:///etc/passwd", "nonsense", ""):
        with pytest.raises(ToolError):
            await screen.browser.draw(url, picture=False)
