"""One loopback port that stays ours, whether it accepts connections or refuses them."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable

from aiohttp import web

HOST = "127.0.0.1"
GRACE = 0.2  # seconds for handlers to leave at the end; all waits end with the gate, so none needs it

Handler = Callable[[web.BaseRequest], Awaitable[web.StreamResponse]]


class Listener:
    """Listens, refuses and listens again on the same port.

    While it refuses, a bound socket that does not listen holds the port: the kernel answers with RST and
    nobody else can take it.
    """

    def __init__(self, handler: Handler) -> None:
        self._server = web.Server(handler, handler_cancellation=True, access_log=None)
        self._runner = web.ServerRunner(self._server, shutdown_timeout=GRACE)
        self._socket = _bound(0)
        self._site: web.SockSite | None = None
        self.port: int = self._socket.getsockname()[1]

    async def open(self) -> None:
        """Start the HTTP machinery and listen."""
        await self._runner.setup()
        await self.accept()

    async def accept(self) -> None:
        """Listen; harmless when it does already."""
        if self._site is None:
            self._site = web.SockSite(self._runner, self._socket)
            await self._site.start()

    async def refuse(self) -> None:
        """Drop every connection and refuse new ones, as a dead server does."""
        if self._site is None:
            return
        # asyncio never closes a connection that it has accepted and not yet set up when its server closes
        asyncio.get_running_loop().remove_reader(self._socket)
        await asyncio.sleep(0)
        await self._site.stop()
        self._site = None
        for connection in self._server.connections:
            connection.force_close()
        self._socket = _bound(self.port)
        await asyncio.sleep(0)  # lets the closed connections run their callbacks

    async def close(self) -> None:
        """Stop for good."""
        await self._runner.cleanup()
        self._socket.close()


def _bound(port: int) -> socket.socket:
    held = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    held.setblocking(False)
    held.bind((HOST, port))
    return held
