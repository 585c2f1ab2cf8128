"""The line to a model service: ready-made bytes go out once, and what comes back is read with bounded patience."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from enum import Enum
from typing import NamedTuple, Protocol, TypedDict

import aiohttp
from aiohttp.abc import AbstractStreamWriter
from aiohttp.payload import BytesPayload

from adapters.model_http.errors import (
    Clean,
    ErrorInside,
    NotTheProtocol,
    cleaner,
    of_event,
    of_exception,
    of_refusal_inside,
    of_status,
)
from adapters.model_http.settings import ServiceSettings
from adapters.model_http.sse import SseParser
from bot.domain.patience import PUBLIC_SECONDS, Patience, alive_seconds
from bot.errors import ProviderError, ProviderFault

MAX_ANSWER_BYTES = 64 * 1024 * 1024
"""No answer of a model comes near; a server that never stops must not fill the memory."""

MAX_LIST_BYTES = 8 * 1024 * 1024
"""The largest service lists some hundred models, in less than a megabyte."""

_LAST_BYTES_SECONDS = 0.02
"""Seconds that a finished stream gets for its end, so that the connection can be used again."""
_LAST_USAGE_SECONDS = 2.0
"""Seconds that a finished answer gets for its usage; then it is taken without."""
_MAX_ERROR_BYTES = 64 * 1024
_ERROR_SECONDS = 3.0
"""Seconds for the words of a refusal; its status is known by then."""
_MAX_OPENING_BYTES = 4096
"""Bytes of the first event that are kept until something comes of the answer."""


class LifeSign(Enum):
    """What an event is for somebody who waits: a token, a sign that the model thinks, nothing at all, or the end."""

    TOKEN = "token"
    THOUGHT = "thought"
    NOTHING = "nothing"
    END = "end"


class OneShotPayload(BytesPayload):
    """Bytes that are let go of as soon as they are written; they are never posted a second time."""

    async def write(self, writer: AbstractStreamWriter) -> None:
        await self.write_with_length(writer, None)

    async def write_with_length(self, writer: AbstractStreamWriter, content_length: int | None) -> None:
        """Write at most so many of them."""
        value, self._value = self._value, b""
        await writer.write(value if content_length is None else value[:content_length])


class AnswerReader(Protocol):
    """Grows with what a service sends. `text` are the words so far; `ending` names what says that it is finished."""

    ending: str

    @property
    def text(self) -> str:
        """The words that have come so far."""

    @property
    def finished(self) -> bool:
        """Whether the service said why it stopped; without that, an ended stream was cut."""

    def take(self, data: bytes) -> LifeSign:
        """Add what an event brings; raise NotTheProtocol or ErrorInside."""

    def take_whole(self, data: bytes) -> None:
        """Add a whole body; raise NotTheProtocol or ErrorInside."""


class _WaitLimits(NamedTuple):
    """What is waited for: how long in silence, how long while there are signs of life, and which key says so."""

    what: str
    key: str
    silent: float
    alive: float

    def words(self, *, life: bool = False) -> str:
        """Say that it did not come, in silence or with signs of life."""
        more = f", nor for {self.alive:g} s with signs of life" if life else ""
        return f"{self.what.format(f'{self.silent:g} s')}{more} ({self.key})"


class _Route(TypedDict):
    allow_redirects: bool
    proxy: str | None


class ModelHttpClient:
    """The way to one service. The session is opened by the first call, and closed by `close`."""

    def __init__(self, settings: ServiceSettings, headers: Mapping[str, str]) -> None:
        self._settings = settings
        self._headers = {"User-Agent": "glassmind", "Accept-Encoding": "identity", **headers}
        self._session: aiohttp.ClientSession | None = None
        self._clean = cleaner(settings.secrets)

    def __repr__(self) -> str:
        return f"Line({self._settings.base_url!r})"

    async def post(self, path: str, body: bytes, answer: AnswerReader) -> None:
        """Post these very bytes once and read the answer to its end; raise ProviderError. Never retries."""
        patience = self._settings.patience
        reading, once = _AnswerStream(self._settings, patience, self._clean, answer), OneShotPayload(body)
        # a model may think for minutes: what was sent is not kept for as long
        del body
        headers = {"Content-Type": "application/json", "Accept": "text/event-stream, application/json"}
        url = self._settings.base_url + path
        async with (
            reading.bounded(),
            self._open().post(url, data=once, headers=headers, **self._route()) as response,
        ):
            await reading.refuse_errors(response)
            await reading.read(response)

    async def get(self, path: str) -> bytes:
        """Read what stands at an address of the service, once; raise ProviderError."""
        # no model is loaded for it
        seconds = min(self._settings.patience.silent, PUBLIC_SECONDS)
        reading = _AnswerStream(self._settings, Patience(seconds, seconds), self._clean, _ProbeReader())
        url = self._settings.base_url + path
        async with reading.bounded(), self._open().get(url, **self._route()) as response:
            await reading.refuse_errors(response)
            return await reading.whole(response, MAX_LIST_BYTES)
        # what ends the reading raises
        raise AssertionError

    async def close(self) -> None:
        if self._session is not None:
            await self._session.close()
            self._session = None

    def _open(self) -> aiohttp.ClientSession:
        if self._session is None:
            connect = self._settings.connect_timeout
            # no limit of connections: a request that waits for one would wait where nobody can see it
            self._session = aiohttp.ClientSession(
                headers=self._headers,
                timeout=aiohttp.ClientTimeout(total=None, connect=connect, sock_connect=connect),
                trust_env=False,
                connector=aiohttp.TCPConnector(limit=0),
            )
        return self._session

    def _route(self) -> _Route:
        return {"allow_redirects": False, "proxy": self._settings.proxy or None}


class _ProbeReader:
    """Who takes the answer of a probe: it is not read."""

    ending = text = ""
    finished = False

    def take(self, data: bytes) -> LifeSign:
        return LifeSign.NOTHING

    def take_whole(self, data: bytes) -> None:
        return None


class _AnswerStream:
    """One answer on its way: bounded in time, and every failure named."""

    def __init__(self, settings: ServiceSettings, patience: Patience, clean: Clean, answer: AnswerReader) -> None:
        self._answer = answer
        between = settings.between_tokens_timeout
        self._next = _WaitLimits(
            "nothing for {} between tokens", "between_tokens_timeout", between, alive_seconds(between)
        )
        self._first = _WaitLimits("no first token within {}", "first_token_timeout", patience.silent, patience.alive)
        self._clean = clean
        self._opening = self._head = b""
        self._wait = self._first
        self._waits_for = self._wait.words()
        self._limit = asyncio.timeout(self._wait.silent)
        self._until = asyncio.get_running_loop().time() + self._wait.alive

    @asynccontextmanager
    async def bounded(self) -> AsyncIterator[None]:
        """Bound the time to the first token and between tokens; turn whatever is raised into a ProviderError."""
        try:
            async with self._limit:
                yield
        except (aiohttp.ClientError, aiohttp.http_exceptions.HttpProcessingError, OSError) as error:
            if self._answer.finished:
                return  # nothing that matters was still to come
            if self._limit.expired():
                raise self._error(self._waits_for, ProviderFault.TIMEOUT) from None
            raise of_exception(error, self._clean, self._answer.text) from None

    async def refuse_errors(self, response: aiohttp.ClientResponse) -> None:
        """Raise for every status but 200."""
        if response.status != 200:
            body = await _beginning(response)
            raise of_status(response.status, response.headers, body, self._clean)

    async def read(self, response: aiohttp.ClientResponse) -> None:
        """Read a stream, or one body where the service does not stream."""
        if response.content_type == "text/html":
            raise self._garbage("an HTML page instead of an answer")
        try:
            if response.content_type == "application/json":
                self._take_whole(await self.whole(response))
            else:
                await self._stream(response)
        except NotTheProtocol as error:
            raise self._garbage(str(error)) from None
        except ErrorInside as error:
            raise of_event(error.value, self._clean, self._answer.text) from None

    def _take_whole(self, body: bytes) -> None:
        try:
            self._answer.take_whole(body)
        except NotTheProtocol:
            # some say with a 200 what others say with a status
            if (said := of_refusal_inside(body[:_MAX_ERROR_BYTES], self._clean)) is not None:
                raise said from None
            raise

    async def _stream(self, response: aiohttp.ClientResponse) -> None:
        events, size = SseParser(), 0
        async for piece in response.content.iter_any():
            self._head = self._head if size else piece[:_MAX_ERROR_BYTES]
            size += len(piece)
            latest = LifeSign.NOTHING
            for data in events.feed(piece):
                if not data.strip():
                    continue  # some keep the line alive so, and say nothing with it
                self._opening = self._opening or data[:_MAX_OPENING_BYTES]
                heard = self._answer.take(data)
                if heard is LifeSign.END:
                    await _drain(response)
                    return self._end(size, events)
                latest = heard if heard is not LifeSign.NOTHING else latest
            self._wait_on(latest)
            if size > MAX_ANSWER_BYTES:
                raise self._garbage(f"more than {MAX_ANSWER_BYTES} bytes")
        self._rest(events)
        self._end(size, events)

    async def whole(self, response: aiohttp.ClientResponse, most: int = MAX_ANSWER_BYTES) -> bytes:
        """Read one body; raise ProviderError where it has no end."""
        body = bytearray()
        async for piece in response.content.iter_any():
            body += piece
            if len(body) > most:
                raise self._garbage(f"more than {most} bytes")
        return bytes(body)

    def _wait_on(self, heard: LifeSign) -> None:
        now = asyncio.get_running_loop().time()
        if heard is LifeSign.NOTHING:
            # comments and empty events say that somebody is at work, but bring nothing: that is borne for longer
            self._show_life(now)
            return
        self._wait = self._first if heard is LifeSign.THOUGHT else self._next
        self._waits_for = self._wait.words()
        wait = min(self._wait.silent, _LAST_USAGE_SECONDS) if self._answer.finished else self._wait.silent
        self._until = now + self._wait.alive
        self._limit.reschedule(now + wait)

    def _show_life(self, now: float) -> None:
        if self._answer.finished or self._limit.expired():
            return
        if now + self._wait.silent > self._until:
            self._waits_for = self._wait.words(life=True)
        self._limit.reschedule(min(now + self._wait.silent, self._until))

    def _rest(self, events: SseParser) -> None:
        # the last event may lack its blank line, or be cut: then its loss shows as a missing end
        for data in events.rest():
            with suppress(NotTheProtocol):
                if data.strip():
                    self._answer.take(data)

    def _end(self, size: int, events: SseParser) -> None:
        if self._answer.finished:
            return
        if not self._answer.text and (said := self._instead(events)) is not None:
            raise said
        if size and not events.fields:
            if (told := of_refusal_inside(self._head, self._clean)) is not None:
                raise told
            raise self._garbage("a body without a single event")
        words = f"the stream ended without a {self._answer.ending}, after {len(self._answer.text)} characters"
        raise self._error(words, ProviderFault.CUT)

    def _instead(self, events: SseParser) -> ProviderError | None:
        """Name what came instead of an answer, where nothing of one did."""
        if not events.fields:
            return None
        return of_refusal_inside(self._opening, self._clean)

    def _garbage(self, what: str) -> ProviderError:
        return self._error(f"the service sent {what}", ProviderFault.GARBAGE)

    def _error(self, words: str, fault: ProviderFault) -> ProviderError:
        return ProviderError(words, fault=fault, partial_text=self._answer.text)


async def _beginning(response: aiohttp.ClientResponse) -> bytes:
    """Return as much of a refusal as is read, however slowly it comes and whether or not it can be unpacked."""
    body = bytearray()
    with suppress(TimeoutError, aiohttp.ClientError, aiohttp.http_exceptions.HttpProcessingError):
        async with asyncio.timeout(_ERROR_SECONDS):
            while len(body) < _MAX_ERROR_BYTES:
                piece = await response.content.read(_MAX_ERROR_BYTES - len(body))
                if not piece:
                    break
                body += piece
    return bytes(body)


async def _drain(response: aiohttp.ClientResponse) -> None:
    if not response.content.at_eof():
        with suppress(OSError, aiohttp.ClientError):
            async with asyncio.timeout(_LAST_BYTES_SECONDS):
                await response.content.readany()
