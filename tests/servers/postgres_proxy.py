"""Stands before the server and cuts sessions: at one message of the protocol, or all of them and whoever comes."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from tests.servers.postgres import USER, PostgresServer

SOCKET = ".s.PGSQL.5432"


class Passed(NamedTuple):
    """One message before it is let through: who sent it, its kind, and what is in it."""

    by_server: bool
    kind: bytes
    body: bytes

    @property
    def says_committed(self) -> bool:
        return self.by_server and self.kind == b"C" and self.body == b"COMMIT\0"


class CutsCommit:
    """Cuts once before a commit reaches the server; it is known by the name under which it was prepared."""

    def __init__(self) -> None:
        self.is_armed = False
        self.names: set[bytes] = set()

    def __call__(self, passed: Passed) -> bool:
        first, second = passed.body.split(b"\0")[:2] if not passed.by_server and passed.kind in b"PB" else (b"", b"")
        if passed.kind == b"P" and second == b"COMMIT" and first:
            self.names.add(first)
        cuts = self.is_armed and passed.kind == b"B" and second in self.names
        self.is_armed = self.is_armed and not cuts
        return cuts


@dataclass
class PostgresProxy:
    """A server's socket in another folder. `cut` is asked about each message, and says whether the session ends there.

    `keeps_server`: the server is told nothing of it, and takes the session for alive. `freezes`: nothing more is let
    through, and nobody hangs up.
    """

    server: PostgresServer
    home: Path
    cut: Callable[[Passed], bool] = lambda _: False
    keeps_server: bool = False
    freezes: bool = False
    cuts: int = 0
    _listener: asyncio.Server | None = None
    _open: set[asyncio.StreamWriter] = field(default_factory=set)

    @property
    def url(self) -> str:
        return f"postgresql://{USER}@/postgres?host={self.home}"

    async def come(self) -> None:
        """Let people in."""
        self._listener = await asyncio.start_unix_server(self._serve, self.home / SOCKET)

    async def go_away(self) -> None:
        """Let nobody in, and cut who is there."""
        assert self._listener is not None
        self._listener.close()
        (self.home / SOCKET).unlink(missing_ok=True)
        for writer in self._open:
            writer.transport.abort()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        behind, beyond = await asyncio.open_unix_connection(self.server.home / SOCKET)
        self._open |= {writer, beyond}
        # who comes in begins with a message that has no kind
        begins = int.from_bytes(await reader.readexactly(4))
        beyond.write(begins.to_bytes(4) + await reader.readexactly(begins - 4))
        ways = (self._pass(reader, beyond, by_server=False), self._pass(behind, writer, by_server=True))
        await asyncio.wait([asyncio.ensure_future(way) for way in ways], return_when=asyncio.FIRST_COMPLETED)  # noqa: TID251 - both ends are waited for
        writer.transport.abort()
        if not self.keeps_server:
            beyond.transport.abort()

    async def _pass(self, source: asyncio.StreamReader, target: asyncio.StreamWriter, *, by_server: bool) -> None:
        with suppress(asyncio.IncompleteReadError, OSError):
            while True:
                head = await source.readexactly(5)
                body = await source.readexactly(int.from_bytes(head[1:]) - 4)
                if self.cut(Passed(by_server, head[:1], body)):
                    self.cuts += 1
                    if self.freezes:
                        await asyncio.Event().wait()
                    return
                target.write(head + body)


@asynccontextmanager
async def a_proxy(server: PostgresServer) -> AsyncIterator[PostgresProxy]:
    with tempfile.TemporaryDirectory(prefix="gm-proxy-") as home:
        proxy = PostgresProxy(server, Path(home))
        await proxy.come()
        try:
            yield proxy
        finally:
            await proxy.go_away()
