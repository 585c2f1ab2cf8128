"""What the units of one commit share: rows that are stored together at its end, and rows that need not be read again.

Each statement has to wait for the interpreter anew, so a few statements with many rows each cost much less than one
for every row.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from operator import itemgetter
from typing import Any, TypeVar, cast

from adapters.sqlite.engine.damage import DamageTracking, NotesDamage
from adapters.sqlite.engine.sql_connection import OtherConnection, SqlConnection, SqlRow, Value
from adapters.sqlite.engine.sql_connection import execute_unbatched as execute_unbatched
from bot.ports.traces import NO_TRACES, NO_WATCHERS, RecordWatchers
from bot.runtime.lru_cache import ENTRY, LRUCache

T = TypeVar("T")
Values = tuple[Value, ...]
_Change = tuple[frozenset[str], Values]
"""Which columns of a row have changed, and the row."""
Last = Callable[[SqlConnection, Sequence[Any]], None]
"""What is done once for many things, behind everything that was written."""

Told = Callable[[RecordWatchers], None]
"""Tells whoever counts or draws of something that is on record now."""

AT_ONCE = 32
"""How many rows one statement stores or looks for at most."""
SIZES = (AT_ONCE, 24, 16, 12, 8, 6, 4, 3, 2, 1)
"""How many rows a statement may be for.

A prepared statement is kept, and takes 5 to 75 KB, the more the more rows it is for. One for every number of rows up to
32 is met in an hour of talk, for every table and way of changing it: of ten sizes any number of rows is put together
from two or three, and the usual small ones from one.
"""
KNOWN_BYTES = 1 << 20
"""How much is remembered of rows, so that what is changed soon after it was written need not be read for that.

1,000 rows of the usual length; one that holds a long text counts for many of them.
"""
_ROW = 600
"""What a row takes besides its texts."""
MODELS = 2_000
"""Of how many requests it is remembered which model was asked, where that is counted."""
FACTS = 20_000
"""How many facts are known at most; they are few where anybody runs SQL of their own, which forgets them."""


class Batching(NotesDamage):
    """What a connection is that remembers which numbers it handed out; for the only one that writes to its database.

    What is undone leaves a gap: no number is ever given twice. `group` holds what is not stored yet; None outside of
    one, and then everything is stored at once. Whoever runs SQL of their own sees everything that was written before,
    and nothing that was known of the tables counts after it; `apart` is for SQL that touches no such row. `commits`
    counts for each table the commits that may have changed it; "" stands for those that may have changed any; `changes`
    are the rows that were changed. `secret_key` signs what is kept of every change. `watchers` are told
    of what is `untold` when it is committed.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.newest: dict[str, int] = {}
        self.group: WriteBatch | None = None
        self.commits: dict[str, int] = {}
        self.changes = 0
        self.secret_key = b""
        self.watchers = NO_WATCHERS
        self.untold: list[Told] = []
        self.models: LRUCache[int, str] = LRUCache(MODELS)

    def _give_way(self) -> None:
        if self.group is not None:
            self.group.store()
            self.group.forget()
            self.group.written.add("")


class BatchingConnection(Batching, DamageTracking):
    """The one that writes to a SQLite file."""

    def execute(self, *args: Any) -> sqlite3.Cursor:
        """Store what was put off, then run a statement."""
        self._give_way()
        return super().execute(*args)

    def executemany(self, *args: Any) -> sqlite3.Cursor:
        """Run a statement for many rows."""
        self._give_way()
        return super().executemany(*args)


class OtherWriter(Batching, OtherConnection):
    """The one that writes to another database; only for those who ask what it can do."""


BatchingWriter = BatchingConnection | OtherWriter


