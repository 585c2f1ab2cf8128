"""Look at the whole file for what was altered or lost; only looks."""

from __future__ import annotations

import sqlite3
from typing import NamedTuple

from adapters.sqlite import audit
from adapters.sqlite.migrate import version_of
from adapters.sqlite.names import is_whole
from adapters.sqlite.rows import altered, altered_singles
from adapters.sqlite.tables import SEALED, SINGLE
from bot.domain.health import Probe
from bot.errors import StoreError

_NAMED = 20
_RESTORE = "Stop the bot and run `glassmind restore`; it keeps the damaged file for inspection."


class Damage(NamedTuple):
    """A row that is not what was written. `row` 0: the table as a whole."""

    table: str
    row: int
    what: str = "altered"

    def __str__(self) -> str:
        return f"{self.table} {self.row} ({self.what})" if self.row else f"{self.table}: {self.what}"


def scan(connection: sqlite3.Connection, key: bytes) -> list[Damage]:
    """Return the rows that are not what was written, at most 20 a table."""
    found: list[Damage] = []
    for check in (_pages, _seals, _texts, _references):
        try:
            found += check(connection)
        except sqlite3.DatabaseError as error:
            found.append(Damage("database", 0, str(error)))
    try:
        broken = audit.verify(connection, key)
    except (sqlite3.DatabaseError, ValueError) as error:
        found.append(Damage("audit", 0, str(error)))
    else:
        found += [Damage("audit", broken, "chain broken")] if broken else []
    return found


def damage_of(connection: sqlite3.Connection, key: bytes) -> str:
    """Name the rows that are not what was written; empty when all are."""
    return "; ".join(str(entry) for entry in scan(connection, key)[:_NAMED])


def look(connection: sqlite3.Connection, key: bytes) -> list[Probe]:
    """Return the rows of `doctor` about the file's content."""
    return [_schema(connection), _content(connection, key)]


def _schema(connection: sqlite3.Connection) -> Probe:
    try:
        version = version_of(connection)
    except (StoreError, sqlite3.Error) as error:
        return Probe(name="store schema", state="failed", evidence=str(error), fix=_RESTORE)
    return Probe(name="store schema", state="ok", evidence=f"version {version}")


def _content(connection: sqlite3.Connection, key: bytes) -> Probe:
    if damage := damage_of(connection, key):
        return Probe(name="store integrity", state="failed", evidence=damage, fix=_RESTORE)
    return Probe(name="store integrity", state="ok", evidence="pages, row hashes, texts and audit chain hold")


def damaged_pages(connection: sqlite3.Connection) -> str:
    """Say what is wrong with the file as SQLite sees it, whatever its schema; empty when nothing is."""
    return "; ".join(str(entry) for entry in _pages(connection))


def _pages(connection: sqlite3.Connection) -> list[Damage]:
    rows = connection.execute(f"PRAGMA integrity_check({_NAMED})").fetchall()
    return [Damage("database", 0, row[0]) for row in rows if row[0] != "ok"]


def _seals(connection: sqlite3.Connection) -> list[Damage]:
    found = [Damage(table, row) for table in SEALED for row in altered(connection, table, _NAMED)]
    singles = {table: altered_singles(connection, table) for table in SINGLE}
    return [*found, *(Damage(table, 0, f"rows altered: {many}") for table, many in singles.items() if many)]


def _texts(connection: sqlite3.Connection) -> list[Damage]:
    rows = connection.execute("SELECT id, hash, body FROM blob")
    wrong = (row["id"] for row in rows if not is_whole(row))
    return [Damage("blob", row) for row, _ in zip(wrong, range(_NAMED), strict=False)]


def _references(connection: sqlite3.Connection) -> list[Damage]:
    checks = {
        "history": "SELECT id FROM history WHERE blob NOT IN (SELECT id FROM blob) LIMIT 20",
        "memory_edge": "SELECT id FROM memory_edge WHERE source NOT IN (SELECT id FROM memory)"
        " OR target NOT IN (SELECT id FROM memory) LIMIT 20",
        "node": "SELECT id FROM node WHERE blob NOT IN (SELECT id FROM blob)"
        " OR (parent > 0 AND parent NOT IN (SELECT id FROM node)) LIMIT 20",
        "request": "SELECT id FROM request WHERE (head IS NOT NULL AND head NOT IN (SELECT id FROM head))"
        " OR (tail > 0 AND tail NOT IN (SELECT id FROM node)) LIMIT 20",
    }
    return [
        Damage(table, row[0], "something it names is missing")
        for table, sql in checks.items()
        for row in connection.execute(sql)
    ]
