"""Connections to the server, each with a thread of its own, and what their errors mean."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from contextvars import copy_context
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from types import MappingProxyType
from typing import Any, TypeVar, cast

import psycopg
from psycopg.adapt import AdaptersMap
from psycopg.conninfo import conninfo_to_dict
from psycopg.pq import TransactionStatus
from psycopg.types.numeric import NumericBinaryLoader

from adapters.postgres.engine.pipeline import StatementPipeline
from adapters.postgres.engine.rows import PostgresResult, PostgresRow, row_class
from adapters.postgres.engine.statements import Statement, read_statement
from adapters.sqlite.engine.connection import explain
from adapters.sqlite.engine.damage import NotesDamage
from adapters.sqlite.engine.sql_connection import DatabaseFault, Value
from adapters.sqlite.engine.write_batch import Batching, portions
from bot.errors import StoreError
from bot.sentences import Words, later, say

T = TypeVar("T")
CONNECT_SECONDS = 10
"""Seconds that a server may take to answer at all."""
_ALIVE = {"keepalives_idle": "5", "keepalives_interval": "2", "keepalives_count": "3", "tcp_user_timeout": "10000"}
"""Seconds, but for the last one: after ten or so a machine that is gone without a word is known to be gone."""
_LOCAL = frozenset({"localhost", "127.0.0.1", "::1"})
_NO_ROOM = {"53100": "server_store.disk-full", "53200": "server_store.no-memory"}
_NO_LEASE = "LL001"
"""What `must_have_lease` says (migrations/0002)."""
_NO_SESSION = frozenset({"28P01", "28000", "3D000", "53300", "57P03"})
_WRONG = ("authentication failed", "no password", "pg_hba.conf", "does not exist", "SSL")
"""By which words a server refuses whoever comes, and will tomorrow."""
_AWAY = ("Connection refused", "No such file", "timeout expired")
_ENDS = frozenset({"COMMIT", "ROLLBACK"})
_SET, _SET_HERE = "SELECT set_config($1, $2, false)", "SELECT set_config($1, $2, true)"
COMMIT_MARK = "commit"
"""The row of `meta` in which the marks of commits stood before there were several who write."""
_TYPES = """
    SELECT table_name, column_name, CASE data_type WHEN 'ARRAY' THEN 'text[]' ELSE data_type END
    FROM information_schema.columns WHERE table_schema = current_schema()"""


@dataclass(frozen=True)
class ServerAddress:
    """Where the database is: what libpq is told, and the schema in it."""

    parts: Mapping[str, str] = field(repr=False)
    schema: str

    def __str__(self) -> str:
        """Name it without the password, for people and logs."""
        where = self.parts.get("host") or self.parts.get("hostaddr") or say("server_store.this-machine")
        port = self.parts.get("port")
        place = f"{where}:{port}" if port else where
        return say("server_store.address", database=self.parts.get("dbname", ""), place=place)

    def conninfo(self) -> dict[str, str]:
        """Return what libpq is told; whoever is on another machine is spoken to by TLS unless the address says else."""
        host = self.parts.get("host", "")
        is_here = not host or host.startswith("/") or host in _LOCAL
        parts = {"sslmode": "prefer" if is_here else "require", "connect_timeout": str(CONNECT_SECONDS), **_ALIVE}
        return {**parts, **self.parts, "application_name": "glassmind"}


def read_address(url: str, schema: str) -> ServerAddress:
    """Read a URL; raise StoreError, which does not repeat it, because there may be a password in it."""
    try:
        parts = {name: str(value) for name, value in conninfo_to_dict(url).items() if value is not None}
    except psycopg.ProgrammingError:
        raise StoreError(later("server_store.url-unreadable")) from None
    return ServerAddress(parts, schema)


class _Number(NumericBinaryLoader):
    """Sums of whole numbers are whole numbers in Python, too."""

    def load(self, data: Any) -> Any:
        """Return an int where there is no fraction."""
        number = super().load(data)
        return int(number) if number == number.to_integral_value() else float(number)


def _adapters() -> AdaptersMap:
    known = AdaptersMap(psycopg.adapters)
    known.register_loader("numeric", _Number)
    return known


class PostgresConnection(NotesDamage):
    """One session; everything that is asked through it is read from SQLite's SQL first.

    `is_pooled`: a pooler stands between, which may hand each transaction to another session of the server. Then nothing
    is left in a session: settings are those of a transaction, and statements are not prepared.
    """

    def __init__(self, address: ServerAddress, *, settings: Mapping[str, str] = MappingProxyType({})) -> None:
        super().__init__()
        self.address = address
        self._settings = {"search_path": address.schema, **settings}
        self._read: dict[str, Statement] = {}
        self._types: dict[str, dict[str, str]] = {}
        self._before = 0
        self._is_inside = False
        self._open()

    @property
    def in_transaction(self) -> bool:
        """Whether a transaction is open, or failed and not ended, or is going to be begun."""
        if self._raw.closed:
            return False
        return self._pipeline.is_waiting or self._raw.info.transaction_status is not TransactionStatus.IDLE

    @property
    def is_lost(self) -> bool:
        """Whether the session has ended."""
        return self._raw.closed

    @property
    def total_changes(self) -> int:
        """How many rows were changed, as far as it is known by now."""
        return self._before + self._pipeline.changes

    def execute(self, sql: str, args: Any = (), /) -> PostgresResult:
        """Run a statement."""
        done = self.run(sql, args)
        done.wait()
        return done

    def executemany(self, sql: str, args: Iterable[Sequence[Value]], /) -> PostgresResult:
        """Run a statement for many rows."""
        done = [self.run(sql, row) for row in args]
        return PostgresResult((), sum(max(one.rowcount, 0) for one in done))

    def run(self, sql: str, args: Any = ()) -> PostgresResult:
        """Run a statement without storing first what was put off; who looks into the result waits for it."""
        statement = self._read.get(sql)
        if statement is None:
            statement = self._read[sql] = read_statement(sql, self._types)
        if statement.names:
            args = [args[name] for name in statement.names]
        return self._put(statement.sql, args)

    def ask(self, sql: str, args: Sequence[Any] = ()) -> PostgresResult:
        """Run a statement that is written for PostgreSQL."""
        done = self._put(sql, args)
        done.wait()
        return done

    def settle(self) -> None:
        """Wait for everything that was run; raise what failed."""
        self._pipeline.settle()

    def script(self, sql: str) -> None:
        """Run several statements that are written for PostgreSQL and take no values."""
        with self._pipeline.left() as raw:
            try:
                raw.execute(cast(Any, sql))
            except psycopg.Error as error:
                raise explained(error, self.address) from error

    def row(self, select: str, values: tuple[Value, ...]) -> PostgresRow:
        """Make a row as a statement would give it: `SELECT a, b FROM ...`."""
        names = select[len("SELECT ") : select.index(" FROM ")]
        return row_class(tuple(names.split(", ")))(values)

    def learn_types(self) -> None:
        """Look which columns there are, and of which types; after the schema has changed."""
        self._read.clear()
        self._types.clear()
        for table, column, kind in self.ask(_TYPES):
            self._types.setdefault(table, {})[column] = kind

    def wait_for_notice(self, seconds: float) -> None:
        """Return when another session has told something that this one listens to; after so long at the latest."""
        self._pipeline.wait_for_notice(seconds)

    def reopen(self) -> None:
        """Begin another session where this one has ended; raise DatabaseFault."""
        self._before = self.total_changes
        self._open()

    def close(self) -> None:
        """End the session."""
        with suppress(psycopg.Error):
            self._raw.close()

    def interrupt(self) -> None:
        """Let the statement that runs end now; from any thread."""
        with suppress(psycopg.Error):
            self._raw.cancel_safe(timeout=1)

    def _put(self, sql: str, args: Sequence[Any] = ()) -> PostgresResult:
        begins, ends = sql.startswith("BEGIN"), sql in _ENDS
        if self.is_pooled and not (begins or ends or self._is_inside):
            return self._put_alone(sql, args)
        done = self._pipeline.put(sql, args)
        if begins:
            self._is_inside = True
            if self.is_pooled:
                self._set(is_local=True)
        elif ends:
            self._is_inside = False
            if sql == "ROLLBACK":
                # nobody waits for it, and what it lets go of should not be held until somebody comes again
                self._pipeline.send()
        return done

    def _put_alone(self, sql: str, args: Sequence[Any]) -> PostgresResult:
        """Run one statement in a transaction of its own, which has the settings."""
        self._pipeline.put("BEGIN")
        self._set(is_local=True)
        done = self._pipeline.put(sql, args)
        self._pipeline.put("COMMIT")
        try:
            self._pipeline.settle()
        except DatabaseFault:
            if not self.is_lost:
                self._pipeline.put("ROLLBACK")
                self._pipeline.send()
            raise
        return done

    def _set(self, *, is_local: bool) -> None:
        for name, value in self._settings.items():
            self._pipeline.put(_SET_HERE if is_local else _SET, (name, value))

    def _open(self) -> None:
        self._is_inside = False
        try:
            self._raw = psycopg.connect(
                **cast(Any, self.address.conninfo()), autocommit=True, prepare_threshold=None, context=_KNOWN
            )
        except psycopg.Error as error:
            raise _unopened(error, self.address) from error
        self._pipeline = StatementPipeline(self._raw, partial(explained, address=self.address))
        # a pooler gives its clients numbers of its own
        try:
            (server_side,) = self._pipeline.put("SELECT pg_backend_pid()::bigint").fetchall()[0]
        except DatabaseFault as fault:
            # one whose server is away takes the session, and ends it at the first statement
            fault.away = fault.cut and not any(sign in str(fault) for sign in _WRONG)
            raise
        self.is_pooled = server_side != self._raw.info.backend_pid
        self._pipeline.prepares = not self.is_pooled
        if not self.is_pooled:
            self._set(is_local=False)
            self._pipeline.settle()


class PostgresWriter(Batching, PostgresConnection):
    """One that writes; the numbers that it handed out are kept with what was stored under them.

    A commit whose answer did not arrive is asked about in another session. With a `token` of this process each
    transaction leaves a `mark` that is there once it is committed; the last one that is known to be there is kept
    (`marked`). The number of a transaction would be none: a server that crashed gives it to another one.
    """

    def __init__(self, address: ServerAddress, *, settings: Mapping[str, str] = MappingProxyType({})) -> None:
        super().__init__(address, settings=settings)
        self.stored: dict[str, int] = {}
        """The newest numbers that are known to be committed."""
        self.token = self.mark = self.marked = ""
        self._kept: dict[str, int] = {}
        self._commits = 0

    def execute(self, sql: str, args: Any = (), /) -> PostgresResult:
        """Store what was put off, then run a statement."""
        self._give_way()
        return super().execute(sql, args)

    def executemany(self, sql: str, args: Iterable[Sequence[Value]], /) -> PostgresResult:
        """Run a statement for many rows."""
        self._give_way()
        return super().executemany(sql, args)

    def run(self, sql: str, args: Any = ()) -> PostgresResult:
        """Run a statement without storing first what was put off."""
        return self._commit() if sql == "COMMIT" else super().run(sql, args)

    def load(self, table: str, columns: Sequence[str], rows: Iterable[Sequence[Value]]) -> None:
        """Store many rows at once; the names are our own."""
        with self._pipeline.left() as raw:
            try:
                with raw.cursor().copy(cast(Any, f"COPY {table} ({', '.join(columns)}) FROM STDIN")) as copied:
                    for row in rows:
                        copied.write_row(row)
            except psycopg.Error as error:
                raise explained(error, self.address) from error

    def became_of(self, mark: str, fault: DatabaseFault) -> None:
        """Return where the commit that leaves a mark was done, of which no answer came; raise where not, or unknown."""
        raise fault

    def new_mark(self) -> str:
        """Name the transaction that begins; empty where nobody asks for it."""
        self._commits += 1
        self.mark = f"{self.token} {self._commits}" if self.token else ""
        return self.mark

    def number_from(self, numbers: Mapping[str, int]) -> None:
        """Go on from the numbers that were stored last, by whomever."""
        self.newest = dict(numbers)
        self._kept = dict(numbers)
        self.stored = dict(numbers)

    def _commit(self) -> PostgresResult:
        self._keep_numbers()
        done = super().run("COMMIT")
        try:
            done.wait()
        except DatabaseFault as fault:
            if not self.mark or not self.is_lost:
                raise
            fault.cut = False
            kept = dict(self._kept)
            self.became_of(self.mark, fault)
            self.stored, self.marked = kept, self.mark
            return PostgresResult((), -1)
        if done.tag != b"COMMIT":
            raise DatabaseFault(later("server_store.not-committed", place=self.address.__str__))
        self.stored.update(self._kept)
        self.marked = self.mark
        return done

    def _keep_numbers(self) -> None:
        """Store which numbers were handed out, so that none is given twice whatever is deleted."""
        fresh = [(table, number) for table, number in self.newest.items() if self._kept.get(table) != number]
        for some in portions(fresh):
            rows = ", ".join(["(?, ?)"] * len(some))
            super().run(
                f"INSERT INTO drawn (name, seq) VALUES {rows} "  # noqa: S608 - placeholders
                "ON CONFLICT (name) DO UPDATE SET seq = greatest(drawn.seq, excluded.seq)",
                tuple(chain.from_iterable(some)),
            )
        self._kept.update(fresh)


class PostgresThread:
    """A session with a thread of its own; it has the two names by which `on_thread` runs work on aiosqlite's, too."""

    def __init__(self, connection: PostgresConnection, thread: ThreadPoolExecutor) -> None:
        self._conn = connection
        self._thread = thread

    async def _execute(self, work: Callable[..., T], /, *args: Any) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work, *args)

    async def close(self) -> None:
        """End the session and the thread."""
        await self._execute(self._conn.close)
        self._thread.shutdown(wait=False)


