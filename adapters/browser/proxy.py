"""The only way out of our browser: a proxy on this machine that calls what the guard has checked, and no more."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

from yarl import URL

from adapters.web.guard import AddressGuard
from bot.errors import ToolError

_MAX_HEAD_BYTES = 64 * 1024
_MAX_CONNECTIONS = 64
_MAX_REFUSED_HOSTS = 50
_CONNECT_SECONDS = 10.0
_PIECE_BYTES = 64 * 1024
_HOP_BY_HOP = (b"proxy-connection", b"proxy-authorization", b"connection", b"keep-alive", b"te", b"upgrade")


@dataclass
class BrowserProxy:
    """One browser's way out. `most` bytes may come in in all; `refused` are hosts that were wanted, and why not.

    It is opened when the page is asked for: before that a browser only asks its maker for this and that.
    """

    guard: AddressGuard
    most: int
    port: int = 0
    received: int = 0
    refused: dict[str, str] = field(default_factory=dict)
    is_open: bool = False
    is_full: bool = False
    _open: int = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Take one connection of the browser; nothing is raised."""
        self._open += 1
        try:
            if self.is_open and not self.is_full and self._open <= _MAX_CONNECTIONS:
                await self._serve(reader, writer)
        except (OSError, ValueError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass  # either side went away, or spoke no HTTP
        finally:
            self._open -= 1
            await _close_writer(writer)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        line, _, headers = head.partition(b"\r\n")
        method, target, _ = line.decode("ascii").split(" ", 2)
        tunnel = method == "CONNECT"
        try:
            url = self.guard.url(f"https://{target}" if tunnel else target)
            ahead, back = await self._called(url)
        except ToolError as error:
            self._refuse(target, str(error))
            writer.write(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            await writer.drain()
            return
        try:
            if tunnel:
                writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
            else:
                back.write(_request(method, url, headers))
            await self._both_ways(reader, back, ahead, writer)
        finally:
            await _close_writer(back)

    async def _called(self, url: URL) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Connect to an address that was checked just now; the name is not looked up again."""
        port = url.port or 0
        for address in await self.guard.addresses(url.raw_host or "", port):
            with suppress(OSError):
                async with asyncio.timeout(_CONNECT_SECONDS):
                    return await asyncio.open_connection(address, port)
        raise ToolError("nobody takes connections there")

    async def _both_ways(
        self,
        reader: asyncio.StreamReader,
        back: asyncio.StreamWriter,
        ahead: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
    ) -> None:
        async with asyncio.TaskGroup() as group:
            up = group.create_task(_pump(reader, back))
            await self._down(ahead, writer)
            up.cancel()

    async def _down(self, ahead: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while not self.is_full and (piece := await ahead.read(_PIECE_BYTES)):
                self.received += len(piece)
                self.is_full = self.received > self.most
                writer.write(piece)
                await writer.drain()

    def _refuse(self, target: str, why: str) -> None:
        if len(self.refused) < _MAX_REFUSED_HOSTS:
            self.refused.setdefault(target[:200], why)


@asynccontextmanager
async def browser_proxy(guard: AddressGuard, most: int) -> AsyncIterator[BrowserProxy]:
    """Open a way out for as long as one browser runs."""
    opened = BrowserProxy(guard, most)
    tasks: set[asyncio.Task[None]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        tasks.add(task)
        task.add_done_callback(tasks.discard)
        with suppress(asyncio.CancelledError):
            await opened.serve(reader, writer)

    server = await asyncio.start_server(serve, "127.0.0.1", 0, limit=_MAX_HEAD_BYTES)
    try:
        opened.port = server.sockets[0].getsockname()[1]
        yield opened
    finally:
        server.close()
        for task in tuple(tasks):
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while piece := await reader.read(_PIECE_BYTES):
            writer.write(piece)
            await writer.drain()


async def _close_writer(writer: asyncio.StreamWriter) -> None:
    writer.close()
    with suppress(OSError, asyncio.CancelledError):
        await writer.wait_closed()


def _request(method: str, url: URL, headers: bytes) -> bytes:
    """Write a request as a server wants it, one for each connection: what comes behind it might be for another host."""
    kept = [
        line for line in headers.split(b"\r\n") if line and line.split(b":", 1)[0].strip().lower() not in _HOP_BY_HOP
    ]
    first = f"{method} {url.raw_path_qs} HTTP/1.1".encode("ascii")
    return b"\r\n".join([first, *kept, b"Connection: close", b"", b""])
