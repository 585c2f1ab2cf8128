"""Look at the whole file for what was altered or lost; only looks."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from adapters.sqlite.engine import audit_chain, revisions
from adapters.sqlite.engine.content_store import is_whole
from adapters.sqlite.engine.migrate import version_of
from adapters.sqlite.engine.sealed_rows import altered_rows, altered_singles
from adapters.sqlite.engine.sql_connection import DATABASE_ERRORS, SqlConnection, is_sqlite
from adapters.sqlite.engine.tables import SEALED, SINGLE
from bot.domain.health import ProbeResult
from bot.errors import StoreError
from bot.sentences import say

_MAX_NAMED = 20
LAST_ROW = 2**63 - 1


class Damage(StrEnum):
    """What can be wrong with a row or a table."""

    ALTERED = "altered"
    ROWS_ALTERED = "rows-altered"
    CHAIN_BROKEN = "chain-broken"
    DANGLING = "dangling"
    MISSING = "missing"
    DIFFERS = "differs"
    NO_VERSION = "no-version"
    UNREADABLE = "unreadable"


class AlteredRow(NamedTuple):
    """A row that is not what was written. `row` 0: the table as a whole.

    `said` is how many there are, or what the database says of it.
    """

    table: str
    row: int
    damage: Damage = Damage.ALTERED
    said: str = ""

    def __str__(self) -> str:
        """Say it in the language that is spoken now."""
        what = say("store_doctor.damage", kind=self.damage.value, said=self.said)
        if not self.row:
            return say("store_doctor.damaged-table", table=self.table, what=what)
        return say("store_doctor.damaged-row", table=self.table, row=str(self.row), what=what)


def unreadable(table: str, error: Exception) -> AlteredRow:
    """Return what is told of a table in which something cannot be read."""
    return AlteredRow(table, 0, Damage.UNREADABLE, str(error))


def scan(connection: SqlConnection, key: bytes) -> list[AlteredRow]:
    """Return the rows that are not what was written, at most 20 a table."""
    found: list[AlteredRow] = []
    for check in (page_problems, _seals, _texts, _references):
        try:
            found += check(connection)
        except DATABASE_ERRORS as error:
            found.append(unreadable("database", error))
    for table in CHAINS:
        try:
            found += broken_chain(connection, key, table)
        except (*DATABASE_ERRORS, ValueError) as error:
            found.append(unreadable(table, error))
    return found


_ENDS = {"audit entries": audit_chain.AUDIT, "versions": revisions.REVISIONS}
_SHORT = 16
CHAINS = {"audit": audit_chain.verify, "revision": revisions.verify}
"""Tables whose rows hang on each other, with what finds the first that does not."""


def broken_chain(connection: SqlConnection, key: bytes, table: str) -> list[AlteredRow]:
    """Return where a chain does not hold."""
    broken = CHAINS[table](connection, key)
    return [AlteredRow(table, broken, Damage.CHAIN_BROKEN)] if broken else []


def restore_fix() -> str:
    """Say what to do about damage."""
    return say("store_doctor.restore")


def damage_of(connection: SqlConnection, key: bytes) -> str:
    """Name the rows that are not what was written; empty when all are."""
    return "; ".join(str(entry) for entry in scan(connection, key)[:_MAX_NAMED])


def schema_probe(connection: SqlConnection) -> ProbeResult:
    """Return the row of `doctor` about the file's version."""
    try:
        version = version_of(connection)
    except (StoreError, *DATABASE_ERRORS) as error:
        return ProbeResult(name="store schema", state="failed", evidence=str(error), fix=restore_fix())
    return ProbeResult(name="store schema", state="ok", evidence=say("store_doctor.version", version=str(version)))


def heads_probe(connection: SqlConnection, key: bytes) -> ProbeResult:
    """Return the row of `doctor` about where both chains end, as the instance's key signed it.

    Who has noted an end can tell a database that was put back whole: it ends earlier.
    """
    try:
        marks = {name: chain.head(connection, key) for name, chain in _ENDS.items()}
    except StoreError as error:
        return ProbeResult(name="signed record", state="failed", evidence=str(error), fix=restore_fix())
    ends = (
        say("store_doctor.ends", name=name, row=str(mark.row), hash=mark.hash[:_SHORT]) for name, mark in marks.items()
    )
    return ProbeResult(name="signed record", state="ok", evidence="; ".join(ends))