async def connect(make: Callable[[], PostgresConnection]) -> PostgresThread:
    """Begin a session on a thread of its own; raise StoreError."""
    thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="postgres")
    try:
        connection = await asyncio.get_running_loop().run_in_executor(thread, copy_context().run, make)
    except DatabaseFault as fault:
        thread.shutdown(wait=False)
        raise explain(fault) from fault
    except BaseException:
        thread.shutdown(wait=False)
        raise
    return PostgresThread(connection, thread)


def explained(error: psycopg.Error, address: ServerAddress) -> DatabaseFault:
    """Say what an error of the server means and what to do about it; the words of a connection hold no password."""
    code = error.sqlstate or ""
    said = " ".join(str(error).split())
    place = address.__str__
    if code in _NO_ROOM:
        return DatabaseFault(later(_NO_ROOM[code], place=place), full=True)
    if code == _NO_LEASE:
        return overtaken()
    if code == "25006":
        return DatabaseFault(later("server_store.is-replica", place=place))
    if code == "42501":
        return DatabaseFault(later("server_store.not-allowed", place=place, why=said))
    if code in {"42P01", "42703"}:
        return DatabaseFault(later("server_store.altered", place=place, why=said), damaged=True)
    if code in _NO_SESSION:
        return DatabaseFault(_refused(said, place))
    if code.startswith(("08", "57P")) or isinstance(error, psycopg.OperationalError):
        return DatabaseFault(later("server_store.gone", place=place, why=said))
    return DatabaseFault(later("server_store.refused", place=place, why=said))


