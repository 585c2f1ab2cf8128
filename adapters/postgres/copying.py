"""Copy a whole store from a SQLite file to a server, or back, and compare every row by its digest; nothing else runs.

All of it is one transaction of the target: what cannot be copied whole is not copied.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from hashlib import blake2b
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from adapters.postgres.engine.connection import COMMIT_MARK, PostgresConnection, PostgresWriter, read_address
from adapters.postgres.engine.migrate import bring_up, steps, version_of
from adapters.postgres.engine.sessions import LockedWriter
from adapters.postgres.store import KEY_CHECK
from adapters.sqlite.engine import migrate as sqlite_steps
from adapters.sqlite.engine.directory import DATABASE, SECRET, prepare, read_secret, sync, write_private
from adapters.sqlite.engine.functions import register_functions
from adapters.sqlite.engine.hash_chain import sign
from adapters.sqlite.engine.lock import DirectoryLock
from adapters.sqlite.engine.sealed_rows import verified_rows
from adapters.sqlite.engine.sql_connection import DATABASE_ERRORS, SqlConnection, Value, is_sqlite, roll_back
from adapters.sqlite.engine.tables import SEALED
from adapters.sqlite.engine.word_index import IndexedMemory, put_words
from adapters.sqlite.memories.memories import read_memory
from adapters.sqlite.turns.history import index_lines
from adapters.sqlite.upkeep.offline_check import all_damage
from bot.errors import StoreError
from bot.ports.clock import Clock
from bot.ports.copying import CopiedStore
from bot.sentences import later

AT_ONCE = 2_000
"""Rows that are read, written or compared in one go."""
_INSTANCE = "SELECT value FROM meta WHERE name = 'instance'"
_BESIDE = {
    "blob": ("id", "hash", "body"),
    "node": ("id", "parent", "blob", "tokens"),
    "head": ("id", "hash", "plain", "system", "tools"),
    "request_memory": ("memory", "request"),
    "request_mark": ("request", "kind", "at"),
    "call_memory": ("memory", "call"),
    "audit": ("id", "agent", "at", "platform", "actor", "body", "undoes", "prev_hash", "hash"),
    "revision": (
        *("id", "agent", "kind", "subject", "number", "at", "cause", "process", "inbound", "turn", "content_mac"),
        *("prev_hash", "hash", "platform", "actor", "state", "words", "salt", "erased_mac"),
    ),
}
_SINGLES = {
    "meta": ("name", "value"),
    "heartbeat": ("agent", "body"),
    "cursor": ("agent", "adapter", "stream", "value"),
    "ratio": ("agent", "model", "value"),
}
"""Without their seals, which each kind of database makes in its own way; that they hold was looked at before."""
_KEYS = {"request_memory": 2, "call_memory": 2, "cursor": 3, "ratio": 2}
"""How many of the first columns name a row, where it is not one."""


class _Table(NamedTuple):
    name: str
    columns: tuple[str, ...]

    @property
    def key(self) -> tuple[str, ...]:
        return self.columns[: _KEYS.get(self.name, 1)]


def _tables() -> tuple[_Table, ...]:
    """Return all of them, each behind those that its rows hang on."""
    sealed = {name: (*columns, "h") for name, columns in SEALED.items()}
    late = ("request_memory", "request_mark", "call_memory")
    first = {**_SINGLES, **{name: columns for name, columns in _BESIDE.items() if name not in late}, **sealed}
    return tuple(_Table(*one) for one in {**first, **{name: _BESIDE[name] for name in late}}.items())


TABLES = _tables()


def copy_to_server(directory: Path, url: str, schema: str, clock: Clock) -> CopiedStore:
    """Copy the store of a data directory into an empty schema; raise StoreError, and then the schema stays empty."""
    address = read_address(url, schema)
    lock = DirectoryLock(directory)
    try:
        with _opened_file(directory / DATABASE, "ro") as source:
            _must_be_newest(sqlite_steps.version_of(source), max(sqlite_steps.steps()), str(directory))
            key = read_secret(directory)
            _must_hold(source, key)
            target = LockedWriter(address)
            try:
                bring_up(target, clock.now())
                target.hold()
                _must_be_empty(target, str(address))
                return _copied(source, target, str(address), key)
            finally:
                target.close()
    except DATABASE_ERRORS as error:
        raise StoreError(later("server_store.nothing-copied", why=error.__str__)) from error
    finally:
        lock.release()


def copy_to_file(url: str, schema: str, from_directory: Path, directory: Path) -> CopiedStore:
    """Copy a schema into a new data directory; raise StoreError, and then no database was made there."""
    address = read_address(url, schema)
    path = directory / DATABASE
    if path.exists():
        raise StoreError(later("server_store.database-there", folder=str(directory)))
    key = read_secret(from_directory)
    prepare(directory)
    draft = directory / f"{DATABASE}.copy"
    draft.unlink(missing_ok=True)
    write_private(draft, b"")
    lock = DirectoryLock(directory)
    try:
        # with the lock, so that nobody writes there meanwhile
        source = LockedWriter(address)
        try:
            _must_be_newest(version_of(source), max(steps()), str(address))
            source.learn_types()
            _must_have_arrived(source)
            _must_hold(source, key)
            with _opened_file(draft, "rw") as target:
                sqlite_steps.bring_up(target)
                done = _copied(source, target, str(path), key)
        finally:
            source.close()
        if not (directory / SECRET).exists():
            write_private(directory / SECRET, key)
        draft.rename(path)
        sync(directory)
        return done
    except DATABASE_ERRORS as error:
        raise StoreError(later("server_store.nothing-copied", why=error.__str__)) from error
    finally:
        draft.unlink(missing_ok=True)
        lock.release()


@contextmanager
def _opened_file(path: Path, mode: str) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(f"file:{quote(str(path))}?mode={mode}", uri=True, isolation_level=None)) as connection:
        connection.row_factory = sqlite3.Row
        register_functions(connection)
        yield connection


def _must_be_newest(version: int, newest: int, place: str) -> None:
    if version != newest:
        raise StoreError(later("server_store.not-newest", place=place, version=str(version), newest=str(newest)))


def _must_have_arrived(source: PostgresConnection) -> None:
    (many,) = source.ask("SELECT count(*) FROM relayed").fetchall()[0]
    if many:
        raise StoreError(later("server_store.not-taken-up", count=many))


def _must_hold(source: SqlConnection, key: bytes) -> None:
    if damage := all_damage(source, key):
        named = "; ".join(map(str, damage[:5]))
        raise StoreError(later("server_store.damaged-there", damage=named))


def _must_be_empty(target: PostgresConnection, where: str) -> None:
    if target.run("SELECT 1 FROM meta WHERE name = 'instance'").fetchone() is not None:
        raise StoreError(later("server_store.schema-holds-one", schema=target.address.schema, place=where))


def _copied(source: SqlConnection, target: SqlConnection, where: str, key: bytes) -> CopiedStore:
    target.execute("BEGIN IMMEDIATE")
    try:
        rows = sum(_copy_table(source, target, table) for table in TABLES)
        _keep_numbers(source, target)
        _sign(target, key)
        words = _index(target)
        for table in TABLES:
            _compare(source, target, table)
        target.execute("COMMIT")
    except BaseException:
        roll_back(target)
        raise
    if not is_sqlite(target):
        # a server plans by what it knows of its tables, and of these it knows nothing yet
        with suppress(*DATABASE_ERRORS):
            target.execute("ANALYZE")
    return CopiedStore(to=where, rows=rows, tables=len(TABLES), words=words)


def _pages(connection: SqlConnection, table: _Table) -> Iterator[list[Sequence[Value]]]:
    """Yield the rows of a table in the order of their keys, so many at a time; each is read on from the last."""
    order, marks = ", ".join(table.key), ", ".join("?" * len(table.key))
    begin = f"SELECT {', '.join(table.columns)} FROM {table.name}"  # noqa: S608 - names of our own
    end = f"ORDER BY {order} LIMIT ?"
    rows = connection.execute(f"{begin} {end}", (AT_ONCE,)).fetchall()
    while rows:
        yield rows
        last = tuple(rows[-1])[: len(table.key)]
        rows = connection.execute(f"{begin} WHERE ({order}) > ({marks}) {end}", (*last, AT_ONCE)).fetchall()


def _copy_table(source: SqlConnection, target: SqlConnection, table: _Table) -> int:
    done = 0
    marks = ", ".join("?" * len(table.columns))
    sql = f"INSERT INTO {table.name} ({', '.join(table.columns)}) VALUES ({marks})"  # noqa: S608 - names of our own
    for rows in _pages(source, table):
        plain = [tuple(row) for row in rows if not (table.name == "meta" and row[0] == COMMIT_MARK)]
        if isinstance(target, PostgresWriter):
            target.load(table.name, table.columns, plain)
        else:
            target.executemany(sql, plain)
        done += len(rows)
    return done


def _compare(source: SqlConnection, target: SqlConnection, table: _Table) -> None:
    """Read both again and compare the digest of every row; raise StoreError naming the first that differs."""
    left = (row for rows in _pages(source, table) for row in rows)
    right = (row for rows in _pages(target, table) for row in rows if not _is_ours(table, row))
    for one, other in zip_longest((row for row in left if not _is_ours(table, row)), right):
        if one is None or other is None or _digest(one) != _digest(other):
            name = tuple(one if one is not None else other)[: len(table.key)]
            raise StoreError(later("server_store.differs", table=table.name, row=str(name)))


def _is_ours(table: _Table, row: Sequence[Value]) -> bool:
    """Say whether a row is about the database itself, and made anew there."""
    return table.name == "meta" and row[0] in {KEY_CHECK, COMMIT_MARK}


def _digest(row: Sequence[Value]) -> bytes:
    return blake2b(repr(tuple(row)).encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _keep_numbers(source: SqlConnection, target: SqlConnection) -> None:
    """Let the numbers that were handed out be known there, too, also those of rows that are gone."""
    drawn = dict(map(tuple, source.execute("SELECT name, seq FROM sqlite_sequence").fetchall()))
    if is_sqlite(target):
        for name, number in drawn.items():
            target.execute("DELETE FROM sqlite_sequence WHERE name = ?", (name,))
            target.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", (name, number))
    else:
        target.executemany("INSERT INTO drawn (name, seq) VALUES (?, ?)", list(drawn.items()))


def _sign(target: SqlConnection, key: bytes) -> None:
    """Let a server's database know by which key it was signed."""
    target.execute("DELETE FROM meta WHERE name = ?", (KEY_CHECK,))
    if not is_sqlite(target):
        (instance,) = target.execute(_INSTANCE).fetchone()
        target.execute("INSERT INTO meta (name, value) VALUES (?, ?)", (KEY_CHECK, sign(key, KEY_CHECK, instance)))


def _index(target: SqlConnection) -> int:
    """Make both indexes of words anew: they hold nothing that is not in the rows."""
    done = after = 0
    while rows := verified_rows(target, "memory", "WHERE id > ? ORDER BY id LIMIT ?", (after, AT_ONCE)):
        after = rows[-1]["id"]
        for row in rows:
            if row["content"] is not None:
                place = (row["agent"], row["platform"], row["scope"], row["scope_id"], row["channel"])
                name = read_memory(row).body.provenance.author_name
                put_words(target, row["id"], IndexedMemory(*place, name, row["content"]))
                done += 1
    after = 0
    while rows := verified_rows(target, "history", "WHERE id > ? AND turn > 0 ORDER BY id LIMIT ?", (after, AT_ONCE)):
        after = rows[-1]["id"]
        done += index_lines(target, rows)
    return done