class WriteBatch:
    """Rows that are written and not stored, and rows that are known; of one connection, for one commit after another.

    `facts` are what else is known as long as nobody runs SQL of their own: where a row is, or that there is none.
    `channels` is where the row of a channel was: whoever goes by it reads the row, and looks whether it is that one.
    `ahead` are the unique names that were looked for together, for this commit alone: the row's number, or 0.
    `written` are the tables that this commit changes; `table+` stands for new rows, `table.column` for changed ones.
    """

    def __init__(self, connection: BatchingWriter) -> None:
        self.facts: dict[Hashable, int] = {}
        self.channels: dict[Hashable, int] = {}
        self.ahead: dict[Hashable, int] = {}
        self.written: set[str] = set()
        self._connection = connection
        self._fresh: dict[tuple[str, tuple[str, ...]], dict[int, Values]] = {}
        self._altered: dict[tuple[str, tuple[str, ...]], dict[int, _Change]] = {}
        self._last: dict[Last, dict[Hashable, Any]] = {}
        self._shapes: dict[str, Any] = {}
        self._known: LRUCache[tuple[str, int], SqlRow] = LRUCache(most_size=KNOWN_BYTES, size=_bytes_taken)
        self._version = 0

    def begin(self) -> None:
        """Begin with nothing written; forget what is known if anybody else has changed the file meanwhile."""
        self.drop()
        self.ahead.clear()
        self.written.clear()
        version = self._data_version()
        if version != self._version or len(self.facts) + len(self.channels) > FACTS:
            self.forget()
        self._version = version

    def put(self, table: str, columns: tuple[str, ...], rows: Iterable[Values]) -> None:
        """Store new rows at the end; their first column is their number."""
        fresh = self._fresh.get((table, columns))
        if fresh is None:
            self.written |= {table, f"{table}+"}
            fresh = self._fresh[table, columns] = {}
        for row in rows:
            fresh[row[0]] = row  # type: ignore[index]

    def alter(self, table: str, columns: tuple[str, ...], row: Values, changed: frozenset[str]) -> None:
        """Store at the end what has `changed` of a row, whose first column is its number."""
        number: int = row[0]  # type: ignore[assignment]
        fresh = self._fresh.get((table, columns))
        if fresh is not None and number in fresh:
            fresh[number] = row
            return
        altered = self._altered.get((table, columns))
        if altered is None:
            altered = self._altered[table, columns] = {}
        before = altered.get(number)
        altered[number] = (changed if before is None else changed | before[0], row)

    def store(self) -> None:
        """Store everything that was written."""
        if self._fresh:
            fresh, self._fresh = self._fresh, {}
            for (table, columns), rows in fresh.items():
                store_rows(self._connection, table, columns, list(rows.values()))
        if self._altered:
            altered, self._altered = self._altered, {}
            for (table, columns), changes in altered.items():
                self.written.update(*_change(self._connection, table, columns, changes.values()))
        if self._last:
            last, self._last = self._last, {}
            for work, named in last.items():
                work(self._connection, list(named.values()))

    def run_last(self, work: Last, name: Hashable, what: Any) -> None:
        """Have something done when everything is stored: once for all that it is asked for, and once for each name."""
        self._last.setdefault(work, {})[name] = what

    def store_table(self, table: str) -> None:
        """Store everything if some of it belongs to a table, because that is going to be read."""
        if any(name == table for name, _ in (*self._altered, *self._fresh)):
            self.store()

    def committed(self) -> None:
        """Count what was written; for the moment at which everybody can read it, and nobody was told yet."""
        commits = self._connection.commits
        for table in self.written:
            commits[table] = commits.get(table, 0) + 1

    def store_row(self, table: str, number: int) -> None:
        """Store everything if a row is part of it, because that is going to be read."""
        for waiting in (self._altered, self._fresh):
            for (name, _), rows in waiting.items():
                if name == table and number in rows:
                    self.store()
                    return

    def drop(self) -> None:
        """Throw away what was written: the transaction that it belongs to was undone."""
        self._fresh.clear()
        self._altered.clear()
        self._last.clear()

    def forget(self) -> None:
        """Forget everything that is known of rows."""
        self._known.clear()
        self.facts.clear()
        self.channels.clear()
        self.ahead.clear()

    def others_wrote(self) -> None:
        """Forget everything that another process may have changed."""
        channels = self.channels
        self.channels = {}
        self.forget()
        self.channels = channels

    def know(self, table: str, row: SqlRow) -> None:
        """Remember a row that was read."""
        self._remember(table, row["id"], row)

    def remember_written(self, table: str, select: str, row: Values) -> None:
        """Remember a row that was written; `select` reads such rows by their number."""
        connection = self._connection
        if not isinstance(connection, sqlite3.Connection):
            self._remember(table, row[0], connection.row(select, row))  # type: ignore[arg-type]
            return
        shape = self._shapes.get(table)
        if shape is None:
            shape = self._shapes[table] = execute_unbatched(connection, select, (0,))
        self._remember(table, row[0], sqlite3.Row(shape, row))  # type: ignore[arg-type]

    def known(self, table: str, number: int) -> SqlRow | None:
        """Return a row if it is remembered."""
        return self._known.get((table, number))

    def _data_version(self) -> int:
        """Return what differs once somebody else has changed the file; a database with a lock lets nobody else."""
        if not isinstance(self._connection, sqlite3.Connection):
            return 0
        return int(execute_unbatched(self._connection, "PRAGMA data_version").fetchone()[0])

    def _remember(self, table: str, number: int, row: SqlRow) -> None:
        self._known.put((table, number), row)