def overtaken() -> DatabaseFault:
    """Say that this process has lost its lease."""
    return DatabaseFault(later("server_store.overtaken"), taken=True)


def _unopened(error: psycopg.Error, address: ServerAddress) -> DatabaseFault:
    said = " ".join(str(error).split())
    fault = DatabaseFault(_refused(said, address.__str__))
    fault.away = any(sign in said for sign in _AWAY) or not any(sign in said for sign in _WRONG)
    return fault


def _refused(said: str, place: Words) -> Words:
    """Say why no session came about, by the server's own words: libpq gives no code for it."""
    if "password authentication failed" in said or "no password supplied" in said:
        return later("server_store.wrong-password", place=place)
    if "no pg_hba.conf entry" in said:
        return later("server_store.not-let-in", place=place, why=said)
    if "database" in said and "does not exist" in said:
        return later("server_store.no-such-database", place=place)
    if "role" in said and "does not exist" in said:
        return later("server_store.no-such-user", place=place)
    if "too many" in said or "remaining connection slots" in said:
        return later("server_store.no-connection-left", place=place)
    if "server does not support SSL" in said:
        return later("server_store.no-tls", place=place)
    if "starting up" in said or "shutting down" in said or "not accepting" in said or "not yet accepting" in said:
        return later("server_store.starting", place=place)
    return later("server_store.no-answer", place=place, why=said)


def _first(words: str) -> str:
    return words[0].upper() + words[1:]


_KNOWN = _adapters()
