"""Carry calls to the Bot API over aiohttp; the only place that knows the token, and it never tells it."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass
from typing import Any

import aiohttp
import orjson
from aiohttp.abc import AbstractStreamWriter
from aiohttp.payload import BytesPayload, Payload
from telegram.error import NetworkError, TelegramError
from telegram.request import BaseRequest, RequestData
from yarl import URL

from adapters.failures import call_words
from adapters.server_clock import ServerClock
from adapters.telegram.settings import Settings

_MAX_ANSWER_BYTES = 32 * 1024 * 1024
_MAX_WAIT_SECONDS = 24 * 3600
_HIDDEN_TOKEN = b"[token]"
# one escape of a JSON text at a time, so that an escaped backslash is never taken for the beginning of another
_ESCAPED_SIGN = re.compile(rb"\\(?:u[dD][89abAB]..\\u[dD][c-fC-F]..|(?P<lone>u[dD][89a-fA-F]..)|.)", re.DOTALL)
_JSON = "application/json"
_NO_VALUE = BaseRequest.DEFAULT_NONE


class TelegramCallUnsent(NetworkError):
    """The call never left: it can be repeated. `kind` is the class of the failure in one word."""

    def __init__(self, message: str, kind: str) -> None:
        super().__init__(message)
        self.kind = kind


class TelegramCallLost(NetworkError):
    """The call went out and no answer of the Bot API came back: it may have been carried out.

    `status` is that of an answer which came from something in between (0: none).
    """

    def __init__(self, message: str, kind: str, status: int = 0) -> None:
        super().__init__(message)
        self.kind = kind
        self.status = status


class FloodWait(TelegramError):
    """The platform asks to wait for so many seconds."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"too many requests; wait {seconds:g} s")
        self.seconds = seconds


class TooLarge(TelegramError):
    """A file is larger than what was asked for."""


@dataclass(slots=True)
class _CallState:
    """A call: a method or the path of a file behind an address without its token, and how much may come back.

    `sent` becomes true when the first byte is about to leave.
    """

    verb: str
    base: str
    what: str
    seconds: float
    most: int
    data: Payload | None = None
    sent: bool = False


class AiohttpRequest(BaseRequest):
    """Implements python-telegram-bot's `BaseRequest` with one session.

    The addresses it gets hold no token (see `BotApi`): only the method's name is read from them. A session is opened by
    the first call. Nothing is retried, and no redirect is followed.
    """

    __slots__ = ("_addresses", "_is_closed", "_session", "_settings", "_their_time", "_token")

    def __init__(self, settings: Settings, their_time: ServerClock) -> None:
        self._settings = settings
        self._their_time = their_time
        self._token = settings.token.get_secret_value()
        self._session: aiohttp.ClientSession | None = None
        self._is_closed = False
        self._addresses: dict[str, URL] = {}

    def __repr__(self) -> str:
        return f"Carrier({URL(self._settings.base_url).host!r})"

    @property
    def read_timeout(self) -> float:
        """Seconds for a whole call, unless the call says otherwise."""
        return self._settings.request_timeout

    async def initialize(self) -> None:
        """Do nothing: the first call opens the session."""

    async def close(self) -> None:
        """Close the connections for good: a call that comes late must not open one that nobody closes."""
        self._is_closed = True
        await self.shutdown()

    async def shutdown(self) -> None:
        """Close the connections; a later call opens new ones."""
        session, self._session = self._session, None
        if session is not None:
            await session.close()

    async def do_request(
        self,
        url: str,
        method: str,
        request_data: RequestData | None = None,
        read_timeout: Any = _NO_VALUE,
        *_: Any,
        **__: Any,
    ) -> tuple[int, bytes]:
        """Post one call; raise FloodWait, or what `_call_error` makes. `read_timeout` is the only limit."""
        name = url.rpartition("/")[2]
        seconds = self.read_timeout if read_timeout is _NO_VALUE or read_timeout is None else float(read_timeout)
        asked = _CallState("POST", self._settings.base_url, name, seconds, _MAX_ANSWER_BYTES, _form(request_data))
        status, body = await self._exchange(asked)
        _must_be_an_answer(name, status, body)
        return status, body

    async def download(self, path: str, most: int) -> bytes:
        """Return a file's content; raise TooLarge, or what `_call_error` makes. Its path must come from `getFile`."""
        settings = self._settings
        # nothing is changed by asking for it, so nobody asks later whether it left
        asked = _CallState("GET", settings.file_url, path, settings.upload_timeout, most, sent=True)
        status, body = await self._exchange(asked)
        if status != 200:
            raise TelegramCallLost(f"the file server answered {status}", "status", status)
        return body

    @staticmethod
    def parse_json_payload(payload: bytes) -> dict[str, Any]:
        """Read an answer that `do_request` let through."""
        parsed: dict[str, Any] = _read(payload)
        return parsed

    async def _exchange(self, asked: _CallState) -> tuple[int, bytes]:
        """Return what came back; raise what `_call_error` makes, or TooLarge; neither tells the address."""
        if self._is_closed:
            raise TelegramCallUnsent(f"{asked.what}: the connections are closed", "closed")
        try:
            return await self._talk(asked)
        except Exception as error:  # noqa: BLE001 - whatever it is, it becomes an error of our own
            failure = _call_error(error, asked)
        # raised out here: neither its chain nor the variables of its traceback lead to the address
        raise failure

    async def _talk(self, asked: _CallState) -> tuple[int, bytes]:
        async with (
            asyncio.timeout(asked.seconds),
            self._open().request(
                asked.verb,
                self._address(asked),
                data=_marking_payload(asked),
                proxy=self._settings.proxy or None,
                allow_redirects=False,
            ) as response,
        ):
            self._their_time.note(response.headers.get("Date", ""))
            if response.status == 200 and (response.content_length or 0) > asked.most:
                raise TooLarge(f"{asked.what}: too large")
            body = await _read_bounded(response.content, asked.most)
        # what stands in between may repeat the address; a file is somebody's own, and stays as it is
        return response.status, body.replace(self._token.encode(), _HIDDEN_TOKEN) if asked.verb == "POST" else body

    def _address(self, asked: _CallState) -> URL:
        if asked.verb == "GET":
            return URL(f"{asked.base}{self._token}/{asked.what}", encoded=True)
        # there are few methods, and reading an address takes longer than looking it up
        found = self._addresses.get(asked.what)
        if found is None:
            found = self._addresses[asked.what] = URL(f"{asked.base}{self._token}/{asked.what}", encoded=True)
        return found

    def _open(self) -> aiohttp.ClientSession:
        if self._session is None:
            connect = self._settings.connect_timeout
            self._session = aiohttp.ClientSession(
                headers={"User-Agent": "glassmind", "Accept-Encoding": "identity"},
                timeout=aiohttp.ClientTimeout(total=None, connect=connect, sock_connect=connect),
                cookie_jar=aiohttp.DummyCookieJar(),
                trust_env=False,
                # no limit of connections: a call that waits for one would wait where nobody can see it
                connector=aiohttp.TCPConnector(limit=0),
            )
        return self._session