def _bytes_taken(_: object, row: SqlRow) -> int:
    # of every row that is written: what has a length here is of these very types
    return ENTRY + _ROW + sum([len(value) for value in row if type(value) is str or type(value) is bytes])


def batch_of(connection: SqlConnection) -> WriteBatch | None:
    """Return what the units that share the commit have in common; None where everything is stored at once."""
    return connection.group if isinstance(connection, Batching) else None


def defer_rows(connection: SqlConnection, table: str, columns: tuple[str, ...], *rows: Values) -> None:
    """Store rows without a seal together with those of all units that share the commit."""
    group = batch_of(connection)
    if group is None:
        store_rows(connection, table, columns, rows)
    else:
        group.put(table, columns, rows)


def defer_links(connection: SqlConnection, table: str, columns: tuple[str, ...], rows: Iterable[Values]) -> None:
    """Store rows that say which rows belong together, behind everything else; such a row is stored once.

    Whoever runs SQL of their own for that has everything read anew that is known of other tables.
    """
    links = [(table, columns, row) for row in rows]
    group = batch_of(connection)
    if group is None:
        _store_links(connection, links)
        return
    group.written |= {table, f"{table}+"}
    for link in links:
        group.run_last(_store_links, link, link)


def _store_links(connection: SqlConnection, links: Sequence[tuple[str, tuple[str, ...], Values]]) -> None:
    alike: dict[tuple[str, tuple[str, ...]], list[Values]] = {}
    for table, columns, row in links:
        alike.setdefault((table, columns), []).append(row)
    for (table, columns), rows in alike.items():
        for some in portions(rows):
            sql = f"{insert_sql(table, columns, len(some))} ON CONFLICT DO NOTHING"
            execute_unbatched(connection, sql, tuple(chain.from_iterable(some)))


def when_committed(connection: SqlConnection, told: Told) -> None:
    """Have it told once what this unit writes is committed, and not where it is undone."""
    if is_watched(connection):
        cast(Batching, connection).untold.append(told)


def is_watched(connection: SqlConnection) -> bool:
    """Say whether anybody counts or draws."""
    return isinstance(connection, Batching) and connection.watchers is not NO_WATCHERS


def is_traced(connection: SqlConnection) -> bool:
    """Say whether anybody draws."""
    return isinstance(connection, Batching) and connection.watchers.traces is not NO_TRACES


def note_model(connection: SqlConnection, request: int, model: str) -> None:
    """Remember which model a request is for: what comes back does not say it, and the row is long."""
    if is_watched(connection):
        cast(Batching, connection).models.put(request, model)


def asked_model(connection: SqlConnection, request: int) -> str:
    """Return which model a request was for; it may be of an earlier process."""
    known = cast(Batching, connection).models.get(request)
    if known is None:
        found = execute_unbatched(connection, "SELECT model FROM request WHERE id = ?", (request,)).fetchone()
        known = str(found[0]) if found else "unknown"
    return known


def untold_so_far(connection: SqlConnection) -> int:
    """Return how much waits to be told."""
    return len(connection.untold) if isinstance(connection, Batching) else 0


def drop_untold(connection: SqlConnection, since: int = 0) -> None:
    """Tell nothing of units that were undone."""
    if isinstance(connection, Batching):
        del connection.untold[since:]


def begin_batch(connection: SqlConnection) -> None:
    """Begin to put off what is written."""
    if isinstance(connection, Batching):
        if connection.group is None:
            connection.group = WriteBatch(cast(BatchingWriter, connection))
        connection.group.begin()


