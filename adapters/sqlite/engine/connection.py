"""Connections to the database file, and the one way to run work on their threads."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextvars import copy_context
from pathlib import Path
from typing import Any, Protocol, TypeVar, cast
from urllib.parse import quote

import aiosqlite
from pydantic import ValidationError

from adapters.sqlite.engine.damage import DamageList, DamageTracking
from adapters.sqlite.engine.functions import register_functions
from adapters.sqlite.engine.sql_connection import DatabaseFault, SqlConnection
from adapters.sqlite.engine.write_batch import BatchingConnection
from bot.errors import DamagedDatabase, LeaseLost, StoreAway, StoreError
from bot.sentences import later

T = TypeVar("T")
Work = Callable[[SqlConnection], T]
"""A unit of work: plain code that runs from start to end on a database thread; once more where it was undone."""


class DatabaseThread(Protocol):
    """A connection with a thread of its own, as aiosqlite's is; of another database one that has the same two names."""

    @property
    def _conn(self) -> Any: ...

    async def _execute(self, work: Any, /, *args: Any) -> Any: ...

    async def close(self) -> None: ...


BUSY_SECONDS = 5.0
LOG_PAGES = 8192
"""Pages of the write-ahead log from which on a commit copies them itself; before that they are (`wal`)."""
MAX_LOG_BYTES = 36 << 20
"""Bytes of the file that stay when all of it was copied: as much as that, so that it need not grow anew."""
STATEMENTS = 192
"""Prepared statements that each connection keeps: what every message needs, and some more. One takes 4 to 75 KB."""
WRITERS_PAGES, READERS_PAGES = -2048, -1024
"""Kibibytes of the file that a connection keeps in memory, negative as SQLite takes them. Each fills up to its bound
within hours, however little of that is read again; what all of them read lies in the system's own cache besides."""
_NO_TEXT = "Could not decode to UTF-8"
"""How Python's sqlite3 begins to say that a text holds bytes that are none, and goes on with all of them."""
_ALTERED_WORDS = ("no such table", "no such column", "table ")
"""How SQLite begins to say that a table is not as this program made it."""
_BROKEN_CODES = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}


async def connect(path: Path, *, writable: bool, damage: DamageList | None = None) -> aiosqlite.Connection:
    """Open an existing file; nothing is created and nothing is read yet. `damage` takes what is found damaged."""
    mode = "rw" if writable else "ro"
    opening = aiosqlite.connect(
        f"file:{quote(str(path))}?mode={mode}",
        uri=True,
        factory=BatchingConnection if writable else DamageTracking,
        isolation_level=None,
        cached_statements=STATEMENTS,
        timeout=BUSY_SECONDS,
    )
    # aiosqlite's thread keeps a process alive that failed to close it; losing it in mid-commit is what WAL is for
    opening._thread.daemon = True
    try:
        connection = await opening
    except sqlite3.Error as error:
        raise explain(error, path) from error
    if damage is not None:
        cast(DamageTracking, connection._conn).damage = damage
    try:
        await on_thread(connection, _prepare_writer if writable else _prepare_reader)
    except BaseException as error:
        await connection.close()
        raise explain(error, path) from error
    return connection


async def on_thread(connection: DatabaseThread, work: Callable[[Any], T]) -> T:
    """Run work on the connection's own thread, in one hop.

    aiosqlite offers one hop per statement; a transaction of many statements would wait for the event loop between
    them, and a cancelled caller would leave it open. Its executor takes any function, so a whole unit goes in one hop.
    What it says there is in the language of who waits.
    """
    return cast(T, await connection._execute(copy_context().run, work, connection._conn))


def is_full(error: BaseException) -> bool:
    """Say whether there was no room."""
    if isinstance(error, DatabaseFault):
        return error.full
    return getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_FULL


def explain(error: BaseException, path: Path | None = None) -> BaseException:
    """Say what a database error means and what to do about it; other exceptions are returned as they are."""
    where, restore = f" ({path})" if path else "", later("store.restore-a-copy")
    is_no_text = isinstance(error, sqlite3.OperationalError) and str(error).startswith(_NO_TEXT)
    if is_no_text or isinstance(error, UnicodeDecodeError | ValidationError):
        # we encoded and validated what we stored; what cannot be decoded now is not what we stored
        return DamagedDatabase(later("store.unreadable", file=where, restore=restore))
    if isinstance(error, DatabaseFault):
        if error.damaged or error.taken:
            return (DamagedDatabase if error.damaged else LeaseLost)(error.words)
        return (StoreAway if error.away or error.cut else StoreError)(error.words)
    if not isinstance(error, sqlite3.Error):
        return error
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if is_full(error) or code == sqlite3.SQLITE_IOERR:
        return StoreError(later("store.cannot-write", file=where, why=str(error)))
    if code in _BROKEN_CODES:
        return DamagedDatabase(later("store.damaged", file=where, why=str(error), restore=restore))
    if str(error).startswith(_ALTERED_WORDS):
        return DamagedDatabase(later("store.altered", file=where, why=str(error), restore=restore))
    if code == sqlite3.SQLITE_BUSY:
        return StoreError(later("store.locked", file=where, why=str(error)))
    if code in {sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM}:
        return StoreError(later("store.cannot-open", file=where, why=str(error)))
    return StoreError(later("store.refused", file=where, why=str(error)))


def _prepare_writer(connection: sqlite3.Connection) -> None:
    _prepare(connection)
    for pragma in (
        "journal_mode = WAL",
        "synchronous = FULL",
        "foreign_keys = ON",
        "secure_delete = ON",
        f"cache_size = {WRITERS_PAGES}",
        f"wal_autocheckpoint = {LOG_PAGES}",
        f"journal_size_limit = {MAX_LOG_BYTES}",
    ):
        connection.execute(f"PRAGMA {pragma}").fetchall()


def _prepare_reader(connection: sqlite3.Connection) -> None:
    _prepare(connection)
    connection.execute("PRAGMA query_only = ON")
    connection.execute(f"PRAGMA cache_size = {READERS_PAGES}")


def _prepare(connection: sqlite3.Connection) -> None:
    connection.row_factory = sqlite3.Row
    register_functions(connection)
    connection.execute("PRAGMA cell_size_check = ON")
    connection.execute("PRAGMA temp_store = MEMORY")
    # touches the file, so that one that is not a database is found out here
    connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
