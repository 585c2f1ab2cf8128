"""Read pages and ask search services; what was read lately can be read on without asking again."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Mapping

from adapters.web.fetching import Fetching, Raw
from adapters.web.guard import Guard
from adapters.web.pages import page_of
from adapters.web.searching import Searching
from adapters.web.settings import Settings
from bot.ports.web import Hits, Page

__all__ = ["Settings", "WebClient", "create"]

_KEPT = 8
_KEPT_SECONDS = 600.0
_SMALL = 32 * 1024
"""Bytes up to which a page is read at once; a longer one would hold everybody up, and is read beside them."""


class WebClient:
    """Implements `bot.ports.web.Web`. Nothing is opened before it is used, and nothing stays open."""

    def __init__(self, settings: Settings, guard: Guard | None = None) -> None:
        self._fetching = Fetching(settings, guard or settings.guard())
        self._searching = Searching(settings)
        self._kept: OrderedDict[str, tuple[float, Page]] = OrderedDict()

    async def fetch(self, url: str, *, anew: bool) -> Page:
        """Return what an address gives, or the copy of the last ten minutes; raise ToolError."""
        now = asyncio.get_running_loop().time()
        kept = self._kept.get(url)
        if kept is not None and not anew and now - kept[0] < _KEPT_SECONDS:
            return kept[1]
        raw = await self._fetching.get(url)
        page = await _read(url, raw)
        self._kept[url] = now, page
        self._kept.move_to_end(url)
        while len(self._kept) > _KEPT:
            self._kept.popitem(last=False)
        return page

    async def search(self, query: str, most: int) -> Hits:
        """Ask the search service; raise ToolError."""
        return await self._searching.ask(query, most)

    async def close(self) -> None:
        self._kept.clear()


async def _read(url: str, raw: Raw) -> Page:
    return page_of(url, raw) if len(raw.data) <= _SMALL else await asyncio.to_thread(page_of, url, raw)


def create(settings: Mapping[str, object]) -> WebClient:
    """Build a client; raise pydantic's ValidationError."""
    return WebClient(Settings.model_validate(dict(settings)))
