"""Ask a search service: SearXNG's JSON, or an HTTP API with a key in Brave's format."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import aiohttp
from pydantic import TypeAdapter, ValidationError
from yarl import URL

from adapters.web.bodies import read_body
from adapters.web.markup import unescape_text
from adapters.web.page_fetcher import failure_text
from adapters.web.settings import Settings
from bot.errors import ToolError
from bot.ports.web import WebHit, WebHits
from bot.text.text import excerpt

_MAX_ANSWER_BYTES = 2 * 1024 * 1024
_JSON: TypeAdapter[Any] = TypeAdapter(Any)
_TAG = re.compile(r"</?[a-zA-Z][^<>]{0,200}>")
_OBJECTIONS = {
    400: "does not understand the question; ask it in fewer, plainer words",
    401: "does not take the key (tools.web.search_key)",
    402: "wants to be paid: the account of the key has nothing left",
    404: "has nothing at that address (tools.web.search_url)",
    422: "does not understand the question; ask it in fewer, plainer words",
    429: "has been asked too often; wait before you ask again",
}


class _Call(NamedTuple):
    """A request to the search service."""

    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]


class _Service(NamedTuple):
    """One kind of service: where it is by default, how it is asked, and how its answer reads."""

    address: str
    call: Callable[[str, int, str], _Call]
    read: Callable[[Any], WebHits]
    refused: str
    """What to do when it answers 403."""


class SearchClient:
    """Asks the configured service. It is the operator's choice, so it may lie anywhere; redirects are not followed."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    async def ask(self, query: str, most: int) -> WebHits:
        """Return at most `most` results; raise ToolError in plain words, without the key."""
        service = _SERVICES.get(self._settings.search)
        if service is None:
            raise ToolError("No search service is configured (tools.web.search). Fetch an address that you know.")
        call = service.call(query, most, self._settings.search_key.get_secret_value())
        status, data = await self._get(service, call)
        self._refuse(service, status, data)
        found = service.read(_read_value(data))
        return found.replace(hits=found.hits[:most])

    async def _get(self, service: _Service, call: _Call) -> tuple[int, bytes]:
        seconds = self._settings.search_seconds
        address = (self._settings.search_url or service.address).rstrip("/")
        if not address:
            raise ToolError("No search service is configured: tools.web.search_url says where it is.")
        url = URL(address + call.path).with_query(call.query)
        headers = {"User-Agent": "glassmind", "Accept": "application/json", "Accept-Encoding": "gzip", **call.headers}
        try:
            async with (
                asyncio.timeout(seconds),
                aiohttp.ClientSession(
                    headers=headers, cookie_jar=aiohttp.DummyCookieJar(), auto_decompress=False, trust_env=False
                ) as session,
                session.get(url, allow_redirects=False, proxy=self._settings.proxy or None) as response,
            ):
                return response.status, (await read_body(response, _MAX_ANSWER_BYTES)).data
        except TimeoutError:
            words = f"The search service gave no answer within {seconds:g} s (tools.web.search_seconds)."
            raise ToolError(words) from None
        except (aiohttp.ClientError, aiohttp.http_exceptions.HttpProcessingError, OSError, ValueError) as error:
            # not the error's own words: they can hold the address, and that the key
            raise ToolError(
                f"The search service cannot be asked: {failure_text(error)} (tools.web.search_url)."
            ) from None

    def _refuse(self, service: _Service, status: int, data: bytes) -> None:
        if status == 200:
            return
        words = service.refused if status == 403 else _OBJECTIONS.get(status, "failed; try again later")
        if 300 <= status < 400:
            words = "sends callers on to another address; name that one in tools.web.search_url"
        raise ToolError(f"The search service {words} (HTTP {status}{_quoted_error(data, self._settings)}).")


def _read_value(data: bytes) -> Any:
    try:
        value = _JSON.validate_json(data)
    except ValidationError:
        what = "a page of HTML" if data.lstrip()[:1] == b"<" else "something else"
        raise ToolError(
            f"The search service sent {what} instead of JSON. Check tools.web.search and tools.web.search_url."
        ) from None
    if not isinstance(value, dict):
        raise ToolError("The search service sent JSON that is no answer. Check tools.web.search and search_url.")
    return value


def _quoted_error(data: bytes, settings: Settings) -> str:
    """Quote what a service says of an error, if that is one line of JSON and does not hold the key."""
    try:
        value = _JSON.validate_json(data)
    except ValidationError:
        return ""
    error = value.get("error", value) if isinstance(value, dict) else value
    words = error.get("detail") or error.get("message") or error.get("code") if isinstance(error, dict) else error
    text, key = str(words or ""), settings.search_key.get_secret_value()
    return "" if not text or (key and key in text) else f": {excerpt(text, 160)}"


def _of_searxng(value: Any) -> WebHits:
    hits = _hits(value.get("results"), "content", "publishedDate")
    unheard = [str(entry[0]) for entry in _list(value.get("unresponsive_engines")) if isinstance(entry, list) and entry]
    notes = [f"without an answer: {excerpt(', '.join(unheard), 160)}"] if unheard else []
    notes += [f"answer: {excerpt(_plain_text(_answer(entry)), 300)}" for entry in _list(value.get("answers"))[:3]]
    return WebHits(hits=hits, notes=tuple(notes))


def _of_brave(value: Any) -> WebHits:
    web = value.get("web")
    return WebHits(hits=_hits(web.get("results") if isinstance(web, dict) else [], "description", "age"))


def _answer(entry: Any) -> Any:
    return entry.get("answer") if isinstance(entry, dict) else entry


def _hits(found: Any, snippet: str, age: str) -> tuple[WebHit, ...]:
    entries = [entry for entry in _list(found) if isinstance(entry, dict)]
    hits = (
        WebHit(
            title=excerpt(_plain_text(entry.get("title")), 160),
            url=excerpt(str(entry.get("url") or ""), 500),
            snippet=excerpt(_plain_text(entry.get(snippet)), 400),
            age=excerpt(_plain_text(entry.get(age)), 40),
        )
        for entry in entries
    )
    return tuple(hit for hit in hits if hit.url.startswith(("http://", "https://")))


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _plain_text(value: Any) -> str:
    return unescape_text(_TAG.sub("", str(value or "")[:2000]))


_SERVICES: Mapping[str, _Service] = {
    "searxng": _Service(
        "",
        lambda query, most, key: _Call(
            "/search",
            {"q": query, "format": "json"},
            {"Authorization": f"Bearer {key}"} if key else {},
        ),
        _of_searxng,
        "refuses: SearXNG gives JSON only when `search.formats` in its settings.yml lists json",
    ),
    "brave": _Service(
        "https://api.search.brave.com/res/v1",
        lambda query, most, key: _Call(
            "/web/search", {"q": query, "count": str(min(most, 20))}, {"X-Subscription-Token": key}
        ),
        _of_brave,
        "refuses the key or what it is asked for (tools.web.search_key)",
    ),
}
"""Add a kind: one entry here, and its name in `Settings.search`."""
