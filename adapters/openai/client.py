"""Post ready-made bytes to an OpenAI-compatible service, once, and read the stream that comes back."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from typing import TypedDict

import aiohttp
from pydantic import BaseModel, ConfigDict, Field, PositiveFloat, SecretStr, field_validator
from yarl import URL

from adapters.openai.encode import ENCODER, Fragments, MaxTokensField, encode_chat
from adapters.openai.faults import Clean, cleaner, of_event, of_exception, of_status
from adapters.openai.stream import DONE, LARGEST, Answer, Chunk, Events, parse_chunk
from bot.domain.health import Probe
from bot.domain.llm import LLMRequest, LLMResponse, WireRequest
from bot.errors import ProviderError, ProviderFault
from bot.ports.model import OnText

_LAST_BYTES = 0.02
"""Seconds that a finished stream gets for its end, so that the connection can be used again."""
_LAST_USAGE = 2.0
"""Seconds that a finished answer gets for its usage; then it is taken without."""
_MOST_OF_AN_ERROR = 64 * 1024
_ADVICE = {
    ProviderFault.AUTH: "Check api_key, and that base_url belongs to the same service.",
    ProviderFault.CREDIT: "Top up the account of the key.",
    ProviderFault.NOT_FOUND: "Check base_url: it usually ends in /v1.",
    ProviderFault.UNREACHABLE: "Check base_url, the network, the proxy, and that the service runs.",
    ProviderFault.TIMEOUT: "Check the network and the proxy, or raise connect_timeout.",
    ProviderFault.RATE: "Wait, or raise the limit of the key.",
}
_WAIT = "Try again later; see the service's status page."


class Settings(BaseModel):
    """The keys of a `[providers.x]` table with `kind = "openai"`. Seconds."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    base_url: str = "https://api.openai.com/v1"
    api_key: SecretStr | None = None
    organization: str = ""
    proxy: str = Field("", repr=False)
    connect_timeout: PositiveFloat = 10.0
    first_token_timeout: PositiveFloat = 30.0
    between_tokens_timeout: PositiveFloat = 20.0
    max_tokens_field: MaxTokensField = "max_completion_tokens"

    @field_validator("base_url")
    @classmethod
    def _is_an_address(cls, value: str) -> str:
        url = URL(value)
        if url.scheme not in ("http", "https") or not url.host:
            raise ValueError("must be an address like https://api.openai.com/v1")
        if url.user or url.password:
            raise ValueError("must not contain a password; use api_key")
        return value.rstrip("/")

    @field_validator("api_key", mode="before")
    @classmethod
    def _is_one_word(cls, value: object) -> object:
        key = value.get_secret_value() if isinstance(value, SecretStr) else value
        if isinstance(key, str) and not (key.isascii() and key.isprintable() and " " not in key):
            raise ValueError("must be one line of plain ASCII without spaces")
        return value or None

    @field_validator("organization")
    @classmethod
    def _is_plain(cls, value: str) -> str:
        if not (value.isascii() and (value.isprintable() or not value)):
            raise ValueError("must be plain ASCII")
        return value


class _Route(TypedDict):
    allow_redirects: bool
    proxy: str | None


class OpenAIProvider:
    """A service that speaks chat completions. The session is opened by the first call, and closed by `close`."""

    encoder = ENCODER

    def __init__(self, name: str, settings: Settings) -> None:
        self.name = name
        self._settings = settings
        self._fragments = Fragments()
        self._session: aiohttp.ClientSession | None = None
        key = settings.api_key.get_secret_value() if settings.api_key else ""
        password = URL(settings.proxy).password or ""
        self._clean = cleaner(tuple(secret for secret in (key, password) if secret))

    def __repr__(self) -> str:
        return f"OpenAIProvider({self.name!r}, {self._settings.base_url!r})"

    def encode(self, request: LLMRequest) -> WireRequest:
        """Return the exact body that `complete` posts."""
        return encode_chat(request, fragments=self._fragments, max_tokens_field=self._settings.max_tokens_field)

    async def complete(self, wire: WireRequest, on_text: OnText) -> LLMResponse:
        """Post these very bytes once and wait for the answer; raise ProviderError. Never retries."""
        reading = _Reading(self._settings, self._clean, on_text)
        headers = {"Content-Type": "application/json", "Accept": "text/event-stream, application/json"}
        url = self._settings.base_url + wire.path
        async with (
            reading.bounded(),
            self._open().post(url, data=wire.body, headers=headers, **self._route()) as response,
        ):
            await reading.refuse_errors(response)
            await reading.read(response)
        return reading.answer.response()

    async def probe(self) -> Sequence[Probe]:
        """Look whether the service answers and takes the key; no model call, never raises."""
        name = f"provider {self.name}"
        reading = _Reading(self._settings, self._clean, _nowhere)
        url = self._settings.base_url + "/models"
        try:
            async with reading.bounded(), self._open().get(url, **self._route()) as response:
                await reading.refuse_errors(response)
        except ProviderError as error:
            return (Probe(name=name, state="failed", evidence=str(error), fix=_ADVICE.get(error.fault, _WAIT)),)
        return (Probe(name=name, state="ok", evidence=f"{self._settings.base_url} answers and takes the key"),)

    async def close(self) -> None:
        """Close the connections."""
        if self._session is not None:
            await self._session.close()
            self._session = None

    def _open(self) -> aiohttp.ClientSession:
        if self._session is None:
            settings = self._settings
            headers = {"User-Agent": "glassmind", "Accept-Encoding": "identity"}
            if settings.api_key:
                headers["Authorization"] = f"Bearer {settings.api_key.get_secret_value()}"
            if settings.organization:
                headers["OpenAI-Organization"] = settings.organization
            connect = settings.connect_timeout
            # no limit of connections: a request that waits for one would wait where nobody can see it
            self._session = aiohttp.ClientSession(
                headers=headers,
                timeout=aiohttp.ClientTimeout(total=None, connect=connect, sock_connect=connect),
                trust_env=False,
                connector=aiohttp.TCPConnector(limit=0),
            )
        return self._session

    def _route(self) -> _Route:
        return {"allow_redirects": False, "proxy": self._settings.proxy or None}


