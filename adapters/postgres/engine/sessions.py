"""The sessions of one process: the one that writes holds the lock of its schema, the others only read."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from functools import partial

from adapters.postgres.engine.connection import (
    PostgresConnection,
    PostgresThread,
    PostgresWriter,
    ServerAddress,
    connect,
)
from adapters.postgres.engine.rows import PostgresResult
from adapters.sqlite.engine.sql_connection import DatabaseFault, SqlConnection
from bot.errors import StoreError
from bot.ports.leases import Lease

_TAKE = "SELECT pg_try_advisory_lock(hashtextextended('glassmind ' || $1, 0))"
_SHARE = _TAKE.replace("lock(", "lock_shared(")
_LEASED = "SELECT 1 FROM lease JOIN lease_owner ON lease_owner.id = lease.owner WHERE until > clock_timestamp()"
_STILL = "SELECT must_have_lease($1, $2, $3)"
_WAKES = "SET idle_in_transaction_session_timeout = '3s'"
"""Shorter than a lease: who takes it over from one that stands still need not wait for that as well."""
_WRITES = "-c glassmind.seals=on"
_READS = r"-c default_transaction_read_only=on -c default_transaction_isolation=repeatable\ read"
_HELD = """
    SELECT EXISTS (SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
      AND (classid::bigint << 32 | objid::bigint) = hashtextextended('glassmind ' || $1, 0))"""


class LockedWriter(PostgresWriter):
    """The session that writes. It is alone in its schema as long as it lasts; where it is lost, another is begun.

    A transaction that was lost with it is not run again here: whoever waits for it hears that nothing is known of it.
    """

    taking = _TAKE
    """How the lock is asked for."""

    def __init__(self, address: ServerAddress) -> None:
        super().__init__(address, options=_WRITES)
        self.when_reopened: Callable[[SqlConnection], None] = _nothing
        try:
            self.lock()
        except BaseException:
            self.close()
            raise

    def lock(self) -> None:
        """Take the lock; raise DatabaseFault where another process holds it, or where nobody may write."""
        must_be_writable(self)
        taken = self.ask(self.taking, (self.address.schema,)).fetchone()
        if taken is None or not taken[0] or self.is_shut_out():
            raise DatabaseFault(
                f"The database {self.address} is in use by another process (schema {self.address.schema}). Stop it "
                "first."
            )

    def is_shut_out(self) -> bool:
        """Say whether a living process works here by a lease; through a pooler it holds no lock."""
        (knows_leases,) = self.ask("SELECT to_regclass('lease') IS NOT NULL").fetchall()[0]
        return bool(knows_leases and self.ask(_LEASED).fetchone())

    def run(self, sql: str, args: object = ()) -> PostgresResult:
        """Run a statement; where the session has ended, a transaction begins in a new one."""
        if sql == "BEGIN IMMEDIATE":
            return _begun(self, partial(super().run, sql), self._begin_again)
        return super().run(sql, args)

    def _begin_again(self) -> None:
        """Begin another session with the lock; another process may have changed everything that is known."""
        self.reopen()
        try:
            self.lock()
        except BaseException:
            # a session without the lock must never begin anything
            super().close()
            raise
        self.newest = {table: max(number, self._newest(table)) for table, number in self.newest.items()}
        self.commits[""] = self.commits.get("", 0) + 1
        if self.group is not None:
            self.group.forget()
        self.when_reopened(self)

    def close(self) -> None:
        """Let go of the lock at once, and end the session."""
        with suppress(DatabaseFault):
            self.ask("SELECT pg_advisory_unlock_all()")
        super().close()

    def _newest(self, table: str) -> int:
        row = self.ask("SELECT coalesce(max(seq), 0) FROM drawn WHERE name = $1", (table,)).fetchone()
        return int(row[0]) if row else 0


class FencedWriter(LockedWriter):
    """The session that writes of a process that has a lease: it shares the lock with others that have one.

    Every transaction begins with locking the lease's row by its epoch. Whoever has slept, and lost it meanwhile, finds
    no row, and changes nothing.
    """

    taking = _SHARE

    def __init__(self, address: ServerAddress, lease: Lease) -> None:
        self._lease = lease
        super().__init__(address)

    def lock(self) -> None:
        """Take part in the lock; who stands still in the middle of a transaction lets go of its rows in time."""
        super().lock()
        self.script(_WAKES)

    def is_shut_out(self) -> bool:
        """Say no: whoever has a lease is let in."""
        return False

    def run(self, sql: str, args: object = ()) -> PostgresResult:
        """Run a statement; a transaction begins by looking whether the lease is still this process's."""
        done = super().run(sql, args)
        if sql == "BEGIN IMMEDIATE":
            self.ask(_STILL, self._lease)
        return done


def must_be_writable(connection: PostgresConnection) -> None:
    """Raise DatabaseFault where nobody may write."""
    replica = connection.ask("SELECT pg_is_in_recovery()").fetchone()
    if replica is not None and replica[0]:
        raise DatabaseFault(f"The database {connection.address} is a read-only replica. Name the primary in store.url.")


def _nothing(_: SqlConnection) -> None:
    return None


class LookingConnection(PostgresConnection):
    """A session that only reads, each time what is of one moment; one that was lost is begun again."""

    def __init__(self, address: ServerAddress) -> None:
        super().__init__(address, options=_READS)
        self.learn_types()

    def run(self, sql: str, args: object = ()) -> PostgresResult:
        """Run a statement; where the session has ended, a new look begins in a new one."""
        if sql == "BEGIN":
            return _begun(self, partial(super().run, sql), self.reopen)
        if self.is_lost and sql == "ROLLBACK":
            return PostgresResult((), 0)
        return super().run(sql, args)


def _begun(
    connection: PostgresConnection, begin: Callable[[], PostgresResult], again: Callable[[], None]
) -> PostgresResult:
    """Begin a transaction, in another session where this one has ended: nothing was done in it yet."""
    if not connection.is_lost:
        try:
            return begin()
        except DatabaseFault:
            if not connection.is_lost:
                raise
    again()
    return begin()


async def open_writer(address: ServerAddress, lease: Lease | None) -> PostgresThread:
    """Begin the session that writes: of a process that has a lease, or that is to be alone."""
    return await connect(partial(LockedWriter, address) if lease is None else partial(FencedWriter, address, lease))


async def open_reader(address: ServerAddress) -> PostgresThread:
    """Begin a session that reads."""
    return await connect(partial(LookingConnection, address))


@asynccontextmanager
async def beside(address: ServerAddress) -> AsyncIterator[PostgresThread]:
    """Begin a session for long work beside the others; who stops waiting for the work stops it."""
    session = await connect(partial(PostgresConnection, address))
    try:
        yield session
    finally:
        session._conn.interrupt()
        await session.close()


def is_owned(connection: SqlConnection) -> bool:
    """Say whether some process holds the lock of this schema."""
    if not isinstance(connection, PostgresConnection):
        raise StoreError("This is no PostgreSQL database.")
    found = connection.ask(_HELD, (connection.address.schema,)).fetchone()
    return bool(found and found[0])


class NoCommitLog:
    """A server looks after its own log."""

    def note_growth(self, changes: int) -> None:
        """Take no notice."""

    @asynccontextmanager
    async def hold(self) -> AsyncIterator[None]:
        """Hold nothing."""
        yield

    async def close(self) -> None:
        """Close nothing."""

    def finish(self, connection: SqlConnection) -> None:
        """Finish nothing."""
