"""The sessions of one process: the one that writes holds the lock of its schema, the others only read."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from functools import partial

import orjson
import structlog

from adapters.postgres.engine.connection import (
    PostgresConnection,
    PostgresThread,
    PostgresWriter,
    ServerAddress,
    connect,
)
from adapters.postgres.engine.high_water import fallen, numbers_of, went_back
from adapters.postgres.engine.lease_rows import (
    LIVES,
    STANDING_SECONDS,
    end_silent,
    has_leases,
    is_leased,
    is_whole,
    let_go,
    renew,
    take,
    wait_for_own,
)
from adapters.postgres.engine.outages import OutageWatch
from adapters.postgres.engine.rows import PostgresResult
from adapters.sqlite.engine.database import OthersWrote
from adapters.sqlite.engine.sql_connection import DatabaseFault, SqlConnection
from bot.errors import StoreError
from bot.ports.leases import WHOLE_BOT, Lease
from bot.sentences import later

_WHERE = """
    SELECT pg_is_in_recovery(),
      (SELECT pid || ' ' || backend_start FROM pg_stat_activity WHERE pid = pg_backend_pid())"""
"""Whether a server takes nothing, and which session this is."""
_TAKE = "SELECT pg_try_advisory_lock(hashtextextended('glassmind ' || $1, 0))"
_SHARE = _TAKE.replace("lock(", "lock_shared(")
_END = """
    SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
    WHERE pid || ' ' || backend_start = $1 AND application_name = 'glassmind'"""
ALONE = "a program that is to be alone"
"""What people call whoever has a lease only because it comes through a pooler."""
ALONE_SECONDS = 30.0
"""So long that one has it after each commit; a sign of life comes oftener."""
_PASS = "SELECT pass_turnstile($1, $2, $3, $4, $5)"
"""What every transaction begins with."""
_LAST_MARK = """
    SELECT mark FROM (SELECT mark, 1 AS place FROM turnstile WHERE owner = $1
      UNION ALL SELECT mark, 2 FROM commit_mark WHERE owner = $1) AS left_by ORDER BY place LIMIT 1"""
_WRITES = {"glassmind.seals": "on"}
_OWNER = "glassmind.owner"
"""What the server writes beside a row that this process is to send."""
_WAKES = {"idle_in_transaction_session_timeout": f"{STANDING_SECONDS}s"}
"""The server ends who stands still between two statements; who does so within one is ended by the others."""
_BEGIN_LOOKING = "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY"
_LOCKS = """
    SELECT mode FROM pg_locks WHERE locktype = 'advisory' AND granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
      AND (classid::bigint << 32 | objid::bigint) = hashtextextended('glassmind ' || $1, 0)"""
_ALONE_MODE = "ExclusiveLock"

log = structlog.get_logger(__name__)


class LockedWriter(PostgresWriter):
    """The session that writes. It is alone in its schema as long as it lasts; where it is lost, another is begun.

    A transaction that was lost with it before its end was not stored, and `cut` says so: it can be run again. One
    whose commit was not answered is asked about. Through a pooler no lock lasts longer than a transaction: there it is
    alone by a lease, as several processes take turns.
    """

    def __init__(
        self,
        address: ServerAddress,
        outages: OutageWatch | None = None,
        lease: Lease | None = None,
        settings: Mapping[str, str] = _WRITES,
    ) -> None:
        super().__init__(address, settings=settings)
        self.when_reopened: Callable[[SqlConnection], None] = _nothing
        self.when_others_wrote: Callable[[SqlConnection, OthersWrote], None] = _nothing_of_others
        self.shares = lease is not None and not is_whole(lease)
        """Others write here as well."""
        self._outages = outages or OutageWatch(None)
        self._session = self._owner = ""
        self._lease = lease
        self._seen = (0, 0)
        try:
            self.lock()
        except BaseException:
            self.close()
            raise

    def lock(self) -> None:
        """Take the lock; raise DatabaseFault where another process holds it, or where nobody may write."""
        session = must_be_writable(self)
        if self.is_pooled:
            self.hold()
        else:
            self._lock_session()
            self._session = session

    def hold(self) -> None:
        """See to it that a pooler lets nobody else write here: once there is a schema."""
        if not self.is_pooled or not has_leases(self):
            return
        if self._lease is not None:
            # a session that was lost may still be at its last transaction; whether this one may go on its fence says
            renew(self, self._owner, ALONE, ALONE_SECONDS)
            wait_for_own(self)
            return
        end_silent(self)
        self._owner = self._new_name()
        renew(self, self._owner, ALONE, ALONE_SECONDS)
        self._lease = take(self, WHOLE_BOT, self._owner)
        if self._lease is None or locks_of(self) or is_leased(self, self._owner):
            raise self._in_use()

    def _lock_session(self) -> None:
        if not self._take(_TAKE) and self._session:
            # a session of this process that the server still takes for alive holds it
            self.ask(_END, (self._session,))
        if not self._take(_TAKE):
            raise self._in_use()
        if has_leases(self):
            # who came through a pooler and only slept holds no lock, and does not go on from here
            end_silent(self)
            if is_leased(self):
                raise self._in_use()

    def mark_commits(self) -> None:
        """Leave a mark with each commit from now on, by which it is known whether it was done."""
        self.token = self._new_name()

    def _new_name(self) -> str:
        return str(self.ask("SELECT gen_random_uuid()::text").fetchall()[0][0])

    def _in_use(self) -> DatabaseFault:
        return DatabaseFault(later("server_store.in-use", place=self.address.__str__, schema=self.address.schema))

    def run(self, sql: str, args: object = ()) -> PostgresResult:
        """Run a statement; where the session has ended, a transaction begins in a new one.

        With a lease it begins by looking whether that still holds. Nobody waits for the answer: where it does not, the
        server does nothing of what follows.
        """
        if sql != "BEGIN IMMEDIATE":
            return super().run(sql, args)
        if self.is_lost:
            self._begin_again()
        begun = super().run(sql)
        if self._owner:
            self._put(LIVES, (self._owner, ALONE, ALONE_SECONDS))
        if self._lease is not None or self.token:
            self._pass()
        return begun

    def _pass(self) -> None:
        """Wait for a turn, and leave the mark of this one; see what others did in between, where there are others."""
        lease = self._lease
        name, epoch, owner = lease if lease is not None else ("", 0, self.token)
        passed = self._put(_PASS, (owner, self.new_mark(), self.marked, name, epoch))
        if not self.shares:
            return
        (told,) = passed.fetchall()[0]
        if told is None:
            return
        others = orjson.loads(told)
        before, self._seen = self._seen, (others["swept"], others["settings"])
        if self.group is not None:
            self.group.others_wrote()
        self.number_from(others["numbers"])
        self.when_others_wrote(self, OthersWrote(*(was != now for was, now in zip(before, self._seen, strict=True))))

    def became_of(self, mark: str, fault: DatabaseFault) -> None:
        """Return where the commit that leaves a mark was done, of which no answer came; raise where not, or unknown."""
        owner = self._lease.owner if self._lease is not None else self.token
        try:
            self._begin_again()
            # that transaction may still be under way, until then it holds the turnstile
            wait_for_own(self)
            last = self.ask(_LAST_MARK, (owner,)).fetchone()
        except DatabaseFault as why:
            raise DatabaseFault(later("server_store.answer-lost", why=why.words)) from fault
        found = str(last[0]) if last is not None else ""
        known = {mark: "committed", self.marked: "aborted"}
        became = known.get(found, "unknown")
        if became == "unknown" and not self.marked and not found.startswith(self.token):
            # nothing of this session is there yet
            became = "aborted"
        log.warning("commit_without_answer", became=became)
        if became == "aborted":
            fault.cut = True
            raise fault
        if became == "unknown":
            before = later("server_store.unknown-before", place=self.address.__str__)
            raise DatabaseFault(later("server_store.answer-lost", why=before)) from fault

    def close(self) -> None:
        """Let go of the lock at once, and end the session."""
        with suppress(DatabaseFault):
            if not self.is_lost and self._owner:
                let_go(self, self._owner)
            elif not self.is_lost and not self.is_pooled:
                self.ask("SELECT pg_advisory_unlock_all()")
        super().close()

    def _take(self, taking: str) -> bool:
        taken = self.ask(taking, (self.address.schema,)).fetchone()
        return bool(taken and taken[0])

    def _begin_again(self) -> None:
        """Begin another session with the lock; another process may have changed everything that is known."""
        self._outages.note_cut()
        self._outages.outlast(self._reopen)
        stored = numbers_of(self)
        if back := fallen(self.stored, stored):
            super().close()
            raise DatabaseFault(went_back(self.address.__str__, back), damaged=True)
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


class FencedWriter(LockedWriter):
    """The session that writes of a process that has a lease: it shares the lock with others that have one.

    Every transaction passes the turnstile, which lets nobody by who has slept, and whose lease was taken meanwhile. Who
    stands still in the middle of a transaction lets go of it in time.
    """

    def __init__(self, address: ServerAddress, lease: Lease, outages: OutageWatch | None = None) -> None:
        super().__init__(address, outages, lease, {**_WRITES, **_WAKES, _OWNER: lease.owner})

    def hold(self) -> None:
        """Stay out where one is alone; return when no session that was lost is at a transaction of this lease."""
        if not self.is_pooled:
            return
        if _ALONE_MODE in locks_of(self):
            raise self._in_use()
        wait_for_own(self)

    def _lock_session(self) -> None:
        if self._session:
            # or nobody could say yet what became of its last transaction, where the server takes it for alive
            self.ask(_END, (self._session,))
        if not self._take(_SHARE):
            raise self._in_use()


def must_be_writable(connection: PostgresConnection) -> str:
    """Return which session this is; raise DatabaseFault where nobody may write."""
    is_replica, session = connection.ask(_WHERE).fetchall()[0]
    if is_replica:
        fault = DatabaseFault(later("server_store.is-replica", place=connection.address.__str__))
        # one that is about to become the primary is one until then
        fault.away = True
        raise fault
    return str(session)


def _nothing(_: SqlConnection) -> None:
    return None


def _nothing_of_others(_: SqlConnection, __: OthersWrote) -> None:
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


async def open_writer(address: ServerAddress, outages: OutageWatch, lease: Lease | None) -> PostgresThread:
    """Begin the session that writes: of a process that has a lease, or that is to be alone."""
    if lease is None:
        return await connect(partial(LockedWriter, address, outages))
    return await connect(partial(FencedWriter, address, lease, outages))


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
        raise StoreError(later("server_store.not-postgres"))
    return bool(locks_of(connection)) or is_leased(connection)


def locks_of(connection: PostgresConnection) -> list[str]:
    """Return in which modes the lock of this schema is held: by those who share it, or by one that is alone."""
    return [mode for (mode,) in connection.ask(_LOCKS, (connection.address.schema,)).fetchall()]


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
