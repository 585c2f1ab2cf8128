"""Rows that know when they were changed behind our back: every write seals a row, every read checks the seal."""

from __future__ import annotations

import sqlite3
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from hashlib import blake2b
from itertools import chain

from adapters.sqlite.engine.damage import note
from adapters.sqlite.engine.prefetch import unique_names
from adapters.sqlite.engine.sql_connection import SqlConnection, SqlRow, is_sqlite, odd_texts
from adapters.sqlite.engine.tables import SEALED, SINGLE, SLOT_TABLES
from adapters.sqlite.engine.write_batch import (
    Batching,
    Values,
    batch_of,
    execute_unbatched,
    insert_sql,
    portions,
    store_rest,
    store_rows,
)
from bot.domain.handles import SLOTS, Handle, handle
from bot.errors import DamagedRow

_KINDS = {table: kind for kind, table in SLOT_TABLES.items()}

Value = str | int | float | bytes | None
_PLAIN = frozenset({str, int, bytes, type(None)})
_HELD_TABLES = frozenset({"inbound", "turn", "outbox", "channel"})
"""Tables whose rows are changed soon after they were written, and again."""
_LAST_ROW = 2**63 - 1
_SEALS_AT_ONCE = 500
_OUTCOME = SEALED["inbound"].index("outcome")


def row_hash(*values: Value) -> bytes:
    """Return the seal of a row: 8 bytes of BLAKE2b; also known to SQL under this name."""
    return _seal(values)


def insert(connection: SqlConnection, table: str, **columns: Value) -> int:
    """Store a row with its seal; return its number. Every column but `id` is named, in the order of SEALED."""
    _must_be_whole(table, tuple(columns))
    number = next_number(connection, table)
    _put(connection, table, (_sealed(number, tuple(columns.values())),))
    return number


def insert_as(connection: SqlConnection, table: str, number: int, **columns: Value) -> None:
    """Do what `insert` does, under a number that was drawn before."""
    _must_be_whole(table, tuple(columns))
    _put(connection, table, (_sealed(number, tuple(columns.values())),))


def insert_all(connection: SqlConnection, table: str, rows: Iterable[Sequence[Value]]) -> list[int]:
    """Store rows with their seals; return their numbers. A row is its values in the order of SEALED, without `id`.

    In a group of units they are stored together at its end.
    """
    sealed = _numbered(connection, table, rows)
    _put(connection, table, sealed)
    return [row[0] for row in sealed]  # type: ignore[misc]


def insert_new(connection: SqlConnection, table: str, rows: Sequence[Sequence[Value]]) -> list[int | None]:
    """Do what `insert_all` does, at once, and with None for a row that is there already by its unique name."""
    group = batch_of(connection)
    if group is not None:
        names = unique_names(table, rows)
        if group.ahead.keys() >= set(names):
            return _insert_unknown(connection, table, rows, names, group.ahead)
        group.store_table(table)
        group.written |= {table, f"{table}+"}
    sealed, columns = _numbered(connection, table, rows), _columns(table)
    found: list[int | None] = []
    tried = []
    for some in portions(sealed):
        sql = f"{insert_sql(table, columns, len(some))} ON CONFLICT DO NOTHING"
        tried.append((some, execute_unbatched(connection, sql, tuple(chain.from_iterable(some)))))
    # only now: a server answers all of them in one go
    for some, cursor in tried:
        is_all = cursor.rowcount == len(some)
        for row in some:
            number: int = row[0]  # type: ignore[assignment]
            is_stored = is_all or exists(connection, table, number)
            found.append(number if is_stored else None)
            if group is not None and is_stored and _may_change(table, row):
                group.remember_written(table, _fetch_sql(table), row)
    return found


def _insert_unknown(
    connection: SqlConnection,
    table: str,
    rows: Sequence[Sequence[Value]],
    names: Sequence[Values],
    there: dict[Hashable, int],
) -> list[int | None]:
    found: list[int | None] = []
    for row, name in zip(rows, names, strict=True):
        number = None if there[name] else insert_all(connection, table, [row])[0]
        there[name] = there[name] or number or 0
        found.append(number)
    return found


