"""What a unit of work sees of a database: statements, and rows whose columns have a place and a name.

SQLite's own connection is one. Another database brings a connection of its own, which reads the same statements; they
are written so that both understand them, and what cannot be is that connection's business.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Protocol, cast

from bot.sentences import Words, later

Value = str | int | float | bytes | None


class SqlRow(Protocol):
    """A row: by place, by name, or as a whole."""

    def __getitem__(self, key: Any, /) -> Any: ...

    def __iter__(self) -> Iterator[Any]: ...

    def __len__(self) -> int: ...


class SqlCursor(Protocol):
    """What a statement gave. `rowcount` is how many rows it changed."""

    @property
    def rowcount(self) -> int: ...

    def fetchone(self) -> Any: ...

    def fetchall(self) -> list[Any]: ...

    def __iter__(self) -> Iterator[Any]: ...


class SqlConnection(Protocol):
    """A connection, for the one thread that uses it."""

    @property
    def in_transaction(self) -> bool: ...

    @property
    def total_changes(self) -> int: ...

    def execute(self, sql: str, args: Any = ..., /) -> SqlCursor: ...

    def executemany(self, sql: str, args: Any, /) -> SqlCursor: ...


class OtherConnection(SqlConnection, Protocol):
    """A connection to a database that is not SQLite's."""

    @property
    def is_lost(self) -> bool:
        """Whether the session has ended."""

    def run(self, sql: str, args: Any = ...) -> SqlCursor:
        """Run a statement without storing first what was put off."""

    def settle(self) -> None:
        """Wait for everything that was run; raise what failed."""

    def row(self, select: str, values: tuple[Value, ...]) -> SqlRow:
        """Make a row as a statement would give it."""


class DatabaseFault(Exception):
    """A statement failed in a database that is not SQLite's; the cause says why, the words are for people."""

    def __init__(self, words: Words, *, full: bool = False, damaged: bool = False, taken: bool = False) -> None:
        super().__init__(words)
        self.words = words
        self.full = full
        """There was no room."""
        self.damaged = damaged
        """What is stored is not what this program wrote."""
        self.taken = taken
        """Another process writes there now."""
        self.cut = False
        """The session ended before anything was stored: the same can be tried in another one."""
        self.away = False
        """No session came about, which may be over in a moment."""

    def __str__(self) -> str:
        """Say it in the language that is spoken now."""
        return self.words()

    def __repr__(self) -> str:
        """Show what it says: of words that are said later nobody else sees anything."""
        return f"{type(self).__name__}({str(self)!r})"


DATABASE_ERRORS = (sqlite3.Error, DatabaseFault)
"""What a failed statement raises, whatever the database."""


def is_sqlite(connection: SqlConnection) -> bool:
    """Say whether it is SQLite's: few things are done in another way there."""
    return isinstance(connection, sqlite3.Connection)


def must_not_be_lost(connection: SqlConnection) -> None:
    """Raise DatabaseFault where the session ended: whoever asks for damage may have taken that for some."""
    if not isinstance(connection, sqlite3.Connection) and cast(OtherConnection, connection).is_lost:
        fault = DatabaseFault(later("server_store.connection-gone"))
        fault.cut = True
        raise fault


def execute_unbatched(connection: SqlConnection, sql: str, args: Any = ()) -> SqlCursor:
    """Run a statement that touches no row which may not be stored yet, and changes none that may be known."""
    if isinstance(connection, sqlite3.Connection):
        return sqlite3.Connection.execute(connection, sql, args)
    return cast(OtherConnection, connection).run(sql, args)


def roll_back(connection: SqlConnection) -> None:
    """End a transaction without storing it. Where a disk failed, SQLite has ended it by itself, and a word about that
    would stand for the failure.
    """
    if connection.in_transaction:
        execute_unbatched(connection, "ROLLBACK")


def plain_rows(connection: SqlConnection, sql: str, args: Any) -> list[tuple[Any, ...]]:
    """Return rows without names, which SQLite gives in half the time."""
    if not isinstance(connection, sqlite3.Connection):
        return connection.execute(sql, args).fetchall()
    cursor = connection.cursor()
    cursor.row_factory = None
    return cursor.execute(sql, args).fetchall()


@contextmanager
def odd_texts(connection: SqlConnection) -> Iterator[None]:
    """Let texts be read that are no UTF-8 any more; other databases keep none."""
    if not isinstance(connection, sqlite3.Connection):
        yield
        return
    connection.text_factory = _odd_text
    try:
        yield
    finally:
        connection.text_factory = str


def _odd_text(text: bytes) -> str:
    return text.decode("utf-8", "surrogateescape")
