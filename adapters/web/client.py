"""Read pages and ask search services; what was read lately can be read on without asking again."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from typing import Literal

from adapters.web.bodies import charset_of, decode_body, looks_binary
from adapters.web.guard import AddressGuard
from adapters.web.page_fetcher import PageFetcher, RawAnswer, is_text
from adapters.web.readable_text import ReadableText, read_page
from adapters.web.search_client import SearchClient
from adapters.web.settings import Settings
from bot.ports.web import WebHits, WebPage
from bot.runtime.lru_cache import LRUCache

__all__ = ["Settings", "WebClient", "create"]

_MAX_KEPT_PAGES = 8
_KEPT_SECONDS = 600.0
_SMALL_BYTES = 32 * 1024
"""Bytes up to which a page is read at once; a longer one would hold everybody up, and is read beside them."""
_UNSEEN_SIGNS = re.compile("[\xad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\U000e0000-\U000e0fff]")
"""Characters that nobody sees: soft hyphens, marks of direction, and those that only carry a message to a model."""
_HTML = re.compile(r"\s{0,99}(?:<!doctype html|<html|<head|<body)", re.IGNORECASE)
Kind = Literal["html", "json", "text", "binary", "empty"]


class WebClient:
    """Implements `bot.ports.web.WebReader`. Nothing is opened before it is used, and nothing stays open."""

    def __init__(self, settings: Settings, guard: AddressGuard | None = None) -> None:
        self._fetching = PageFetcher(settings, guard or settings.guard())
        self._searching = SearchClient(settings)
        self._kept: LRUCache[str, tuple[float, WebPage]] = LRUCache(_MAX_KEPT_PAGES)

    async def fetch(self, url: str, *, anew: bool) -> WebPage:
        """Return what an address gives, or the copy of the last ten minutes; raise ToolError."""
        now = asyncio.get_running_loop().time()
        kept = self._kept.get(url)
        if kept is not None and not anew and now - kept[0] < _KEPT_SECONDS:
            return kept[1]
        raw = await self._fetching.get(url)
        page = await _read(url, raw)
        self._kept.put(url, (now, page))
        return page

    async def search(self, query: str, most: int) -> WebHits:
        """Ask the search service; raise ToolError."""
        return await self._searching.ask(query, most)

    async def close(self) -> None:
        self._kept.clear()


async def _read(url: str, raw: RawAnswer) -> WebPage:
    return page_of(url, raw) if len(raw.data) <= _SMALL_BYTES else await asyncio.to_thread(page_of, url, raw)


def create(settings: Mapping[str, object]) -> WebClient:
    """Build a client; raise pydantic's ValidationError."""
    return WebClient(Settings.model_validate(dict(settings)))


def page_of(asked: str, raw: RawAnswer) -> WebPage:
    """Return what there is to read; pure."""
    charset = charset_of(raw.data, raw.charset, is_html="html" in raw.content_type or not raw.content_type)
    kind = _kind(raw, charset)
    found, unseen = ReadableText("", "", ""), 0
    if kind in ("html", "json", "text"):
        words, unseen = _UNSEEN_SIGNS.subn("", decode_body(raw.data, charset))
        if kind == "text" and not raw.content_type and _HTML.match(words):
            kind = "html"
        found = read_page(words, raw.url) if kind == "html" else ReadableText("", words, "")
    return WebPage(
        asked=asked,
        url=raw.url,
        status=raw.status,
        kind=kind,
        content_type=raw.content_type,
        charset=charset if kind in ("html", "json", "text") else "",
        title=found.title,
        text=found.text,
        aside=found.aside,
        size=len(raw.data),
        announced=raw.announced,
        cut=raw.cut or found.cut,
        hops=raw.hops,
        invisible=unseen,
    )


def _kind(raw: RawAnswer, charset: str) -> Kind:
    kind = raw.content_type
    if not is_text(kind) or looks_binary(raw.data, charset):
        return "binary"
    if not raw.data:
        return "empty"
    if kind in ("text/html", "application/xhtml+xml"):
        return "html"
    return "json" if kind.endswith(("json", "+json")) else "text"
