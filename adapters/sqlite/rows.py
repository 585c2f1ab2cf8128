"""Rows that know when they were changed behind our back: every write seals a row, every read checks the seal."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterator
from functools import lru_cache

from bot.domain.handles import SLOTS, Handle, HandleKind
from bot.errors import StoreError

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

Value = str | int | float | bytes | None


def row_hash(*values: Value) -> bytes:
    """Return the seal of a row: 8 bytes of BLAKE2b; also known to SQL under this name."""
    # repr tells 1 from '1' and keeps neighbours apart, without a format of our own
    return hashlib.blake2b(repr(values).encode("utf-8", "surrogatepass"), digest_size=8).digest()


def insert(connection: sqlite3.Connection, table: str, **columns: Value) -> int:
    """Store a row and seal it; return its number."""
    row = connection.execute(_insert_sql(table, tuple(columns)), tuple(columns.values())).lastrowid
    assert row is not None
    connection.execute(_seal_sql(table), (row,))
    return row


def change(connection: sqlite3.Connection, table: str, row: int, **columns: Value) -> bool:
    """Change columns of an intact row and seal it anew; False when there is no such row."""
    done = connection.execute(_change_sql(table, tuple(columns)), (*columns.values(), row)).rowcount
    if not done:
        # either it is gone, or it was altered, in which case sealing it would hide that; fetch raises then
        return fetch(connection, table, row) is not None
    connection.execute(_seal_sql(table), (row,))
    return True


def fetch(connection: sqlite3.Connection, table: str, row: int) -> sqlite3.Row | None:
    """Return an intact row; raise StoreError for an altered one."""
    found = connection.execute(_fetch_sql(table), (row,)).fetchone()
    return None if found is None else checked(table, found)


def select(
    connection: sqlite3.Connection, table: str, tail: str, args: tuple[Value, ...] | dict[str, Value] = ()
) -> list[sqlite3.Row]:
    """Return the intact rows that `tail` (WHERE, ORDER BY, LIMIT; constant text) names."""
    return list(walk(connection, table, tail, args))


def walk(
    connection: sqlite3.Connection, table: str, tail: str, args: tuple[Value, ...] | dict[str, Value] = ()
) -> Iterator[sqlite3.Row]:
    """Yield the rows that `select` returns one by one, for a table that may be long."""
    return (checked(table, row) for row in connection.execute(_select_sql(table, tail), args))


def checked(table: str, row: sqlite3.Row) -> sqlite3.Row:
    """Return the row if its seal holds; the seal is the last column."""
    if row[-1] != row_hash(*row[:-1]):
        raise StoreError(
            f"Row {row['id']} of table {table} was altered outside this program. Run `glassmind doctor`; "
            "restore a backup if more rows are named."
        )
    return row


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


# Every statement below is put together from names in SEALED and keywords of our own code, never from data.


@lru_cache(maxsize=256)
def _insert_sql(table: str, columns: tuple[str, ...]) -> str:
    marks = ", ".join("?" * len(columns))
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})"  # noqa: S608


@lru_cache(maxsize=256)
def _change_sql(table: str, columns: tuple[str, ...]) -> str:
    changes = ", ".join(f"{column} = ?" for column in columns)
    return f"UPDATE {table} SET {changes} WHERE id = ? AND h IS row_hash({', '.join(SEALED[table])})"  # noqa: S608


@lru_cache(maxsize=32)
def _seal_sql(table: str) -> str:
    return f"UPDATE {table} SET h = row_hash({', '.join(SEALED[table])}) WHERE id = ?"  # noqa: S608


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