def _must_be_an_answer(name: str, status: int, body: bytes) -> None:
    """Refuse what is no answer of the Bot API, and say how long to wait where it says so."""
    parsed = _read(body)
    if not isinstance(parsed, dict) or not isinstance(parsed.get("ok"), bool):
        raise TelegramCallLost(f"{name}: HTTP {status}, and no answer of the Bot API", "answer", status)
    if status < 300 and not parsed["ok"]:
        raise TelegramCallLost(f"{name}: HTTP {status}, and yet not carried out", "answer", status)
    if status < 300 and not isinstance(parsed.get("result"), dict | list | bool):
        raise TelegramCallLost(f"{name}: HTTP {status} without a result", "answer", status)
    wait = _retry_seconds(parsed) if status >= 300 else None
    if wait is not None:
        raise FloodWait(wait)


def _retry_seconds(parsed: dict[str, Any]) -> float | None:
    parameters = parsed.get("parameters")
    seconds = parameters.get("retry_after") if isinstance(parameters, dict) else None
    return float(seconds) if isinstance(seconds, int | float) and 0 <= seconds <= _MAX_WAIT_SECONDS else None


def _read(body: bytes) -> Any:
    """Parse JSON, or return None. A broken character costs itself, not the whole answer."""
    for attempt in (body, _ESCAPED_SIGN.sub(_whole_sign, body)):
        try:
            return orjson.loads(attempt)
        except orjson.JSONDecodeError:
            continue
    return None


def _whole_sign(escaped: re.Match[bytes]) -> bytes:
    return b"\\ufffd" if escaped["lone"] else escaped[0]


def _marking_payload(asked: _CallState) -> Payload | None:
    """Return the body of a call, which notes when it is about to leave: with it, and not before, the headers go."""
    payload: Payload | None = asked.data
    if payload is None:
        return None
    write = payload.write_with_length

    async def leaves(writer: AbstractStreamWriter, length: int | None) -> None:
        asked.sent = True
        # once is enough; and they would hold each other for ever, if nobody collected garbage
        del payload.write_with_length
        await write(writer, length)

    payload.write_with_length = leaves  # type: ignore[method-assign, assignment]
    return payload


async def _read_bounded(content: aiohttp.StreamReader, most: int) -> bytes:
    found = bytearray()
    async for piece in content.iter_any():
        found += piece
        if len(found) > most:
            raise TooLarge("the file is larger than it was said to be")
    return bytes(found)


def _form(request_data: RequestData | None) -> Payload:
    if request_data is None or not request_data.contains_files:
        # JSON: the library's own form has JSON inside of it, and costs ten times as much
        return BytesPayload(orjson.dumps(request_data.parameters if request_data else {}), content_type=_JSON)
    form = aiohttp.FormData(dict(request_data.json_parameters))
    for name, (filename, content, mimetype) in request_data.multipart_data.items():
        form.add_field(name, content, filename=filename, content_type=mimetype)
    return form()


def _call_error(error: Exception, asked: _CallState) -> TelegramError:
    """Name a failure without its own words: they may hold the address, and with it the token."""
    if isinstance(error, TooLarge):
        return TooLarge(error.message) if asked.verb == "GET" else TelegramCallLost(error.message, "answer", 200)
    kind, words = call_words(error, asked.seconds, sent=asked.sent)
    text = f"{asked.what}: {words} ({type(error).__name__})"
    return TelegramCallLost(text, kind) if asked.sent else TelegramCallUnsent(text, kind)