def store_rest(connection: SqlConnection) -> None:
    """Store what was put off."""
    group = batch_of(connection)
    if group is not None:
        group.store()
        settle(connection)


def settle(connection: SqlConnection) -> None:
    """Wait for a server that may not have answered yet: whose failure it is has to be known by now."""
    if not isinstance(connection, sqlite3.Connection):
        cast(OtherConnection, connection).settle()


def store_and_commit(connection: SqlConnection) -> bool:
    """Store what was put off and commit it in one go, where the database is one that has to be waited for.

    Whose failure it was that nothing was committed is found out afterwards, one unit at a time. False: only stored.
    """
    if isinstance(connection, sqlite3.Connection):
        store_rest(connection)
        return False
    if (group := batch_of(connection)) is not None:
        group.store()
    execute_unbatched(connection, "COMMIT")
    return True


def count_commit(connection: SqlConnection) -> None:
    """Note what the group has changed."""
    group = batch_of(connection)
    if group is not None:
        group.committed()
    if isinstance(connection, Batching):
        connection.changes = cast(SqlConnection, connection).total_changes
        untold, connection.untold = connection.untold, []
        for tell in untold:
            tell(connection.watchers)


def drop_rest(connection: SqlConnection) -> None:
    """Throw away what was put off, and know nothing: units were undone."""
    group = batch_of(connection)
    if group is not None:
        group.drop()
        group.forget()


def store_rows(connection: SqlConnection, table: str, columns: tuple[str, ...], rows: Sequence[Values]) -> None:
    """Insert rows at once, with as few statements as possible."""
    for some in portions(rows):
        execute_unbatched(connection, insert_sql(table, columns, len(some)), tuple(chain.from_iterable(some)))


def _change(
    connection: SqlConnection, table: str, columns: tuple[str, ...], changes: Iterable[_Change]
) -> Iterator[frozenset[str]]:
    """Store what has changed of rows, alike ones together; yield what else is known by it in `written`."""
    alike: dict[frozenset[str], list[Values]] = {}
    for changed, row in changes:
        alike.setdefault(changed, []).append(row)
    for changed, rows in alike.items():
        yield _parts(table, changed)
        names = tuple([column for column in columns if column in changed])
        values = list(map(itemgetter(0, *map(columns.index, names)), rows))
        for some in portions(values):
            execute_unbatched(connection, _change_sql(table, names, len(some)), tuple(chain.from_iterable(some)))


def portions(rows: Sequence[T]) -> Sequence[Sequence[T]]:
    """Return rows in as many as go into one statement, for as few different statements as that takes."""
    count = len(rows)
    if count in SIZES:
        return (rows,)
    found, start = list[Sequence[T]](), 0
    while start < count:
        size = next(size for size in SIZES if size <= count - start)
        found.append(rows[start : start + size])
        start += size
    return found


def lookups(values: Sequence[T]) -> Iterator[Sequence[T]]:
    """Return what is looked for in as many as go into one statement, the last of it several times over.

    There is no statement for every number (`SIZES`); for those that take no notice of what is asked twice.
    """
    for start in range(0, len(values), AT_ONCE):
        some = values[start : start + AT_ONCE]
        size = next(size for size in reversed(SIZES) if size >= len(some))
        yield some if size == len(some) else (*some, *[some[-1]] * (size - len(some)))


# The statements are put together from names in our own code, never from data.


@lru_cache(maxsize=512)
def insert_sql(table: str, columns: tuple[str, ...], count: int) -> str:
    """Write the statement that stores so many rows."""
    rows = ", ".join([f"({', '.join('?' * len(columns))})"] * count)
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES {rows}"  # noqa: S608


@lru_cache(maxsize=512)
def _change_sql(table: str, columns: tuple[str, ...], count: int) -> str:
    rows = ", ".join([f"({', '.join('?' * (len(columns) + 1))})"] * count)
    changes = ", ".join(f"{column} = new.column{place}" for place, column in enumerate(columns, 2))
    return f"UPDATE {table} SET {changes} FROM (VALUES {rows}) AS new WHERE {table}.id = new.column1"  # noqa: S608


@lru_cache(maxsize=512)
def _parts(table: str, columns: frozenset[str]) -> frozenset[str]:
    return frozenset((table, *(f"{table}.{column}" for column in columns)))
