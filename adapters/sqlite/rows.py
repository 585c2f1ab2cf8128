"""Rows that know when they were changed behind our back: every write seals a row, every read checks the seal."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any, TypeVar

from adapters.sqlite.damage import Noting, note
from bot.domain.handles import SLOTS, Handle, HandleKind, handle
from bot.errors import DamagedRow

SEALED: dict[str, tuple[str, ...]] = {
    "inbound": (
        *("id", "agent", "adapter", "channel", "message_id", "edit", "kind", "body", "text", "text_sha256"),
        *("arrived_at", "disposition", "outcome", "outcome_reason", "outcome_at", "redacted", "turn"),
    ),
    "stage": ("id", "inbound", "at", "stage", "verdict", "reason", "detail"),
    "channel": ("id", "agent", "channel", "name", "place", "settings", "epoch", "last", "last_at"),
    "history": ("id", "agent", "channel", "epoch", "turn", "inbound", "at", "ambient", "blob"),
    "turn": (
        *("id", "agent", "channel", "kind", "started_at", "status", "reason", "ended_at", "rounds", "inbounds"),
        "session",
    ),
    "request": (
        *("id", "agent", "channel", "turn", "kind", "round", "at", "digest", "wire_sha256", "wire_bytes", "encoder"),
        *("model", "head", "tail", "sections", "stats", "extra", "fallback_of"),
    ),
    "attempt": ("id", "request", "number", "at", "input", "output", "cached", "cost_usd", "body", "response"),
    "tool_call": ("id", "agent", "channel", "turn", "round", "position", "at", "body", "arguments", "output"),
    "outbox": (
        *("id", "agent", "channel", "kind", "part", "inbound", "turn", "body", "text", "state", "created_at"),
        *("attempts", "not_before", "message_id", "receipt_at", "error"),
    ),
    "memory": (
        *("id", "agent", "platform", "scope", "scope_id", "channel", "author", "created_at", "body", "content"),
        *("last_accessed", "access_count", "forgotten_at", "version"),
    ),
    "memory_edge": ("id", "agent", "source", "target", "kind", "weight", "author", "turn", "at"),
    "move": ("id", "agent", "old", "new", "at"),
    "invitation": (
        *("id", "agent", "secret_id", "platform", "actor", "inbound", "created_at", "expires_at", "used_at"),
    ),
    "session": ("id", "agent", "platform", "actor", "dm_channel", "dm_thread", "last_at", "body"),
    "proposal": ("id", "agent", "secret_id", "session", "state", "used", "decided_at", "created_at", "body"),
}
"""The tables whose rows carry a hash, with the columns that it covers: all but `h`, in the order of the schema."""

SLOT_TABLES = {
    HandleKind.MEMORY: "memory",
    HandleKind.REQUEST: "request",
    HandleKind.INBOUND: "inbound",
    HandleKind.GATE: "stage",
    HandleKind.DELIVERY: "outbox",
    HandleKind.TURN: "turn",
    HandleKind.AUDIT: "audit",
    HandleKind.SESSION: "session",
}

_KINDS = {table: kind for kind, table in SLOT_TABLES.items()}

T = TypeVar("T")
Value = str | int | float | bytes | None
AT_ONCE = 32
"""How many rows one statement stores."""
_PLAIN = frozenset({str, int, bytes, type(None)})


class Counted(Noting):
    """A connection that remembers which numbers it handed out; for the only one that writes to its file.

    What is undone leaves a gap: no number is ever given twice. `put_off` are sealed rows that nobody reads before the
    transaction ends, by table; whoever ends it calls `store_rest` first, or `drop_rest`. None: nothing is put off.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.newest: dict[str, int] = {}
        self.put_off: dict[str, list[tuple[Value, ...]]] | None = None


def row_hash(*values: Value) -> bytes:
    """Return the seal of a row: 8 bytes of BLAKE2b; also known to SQL under this name."""
    return _seal(values)


def insert(connection: sqlite3.Connection, table: str, **columns: Value) -> int:
    """Store a row with its seal; return its number. Every column but `id` is named, in the order of SEALED."""
    return _insert(connection, table, columns, _insert_sql(table, tuple(columns)))[0]


def insert_new(connection: sqlite3.Connection, table: str, **columns: Value) -> int | None:
    """Do what `insert` does, but nothing for a row that is there already by its unique name; its number is lost."""
    number, count = _insert(connection, table, columns, _insert_new_sql(table, tuple(columns)))
    return number if count else None


