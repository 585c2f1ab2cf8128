"""A TCP proxy before a server on loopback: what one answer meets on its way is a value, and everything else passes."""

from __future__ import annotations

import asyncio
import re
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Literal

HOST = "127.0.0.1"
PIECE = 1 << 16
LENGTH = re.compile(rb"\r\ncontent-length: (\d+)\r\n", re.IGNORECASE)
Kind = Literal["cut", "stall", "slow", "hole", "double"]


@dataclass
class Trouble:
    """What the next answer to a request that matches `mark` meets, after so many of its bytes.

    The line is cut, nothing more comes, or a byte a second; `hole`: the request goes nowhere; `double`: it goes to the
    server twice. `began` and `ended` are moments of the loop: when the request or its answer got into trouble, and
    when the client let go; None before that.
    """

    mark: re.Pattern[bytes]
    kind: Kind
    at: int = 0
    began: float | None = None
    ended: float | None = None

    @property
    def is_of_request(self) -> bool:
        return self.kind in ("hole", "double")

    def begin(self) -> None:
        if self.began is None:
            self.began = asyncio.get_running_loop().time()


@dataclass
class Proxy:
    """Listens on `port`, once it is open. `plan` is what happens next; None: nothing."""

    to: int
    plan: Trouble | None = None
    port: int = 0
    _server: asyncio.Server = field(init=False, repr=False)

    @property
    def address(self) -> str:
        return f"http://{HOST}:{self.port}"

    async def open(self) -> None:
        self._server = await asyncio.start_server(self._serve, HOST, 0)
        self.port = self._server.sockets[0].getsockname()[1]

    async def close(self) -> None:
        self._server.close()

    def take(self, asked: bytes, *, of_request: bool) -> Trouble | None:
        """Return what a request or its answer meets, once."""
        plan = self.plan
        if plan is None or plan.is_of_request != of_request or not plan.mark.match(asked):
            return None
        self.plan = None
        if plan.kind not in ("cut", "stall"):
            plan.begin()
        return plan

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            there = await asyncio.open_connection(HOST, self.to)
        except OSError:
            writer.transport.abort()
            return
        line = _Line(self, reader, writer, *there)
        down = asyncio.get_running_loop().create_task(line.down())
        try:
            with suppress(OSError):
                await line.up()
        finally:
            line.end()
            down.cancel()


@dataclass
class _Line:
    """One connection through the proxy. `asked` is a request that has no answer yet, `trouble` what it met."""

    proxy: Proxy
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    there: asyncio.StreamReader
    onward: asyncio.StreamWriter
    asked: bytes = b""
    trouble: Trouble | None = None
    passed: int = 0

    async def up(self) -> None:
        """Carry what the client says, until it lets go."""
        while data := await self.reader.read(PIECE):
            if data.startswith((b"GET ", b"POST ", b"PUT ", b"PATCH ", b"DELETE ")):
                self.asked = data
                self.trouble = self.trouble or self.proxy.take(data, of_request=True)
            if self.trouble is not None and self.trouble.kind == "hole":
                continue
            if self.trouble is not None and self.trouble.kind == "double":
                data = await self._whole(data)
                self.trouble = None
                await self._twice(data)
            self.onward.write(data)

    async def down(self) -> None:
        """Carry what the server says, as far as the trouble lets it."""
        with suppress(OSError):
            while data := await self.there.read(PIECE):
                self.trouble = self.trouble or self.proxy.take(self.asked, of_request=False)
                self.asked = b""
                await self._carry(data)
        if self.trouble is None:
            self.writer.close()

    async def _carry(self, data: bytes) -> None:
        trouble = self.trouble
        if trouble is None:
            self.writer.write(data)
            return
        if trouble.kind == "slow":
            for at in range(len(data)):
                self.writer.write(data[at : at + 1])
                await asyncio.sleep(1)
            return
        kept = data[: max(0, trouble.at - self.passed)]
        self.passed += len(kept)
        self.writer.write(kept)
        if trouble.kind == "stall" and len(kept) < len(data):
            trouble.begin()
        elif trouble.kind == "cut" and self.passed >= trouble.at:
            trouble.begin()
            self.writer.close()

    def end(self) -> None:
        """Note that the client has let go, and let the server go."""
        trouble = self.trouble
        if trouble is not None and trouble.ended is None:
            trouble.ended = asyncio.get_running_loop().time()
        self.writer.close()
        self.onward.close()

    async def _whole(self, data: bytes) -> bytes:
        head, _, body = data.partition(b"\r\n\r\n")
        length = LENGTH.search(head + b"\r\n")
        left = int(length[1]) - len(body) if length else 0
        while left > 0 and (more := await self.reader.read(PIECE)):
            data, left = data + more, left - len(more)
        return data

    async def _twice(self, data: bytes) -> None:
        """Let the server have it once more, beside; who answers that is not heard."""
        there, onward = await asyncio.open_connection(HOST, self.proxy.to)
        onward.write(data)
        await there.read(1)
        onward.close()
