"""The web as tools see it: a page read as text, a search, and a browser that draws a page."""

from __future__ import annotations

from typing import Literal, Protocol

from bot.domain.base import FrozenModel


class WebPage(FrozenModel):
    """What an address gave. `text` is what there is to read, `aside` what stands around it (menus, footers).

    `url` is where redirects led; `kind` is how it was read. Of a `binary` there is no text. `size` are bytes as they
    were unpacked, `cut` says that there were more than may be read. `invisible` counts characters that were dropped
    because nobody would see them.
    """

    asked: str
    url: str
    status: int
    kind: Literal["html", "json", "text", "binary", "empty"]
    content_type: str = ""
    charset: str = ""
    title: str = ""
    text: str = ""
    aside: str = ""
    size: int = 0
    announced: int = 0
    cut: bool = False
    hops: int = 0
    invisible: int = 0


class WebHit(FrozenModel):
    """One result of a search; `age` is how old the service says that it is."""

    title: str
    url: str
    snippet: str = ""
    age: str = ""


class WebHits(FrozenModel):
    """What a search found, best first. `notes` is what else the service said, such as engines that did not answer."""

    hits: tuple[WebHit, ...] = ()
    notes: tuple[str, ...] = ()


class BrowserView(FrozenModel):
    """A page as a browser shows it: its visible text, where its links lead, and a picture of it (PNG; empty: none).

    `refused` are the hosts that the page wanted and that may not be reached, with the reason.
    """

    asked: str
    url: str
    title: str = ""
    text: str = ""
    links: tuple[tuple[str, str], ...] = ()
    picture: bytes = b""
    status: int = 0
    cut: bool = False
    refused: tuple[tuple[str, str], ...] = ()


class WebReader(Protocol):
    """Reads public pages. Whatever keeps it from doing so is a ToolError in plain words."""

    async def fetch(self, url: str, *, anew: bool) -> WebPage:
        """Return what an address gives; without `anew` perhaps the copy that was fetched lately."""

    async def search(self, query: str, most: int) -> WebHits:
        """Ask the configured search service."""

    async def close(self) -> None:
        """Let go of what is held."""


class Browser(Protocol):
    """Draws public pages. Each is drawn by a browser of its own, which ends with the call, whatever becomes of it."""

    def missing(self) -> str:
        """Say why no page can be drawn here, and what to do; empty when one can. Cheap."""

    async def draw(self, url: str, *, picture: bool) -> BrowserView:
        """Load a page, let it settle, and return what can be seen; raise ToolError in plain words."""

    async def close(self) -> None:
        """End every browser that still runs."""
