"""The leases of a process: rows that are compared by the server's clock alone, over a session of their own.

They are no part of the store: a process that stands by has no store yet, and one whose store is busy must still be
able to say that it lives.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple, TypeVar

from adapters.postgres.engine import lease_rows
from adapters.postgres.engine.connection import PostgresConnection, PostgresThread, ServerAddress, connect, read_address
from adapters.postgres.engine.high_water import note_seen
from adapters.postgres.engine.instance_key import must_have_key
from adapters.postgres.engine.migrate import bring_up, version_of
from adapters.postgres.engine.sessions import must_be_writable
from adapters.sqlite.engine.connection import explain, on_thread
from adapters.sqlite.engine.sql_connection import DatabaseFault
from bot.domain.ids import ChannelId
from bot.ports.clock import Clock, Entropy
from bot.ports.leases import Lease, LeaseHolder, ProcessSeen, channel_lease, worker_lease

T = TypeVar("T")
LEASE_SECONDS = 5.0
SEEN_SECONDS = 10.0
"""Seconds after which a process that stands by keeps anew how far the database has come."""
_STEP = 3
"""The step of the schema from which on several processes write."""
_TELL = "SELECT pg_notify($1, '')"


class PostgresLeases:
    """Implements `bot.ports.leases.Leases`. `node` is this process among all."""

    def __init__(self, session: PostgresThread, node: str, settings: LeaseSettings, seconds: float) -> None:
        self.seconds = seconds
        self._session = session
        self._node = node
        self._settings = settings
        self._looked = -math.inf

    async def renew(self) -> Sequence[Lease]:
        """Say that this process lives; return what it still has."""

        def work(connection: PostgresConnection) -> list[Lease]:
            if connection.is_lost:
                connection.reopen()
                _listen(connection)
            lease_rows.renew(connection, self._node, self._settings.process, self.seconds)
            lease_rows.end_standing(connection)
            has = lease_rows.leases_of(connection, self._node)
            if not has:
                self._look(connection)
            return has

        return await self._run(work)

    async def take(self, name: str) -> Lease | None:
        """Take a lease; None where a living process has it."""
        return await self._run(lambda connection: lease_rows.take(connection, name, self._node))

    async def join(self) -> Lease | None:
        """Take part as one of several; None while a living process has the whole bot."""
        return await self.take(worker_lease(self._node))

    async def take_channels(self, wanted: Sequence[ChannelId], most: int) -> Sequence[Lease]:
        """Take at most so many of these channels, the first ones first: those that no living process has."""
        names = [channel_lease(channel) for channel in dict.fromkeys(wanted)]
        return await self._run(lambda connection: lease_rows.take_some(connection, names, most, self._node))

    async def give_back_channels(self, channels: Sequence[ChannelId]) -> None:
        """Let channels go that this process has brought to rest, and wake who may want them."""

        def work(connection: PostgresConnection) -> None:
            lease_rows.let_go_of(connection, channels, self._node)
            connection.ask(_TELL, (_bell(connection.address),))

        await self._run(work)

    async def waiting(self, limit: int) -> Sequence[ChannelId]:
        """Return channels with something to be done that no living process has, the longest waiting first."""
        return await self._run(lambda connection: lease_rows.waiting_channels(connection, limit))

    async def seen(self, name: str) -> ProcessSeen | None:
        """Return who had a lease last, living or not; None where nobody has had it, or it was given back."""
        return await self._run(lambda connection: lease_rows.seen_with(connection, name))

    async def processes(self) -> Sequence[ProcessSeen]:
        """Return every process that was heard from lately."""
        return await self._run(lease_rows.all_seen)

    async def holder(self, name: str) -> LeaseHolder | None:
        """Return who has a lease; None where nobody has."""
        return await self._run(lambda connection: lease_rows.holder_of(connection, name))

    async def give_back(self) -> None:
        """Let everything go at once, and wake who stands by."""

        def work(connection: PostgresConnection) -> None:
            lease_rows.let_go(connection, self._node)
            connection.ask(_TELL, (_bell(connection.address),))

        await self._run(work)

    async def news(self, seconds: float) -> None:
        """Return when another process has given something back, and after so many seconds at the latest."""
        await self._run(lambda connection: connection.wait_for_notice(seconds))

    async def close(self) -> None:
        """End the session."""
        await self._session.close()

    def _look(self, connection: PostgresConnection) -> None:
        """Remember how far the database has come: of one that went back whoever takes over is to know as well."""
        now = self._settings.clock.monotonic()
        if now - self._looked >= SEEN_SECONDS:
            self._looked = now
            note_seen(connection, self._settings.directory)

    async def _run(self, work: Callable[[PostgresConnection], T]) -> T:
        try:
            return await on_thread(self._session, work)
        except DatabaseFault as fault:
            raise explain(fault) from fault


class LeaseSettings(NamedTuple):
    """What leases are opened with: for which process, that has this directory."""

    url: str
    schema: str
    directory: Path
    clock: Clock
    entropy: Entropy
    process: str
    """What people call it."""

    def __repr__(self) -> str:
        """Name it without the address, in which there may be a password."""
        return f"LeaseSettings(process={self.process!r}, schema={self.schema!r})"


async def open_leases(settings: LeaseSettings) -> PostgresLeases:
    """Begin the session of a process's leases; raise StoreError where it could not go on with the database's bot.

    The schema is brought up where it is not.
    """
    address = read_address(settings.url, settings.schema)
    session = await connect(partial(PostgresConnection, address, settings={"glassmind.seals": "on"}))
    try:
        await on_thread(session, partial(_begin, settings))
    except BaseException as error:
        await session.close()
        if isinstance(error, DatabaseFault):
            raise explain(error) from error
        raise
    return PostgresLeases(session, settings.entropy.token(8).hex(), settings, LEASE_SECONDS)


def _begin(settings: LeaseSettings, connection: PostgresConnection) -> None:
    must_be_writable(connection)
    if version_of(connection) < _STEP:
        # of a newer program the rest waits until it is at work: until then an older one goes on, and may start again
        bring_up(connection, settings.clock.now())
    must_have_key(connection, settings.directory)
    _listen(connection)


def _listen(connection: PostgresConnection) -> None:
    # behind a pooler another client would hear it; there it is asked often enough all the same
    if not connection.is_pooled:
        connection.script(f'LISTEN "{_bell(connection.address)}"')


def _bell(address: ServerAddress) -> str:
    # the server takes 63 bytes for a name, and a schema may have as many
    return f"glassmind {address.schema}"[:63]
