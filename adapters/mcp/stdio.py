"""A server as a program: JSON lines over its standard input and output, an environment of its own, and a hard end.

The SDK's own transport hands on variables of this process, and reads a line however long it is.
"""

from __future__ import annotations

import asyncio
import os
import signal
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import anyio
import mcp_types
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage

from bot.errors import ToolServerError
from bot.ports.toolservers import OnServerChange, ServerAddress
from bot.sentences import Words, later
from bot.text.text import clean

MESSAGE_BYTES = 8 * 1024 * 1024
"""The longest message that is taken from a server."""
_CHUNK = 64 * 1024
_LARGE_BYTES = 256 * 1024
"""Bytes from which on a message is parsed off the loop."""
MESSAGES_PER_TICK = 100
TICK_SECONDS = 0.1
"""At most so many messages in so many seconds: what a server says beyond that waits in its pipe."""
_MAX_GARBAGE_LINES = 100
_LAST_WORDS_CHARS = 2000
_END_SECONDS = 1.0
_TERM_SECONDS = 1.0

Streams = tuple[MemoryObjectReceiveStream[SessionMessage | Exception], MemoryObjectSendStream[SessionMessage]]


class ServerProgram:
    def __init__(self, process: Process, stir: OnServerChange) -> None:
        self._process = process
        self._stir = stir
        self.ended: Words | None = None
        self.trouble: Words | None = None
        self._words = bytearray()

    def last_words(self) -> str:
        """Return the end of what it wrote to its standard error."""
        return clean(self._words.decode("utf-8", "replace")).text.strip()

    def end(self, why: Words) -> None:
        """Say that the connection is over; the first reason counts."""
        if self.ended is None:
            self.ended = why
            self._stir()

    async def read(self, into: MemoryObjectSendStream[SessionMessage | Exception]) -> None:
        """Hand on its messages until it ends, or breaks the rules."""
        async with into:
            with suppress(anyio.ClosedResourceError, anyio.BrokenResourceError):
                await self._read(into)
            # before the session hears of it, so that it can say why
            self.end(await self._why(later("mcp_servers.output-closed")))

    async def write(self, out: MemoryObjectReceiveStream[SessionMessage]) -> None:
        """Send what the session has to say."""
        stdin = self._process.stdin
        assert stdin is not None
        with suppress(ConnectionError, anyio.ClosedResourceError):
            async with out:
                async for message in out:
                    stdin.write(message.message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n")
                    await stdin.drain()
        if self.ended is None:
            self.end(await self._why(later("mcp_servers.input-closed")))

    async def listen(self) -> None:
        """Keep the end of its standard error; the rest is read and forgotten, so that it never waits for us."""
        stderr = self._process.stderr
        assert stderr is not None
        while chunk := await stderr.read(_CHUNK):
            self._words = (self._words + chunk)[-_LAST_WORDS_CHARS:]
            if len(chunk) == _CHUNK:
                await asyncio.sleep(TICK_SECONDS / 10)

    async def stop(self) -> None:
        """End it and all that it started: the end of its input, then SIGTERM, then SIGKILL."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        try:
            if not await self._is_over(_END_SECONDS):
                self._signal(signal.SIGTERM)
                await self._is_over(_TERM_SECONDS)
        finally:
            # always: it may be gone, and what it started may not
            self._signal(signal.SIGKILL)
        await self._is_over(_TERM_SECONDS)

    async def _read(self, into: MemoryObjectSendStream[SessionMessage | Exception]) -> None:
        stdout = self._process.stdout
        assert stdout is not None
        line, garbage, count = bytearray(), 0, 0
        while chunk := await stdout.read(_CHUNK):
            *whole, rest = chunk.split(b"\n")
            for part in whole:
                line += part
                message = await _parse_line(bytes(line)) if line.strip() else None
                garbage += message is None and bool(line.strip())
                line.clear()
                if message is not None:
                    await into.send(message)
                if garbage > _MAX_GARBAGE_LINES:
                    return self.end(later("mcp_servers.writes-no-messages"))
                count += 1
                if count % MESSAGES_PER_TICK == 0:
                    await asyncio.sleep(TICK_SECONDS)
            line += rest
            if len(line) > MESSAGE_BYTES:
                return self.end(later("mcp_servers.message-too-large", mb=MESSAGE_BYTES // 1024**2))

    async def _why(self, otherwise: Words) -> Words:
        await self._is_over(0.2)
        code = self._process.returncode
        if code is None:
            return otherwise
        if code < 0:
            return later("mcp_servers.killed", signal=str(-code))
        return later("mcp_servers.exited", status=str(code))

    async def _is_over(self, seconds: float) -> bool:
        # not `wait()`: that waits for its pipes too, which a child of it may hold open
        for _ in range(max(1, round(seconds / 0.01))):
            if self._process.returncode is not None:
                return True
            await asyncio.sleep(0.01)
        return self._process.returncode is not None

    def _signal(self, number: signal.Signals) -> None:
        # it leads a group of its own, in which its children are
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, number)


@asynccontextmanager
async def start_server(address: ServerAddress, stir: OnServerChange) -> AsyncIterator[tuple[ServerProgram, Streams]]:
    """Start a server; on the way out it is ended with everything that it started. Raise ToolServerError."""
    process = await _process(address)
    program = ServerProgram(process, stir)
    into, read_stream = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    write_stream, out = anyio.create_memory_object_stream[SessionMessage](0)
    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(work) for work in (program.read(into), program.write(out), program.listen())]
            try:
                yield program, (read_stream, write_stream)
            finally:
                read_stream.close()
                write_stream.close()
                try:
                    await program.stop()
                finally:
                    for task in tasks:
                        task.cancel()
    finally:
        for stream in (into, read_stream, write_stream, out):
            stream.close()
        _release(process)


async def _process(address: ServerAddress) -> Process:
    try:
        return await asyncio.create_subprocess_exec(
            address.command,
            *address.args,
            stdin=PIPE,
            stdout=PIPE,
            stderr=PIPE,
            env=dict(address.env),
            cwd=address.cwd or None,
            start_new_session=True,
            limit=2 * _CHUNK,
        )
    except (OSError, ValueError) as error:
        said = error.strerror if isinstance(error, OSError) else None
        why = said or later("mcp_servers.holds-nul")
        if address.cwd:
            words = later("mcp_servers.not-started-in", command=address.command, folder=address.cwd, why=why)
        else:
            words = later("mcp_servers.not-started", command=address.command, why=why)
        raise ToolServerError(words) from None


async def _parse_line(line: bytes) -> SessionMessage | None:
    if len(line) > _LARGE_BYTES:
        return await asyncio.to_thread(_read_message, line)
    return _read_message(line)


def _read_message(line: bytes) -> SessionMessage | None:
    try:
        return SessionMessage(mcp_types.jsonrpc_message_adapter.validate_json(line, by_name=False))
    except ValueError:
        return None


def _release(process: Process) -> None:
    # else it is closed, with a warning, when somebody that it started and that we cannot kill lets go of a pipe
    transport = getattr(process, "_transport", None)
    if transport is not None:
        transport.close()
