"""One call on its way back: apply the method once, send an answer or fail to."""

from __future__ import annotations

import asyncio
import socket
import struct
from collections.abc import Awaitable, Callable
from typing import cast

from aiohttp import web

Applied = tuple[int, bytes]
RESET_ON_CLOSE = struct.pack("ii", 1, 0)
JSON = "application/json"
BYTES = "application/octet-stream"


def line_of(request: web.BaseRequest) -> int:
    """Name the connection of a request, by the client's port; 0 when it is gone."""
    peer = request.transport and request.transport.get_extra_info("peername")
    return int(peer[1]) if peer else 0


class Gate:
    """Where calls hang until a test lets go of them."""

    def __init__(self, changed: asyncio.Event) -> None:
        self.hanging = 0
        self._released = asyncio.Event()
        self._changed = changed

    async def hang(self) -> None:
        """Wait for the next release."""
        self.hanging += 1
        self._changed.set()
        try:
            await self._released.wait()
        finally:
            self.hanging -= 1

    def release(self) -> None:
        """Let everything go that hangs now."""
        self._released.set()
        self._released = asyncio.Event()


class Exchange:
    """One request and the answer that is being made for it."""

    def __init__(self, request: web.BaseRequest, gate: Gate, run: Callable[[], Awaitable[Applied]], kind: str) -> None:
        self.kind = kind
        self._request = request
        self._gate = gate
        self._run = run
        self._applied: Applied | None = None
        self.status = 0
        self.response: web.StreamResponse = web.Response(status=500)

    @property
    def line(self) -> int:
        """Name the connection."""
        return line_of(self._request)

    async def apply(self) -> Applied:
        """Let the method take effect, once, and return the true answer."""
        if self._applied is None:
            self._applied = await self._run()
        return self._applied

    async def answer(self) -> None:
        """Answer truly."""
        status, body = await self.apply()
        await self.send(status, body, self.kind)

    async def hang(self) -> None:
        """Wait until the test says so."""
        await self._gate.hang()

    async def send(self, status: int, body: bytes, kind: str = JSON, length: int | None = None) -> None:
        """Send a body; with a longer `length` the connection closes in the middle of it."""
        self.status = status
        if length is None:
            self.response = web.Response(status=status, body=body, content_type=kind)
            return
        stream = await self._begin(status, length)
        await stream.write(body)
        self.close()

    async def dribble(self, status: int, body: bytes, size: int, pause: float) -> None:
        """Send a body in small writes."""
        self.status = status
        stream = await self._begin(status, len(body))
        for at in range(0, len(body), size):
            await stream.write(body[at : at + size])
            await asyncio.sleep(pause)
        await stream.write_eof()

    def close(self, reset: bool = False) -> None:
        """Close the connection as it stands."""
        transport = self._request.transport
        if transport is None:
            return
        if reset:
            transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET_ON_CLOSE)
            # of another class where the loop is not asyncio's own
            cast("asyncio.Transport", transport).abort()
        else:
            transport.close()

    async def _begin(self, status: int, length: int) -> web.StreamResponse:
        stream = web.StreamResponse(status=status, headers={"Content-Type": self.kind})
        stream.content_length = length
        await stream.prepare(self._request)
        self.response = stream
        return stream