def insert_all(connection: sqlite3.Connection, table: str, rows: Iterable[Sequence[Value]]) -> list[int]:
    """Store rows with their seals; return their numbers. A row is its values in the order of SEALED, without `id`."""
    sealed: list[tuple[Value, ...]] = []
    numbers = _sealed(connection, table, rows, sealed)
    _store(connection, table, sealed)
    return numbers


def put_off(connection: sqlite3.Connection, table: str, rows: Iterable[Sequence[Value]]) -> list[int]:
    """Do what `insert_all` does, but together with those of all units that share the commit."""
    if not isinstance(connection, Counted) or connection.put_off is None:
        return insert_all(connection, table, rows)
    return _sealed(connection, table, rows, connection.put_off.setdefault(table, []))


def store_rest(connection: sqlite3.Connection) -> None:
    """Store what was put off."""
    if isinstance(connection, Counted) and connection.put_off:
        for table, rows in connection.put_off.items():
            _store(connection, table, rows)
        connection.put_off.clear()


def drop_rest(connection: sqlite3.Connection) -> None:
    """Begin with nothing put off: a transaction starts, or the units that it belongs to were undone."""
    if isinstance(connection, Counted):
        connection.put_off = {}


def _sealed(
    connection: sqlite3.Connection, table: str, rows: Iterable[Sequence[Value]], into: list[tuple[Value, ...]]
) -> list[int]:
    numbers = []
    for values in rows:
        number = _next(connection, table)
        row = (number, *_as_stored(values))
        numbers.append(number)
        into.append((*row, _seal(row)))
    return numbers


def _store(connection: sqlite3.Connection, table: str, sealed: Sequence[tuple[Value, ...]]) -> None:
    for some in portions(sealed):
        connection.execute(_insert_sql(table, SEALED[table][1:], len(some)), tuple(chain.from_iterable(some)))


def portions(rows: Sequence[T]) -> Iterator[Sequence[T]]:
    """Yield rows in as many as go into one statement: each statement has to wait for the interpreter anew."""
    for start in range(0, len(rows), AT_ONCE):
        yield rows[start : start + AT_ONCE]


def change(connection: sqlite3.Connection, table: str, row: int, **columns: Value) -> bool:
    """Change columns of an intact row and seal it anew; False when there is no such row."""
    found = fetch(connection, table, row)
    if found is not None:
        amend(connection, table, found, **columns)
    return found is not None


def amend(connection: sqlite3.Connection, table: str, row: sqlite3.Row, **columns: Value) -> None:
    """Change columns of a row that was read, and checked, in this unit of work; seal it anew."""
    names, new = tuple(columns), _as_stored(columns.values())
    changed = dict(zip(SEALED[table], row, strict=False))
    changed.update(zip(names, new, strict=True))
    connection.execute(_change_sql(table, names), (*new, _seal(tuple(changed.values())), row["id"]))


def fetch(connection: sqlite3.Connection, table: str, row: int) -> sqlite3.Row | None:
    """Return an intact row; raise DamagedRow for an altered one."""
    found = _rows(connection, _fetch_sql(table), (row,))
    return checked(table, found[0]) if found else None


def spared(connection: sqlite3.Connection, table: str, row: int) -> sqlite3.Row | None:
    """Return a row, or None where it is gone or altered: for a unit of work that goes on without it."""
    try:
        return fetch(connection, table, row)
    except DamagedRow as error:
        note(connection, error)
        return None


def select(
    connection: sqlite3.Connection, table: str, tail: str, args: tuple[Value, ...] | dict[str, Value] = ()
) -> list[sqlite3.Row]:
    """Return the rows that `tail` (WHERE, ORDER BY, LIMIT; constant text) names; raise DamagedRow if one is altered."""
    return [checked(table, row) for row in _rows(connection, _select_sql(table, tail), args)]


def intact(
    connection: sqlite3.Connection, table: str, tail: str, args: tuple[Value, ...] | dict[str, Value] = ()
) -> list[sqlite3.Row]:
    """Return the rows that `tail` names without those that were altered, which are put on the list of damage."""
    kept = []
    for row in _rows(connection, _select_sql(table, tail), args):
        try:
            kept.append(checked(table, row))
        except DamagedRow as error:
            note(connection, error)
    return kept