class _Reading:
    """One answer on its way: bounded in time, and every failure named."""

    def __init__(self, settings: Settings, clean: Clean, on_text: OnText) -> None:
        self.answer = Answer(on_text)
        self._settings = settings
        self._clean = clean
        self._limit = asyncio.timeout(settings.first_token_timeout)
        self._begun = False

    @asynccontextmanager
    async def bounded(self) -> AsyncIterator[None]:
        """Bound the time to the first token and between tokens; turn whatever is raised into a ProviderError."""
        try:
            async with self._limit:
                yield
        except (aiohttp.ClientError, aiohttp.http_exceptions.HttpProcessingError, OSError) as error:
            if self.answer.finished:
                return  # nothing that matters was still to come
            if self._limit.expired():
                raise self._late() from None
            raise of_exception(error, self._clean, self.answer.text) from None

    async def refuse_errors(self, response: aiohttp.ClientResponse) -> None:
        """Raise for every status but 200."""
        if response.status != 200:
            body = await response.content.read(_MOST_OF_AN_ERROR)
            raise of_status(response.status, response.headers, body, self._clean)

    async def read(self, response: aiohttp.ClientResponse) -> None:
        """Read a stream, or one body where the service does not stream."""
        if response.content_type == "text/html":
            raise self._garbage("an HTML page instead of an answer")
        if response.content_type == "application/json":
            return await self._whole(response)
        events, size = Events(), 0
        async for piece in response.content.iter_any():
            size += len(piece)
            is_news = False
            for data in events.feed(piece):
                if data == DONE:
                    await _drain(response)
                    return self._end(size, events)
                self._take(data)
                is_news = True
            if is_news:
                self._begin()
            if size > LARGEST:
                raise self._garbage(f"more than {LARGEST} bytes")
        self._rest(events)
        return self._end(size, events)

    async def _whole(self, response: aiohttp.ClientResponse) -> None:
        body = bytearray()
        async for piece in response.content.iter_any():
            body += piece
            if len(body) > LARGEST:
                raise self._garbage(f"more than {LARGEST} bytes")
        chunk = self._take(bytes(body))
        if not chunk.choices:
            raise self._garbage("a body without a choice")

    def _begin(self) -> None:
        # only events count: a comment that keeps the line alive is no token
        self._begun = True
        wait = self._settings.between_tokens_timeout
        wait = min(wait, _LAST_USAGE) if self.answer.finished else wait
        self._limit.reschedule(asyncio.get_running_loop().time() + wait)

    def _take(self, data: bytes) -> Chunk:
        chunk = parse_chunk(data)
        if chunk is None:
            raise self._garbage("what the protocol does not allow")
        if chunk.error:
            raise of_event(chunk.error, self._clean, self.answer.text)
        self.answer.take(chunk)
        return chunk

    def _rest(self, events: Events) -> None:
        # the last event may lack its blank line, or be cut: then its loss shows as a missing finish_reason
        for data in events.rest():
            if parse_chunk(data) is not None:
                self._take(data)

    def _end(self, size: int, events: Events) -> None:
        if self.answer.finished:
            return
        if size and not events.fields:
            raise self._garbage("a body without a single event")
        words = f"the stream ended without a finish_reason, after {len(self.answer.text)} characters"
        raise ProviderError(words, fault=ProviderFault.CUT, partial_text=self.answer.text)

    def _late(self) -> ProviderError:
        settings = self._settings
        words = f"no first token within {settings.first_token_timeout:g} s (first_token_timeout)"
        if self._begun:
            words = f"nothing for {settings.between_tokens_timeout:g} s between tokens (between_tokens_timeout)"
        return ProviderError(words, fault=ProviderFault.TIMEOUT, partial_text=self.answer.text)

    def _garbage(self, what: str) -> ProviderError:
        return ProviderError(f"the service sent {what}", fault=ProviderFault.GARBAGE, partial_text=self.answer.text)


async def _drain(response: aiohttp.ClientResponse) -> None:
    if not response.content.at_eof():
        with suppress(OSError, aiohttp.ClientError):
            async with asyncio.timeout(_LAST_BYTES):
                await response.content.readany()


def _nowhere(_: str) -> None:
    """Take text that nobody asked for."""
