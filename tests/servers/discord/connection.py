"""One websocket of the gateway: what goes out, in order, through compression and through the faults of a test."""

from __future__ import annotations

import asyncio
import zlib
from typing import TYPE_CHECKING, NamedTuple, cast

from aiohttp import web

from .faults import EventFault, Outcome
from .refusals import dumped
from .values import Json

if TYPE_CHECKING:
    from .gateway import Gateway
    from .session import Event, Session


LEAVE = frozenset({7, 9})
"""Frames behind which a client reads nothing more: begin anew, or go on, with another connection."""


class Close(NamedTuple):
    """A close frame that waits for its turn; without a code the line is cut."""

    code: int | None
    words: str = ""


class Connection:
    """A websocket; `beats` are the numbers its heartbeats named, `closed` is the code it ended with, 0 for a cut."""

    def __init__(self, gateway: Gateway, socket: web.WebSocketResponse, request: web.BaseRequest) -> None:
        self.gateway = gateway
        self.path = request.path
        self.query: dict[str, str] = dict(request.query)
        self.session: Session | None = None
        self.beats: list[int | None] = []
        self.sent: list[float] = []
        self.is_open = True
        self.is_mute = False
        self.is_left = False  # it told its client to go
        self.closed: int | None = None
        self.socket = socket
        self._request = request
        self._frames: asyncio.Queue[bytes | str | Close] = asyncio.Queue()
        self._written = asyncio.Event()
        self._written.set()
        self._late: list[tuple[int, Event]] = []
        self._deflate = zlib.compressobj() if self.query.get("compress") == "zlib-stream" else None

    def tell(self, event: Event) -> None:
        """Send an event, as the faults let it; while the gateway holds events back it waits."""
        if self.is_mute or not self.is_open:
            return
        if self.gateway.is_holding:
            self.gateway.held.append((self, event))
            return
        self.deliver(event)

    def deliver(self, event: Event) -> None:
        """Send an event past the holding."""
        fault = cast(EventFault | None, self.gateway.faults.take(event.name, event.data))
        if fault is None:
            self.send(event.frame())
        else:
            fault.play(Outcome(self, event))
        self._tell_late()

    def postpone(self, event: Event, count: int) -> None:
        """Send an event after so many others."""
        self._late.append((count + 1, event))

    def send(self, frame: Json) -> None:
        """Send any frame."""
        self.is_left = self.is_left or frame.get("op") in LEAVE
        if not self.is_mute:
            self.push(dumped(frame).decode())

    def push(self, frame: bytes | str | Close) -> None:
        """Queue what goes out as it stands."""
        if self.is_open:
            self._written.clear()
            self._frames.put_nowait(frame)

    def close(self, code: int, words: str = "") -> None:
        """Close with a code, after everything that was sent before."""
        self.push(Close(code, words))

    def cut(self) -> None:
        """Let the line break, after everything that was sent before."""
        self.push(Close(None))

    async def written(self) -> None:
        """Wait until everything has gone out."""
        await self._written.wait()

    async def write(self) -> None:
        """Write what is queued until the end; then nobody waits for what is left."""
        try:
            while True:
                frame = await self._frames.get()
                if isinstance(frame, Close):
                    await self._end(frame)
                    return
                await self._write(frame)
                if self._frames.empty():
                    self._written.set()
        except ConnectionError:
            pass
        finally:
            self.is_open = False
            self._written.set()

    async def _write(self, frame: bytes | str) -> None:
        if self._deflate is None:
            await (self.socket.send_str(frame) if isinstance(frame, str) else self.socket.send_bytes(frame))
            return
        plain = frame.encode() if isinstance(frame, str) else frame
        await self.socket.send_bytes(self._deflate.compress(plain) + self._deflate.flush(zlib.Z_SYNC_FLUSH))

    async def _end(self, end: Close) -> None:
        self.is_open = False
        self.closed = end.code or 0
        if end.code is not None:
            await self.socket.close(code=end.code, message=end.words.encode())
        elif (transport := self._request.transport) is not None:
            assert isinstance(transport, asyncio.Transport)
            transport.abort()

    def _tell_late(self) -> None:
        self._late = [(count - 1, event) for count, event in self._late]
        due = [event for count, event in self._late if count <= 0]
        self._late = [one for one in self._late if one[0] > 0]
        for event in due:
            self.send(event.frame())
