"""The web and the browser, opened by the first worker that needs them: no start waits for them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

from bot.config.groups import ToolsConfig
from bot.domain.health import Probe
from bot.errors import ToolError
from bot.imports import lean_imports
from bot.ports.web import Browser, Hits, Page, View, Web
from bot.tools.means import Look

_NO_WEB = "there is no way to the web here"
_NO_BROWSER = "there is no browser here"
_NO_SEARCH = "no search service is configured (tools.web.search)"


class WebAccess:
    """What workers read the web with."""

    def __init__(
        self, tables: ToolsConfig, web: Callable[[], Web] | None, browser: Callable[[], Browser] | None
    ) -> None:
        self._tables = tables
        self.web = _Web(web)
        self.browser = _Browser(browser)

    @property
    def services(self) -> dict[type, object]:
        """What tools ask for by type."""
        return {Web: self.web, Browser: self.browser}

    @property
    def looks(self) -> dict[str, Look]:
        """What groups of tools need besides permission."""
        return {"web": self.web.missing, "web:search": self._no_search, "browser": self.browser.missing}

    def probe(self) -> Sequence[Probe]:
        """Say what workers are offered and what not, for the doctor; nobody is called."""
        tables = {"web": self._tables.web, "browser": self._tables.browser}
        off = [name for name, table in tables.items() if not table.enabled]
        rows = [row for name, row in (("web", self._web_row), ("browser", self._browser_row)) if name not in off]
        if not off:
            return [row() for row in rows]
        keys = " and ".join(f"tools.{name}.enabled" for name in off)
        words = f"{' and '.join(off)} {'is' if len(off) == 1 else 'are'} off ({keys})"
        return [Probe(name="web tools", state="ok", evidence=words), *(row() for row in rows)]

    def _no_search(self) -> str:
        return self.web.missing() or ("" if self._tables.web.search else _NO_SEARCH)

    def _web_row(self) -> Probe:
        table = self._tables.web
        if why := self.web.missing():
            return Probe(name="web", state="failed", evidence=f"pages are not read: {why}")
        found = f"searched with {table.search}" if table.search else "not searched (tools.web.search)"
        if table.own_hosts:
            words = f"pages are read, also those of {', '.join(table.own_hosts)}, which may lie inside; {found}"
            fix = "Leave tools.web.own_hosts empty where nothing inside has to be read."
            return Probe(name="web", state="warning", evidence=words, fix=fix)
        return Probe(name="web", state="ok", evidence=f"public pages are read; {found}")

    def _browser_row(self) -> Probe:
        if why := self.browser.missing():
            fact, _, fix = why.partition("; ")
            return Probe(name="browser", state="failed", evidence=f"pages are not drawn: {fact}", fix=_sentence(fix))
        if not self._tables.browser.sandbox:
            words = "pages are drawn without the browser's sandbox: one that breaks out can do what the bot can"
            return Probe(name="browser", state="warning", evidence=words, fix="Set tools.browser.sandbox = true.")
        return Probe(name="browser", state="ok", evidence="pages are drawn, each by a browser of its own")


class _Web:
    """Implements `bot.ports.web.Web`."""

    def __init__(self, opening: Callable[[], Web] | None) -> None:
        self._opening = opening

    @cached_property
    def _real(self) -> Web:
        if self._opening is None:
            raise ToolError(f"Pages cannot be read: {_NO_WEB}.")
        with lean_imports():
            return self._opening()

    def missing(self) -> str:
        """Say why no page can be read."""
        return "" if self._opening is not None else _NO_WEB

    async def fetch(self, url: str, *, anew: bool) -> Page:
        """Read a page."""
        return await self._real.fetch(url, anew=anew)

    async def search(self, query: str, most: int) -> Hits:
        """Ask the search service."""
        return await self._real.search(query, most)

    async def close(self) -> None:
        """Let go of what is held."""
        if "_real" in vars(self):
            await self._real.close()


class _Browser:
    """Implements `bot.ports.web.Browser`."""

    def __init__(self, opening: Callable[[], Browser] | None) -> None:
        self._opening = opening

    @cached_property
    def _real(self) -> Browser | None:
        with lean_imports():
            return self._opening() if self._opening is not None else None

    def missing(self) -> str:
        """Say why no page can be drawn."""
        return self._real.missing() if self._real is not None else _NO_BROWSER

    async def draw(self, url: str, *, picture: bool) -> View:
        """Draw a page."""
        if self._real is None:
            raise ToolError(f"Pages cannot be drawn: {_NO_BROWSER}.")
        return await self._real.draw(url, picture=picture)

    async def close(self) -> None:
        """End every browser that still runs."""
        if "_real" in vars(self) and self._real is not None:
            await self._real.close()


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}." if words else ""
