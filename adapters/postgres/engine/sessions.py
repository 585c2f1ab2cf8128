"""The sessions of one process: the one that writes holds the lock of its schema, the others only read."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from functools import partial

import structlog

from adapters.postgres.engine.connection import (
    COMMIT_MARK,
    PostgresConnection,
    PostgresThread,
    PostgresWriter,
    ServerAddress,
    connect,
)
from adapters.postgres.engine.high_water import fallen, numbers_of
from adapters.postgres.engine.outages import OutageWatch
from adapters.postgres.engine.rows import PostgresResult
from adapters.sqlite.engine.sql_connection import DatabaseFault, SqlConnection
from bot.errors import StoreError

_WHERE = """
    SELECT pg_is_in_recovery(),
      (SELECT pid || ' ' || backend_start FROM pg_stat_activity WHERE pid = pg_backend_pid())"""
"""Whether a server takes nothing, and which session this is."""
_TAKE = "SELECT pg_try_advisory_lock(hashtextextended('glassmind ' || $1, 0))"
_END = """
    SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
    WHERE pid || ' ' || backend_start = $1 AND application_name = 'glassmind'"""
WRITER = "writer"
"""The row of `meta` that says who writes through a pooler, and when last."""
_HAS_ROW = "SELECT to_regclass('meta') IS NOT NULL"
_TAKE_ROW = """
    INSERT INTO meta (name, value)
    VALUES ('writer', $1::text || ' ' || (extract(epoch FROM clock_timestamp()) * 1000)::bigint)
    ON CONFLICT (name) DO UPDATE SET value = excluded.value
      WHERE split_part(meta.value, ' ', 1) = $1
        OR split_part(meta.value, ' ', 2)::bigint < extract(epoch FROM clock_timestamp()) * 1000 - $2"""
_KEEP_ROW = """
    UPDATE meta SET value = $1::text || ' ' || (extract(epoch FROM clock_timestamp()) * 1000)::bigint
    WHERE name = 'writer' AND split_part(value, ' ', 1) = $1"""
_LET_GO_ROW = "DELETE FROM meta WHERE name = 'writer' AND split_part(value, ' ', 1) = $1"
_ROW_IS_KEPT = """
    SELECT EXISTS (SELECT 1 FROM meta WHERE name = 'writer'
      AND split_part(value, ' ', 2)::bigint >= extract(epoch FROM clock_timestamp()) * 1000 - $1)"""
KEPT_MS = 30_000
"""So long somebody who writes through a pooler owns a schema after each commit; a sign of life comes oftener."""
_BEGIN_MARKS = "INSERT INTO meta (name, value) VALUES ($1, '') ON CONFLICT DO NOTHING"
# waits for a transaction of the lost session that may still be under way
_LAST_MARK = "SELECT value FROM meta WHERE name = $1 FOR UPDATE"
_WRITES = {"glassmind.seals": "on"}
_BEGIN_LOOKING = "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY"
_HELD = """
    SELECT EXISTS (SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
      AND (classid::bigint << 32 | objid::bigint) = hashtextextended('glassmind ' || $1, 0))"""


_UNKNOWN = "The answer to a commit was lost, and nobody can say whether it was stored."

log = structlog.get_logger(__name__)


class LockedWriter(PostgresWriter):
    """The session that writes. It is alone in its schema as long as it lasts; where it is lost, another is begun.

    A transaction that was lost with it before its end was not stored, and `cut` says so: it can be run again. One
    whose commit was not answered is asked about.
    """

    def __init__(self, address: ServerAddress, outages: OutageWatch | None = None) -> None:
        super().__init__(address, settings=_WRITES)
        self.when_reopened: Callable[[SqlConnection], None] = _nothing
        self._outages = outages or OutageWatch(None)
        self._session = self._owner = ""
        self._kept_row: PostgresResult | None = None
        try:
            self.lock()
        except BaseException:
            self.close()
            raise

    def lock(self) -> None:
        """Take the lock; raise DatabaseFault where another process holds it, or where nobody may write."""
        is_replica, session = self.ask(_WHERE).fetchall()[0]
        if is_replica:
            fault = DatabaseFault(f"The database {self.address} is a read-only replica. Name the primary in store.url.")
            # one that is about to become the primary is one until then
            fault.away = True
            raise fault
        if self.is_pooled:
            self.hold()
            return
        if not self._take() and self._session:
            # a session of this process that the server still takes for alive holds it
            self.ask(_END, (self._session,))
        if not self._take() or self._is_held_through_pooler():
            raise self._in_use()
        self._session = session

    def hold(self) -> None:
        """Through a pooler no lock lasts longer than a transaction: there a row says whose the schema is."""
        if not self.is_pooled or not self.ask(_HAS_ROW).fetchall()[0][0]:
            return
        self._owner = self._owner or self._new_name()
        if is_locked(self) or self.ask(_TAKE_ROW, (self._owner, KEPT_MS)).rowcount != 1:
            raise self._in_use()

    def mark_commits(self) -> None:
        """Leave a mark with each commit from now on, by which it is known whether it was done."""
        self.ask(_BEGIN_MARKS, (COMMIT_MARK,))
        self.token = self._new_name()

    def _new_name(self) -> str:
        return str(self.ask("SELECT gen_random_uuid()::text").fetchall()[0][0])

    def _is_held_through_pooler(self) -> bool:
        return bool(self.ask(_HAS_ROW).fetchall()[0][0] and self.ask(_ROW_IS_KEPT, (KEPT_MS,)).fetchall()[0][0])

    def _in_use(self) -> DatabaseFault:
        return DatabaseFault(
            f"The database {self.address} is in use by another process (schema {self.address.schema}). Stop it first."
        )

    def run(self, sql: str, args: object = ()) -> PostgresResult:
        """Run a statement; where the session has ended, a transaction begins in a new one."""
        if sql == "BEGIN IMMEDIATE" and self.is_lost:
            self._begin_again()
        if sql == "COMMIT" and self._kept_row is not None and self._kept_row.rowcount != 1:
            super().run("ROLLBACK")
            raise self._in_use()
        done = super().run(sql, args)
        if sql == "BEGIN IMMEDIATE":
            # nobody else's transaction begins before this one has ended
            self._kept_row = self._put(_KEEP_ROW, (self._owner,)) if self._owner else None
        return done

    def became_of(self, mark: str, fault: DatabaseFault) -> None:
        """Return where the commit that leaves a mark was done, of which no answer came; raise where not, or unknown."""
        try:
            self._begin_again()
            last = self.ask(_LAST_MARK, (COMMIT_MARK,)).fetchone()
        except DatabaseFault as why:
            raise DatabaseFault(f"{_UNKNOWN} {why}") from fault
        became = "unknown" if last is None else "committed" if last[0] == mark else "aborted"
        log.warning("commit_without_answer", became=became)
        if last is None:
            raise DatabaseFault(f"{_UNKNOWN} The database {self.address} has no marks of commits any more.") from fault
        if last[0] != mark:
            fault.cut = True
            raise fault

    def close(self) -> None:
        """Let go of the lock at once, and end the session."""
        with suppress(DatabaseFault):
            if not self.is_lost and self._owner:
                self.ask(_LET_GO_ROW, (self._owner,))
            elif not self.is_lost:
                self.ask("SELECT pg_advisory_unlock_all()")
        super().close()

    def _take(self) -> bool:
        taken = self.ask(_TAKE, (self.address.schema,)).fetchone()
        return bool(taken and taken[0])

    def _begin_again(self) -> None:
        """Begin another session with the lock; another process may have changed everything that is known."""
        self._outages.note_cut()
        self._outages.outlast(self._reopen)
        stored = numbers_of(self)
        if back := fallen(self.stored, stored):
            super().close()
            raise DatabaseFault(went_back(self.address, back), damaged=True)
        self.newest = {table: max(number, stored.get(table, 0)) for table, number in self.newest.items()}
        self.commits[""] = self.commits.get("", 0) + 1
        if self.group is not None:
            self.group.forget()
        self.when_reopened(self)

    def _reopen(self) -> None:
        self.reopen()
        try:
            self.lock()
        except BaseException:
            # a session without the lock must never begin anything
            super().close()
            raise


def went_back(address: ServerAddress, back: str) -> str:
    """Say that a database does not hold any more what was stored in it."""
    return (
        f"The database {address} went back: it was put back from a backup, or a replica took over that had not "
        f"everything ({back}). Nothing was changed. If that is meant, stop every bot on it and start one with: "
        "glassmind run --restored."
    )


def _nothing(_: SqlConnection) -> None:
    return None


class LookingConnection(PostgresConnection):
    """A session that only reads, each time what is of one moment; one that was lost is begun again."""

    def __init__(self, address: ServerAddress, outages: OutageWatch | None = None) -> None:
        super().__init__(address)
        self._outages = outages or OutageWatch(None)
        self.learn_types()

    def run(self, sql: str, args: object = ()) -> PostgresResult:
        """Run a statement; where the session has ended, a new look begins in a new one."""
        if sql == "BEGIN":
            if self.is_lost:
                self._outages.outlast(self.reopen)
            return super().run(_BEGIN_LOOKING)
        if self.is_lost and sql == "ROLLBACK":
            return PostgresResult((), 0)
        return super().run(sql, args)


async def open_writer(address: ServerAddress, outages: OutageWatch | None = None) -> PostgresThread:
    """Begin the session that writes."""
    return await connect(partial(LockedWriter, address, outages))


async def open_reader(address: ServerAddress, outages: OutageWatch | None = None) -> PostgresThread:
    """Begin a session that reads."""
    return await connect(partial(LookingConnection, address, outages))


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
    """Say whether some process writes to this schema."""
    if not isinstance(connection, PostgresConnection):
        raise StoreError("This is no PostgreSQL database.")
    return is_locked(connection) or bool(connection.ask(_ROW_IS_KEPT, (KEPT_MS,)).fetchall()[0][0])


def is_locked(connection: PostgresConnection) -> bool:
    """Say whether some process holds the lock of this schema."""
    return bool(connection.ask(_HELD, (connection.address.schema,)).fetchall()[0][0])


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