def change(connection: SqlConnection, table: str, row: int, **columns: Value) -> bool:
    """Change columns of an intact row and seal it anew; False when there is no such row."""
    found = fetch(connection, table, row)
    if found is not None:
        update_sealed(connection, table, found, **columns)
    return found is not None


def update_sealed(connection: SqlConnection, table: str, row: SqlRow, **columns: Value) -> None:
    """Change columns of a row that was read, and checked, in this unit of work; seal it anew."""
    places, new = _places(table), list(row)
    for column, value in columns.items():
        new[places[column]] = value if type(value) in _PLAIN else _plain(value)
    values = tuple(new[:-1])
    sealed = (*values, _seal(values))
    group = batch_of(connection)
    if group is None:
        changes = [sealed[places[column]] for column in columns]
        connection.execute(_change_sql(table, tuple(columns)), [*changes, sealed[-1], row["id"]])
        return
    if table == "history":
        group.facts.clear()
    group.alter(table, _columns(table), sealed, frozenset((*columns, "h")))
    if table in _HELD_TABLES:
        group.remember_written(table, _fetch_sql(table), sealed)


def fetch(connection: SqlConnection, table: str, row: int) -> SqlRow | None:
    """Return an intact row, which may be as it was written here; raise DamagedRow for an altered one."""
    group = batch_of(connection)
    if group is not None:
        known = group.known(table, row)
        if known is not None:
            return known
        group.store_row(table, row)
    found = _rows(connection, _fetch_sql(table), (row,))
    if not found:
        return None
    whole = checked_row(table, found[0])
    if group is not None and table in _HELD_TABLES:
        group.know(table, whole)
    return whole


def read_or_skip(connection: SqlConnection, table: str, row: int) -> SqlRow | None:
    """Return a row, or None where it is gone or altered: for a unit of work that goes on without it."""
    try:
        return fetch(connection, table, row)
    except DamagedRow as error:
        note(connection, error)
        return None


def select(
    connection: SqlConnection, table: str, tail: str, args: tuple[Value, ...] | dict[str, Value] = ()
) -> list[SqlRow]:
    """Return the rows that `tail` (WHERE, ORDER BY, LIMIT; constant text) names; raise DamagedRow if one is altered."""
    store_rest(connection)
    return [checked_row(table, row) for row in _rows(connection, _select_sql(table, tail), args)]


def verified_rows(
    connection: SqlConnection, table: str, tail: str, args: tuple[Value, ...] | dict[str, Value] = ()
) -> list[SqlRow]:
    """Return the rows that `tail` names without those that were altered, which are put on the list of damage."""
    store_rest(connection)
    return _intact(connection, table, _rows(connection, _select_sql(table, tail), args))


def checked_row(table: str, row: SqlRow) -> SqlRow:
    """Return the row if its seal holds; the seal is the last column."""
    if row[-1] != _seal(row[:-1]):
        raise damaged_row(table, row["id"])
    return row


def damaged_row(table: str, row: int) -> DamagedRow:
    """Name a row that was altered."""
    kind = _KINDS.get(table)
    return DamagedRow(table, row, handle(kind, row) if kind else "")


def _intact(connection: SqlConnection, table: str, rows: Iterable[SqlRow]) -> list[SqlRow]:
    kept = []
    for row in rows:
        try:
            kept.append(checked_row(table, row))
        except DamagedRow as error:
            note(connection, error)
    return kept


def _rows(connection: SqlConnection, sql: str, args: tuple[Value, ...] | dict[str, Value]) -> list[SqlRow]:
    try:
        return execute_unbatched(connection, sql, args).fetchall()
    except sqlite3.OperationalError as error:
        # Python raises this, without an error code, for text that is no UTF-8 any more: the seal tells which row it is
        if "decode" not in str(error):
            raise
    with odd_texts(connection):
        return execute_unbatched(connection, sql, args).fetchall()


def exists(connection: SqlConnection, table: str, row: int) -> bool:
    """Say whether there is such a row, intact or not."""
    _store_table(connection, table)
    return execute_unbatched(connection, _exists_sql(table), (row,)).fetchone() is not None


