"""A server at an address: streamable HTTP by the SDK, over a client that takes no more than a bounded answer."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import httpx2

from adapters.mcp.stdio import MESSAGE_BYTES, MESSAGES_PER_TICK, TICK_SECONDS
from bot.ports.toolservers import OnServerChange, ServerAddress

_CONNECT_SECONDS = 10.0
_READ_SECONDS = 3600.0
"""A call has its own limit; a stream of notices may be silent for long."""
_REFUSALS = {401: " (it wants a key: see `headers`)", 403: " (the key is not enough: see `headers`)"}


class BoundedTransport(httpx2.AsyncHTTPTransport):
    """Refuses packed answers, whose size nobody knows beforehand, bounds those that are no streams, and sees trouble.

    Implements `adapters.mcp.client.ServerTransport`.
    """

    def __init__(self, stir: OnServerChange) -> None:
        super().__init__()
        self._stir = stir
        self.ended = ""
        self.trouble = ""

    def end(self, why: str) -> None:
        """Say that the connection is over; the first reason counts."""
        if not self.ended:
            self.ended = why
            self._stir()

    def last_words(self) -> str:
        """Return nothing: an address has no standard error."""
        return ""

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send a request, and keep what went wrong with it."""
        self.trouble = ""
        try:
            response = await super().handle_async_request(request)
        except httpx2.TransportError as error:
            self.trouble = f"it cannot be reached ({type(error).__name__})"
            raise
        if response.status_code in _REFUSALS or response.status_code >= 500:
            self.trouble = f"it answered {response.status_code}{_REFUSALS.get(response.status_code, '')}"
        if response.headers.get("content-encoding", "identity") != "identity":
            await response.aclose()
            self.trouble = "it sent a packed answer, which was not asked for"
            raise httpx2.ReadError(self.trouble)
        stream = response.stream
        assert isinstance(stream, httpx2.AsyncByteStream)
        is_stream = response.headers.get("content-type", "").startswith("text/event-stream")
        response.stream = _PacedStream(stream) if is_stream else _BoundedStream(stream, self)
        return response


class _BoundedStream(httpx2.AsyncByteStream):
    def __init__(self, stream: httpx2.AsyncByteStream, carrier: BoundedTransport) -> None:
        self._stream = stream
        self._carrier = carrier

    async def __aiter__(self) -> AsyncIterator[bytes]:
        taken = 0
        async for chunk in self._stream:
            taken += len(chunk)
            if taken > MESSAGE_BYTES:
                self._carrier.trouble = f"it sent an answer of more than {MESSAGE_BYTES // 1024**2} MB"
                raise httpx2.ReadError(self._carrier.trouble)
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
