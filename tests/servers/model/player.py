"""The only place that sends: it plays the steps of a wire on one connection."""

from __future__ import annotations

import asyncio
import socket
import struct
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import assert_never, cast

from aiohttp import web

from .wire import Close, Data, Hang, Head, Pause, Raw, Step, Wire

RESET_ON_CLOSE = struct.pack("ii", 1, 0)


class Gate:
    """What hanging replies wait at, so that closing the server never waits for them."""

    def __init__(self, changed: asyncio.Event) -> None:
        self.closing = asyncio.Event()
        self.hanging = 0
        self._released = asyncio.Event()
        self._changed = changed

    def release(self) -> None:
        """Let everyone who hangs now go on."""
        self._released.set()
        self._released = asyncio.Event()

    def close(self) -> None:
        """Let everyone go for good."""
        self.closing.set()
        self.release()

    async def pause(self, seconds: float) -> None:
        """Wait so long, or until the server closes."""
        await _wait(self.closing, seconds)

    @contextmanager
    def place(self) -> Iterator[asyncio.Event]:
        """Take a place among those whom the next release lets go; after the closing, go at once."""
        released = self.closing if self.closing.is_set() else self._released
        self.hanging += 1
        self._changed.set()
        try:
            yield released
        finally:
            self.hanging -= 1
            self._changed.set()


class Player:
    """Plays one reply, and remembers how far it came."""

    def __init__(self, request: web.BaseRequest, gate: Gate) -> None:
        self._request = request
        self._gate = gate
        self._response: web.StreamResponse | None = None
        self._closed = False

    async def play(self, wire: Wire) -> web.StreamResponse:
        """Send the steps in order, and the end of the message unless the connection was closed."""
        with suppress(ConnectionError):
            for step in wire:
                await self._take(step)
                if self._closed:
                    break
            else:
                await self._finish()
        return self._response or web.Response(status=500)

    async def _take(self, step: Step) -> None:
        match step:
            case Head():
                await self._begin(step)
            case Data(data):
                await self._write(data)
            case Raw(data):
                self._transport.write(data)
            case Pause(seconds):
                await self._gate.pause(seconds)
            case Hang(heartbeat, beat):
                await self._hang(heartbeat, beat)
            case Close(reset):
                self._close(reset)
            case _:
                assert_never(step)
        if self._gate.closing.is_set():
            self._close(reset=False)

    async def _begin(self, head: Head) -> None:
        self._response = web.StreamResponse(status=head.status, headers=dict(head.headers))
        if head.length is None:
            self._response.enable_chunked_encoding()
        else:
            self._response.content_length = head.length
        await self._response.prepare(self._request)

    async def _write(self, data: bytes) -> None:
        assert self._response is not None, "a body needs a Head before it"
        if data:
            await self._response.write(data)
        await asyncio.sleep(0)  # gives a client in this loop the chance to read each write by itself

    async def _hang(self, heartbeat: float | None, beat: bytes) -> None:
        with self._gate.place() as released:
            while heartbeat is not None and not released.is_set():
                await self._write(beat)
                await _wait(released, heartbeat)
            await released.wait()

    async def _finish(self) -> None:
        if self._response is not None:
            await self._response.write_eof()

    def _close(self, reset: bool) -> None:
        self._closed = True
        transport = self._transport
        if reset:
            transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET_ON_CLOSE)
            transport.abort()
        else:
            transport.close()

    @property
    def _transport(self) -> asyncio.Transport:
        transport = self._request.transport
        if transport is None:
            raise ConnectionResetError("the client has gone")
        return cast("asyncio.Transport", transport)  # of another class where the loop is not asyncio's own


async def _wait(event: asyncio.Event, seconds: float) -> None:
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()