def by_slot(connection: SqlConnection, handle: Handle) -> int | None:
    """Return the newest row of a handle's slot; no scan, however many rows there are."""
    table = SLOT_TABLES[handle.kind]
    _store_table(connection, table)
    newest = execute_unbatched(connection, _newest_sql(table)).fetchone()[0]
    row: int = newest - (newest - handle.slot) % SLOTS
    while row > 0:
        if execute_unbatched(connection, _exists_sql(table), (row,)).fetchone():
            return row
        row -= SLOTS
    return None


def altered_rows(connection: SqlConnection, table: str, limit: int) -> list[int]:
    """Return the numbers of rows whose seal does not hold."""
    if not is_sqlite(connection):
        return altered_among(connection, table, 0, _LAST_ROW)[:limit]
    broken = f"h IS NOT row_hash({', '.join(SEALED[table])})"
    try:
        found = connection.execute(f"SELECT id FROM {table} WHERE {broken} LIMIT ?", (limit,))  # noqa: S608 - see SEALED
        return [row[0] for row in found]
    except sqlite3.OperationalError:
        # text that is none any more cannot be handed to a function: then one by one, to name the row
        numbers = [row[0] for row in connection.execute(f"SELECT id FROM {table}")]  # noqa: S608 - see SEALED
        sql = f"SELECT {broken} FROM {table} WHERE id = ?"  # noqa: S608 - see SEALED
        return [row for row in numbers if _fails(connection, sql, row)][:limit]


def altered_among(connection: SqlConnection, table: str, first: int, last: int) -> list[int]:
    """Return the numbers of rows whose seal does not hold, from one to another."""
    if not is_sqlite(connection):
        return list(_altered_here(connection, table, first, last))
    broken = f"h IS NOT row_hash({', '.join(SEALED[table])})"
    between = f"FROM {table} WHERE id BETWEEN ? AND ?"
    try:
        found = connection.execute(f"SELECT id {between} AND {broken}", (first, last))
        return [row[0] for row in found]
    except sqlite3.OperationalError:
        numbers = [row[0] for row in connection.execute(f"SELECT id {between}", (first, last))]
        sql = f"SELECT {broken} FROM {table} WHERE id = ?"  # noqa: S608 - see SEALED
        return [row for row in numbers if _fails(connection, sql, row)]


def _altered_here(connection: SqlConnection, table: str, first: int, last: int) -> Iterator[int]:
    """Yield them where the database cannot make a seal itself."""
    while True:
        rows = execute_unbatched(
            connection,
            _select_sql(table, "WHERE id BETWEEN ? AND ? ORDER BY id LIMIT ?"),
            (first, last, _SEALS_AT_ONCE),
        ).fetchall()
        yield from (row["id"] for row in rows if row[-1] != _seal(tuple(row[:-1])))
        if len(rows) < _SEALS_AT_ONCE:
            return
        first = rows[-1]["id"] + 1


def _fails(connection: SqlConnection, sql: str, row: int) -> bool:
    try:
        found = connection.execute(sql, (row,)).fetchone()
    except sqlite3.OperationalError:
        return True
    # a page that is damaged may list a row that nobody finds by its number
    return found is None or bool(found[0])


def altered_singles(connection: SqlConnection, table: str) -> int:
    """Count the rows of what there is one of whose seal does not hold."""
    sql = f"SELECT count(*) FROM {table} WHERE h IS NOT row_hash({SINGLE[table]})"  # noqa: S608 - see SINGLE
    return int(connection.execute(sql).fetchone()[0])


def next_number(connection: SqlConnection, table: str) -> int:
    """Draw the number of a new row, by the rule of AUTOINCREMENT."""
    if not isinstance(connection, Batching):
        return newest_number(connection, table) + 1
    drawn = connection.newest.get(table) or newest_number(connection, table)
    connection.newest[table] = number = drawn + 1
    return number


