"""Speak the DevTools protocol: commands with their answers, and the events in between."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Any

import aiohttp
import orjson

from bot.errors import ToolError
from bot.text.text import excerpt

_MAX_MESSAGE_BYTES = 64 * 1024 * 1024
Event = Callable[[str, Mapping[str, Any]], None]


class DevTools:
    """One connection to one browser; `listen` hears every event."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse, listen: Event) -> None:
        self._socket = socket
        self._listen = listen
        self._last = 0
        self._waiting: dict[int, asyncio.Future[Mapping[str, Any]]] = {}
        self._gone = False

    async def call(self, method: str, session: str = "", **values: object) -> Mapping[str, Any]:
        """Send a command and return its result; raise ToolError when the browser refuses or is gone."""
        if self._gone:
            raise ToolError("The browser is gone.")
        self._last += 1
        number = self._last
        answer: asyncio.Future[Mapping[str, Any]] = asyncio.get_running_loop().create_future()
        self._waiting[number] = answer
        message = {"id": number, "method": method, "params": values, **({"sessionId": session} if session else {})}
        try:
            await self._socket.send_str(orjson.dumps(message).decode())
            return await answer
        except (aiohttp.ClientError, OSError):
            raise ToolError("The browser is gone.") from None
        finally:
            self._waiting.pop(number, None)

    async def read(self) -> None:
        """Take what comes until the browser is gone."""
        try:
            async for message in self._socket:
                if message.type is not aiohttp.WSMsgType.TEXT:
                    break
                self._take(orjson.loads(message.data))
        finally:
            self._gone = True
            for answer in self._waiting.values():
                if not answer.done():
                    answer.set_exception(ToolError("The browser broke down over this page."))

    def _take(self, value: Mapping[str, Any]) -> None:
        answer = self._waiting.get(value.get("id", 0))
        if answer is None:
            if "method" in value:
                self._listen(value["method"], value.get("params", {}))
        elif not answer.done():
            if "error" in value:
                words = excerpt(str(value["error"].get("message", "no reason given")), 200)
                answer.set_exception(ToolError(f"The browser refused: {words}."))
            else:
                answer.set_result(value.get("result", {}))


@asynccontextmanager
async def devtools(address: str, listen: Event) -> AsyncIterator[DevTools]:
    """Connect to the developer tools of a browser."""
    async with (
        aiohttp.ClientSession(trust_env=False) as session,
        session.ws_connect(address, max_msg_size=_MAX_MESSAGE_BYTES, compress=0) as socket,
        asyncio.TaskGroup() as group,
    ):
        tools = DevTools(socket, listen)
        reading = group.create_task(tools.read())
        try:
            yield tools
        finally:
            reading.cancel()
            with suppress(asyncio.CancelledError):
                await reading