def content_probe(connection: SqlConnection, key: bytes) -> ProbeResult:
    """Return the row of `doctor` about the file's content, all of it looked at now."""
    if damage := damage_of(connection, key):
        return ProbeResult(name="store integrity", state="failed", evidence=damage, fix=restore_fix())
    words = say("store_doctor.holds-with-pages" if is_sqlite(connection) else "store_doctor.holds")
    return ProbeResult(name="store integrity", state="ok", evidence=words)


def damaged_pages(connection: SqlConnection) -> str:
    """Say what is wrong with the file as SQLite sees it, whatever its schema; empty when nothing is."""
    return "; ".join(str(entry) for entry in page_problems(connection))


def page_problems(connection: SqlConnection) -> list[AlteredRow]:
    """Return what is wrong with the file as SQLite sees it; other databases look after their pages themselves."""
    if not is_sqlite(connection):
        return []
    rows = connection.execute(f"PRAGMA integrity_check({_MAX_NAMED})").fetchall()
    return [AlteredRow("database", 0, Damage.UNREADABLE, row[0]) for row in rows if row[0] != "ok"]


def _seals(connection: SqlConnection) -> list[AlteredRow]:
    found = [AlteredRow(table, row) for table in SEALED for row in altered_rows(connection, table, _MAX_NAMED)]
    return [*found, *damaged_singles(connection)]


def damaged_singles(connection: SqlConnection) -> list[AlteredRow]:
    """Return the tables of what there is one of in which a seal does not hold."""
    singles = {table: altered_singles(connection, table) for table in SINGLE}
    return [AlteredRow(table, 0, Damage.ROWS_ALTERED, str(many)) for table, many in singles.items() if many]


def _texts(connection: SqlConnection) -> list[AlteredRow]:
    return damaged_texts(connection, 0, LAST_ROW)


def damaged_texts(connection: SqlConnection, first: int, last: int) -> list[AlteredRow]:
    """Return texts that are not what their names say, from one row to another, at most 20."""
    rows = connection.execute("SELECT id, hash, body FROM blob WHERE id BETWEEN ? AND ?", (first, last))
    wrong = (row["id"] for row in rows if not is_whole(row))
    return [AlteredRow("blob", row) for row, _ in zip(wrong, range(_MAX_NAMED), strict=False)]


def _is_missing(table: str, named: str) -> str:
    return f"NOT EXISTS (SELECT 1 FROM {table} AS named WHERE named.id = {named})"  # noqa: S608 - names of ours


REFERENCES = {
    "history": _is_missing("blob", "history.blob"),
    "memory_edge": f"({_is_missing('memory', 'source')} OR {_is_missing('memory', 'target')})",
    "node": f"({_is_missing('blob', 'node.blob')} OR (parent > 0 AND {_is_missing('node', 'node.parent')}))",
    "request": f"((head IS NOT NULL AND {_is_missing('head', 'request.head')})"
    f" OR (tail > 0 AND {_is_missing('node', 'request.tail')}))",
}
"""What is so of a row that names something which is not there."""


def _references(connection: SqlConnection) -> list[AlteredRow]:
    return [damage for table in REFERENCES for damage in dangling_rows(connection, table, 0, LAST_ROW)]


def dangling_rows(connection: SqlConnection, table: str, first: int, last: int) -> list[AlteredRow]:
    """Return the rows that name something which is not there, from one to another, at most 20."""
    sql = f"SELECT id FROM {table} WHERE id BETWEEN ? AND ? AND {REFERENCES[table]} LIMIT {_MAX_NAMED}"  # noqa: S608
    return [AlteredRow(table, row, Damage.DANGLING) for (row,) in connection.execute(sql, (first, last))]
