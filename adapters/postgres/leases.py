"""The leases of a process: rows that are compared by the server's clock alone, over a session of their own.

They are no part of the store: a process that stands by has no store yet, and one whose store is busy must still be
able to say that it lives.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple, TypeVar

from adapters.postgres.engine.connection import PostgresConnection, PostgresThread, ServerAddress, connect, read_address
from adapters.postgres.engine.instance_key import must_have_key
from adapters.postgres.engine.migrate import bring_up, version_of
from adapters.postgres.engine.sessions import must_be_writable
from adapters.sqlite.engine.connection import on_thread
from adapters.sqlite.engine.sql_connection import DatabaseFault
from bot.errors import StoreError
from bot.ports.clock import Clock, Entropy
from bot.ports.leases import Lease, LeaseHolder

T = TypeVar("T")
LEASE_SECONDS = 5.0
_STEP = 2
"""The step of the schema that leases came with."""
_LIVES = """
    INSERT INTO lease_owner (id, process, until) VALUES ($1, $2, clock_timestamp() + make_interval(secs => $3))
    ON CONFLICT (id) DO UPDATE SET until = excluded.until"""
_HAS = "SELECT name, epoch FROM lease WHERE owner = $1 ORDER BY name"
_KNOW = "INSERT INTO lease (name, epoch, owner) VALUES ($1, 0, '') ON CONFLICT DO NOTHING"
# one that its owner's transaction holds is not free: either its owner lives, or the server soon ends that session
_TAKE = """
    WITH free AS (
      SELECT name FROM lease WHERE name = $1 AND NOT EXISTS (
        SELECT 1 FROM lease_owner WHERE lease_owner.id = lease.owner AND lease_owner.until > clock_timestamp())
      FOR UPDATE SKIP LOCKED)
    UPDATE lease SET epoch = epoch + 1, owner = $2 FROM free
    WHERE lease.name = free.name AND EXISTS (SELECT 1 FROM lease_owner WHERE id = $2 AND until > clock_timestamp())
    RETURNING epoch"""
_HOLDER = """
    SELECT process, extract(epoch FROM until - clock_timestamp())::double precision
    FROM lease JOIN lease_owner ON lease_owner.id = lease.owner WHERE name = $1 AND until > clock_timestamp()"""
_LET_GO = "UPDATE lease SET owner = '' WHERE owner = $1"
_GONE = "DELETE FROM lease_owner WHERE id = $1 OR until < clock_timestamp() - interval '1 day'"
_TELL = "SELECT pg_notify($1, '')"


class PostgresLeases:
    """Implements `bot.ports.leases.Leases`. `node` is this process among all, `process` what people call it."""

    def __init__(self, session: PostgresThread, node: str, process: str, seconds: float) -> None:
        self.seconds = seconds
        self._session = session
        self._node = node
        self._process = process

    async def renew(self) -> Sequence[Lease]:
        """Say that this process lives; return what it still has."""

        def work(connection: PostgresConnection) -> list[Lease]:
            if connection.is_lost:
                connection.reopen()
                _listen(connection)
            connection.ask(_LIVES, (self._node, self._process, self.seconds))
            return [Lease(name, epoch, self._node) for name, epoch in connection.ask(_HAS, (self._node,))]

        return await self._run(work)

    async def take(self, name: str) -> Lease | None:
        """Take a lease; None where a living process has it."""

        def work(connection: PostgresConnection) -> Lease | None:
            connection.ask(_KNOW, (name,))
            taken = connection.ask(_TAKE, (name, self._node)).fetchone()
            return Lease(name, taken[0], self._node) if taken is not None else None

        return await self._run(work)

    async def holder(self, name: str) -> LeaseHolder | None:
        """Return who has a lease; None where nobody has."""

        def work(connection: PostgresConnection) -> LeaseHolder | None:
            found = connection.ask(_HOLDER, (name,)).fetchone()
            return LeaseHolder(*found) if found is not None else None

        return await self._run(work)

    async def give_back(self) -> None:
        """Let everything go at once, and wake who stands by."""

        def work(connection: PostgresConnection) -> None:
            connection.ask(_LET_GO, (self._node,))
            connection.ask(_GONE, (self._node,))
            connection.ask(_TELL, (_bell(connection.address),))

        await self._run(work)

    async def news(self, seconds: float) -> None:
        """Return when another process has given something back, and after so many seconds at the latest."""
        await self._run(lambda connection: connection.wait_for_notice(seconds))

    async def close(self) -> None:
        """End the session."""
        await self._session.close()

    async def _run(self, work: Callable[[PostgresConnection], T]) -> T:
        try:
            return await on_thread(self._session, work)
        except DatabaseFault as fault:
            raise StoreError(str(fault)) from fault


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
    session = await connect(partial(PostgresConnection, address, options="-c glassmind.seals=on"))
    try:
        await on_thread(session, partial(_begin, settings))
    except BaseException as error:
        await session.close()
        if isinstance(error, DatabaseFault):
            raise StoreError(str(error)) from error
        raise
    return PostgresLeases(session, settings.entropy.token(8).hex(), settings.process, LEASE_SECONDS)


def _begin(settings: LeaseSettings, connection: PostgresConnection) -> None:
    must_be_writable(connection)
    if version_of(connection) < _STEP:
        # of a newer program the rest waits until it is at work: until then an older one goes on, and may start again
        bring_up(connection, settings.clock.now())
    must_have_key(connection, settings.directory)
    _listen(connection)


def _listen(connection: PostgresConnection) -> None:
    # a pooler that hands out sessions by transaction lets nobody listen; then it is asked often enough all the same
    connection.script(f'LISTEN "{_bell(connection.address)}"')


def _bell(address: ServerAddress) -> str:
    # the server takes 63 bytes for a name, and a schema may have as many
    return f"glassmind {address.schema}"[:63]
