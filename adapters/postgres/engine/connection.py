"""Connections to the server, each with a thread of its own, and what their errors mean."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, TypeVar, cast

import psycopg
from psycopg.adapt import AdaptersMap
from psycopg.conninfo import conninfo_to_dict
from psycopg.pq import TransactionStatus
from psycopg.types.numeric import Int8BinaryDumper, NumericBinaryLoader
from psycopg.types.string import StrBinaryDumper

from adapters.postgres.engine.rows import PostgresResult, PostgresRow, row_class
from adapters.postgres.engine.statements import Statement, read_statement
from adapters.sqlite.engine.damage import NotesDamage
from adapters.sqlite.engine.sql_connection import DatabaseFault, Value
from adapters.sqlite.engine.write_batch import Batching
from bot.errors import StoreError

T = TypeVar("T")
CONNECT_SECONDS = 10
"""Seconds that a server may take to answer at all."""
_ALIVE = {"keepalives_idle": "5", "keepalives_interval": "2", "keepalives_count": "3", "tcp_user_timeout": "10000"}
"""Seconds, but for the last one: after ten or so a machine that is gone without a word is known to be gone."""
PREPARED = 400
"""Statements that the server keeps for each connection; a message needs about forty."""
_PLAIN = frozenset({str, int, bytes, float, type(None)})
_LOCAL = frozenset({"localhost", "127.0.0.1", "::1"})
_NO_ROOM = {"53100": "its disk is full", "53200": "it is out of memory"}
_NO_LEASE = "LL001"
"""What `must_have_lease` says (migrations/0002)."""
_NO_SESSION = frozenset({"28P01", "28000", "3D000", "53300", "57P03"})
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
        where = self.parts.get("host") or self.parts.get("hostaddr") or "this machine"
        port = self.parts.get("port")
        return f"{self.parts.get('dbname', '')} at {where}{f':{port}' if port else ''}"

    def conninfo(self, **more: str) -> dict[str, str]:
        """Return what libpq is told; whoever is on another machine is spoken to by TLS unless the address says else."""
        host = self.parts.get("host", "")
        is_here = not host or host.startswith("/") or host in _LOCAL
        parts = {"sslmode": "prefer" if is_here else "require", "connect_timeout": str(CONNECT_SECONDS), **_ALIVE}
        options = f"-c search_path={self.schema} {self.parts.get('options', '')} {more.pop('options', '')}"
        if self.parts.get("target_session_attrs") == "read-write":
            # of several servers the same one is meant, also by a session that only reads
            more["target_session_attrs"] = "primary"
        return {**parts, **self.parts, **more, "options": options.strip(), "application_name": "glassmind"}


def read_address(url: str, schema: str) -> ServerAddress:
    """Read a URL; raise StoreError, which does not repeat it, because there may be a password in it."""
    try:
        parts = {name: str(value) for name, value in conninfo_to_dict(url).items() if value is not None}
    except psycopg.ProgrammingError:
        raise StoreError(
            "store.url cannot be read. Write it as postgresql://user@host:5432/database; a password with one of "
            "@ : / ? # in it is written percent-encoded."
        ) from None
    return ServerAddress(parts, schema)


class _Number(NumericBinaryLoader):
    """Sums of whole numbers are whole numbers in Python, too."""

    def load(self, data: Any) -> Any:
        """Return an int where there is no fraction."""
        number = super().load(data)
        return int(number) if number == number.to_integral_value() else float(number)


def _adapters() -> AdaptersMap:
    known = AdaptersMap(psycopg.adapters)
    # of one type each, whatever the value: so a statement is prepared once, and a number never becomes a text
    known.register_dumper(int, Int8BinaryDumper)
    known.register_dumper(str, StrBinaryDumper)
    known.register_loader("numeric", _Number)
    return known


class PostgresConnection(NotesDamage):
    """One session; everything that is asked through it is read from SQLite's SQL first."""

    def __init__(self, address: ServerAddress, *, options: str = "") -> None:
        super().__init__()
        self.address = address
        self.total_changes = 0
        self._options = options
        self._read: dict[str, Statement] = {}
        self._types: dict[str, dict[str, str]] = {}
        self._raw = self._connect()
        self._cursor = self._fresh_cursor()

    @property
    def in_transaction(self) -> bool:
        """Whether a transaction is open, or failed and not ended."""
        return self._raw.info.transaction_status not in {TransactionStatus.IDLE, TransactionStatus.UNKNOWN}

    @property
    def is_lost(self) -> bool:
        """Whether the session has ended."""
        return self._raw.closed

    def execute(self, sql: str, args: Any = (), /) -> PostgresResult:
        """Run a statement."""
        return self.run(sql, args)

    def executemany(self, sql: str, args: Iterable[Sequence[Value]], /) -> PostgresResult:
        """Run a statement for many rows."""
        many = 0
        for row in args:
            many += max(self.run(sql, row).rowcount, 0)
        return PostgresResult((), many)

    def run(self, sql: str, args: Any = ()) -> PostgresResult:
        """Run a statement without storing first what was put off."""
        statement = self._read.get(sql)
        if statement is None:
            statement = self._read[sql] = read_statement(sql, self._types)
        if statement.names:
            args = [args[name] for name in statement.names]
        if not _PLAIN.issuperset(map(type, args)):
            args = [value if type(value) in _PLAIN else _plain(value) for value in args]
        return self.ask(statement.sql, args)

    def ask(self, sql: str, args: Sequence[Any] = ()) -> PostgresResult:
        """Run a statement that is written for PostgreSQL."""
        cursor = self._cursor
        try:
            cursor.execute(cast(Any, sql), args)
            changed = cursor.rowcount
            if cursor.description is None:
                self.total_changes += max(changed, 0)
                return PostgresResult((), changed)
            return PostgresResult(cursor.fetchall(), changed)
        except psycopg.Error as error:
            raise explained(error, self.address) from error

    def script(self, sql: str) -> None:
        """Run several statements that are written for PostgreSQL and take no values."""
        try:
            self._raw.execute(cast(Any, sql))
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
        try:
            for _ in self._raw.notifies(timeout=seconds, stop_after=1):
                return
        except psycopg.Error as error:
            raise explained(error, self.address) from error

    def reopen(self) -> None:
        """Begin another session where this one has ended; raise DatabaseFault."""
        self._raw = self._connect()
        self._cursor = self._fresh_cursor()

    def close(self) -> None:
        """End the session."""
        with suppress(psycopg.Error):
            self._raw.close()

    def interrupt(self) -> None:
        """Let the statement that runs end now; from any thread."""
        with suppress(psycopg.Error):
            self._raw.cancel_safe(timeout=1)

    def _connect(self) -> psycopg.Connection[Any]:
        try:
            raw = psycopg.connect(
                **cast(Any, self.address.conninfo(options=self._options)),
                autocommit=True,
                prepare_threshold=2,
                context=_KNOWN,
            )
        except psycopg.Error as error:
            raise _unopened(error, self.address) from error
        raw.prepared_max = PREPARED
        return raw

    def _fresh_cursor(self) -> psycopg.RawCursor[Any]:
        return psycopg.RawCursor(self._raw, row_factory=_named)


