"""A web of a few pages, and a browser that draws them, without a network."""

from __future__ import annotations

from bot.errors import ToolError
from bot.ports.web import BrowserView, WebHits, WebPage


class FakeWeb:
    """Implements `bot.ports.web.WebReader`. `pages` are by address, `found` by question."""

    def __init__(self, *pages: WebPage) -> None:
        self.pages = {page.asked: page for page in pages}
        self.found: dict[str, WebHits] = {}
        self.fetched: list[tuple[str, bool]] = []

    async def fetch(self, url: str, *, anew: bool) -> WebPage:
        self.fetched.append((url, anew))
        if url not in self.pages:
            raise ToolError(f"{url} cannot be found: the name leads nowhere.")
        return self.pages[url]

    async def search(self, query: str, most: int) -> WebHits:
        found = self.found.get(query, WebHits())
        return found.replace(hits=found.hits[:most])

    async def close(self) -> None:
        """Nothing is held."""


class FakeBrowser:
    """Implements `bot.ports.web.Browser`. `views` are by address; with `lacks` there is none."""

    def __init__(self, *views: BrowserView) -> None:
        self.views = {view.asked: view for view in views}
        self.lacks = ""

    def missing(self) -> str:
        return self.lacks

    async def draw(self, url: str, *, picture: bool) -> BrowserView:
        if url not in self.views:
            raise ToolError(f"{url} cannot be shown.")
        view = self.views[url]
        return view if picture else view.replace(picture=b"")

    async def close(self) -> None:
        """Nothing is held."""
