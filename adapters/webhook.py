"""Call an address over HTTP: a webhook that takes an alert, a monitor that counts heartbeats, a service with a form."""

from __future__ import annotations

from collections.abc import Mapping

import aiohttp
import orjson
from pydantic import BaseModel, ConfigDict, Field, PositiveFloat
from yarl import URL

from bot.errors import DeliveryError

_MAX_ANSWER_BYTES = 16 * 1024
_MAX_WAIT_SECONDS = 3600.0
_NEVER_SENT_ERRORS = (aiohttp.ClientConnectorError, aiohttp.InvalidURL, ValueError)


class Settings(BaseModel):
    """What may be set. `timeout` is seconds for a whole call; `proxy` is an HTTP proxy and may hold a password."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    timeout: PositiveFloat = 10.0
    proxy: str = Field("", repr=False)


class HttpCaller:
    """Implements `bot.ports.caller.WebhookCaller`. The session is opened by the first call."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._session: aiohttp.ClientSession | None = None

    async def post(self, url: str, value: Mapping[str, object]) -> None:
        """Hand over a JSON object; raise DeliveryError unless it was taken."""
        await self._call("POST", url, orjson.dumps(value), {"Content-Type": "application/json"})

    async def hand_over(self, url: str, body: bytes, headers: Mapping[str, str]) -> bytes:
        """Hand over bytes; return the beginning of the answer, or raise DeliveryError unless they were taken."""
        return await self._call("POST", url, body, headers)

    async def get(self, url: str) -> None:
        """Knock; raise DeliveryError unless the answer was a good one."""
        await self._call("GET", url, None, {})

    async def read(self, url: str, headers: Mapping[str, str]) -> bytes:
        """Return the beginning of what stands at an address, or raise DeliveryError."""
        return await self._call("GET", url, None, headers)

    async def close(self) -> None:
        if self._session is not None:
            await self._session.close()
            self._session = None

    async def _call(self, method: str, url: str, body: bytes | None, headers: Mapping[str, str]) -> bytes:
        host = _host(url)
        asked = self._open().request(
            method, url, data=body, headers=headers, allow_redirects=False, proxy=self._settings.proxy or None
        )
        try:
            async with asked as response:
                _refuse_errors(host, response)
                # a short answer read to its end leaves the connection fit for the next call
                return await _beginning(response)
        except TimeoutError:
            words = f"{host} did not answer within {self._settings.timeout:g} s"
            raise DeliveryError(words, code="timeout", uncertain=True) from None
        except (aiohttp.ClientError, aiohttp.http_exceptions.HttpProcessingError, OSError, ValueError) as error:
            # not its text, and not the error itself: both can hold the whole address
            words = f"{host} cannot be called ({type(error).__name__})"
            raise DeliveryError(
                words, code="unreachable", uncertain=not isinstance(error, _NEVER_SENT_ERRORS)
            ) from None

    def _open(self) -> aiohttp.ClientSession:
        if self._session is None:
            self._session = aiohttp.ClientSession(
                headers={"User-Agent": "glassmind", "Accept-Encoding": "identity"},
                timeout=aiohttp.ClientTimeout(total=self._settings.timeout),
                cookie_jar=aiohttp.DummyCookieJar(),
                auto_decompress=False,
                trust_env=False,
            )
        return self._session


async def _beginning(response: aiohttp.ClientResponse) -> bytes:
    found = bytearray()
    async for piece in response.content.iter_chunked(_MAX_ANSWER_BYTES):
        found += piece
        if len(found) >= _MAX_ANSWER_BYTES:
            break
    return bytes(found[:_MAX_ANSWER_BYTES])


def _host(url: str) -> str:
    try:
        return URL(url).host or "the address"
    except ValueError:
        return "the address"


def _refuse_errors(host: str, response: aiohttp.ClientResponse) -> None:
    status = response.status
    if status < 300:
        return
    if status < 400:
        words = f"{host} sends callers on to another address ({status}); name that one instead"
        raise DeliveryError(words, code=str(status), permanent=True)
    wait = response.headers.get("Retry-After", "")
    seconds = min(float(wait), _MAX_WAIT_SECONDS) if wait.isascii() and wait.isdigit() else None
    words = f"{host} answered {status}"
    raise DeliveryError(words, code=str(status), retry_after=seconds, permanent=status < 500 and status != 429)


def create(settings: Mapping[str, object]) -> HttpCaller:
    """Build a caller; raise pydantic's ValidationError."""
    return HttpCaller(Settings.model_validate(dict(settings)))