class PostgresWriter(Batching, PostgresConnection):
    """The one that writes; the numbers that it handed out are kept with what was stored under them."""

    def __init__(self, address: ServerAddress, *, options: str = "") -> None:
        super().__init__(address, options=options)
        self._kept: dict[str, int] = {}

    def execute(self, sql: str, args: Any = (), /) -> PostgresResult:
        """Store what was put off, then run a statement."""
        self._give_way()
        return self.run(sql, args)

    def executemany(self, sql: str, args: Iterable[Sequence[Value]], /) -> PostgresResult:
        """Run a statement for many rows."""
        self._give_way()
        return super().executemany(sql, args)

    def run(self, sql: str, args: Any = ()) -> PostgresResult:
        """Run a statement without storing first what was put off."""
        if sql == "COMMIT":
            self._keep_numbers()
            done = super().run(sql)
            if self._raw.info.transaction_status is not TransactionStatus.IDLE:
                raise DatabaseFault(f"The database ({self.address}) did not commit. Nothing was stored.")
            return done
        return super().run(sql, args)

    def load(self, table: str, columns: Sequence[str], rows: Iterable[Sequence[Value]]) -> None:
        """Store many rows at once; the names are our own."""
        try:
            with self._cursor.copy(cast(Any, f"COPY {table} ({', '.join(columns)}) FROM STDIN")) as copied:
                for row in rows:
                    copied.write_row(row)
        except psycopg.Error as error:
            raise explained(error, self.address) from error

    def _keep_numbers(self) -> None:
        """Store which numbers were handed out, so that none is given twice whatever is deleted."""
        fresh = {table: number for table, number in self.newest.items() if self._kept.get(table) != number}
        if fresh:
            self.ask(
                "INSERT INTO drawn (name, seq) SELECT * FROM unnest($1::text[], $2::bigint[]) "
                "ON CONFLICT (name) DO UPDATE SET seq = greatest(drawn.seq, excluded.seq)",
                (list(fresh), list(fresh.values())),
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
        connection = await asyncio.get_running_loop().run_in_executor(thread, make)
    except DatabaseFault as fault:
        thread.shutdown(wait=False)
        raise StoreError(str(fault)) from fault
    except BaseException:
        thread.shutdown(wait=False)
        raise
    return PostgresThread(connection, thread)


def explained(error: psycopg.Error, address: ServerAddress) -> DatabaseFault:
    """Say what an error of the server means and what to do about it; the words of a connection hold no password."""
    code = error.sqlstate or ""
    said = " ".join(str(error).split())
    where = f"the database {address}"
    if code in _NO_ROOM:
        return DatabaseFault(
            f"The server of {where}: {_NO_ROOM[code]}. Nothing was stored. Free some space.", full=True
        )
    if code == _NO_LEASE:
        words = "Another process has taken over, and goes on from here. This one has stored nothing since."
        return DatabaseFault(words, taken=True)
    if code == "25006":
        return DatabaseFault(f"{_first(where)} is a read-only replica. Name the primary in store.url.")
    if code == "42501":
        return DatabaseFault(f"The role in store.url may not do this in {where}: {said}. Grant it, or name the owner.")
    if code in {"42P01", "42703"}:
        words = f"{_first(where)} was altered by another program: {said}. Restore it from a backup of the server."
        return DatabaseFault(words, damaged=True)
    if code in _NO_SESSION:
        return DatabaseFault(_refused(said, where))
    if code.startswith(("08", "57P")) or isinstance(error, psycopg.OperationalError):
        return DatabaseFault(f"The connection to {where} is gone: {said}. The bot connects again by itself.")
    return DatabaseFault(f"{_first(where)} refused: {said}")


def _unopened(error: psycopg.Error, address: ServerAddress) -> DatabaseFault:
    return DatabaseFault(_refused(" ".join(str(error).split()), f"the database {address}"))


def _refused(said: str, where: str) -> str:
    """Say why no session came about, by the server's own words: libpq gives no code for it."""
    if "password authentication failed" in said or "no password supplied" in said:
        return f"Wrong password or user for {where}. Correct store.url, or the file that it names as passfile."
    if "no pg_hba.conf entry" in said:
        return f"The server does not let this user or this machine into {where} (pg_hba.conf): {said}"
    if "database" in said and "does not exist" in said:
        return f"There is no database of this name: {where}. Make it (createdb), or correct store.url."
    if "role" in said and "does not exist" in said:
        return f"There is no such user on the server of {where}. Make it (createuser), or correct store.url."
    if "too many" in said or "remaining connection slots" in said:
        return (
            f"The server has no connection left for {where}. The bot needs 4: raise max_connections on the server, "
            "or the limit of this user, or close something else."
        )
    if "server does not support SSL" in said:
        return f"The server of {where} offers no TLS. Switch it on there, or write sslmode=disable into store.url."
    if "starting up" in said or "shutting down" in said:
        return f"The server of {where} is just starting or stopping. Try again in a moment."
    return f"The server of {where} does not answer: {said}"


def _first(words: str) -> str:
    return words[0].upper() + words[1:]


def _named(cursor: psycopg.Cursor[Any]) -> Callable[[Sequence[Any]], PostgresRow]:
    described = cursor.description
    return row_class(tuple(column.name for column in described) if described else ())


def _plain(value: Any) -> Any:
    """Return a value as the database gives it back: the members of an enum and truth values are plain there."""
    if isinstance(value, str):
        return str.__str__(value)
    return int(value) if isinstance(value, int) else value


_KNOWN = _adapters()
