"""HTTP/1.1 as far as a load generator needs it: whole requests in, whole answers out, as little CPU as possible."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import NamedTuple

from bot.runtime.tasks import TaskSupervisor

Answer = bytes | Awaitable[bytes]
Handle = Callable[[str, bytes], Answer]
"""Takes a path and a body; what takes time is awaited."""

JSON, EVENTS = b"application/json", b"text/event-stream"


class Request(NamedTuple):
    """One request that came whole, and where it ends in what was received."""

    path: str
    body: bytes
    end: int


class Connection(asyncio.Protocol):
    """One keep-alive connection; its client waits for an answer before it asks again."""

    def __init__(self, handle: Handle, tasks: TaskSupervisor) -> None:
        self._handle = handle
        self._tasks = tasks
        self._received = bytearray()
        self._transport: asyncio.WriteTransport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.WriteTransport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._received += data
        while (request := parsed(self._received)) is not None:
            del self._received[: request.end]
            found = self._handle(request.path, request.body)
            if isinstance(found, bytes):
                self._write(found)
            else:
                self._tasks.spawn(request.path, self._later(found))

    async def _later(self, coming: Awaitable[bytes]) -> None:
        self._write(await coming)

    def _write(self, answer: bytes) -> None:
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(answer)


def parsed(received: bytearray) -> Request | None:
    """Read one request, or nothing as long as it is not whole."""
    head = received.find(b"\r\n\r\n")
    if head < 0:
        return None
    lines = bytes(received[:head])
    path = lines.split(b" ", 2)[1].decode()
    folded = lines.lower()
    if b"transfer-encoding: chunked" in folded:
        return _chunked(received, path, head + 4)
    at = folded.find(b"content-length:")
    length = int(folded[at + 15 :].split(b"\r\n", 1)[0]) if at >= 0 else 0
    end = head + 4 + length
    return Request(path, bytes(received[head + 4 : end]), end) if len(received) >= end else None


def _chunked(received: bytearray, path: str, at: int) -> Request | None:
    body = bytearray()
    while (line := received.find(b"\r\n", at)) >= 0:
        size = int(received[at:line].split(b";")[0], 16)
        begin, at = line + 2, line + 2 + size + 2
        if len(received) < at:
            return None
        if size == 0:
            return Request(path, bytes(body), at)
        body += received[begin : begin + size]
    return None


def answer(body: bytes, kind: bytes = JSON, status: bytes = b"200 OK") -> bytes:
    """Write an answer."""
    return b"HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s" % (status, kind, len(body), body)
