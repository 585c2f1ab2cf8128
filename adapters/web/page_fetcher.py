"""Get what an address gives: once, by the checked way, through checked redirects, and no more than is wanted."""

from __future__ import annotations

import asyncio
from typing import NamedTuple

import aiohttp
from yarl import URL

from adapters.web.bodies import AnswerBody, read_body
from adapters.web.guard import AddressGuard, PinnedResolver
from adapters.web.settings import Settings
from bot.errors import ToolError
from bot.text.text import excerpt

_HEADERS = {
    "User-Agent": "Mozilla/5.0 (compatible; glassmind)",
    "Accept": "text/html,application/xhtml+xml,application/json;q=0.9,text/*;q=0.8,*/*;q=0.5",
    "Accept-Encoding": "gzip, deflate",
}
_REDIRECT_STATUSES = frozenset({301, 302, 303, 307, 308})
_TEXT = frozenset(
    f"application/{name}"
    for name in ("xhtml+xml", "xml", "javascript", "ecmascript", "yaml", "x-yaml", "toml", "sql", "x-sh", "x-ndjson")
)


class RawAnswer(NamedTuple):
    """An answer as it came; `body` is empty where the type says that nobody can read it."""

    url: str
    status: int
    content_type: str
    charset: str
    data: bytes
    cut: bool
    announced: int
    hops: int


class PageFetcher:
    """Gets addresses. Each call has connections of its own, so none can be one that another call opened."""

    def __init__(self, settings: Settings, guard: AddressGuard) -> None:
        self._settings = settings
        self._guard = guard

    async def get(self, address: str) -> RawAnswer:
        """Follow an address to its end; raise ToolError in plain words."""
        url, seconds = self._guard.url(address), self._settings.seconds
        limit = asyncio.timeout(seconds)
        try:
            async with limit:
                return await self._follow(url)
        except TimeoutError:
            if not limit.expired():
                raise ToolError(f"{excerpt(url.host or '', 80)} did not answer.") from None
            raise ToolError(
                f"{excerpt(url.host or '', 80)} was not done within {seconds:g} s (tools.web.seconds)."
            ) from None

    async def _follow(self, url: URL) -> RawAnswer:
        pinned = PinnedResolver(self._guard)
        connector = aiohttp.TCPConnector(force_close=True) if self._settings.proxy else pinned.connector()
        async with aiohttp.ClientSession(
            connector=connector,
            headers=_HEADERS,
            cookie_jar=aiohttp.DummyCookieJar(),
            auto_decompress=False,
            trust_env=False,
            timeout=aiohttp.ClientTimeout(total=None, sock_connect=self._settings.seconds),
        ) as session:
            for hop in range(self._settings.redirects + 1):
                found = await self._step(session, pinned, url, hop)
                if isinstance(found, RawAnswer):
                    return found
                url = found
        raise ToolError(
            f"The address leads from one to the next more than {self._settings.redirects} times; the last was "
            f"{excerpt(str(url), 200)}."
        )

    async def _step(
        self, session: aiohttp.ClientSession, pinned: PinnedResolver, url: URL, hop: int
    ) -> RawAnswer | URL:
        """Ask one address; return what it gives, or where it leads."""
        await self._admit(pinned, url)
        try:
            async with session.get(url, allow_redirects=False, proxy=self._settings.proxy or None) as response:
                if response.status in _REDIRECT_STATUSES and (target := response.headers.get("Location", "")):
                    return self._next(url, target)
                return await self._take(response, url, hop)
        except (aiohttp.ClientError, aiohttp.http_exceptions.HttpProcessingError, OSError, ValueError) as error:
            if isinstance(error, TimeoutError):
                raise
            if pinned.refusal is not None:
                raise pinned.refusal from None
            raise ToolError(f"{excerpt(url.host or '', 80)} cannot be read: {failure_text(error)}.") from None

    async def _admit(self, pinned: PinnedResolver, url: URL) -> None:
        """Check where a host leads before it is asked, as far as that can be known here."""
        try:
            await pinned.admit(url.raw_host or "", url.port or 0)
        except ToolError as error:
            # behind a proxy names may lead somewhere for the proxy alone; then the proxy has to keep the inside shut
            if not (self._settings.proxy and "leads nowhere" in str(error)):
                raise

    def _next(self, url: URL, target: str) -> URL:
        try:
            joined = str(url.join(URL(target)))
        except ValueError:
            raise ToolError(f"The address leads on to something that is no address ({excerpt(target, 100)}).") from None
        try:
            return self._guard.url(joined)
        except ToolError as error:
            raise ToolError(f"The address leads on to one that is not called. {error}") from None

    async def _take(self, response: aiohttp.ClientResponse, url: URL, hop: int) -> RawAnswer:
        kind = response.content_type if "Content-Type" in response.headers else ""
        body = AnswerBody(b"", False)
        if is_text(kind):
            body = await read_body(response, self._settings.most_bytes)
        announced = response.headers.get("Content-Length", "")
        return RawAnswer(
            url=str(url),
            status=response.status,
            content_type=excerpt(kind, 80),
            charset=response.charset or "",
            data=body.data,
            cut=body.cut,
            announced=int(announced) if announced.isascii() and announced.isdigit() and len(announced) < 16 else 0,
            hops=hop,
        )


def is_text(kind: str) -> bool:
    """Say whether a content type is one that can be read; without one it is tried."""
    return not kind or kind.startswith("text/") or kind in _TEXT or kind.endswith(("+xml", "+json", "/json"))


def failure_text(error: Exception) -> str:
    """Say in plain words what the HTTP client raised."""
    match error:
        case aiohttp.ClientConnectorCertificateError():
            return "its certificate is not valid for it"
        case aiohttp.ClientSSLError():
            return "no TLS connection could be made"
        case aiohttp.ClientProxyConnectionError() | aiohttp.ClientHttpProxyError():
            return "the proxy cannot be reached or refuses (tools.web.proxy)"
        case aiohttp.ClientConnectorDNSError():
            return "the name leads nowhere"
        case aiohttp.ClientConnectorError():
            return "nobody takes connections there"
        case aiohttp.ServerDisconnectedError() | aiohttp.ClientPayloadError() | ConnectionError():
            return "the connection was cut"
        case _:
            return "what came back is not HTTP"