def checked(table: str, row: sqlite3.Row) -> sqlite3.Row:
    """Return the row if its seal holds; the seal is the last column."""
    if row[-1] != _seal(row[:-1]):
        raise damaged(table, row["id"])
    return row


def damaged(table: str, row: int) -> DamagedRow:
    """Name a row that was altered."""
    kind = _KINDS.get(table)
    return DamagedRow(table, row, handle(kind, row) if kind else "")


def _rows(connection: sqlite3.Connection, sql: str, args: tuple[Value, ...] | dict[str, Value]) -> list[sqlite3.Row]:
    try:
        return connection.execute(sql, args).fetchall()
    except sqlite3.OperationalError as error:
        # Python raises this, without an error code, for text that is no UTF-8 any more: the seal tells which row it is
        if "decode" not in str(error):
            raise
    connection.text_factory = _odd_text
    try:
        return connection.execute(sql, args).fetchall()
    finally:
        connection.text_factory = str


def _odd_text(text: bytes) -> str:
    return text.decode("utf-8", "surrogateescape")


def exists(connection: sqlite3.Connection, table: str, row: int) -> bool:
    """Say whether there is such a row, intact or not."""
    return connection.execute(_exists_sql(table), (row,)).fetchone() is not None


def by_slot(connection: sqlite3.Connection, handle: Handle) -> int | None:
    """Return the newest row of a handle's slot; no scan, however many rows there are."""
    table = SLOT_TABLES[handle.kind]
    newest = connection.execute(_newest_sql(table)).fetchone()[0]
    row: int = newest - (newest - handle.slot) % SLOTS
    while row > 0:
        if connection.execute(_exists_sql(table), (row,)).fetchone():
            return row
        row -= SLOTS
    return None


def altered(connection: sqlite3.Connection, table: str, limit: int) -> list[int]:
    """Return the numbers of rows whose seal does not hold."""
    columns = ", ".join(SEALED[table])
    sql = f"SELECT id FROM {table} WHERE h IS NOT row_hash({columns}) LIMIT ?"  # noqa: S608 - names from SEALED
    return [row[0] for row in connection.execute(sql, (limit,))]


def _insert(connection: sqlite3.Connection, table: str, columns: Mapping[str, Value], sql: str) -> tuple[int, int]:
    number = _next(connection, table)  # drawn here, because the seal covers it
    row = (number, *_as_stored(columns.values()))
    return number, connection.execute(sql, (*row, _seal(row))).rowcount


def _next(connection: sqlite3.Connection, table: str) -> int:
    """Draw the number of a new row, by the rule of AUTOINCREMENT."""
    counts = connection.newest if isinstance(connection, Counted) else {}
    counts[table] = number = (counts.get(table) or connection.execute(_last_sql(table)).fetchone()[0]) + 1
    return int(number)


def _seal(values: tuple[Value, ...]) -> bytes:
    # repr tells 1 from '1' and keeps neighbours apart, without a format of our own
    return hashlib.blake2b(repr(values).encode("utf-8", "surrogatepass"), digest_size=8).digest()


def _as_stored(values: Iterable[Value]) -> list[Value]:
    """Return values as the database gives them back: the members of an enum and truth values are plain there."""
    return [value if type(value) in _PLAIN else _plain(value) for value in values]


def _plain(value: Value) -> Value:
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, int):
        return int(value)
    return value + 0.0 if isinstance(value, float) else value  # -0.0 comes back as 0.0


# Every statement below is put together from names in SEALED and keywords of our own code, never from data.


@lru_cache(maxsize=128)
def _insert_sql(table: str, columns: tuple[str, ...], count: int = 1) -> str:
    if columns != SEALED[table][1:]:
        raise TypeError(f"A row of {table} has the columns {SEALED[table][1:]}, in this order, not {columns}.")
    everything = ("id", *columns, "h")
    rows = ", ".join([f"({', '.join('?' * len(everything))})"] * count)
    return f"INSERT INTO {table} ({', '.join(everything)}) VALUES {rows}"  # noqa: S608


@lru_cache(maxsize=64)
def _insert_new_sql(table: str, columns: tuple[str, ...]) -> str:
    return f"{_insert_sql(table, columns)} ON CONFLICT DO NOTHING"


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
