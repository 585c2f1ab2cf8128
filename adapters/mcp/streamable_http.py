"""A server at an address: streamable HTTP by the SDK, over a client that takes no more than a bounded answer."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import httpx2

from adapters.mcp.stdio import MESSAGE_BYTES, MESSAGES_PER_TICK, TICK_SECONDS
from bot.ports.toolservers import OnServerChange, ServerAddress
from bot.sentences import ENGLISH, Words, later, said_in

_CONNECT_SECONDS = 10.0
_READ_SECONDS = 3600.0
"""A call has its own limit; a stream of notices may be silent for long."""
_REFUSALS = {401: "mcp_servers.answered-wants-key", 403: "mcp_servers.answered-key-not-enough"}


class BoundedTransport(httpx2.AsyncHTTPTransport):
    """Refuses packed answers, whose size nobody knows beforehand, bounds those that are no streams, and sees trouble.

    Implements `adapters.mcp.client.ServerTransport`.
    """

    def __init__(self, stir: OnServerChange) -> None:
        super().__init__()
        self._stir = stir
        self.ended: Words | None = None
        self.trouble: Words | None = None

    def end(self, why: Words) -> None:
        """Say that the connection is over; the first reason counts."""
        if self.ended is None:
            self.ended = why
            self._stir()

    def last_words(self) -> str:
        """Return nothing: an address has no standard error."""
        return ""

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send a request, and keep what went wrong with it."""
        self.trouble = None
        try:
            response = await super().handle_async_request(request)
        except httpx2.TransportError as error:
            self.trouble = later("mcp_servers.unreachable", error=type(error).__name__)
            raise
        if response.status_code in _REFUSALS or response.status_code >= 500:
            name = _REFUSALS.get(response.status_code, "mcp_servers.answered")
            self.trouble = later(name, status=str(response.status_code))
        if response.headers.get("content-encoding", "identity") != "identity":
            await response.aclose()
            raise self.refused(later("mcp_servers.packed-answer"))
        stream = response.stream
        assert isinstance(stream, httpx2.AsyncByteStream)
        is_stream = response.headers.get("content-type", "").startswith("text/event-stream")
        response.stream = _PacedStream(stream) if is_stream else _BoundedStream(stream, self)
        return response

    def refused(self, why: Words) -> httpx2.ReadError:
        """Keep why an answer is not taken, and return the error that ends its reading."""
        self.trouble = why
        return httpx2.ReadError(said_in(ENGLISH, why))


class _BoundedStream(httpx2.AsyncByteStream):
    def __init__(self, stream: httpx2.AsyncByteStream, carrier: BoundedTransport) -> None:
        self._stream = stream
        self._carrier = carrier

    async def __aiter__(self) -> AsyncIterator[bytes]:
        taken = 0
        async for chunk in self._stream:
            taken += len(chunk)
            if taken > MESSAGE_BYTES:
                raise self._carrier.refused(later("mcp_servers.answer-too-large", mb=MESSAGE_BYTES // 1024**2))
            yield chunk

    async def aclose(self) -> None:
        await self._stream.aclose()


class _PacedStream(httpx2.AsyncByteStream):
    """Lets through so many events in a time; what a server says beyond that waits in its socket."""

    def __init__(self, stream: httpx2.AsyncByteStream) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        events = 0
        async for chunk in self._stream:
            yield chunk
            events += chunk.count(b"\n\n") + chunk.count(b"\n\r\n")
            if events >= MESSAGES_PER_TICK:
                await asyncio.sleep(TICK_SECONDS * events / MESSAGES_PER_TICK)
                events = 0

    async def aclose(self) -> None:
        await self._stream.aclose()


def client_of(address: ServerAddress, carrier: BoundedTransport) -> httpx2.AsyncClient:
    """Return a client that sends the configured headers; it follows no proxy of the environment."""
    return httpx2.AsyncClient(
        headers={"user-agent": "glassmind", "accept-encoding": "identity", **address.headers},
        timeout=httpx2.Timeout(_CONNECT_SECONDS, read=_READ_SECONDS),
        transport=carrier,
        trust_env=False,
    )