def newest_number(connection: SqlConnection, table: str) -> int:
    """Return the number that was drawn last."""
    drawn = connection.newest.get(table) if isinstance(connection, Batching) else None
    return drawn or int(execute_unbatched(connection, _last_sql(table)).fetchone()[0])


def _numbered(connection: SqlConnection, table: str, rows: Iterable[Sequence[Value]]) -> list[Values]:
    """Seal rows under new numbers, which are drawn here, because the seal covers them."""
    number, sealed = newest_number(connection, table), []
    for values in rows:
        number += 1
        sealed.append(_sealed(number, values))
    if isinstance(connection, Batching):
        connection.newest[table] = number
    return sealed


def _sealed(number: int, values: Sequence[Value]) -> Values:
    is_plain = _PLAIN.issuperset(map(type, values))
    row = (number, *(values if is_plain else [value if type(value) in _PLAIN else _plain(value) for value in values]))
    return (*row, _seal(row))


def _put(connection: SqlConnection, table: str, sealed: Sequence[Values]) -> None:
    group, columns = batch_of(connection), _columns(table)
    if group is None:
        store_rows(connection, table, columns, sealed)
        return
    group.put(table, columns, sealed)
    for row in sealed:
        if _may_change(table, row):
            group.remember_written(table, _fetch_sql(table), row)


def _may_change(table: str, row: Values) -> bool:
    """Say whether a new row is worth remembering: what came to its end at once is hardly ever changed."""
    return table in _HELD_TABLES and (table != "inbound" or row[_OUTCOME] is None)


def _store_table(connection: SqlConnection, table: str) -> None:
    group = batch_of(connection)
    if group is not None:
        group.store_table(table)


def _must_be_whole(table: str, columns: tuple[str, ...]) -> None:
    if columns != SEALED[table][1:]:
        raise TypeError(f"A row of {table} has the columns {SEALED[table][1:]}, in this order, not {columns}.")


@lru_cache(maxsize=32)
def _columns(table: str) -> tuple[str, ...]:
    return (*SEALED[table], "h")


@lru_cache(maxsize=32)
def _places(table: str) -> Mapping[str, int]:
    return {column: place for place, column in enumerate(SEALED[table])}


def _seal(values: tuple[Value, ...]) -> bytes:
    # repr tells 1 from '1' and keeps neighbours apart, without a format of our own
    return blake2b(repr(values).encode("utf-8", "surrogatepass"), digest_size=8).digest()


def _plain(value: Value) -> Value:
    """Return a value as the database gives it back: the members of an enum and truth values are plain there."""
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, int):
        return int(value)
    return value + 0.0 if isinstance(value, float) else value  # -0.0 comes back as 0.0


# Every statement below is put together from names in SEALED and keywords of our own code, never from data.


@lru_cache(maxsize=32)
def _last_sql(table: str) -> str:
    handed_out = f"(SELECT seq FROM sqlite_sequence WHERE name = '{table}')"  # noqa: S608
    return f"SELECT max(coalesce({handed_out}, 0), coalesce((SELECT max(id) FROM {table}), 0))"  # noqa: S608


@lru_cache(maxsize=256)
def _change_sql(table: str, columns: tuple[str, ...]) -> str:
    changes = ", ".join(f"{column} = ?" for column in (*columns, "h"))
    return f"UPDATE {table} SET {changes} WHERE id = ?"  # noqa: S608


@lru_cache(maxsize=32)
def _fetch_sql(table: str) -> str:
    return f"SELECT {', '.join(SEALED[table])}, h FROM {table} WHERE id = ?"  # noqa: S608


@lru_cache(maxsize=256)
def _select_sql(table: str, tail: str) -> str:
    columns = ", ".join(f"{table}.{column}" for column in SEALED[table])
    return f"SELECT {columns}, {table}.h FROM {table} {tail}"  # noqa: S608


@lru_cache(maxsize=32)
def _newest_sql(table: str) -> str:
    return f"SELECT coalesce(max(id), 0) FROM {table}"  # noqa: S608


@lru_cache(maxsize=32)
def _exists_sql(table: str) -> str:
    return f"SELECT 1 FROM {table} WHERE id = ?"  # noqa: S608
