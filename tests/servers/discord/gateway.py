"""The gateway: its websockets, one after another, and what is left when they end."""

from __future__ import annotations

import asyncio

import orjson
from aiohttp import WSMsgType, web

from . import opcodes
from .connection import Connection
from .opcodes import Bye
from .troubles import Troubles
from .values import Json

HELLO = 10
GOODBYES = (1000, 1001)  # codes by which a client ends its session
GRACE = 0.5  # seconds for a client to answer a close frame


class Gateway(Troubles):
    """The gateway as it is served."""

    async def connected(self, count: int = 1) -> Connection:
        """Wait until so many connections in all have got a session, and return the latest."""

        def begun() -> list[Connection]:
            return [one for one in self.connections if one.session is not None]

        words = f"there were not {count} gateway connections with a session, but"
        await self.world.until(lambda: len(begun()) >= count, lambda: f"{words} {len(begun())}")
        return begun()[-1]

    async def handle(self, request: web.BaseRequest) -> web.StreamResponse:
        """Serve one websocket."""
        socket = web.WebSocketResponse(timeout=GRACE, compress=False, max_msg_size=0)
        await socket.prepare(request)
        connection = Connection(self, socket, request)
        self.connections.append(connection)
        connection.send({"op": HELLO, "d": {"heartbeat_interval": self.interval, "_trace": ["loopback"]}})
        async with asyncio.TaskGroup() as group:
            writer = group.create_task(connection.write())
            try:
                opcodes.check_query(connection)
                await self._read(connection)
            except Bye as bye:
                connection.close(bye.code, bye.words)
                await connection.written()
            finally:
                self._left(connection)
                writer.cancel()
        return socket

    async def _read(self, connection: Connection) -> None:
        while True:
            frame = await connection.socket.receive()
            if frame.type == WSMsgType.CLOSE and connection.closed is None:
                _says_goodbye(connection, frame.data)
            if frame.type not in (WSMsgType.TEXT, WSMsgType.BINARY):
                return
            connection.sent.append(self.world.now)
            opcodes.act(connection, _parsed(frame.data))
            self.world.changed.set()

    def _left(self, connection: Connection) -> None:
        connection.is_open = False
        session = connection.session
        if session is not None and session.connection is connection:
            session.connection = None
        connection.closed = connection.closed or 0
        self.world.changed.set()


def _says_goodbye(connection: Connection, code: int) -> None:
    connection.closed = code
    if code in GOODBYES and connection.session is not None:
        connection.session.end()


def _parsed(data: str | bytes) -> Json:
    if len(data) > opcodes.LARGEST:
        raise Bye(4002)
    try:
        value = orjson.loads(data)
    except orjson.JSONDecodeError:
        raise Bye(4002) from None
    if not isinstance(value, dict):
        raise Bye(4002)
    return value
