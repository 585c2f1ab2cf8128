"""Bring a database file to the schema of this program, with a copy of what was there before."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from functools import cache
from importlib import resources
from pathlib import Path

from adapters.sqlite.engine import copies
from adapters.sqlite.engine.functions import register_functions
from adapters.sqlite.engine.sql_connection import SqlConnection, roll_back
from bot.errors import StoreError
from bot.sentences import later

APPLICATION_ID = 0x474C4D44
"""`GLMD`, in the header of every file of ours."""


@cache
def steps() -> Mapping[int, str]:
    """Return the SQL of every step by its number."""
    files = resources.files("adapters.sqlite.migrations").iterdir()
    return {int(file.name[:4]): file.read_text("utf-8") for file in files if file.name.endswith(".sql")}


def version_of(connection: SqlConnection) -> int:
    """Return the schema version of a file of ours, 0 for an empty one; raise StoreError for anything else."""
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    owner = connection.execute("PRAGMA application_id").fetchone()[0]
    used = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    if used and owner != APPLICATION_ID:
        raise StoreError(later("store.of-another-program"))
    newest = max(steps())
    if version > newest:
        versions = {"version": str(version), "newest": str(newest), "next": str(newest + 1)}
        raise StoreError(later("store.newer", **versions))
    return version


def migrate(connection: sqlite3.Connection, directory: Path, now: int) -> int:
    """Copy the database, and run the steps that are missing, each in one transaction; return how many ran."""
    version = version_of(connection)
    if 0 < version < max(steps()):
        path = copies.path_of(directory, f"before-{version + 1}", now)
        copies.write_draft(path, connection)
        copies.publish(path)
    return bring_up(connection)


def bring_up(connection: sqlite3.Connection) -> int:
    """Run the steps that are missing, without a copy; return how many ran."""
    version = version_of(connection)
    missing = {number: sql for number, sql in sorted(steps().items()) if number > version}
    for number, sql in missing.items():
        _run(connection, number, sql)
    if version:
        # one that was made just now is as its steps make it
        check_shape(connection)
    return len(missing)


def check_shape(connection: SqlConnection) -> None:
    """Compare the file's tables with what its steps make; raise StoreError when they differ."""
    version = version_of(connection)
    made = tuple(sql for number, sql in sorted(steps().items()) if number <= version)
    if _shape_made_by(made) != _shape(connection):
        raise StoreError(later("store.other-tables"))


@cache
def _shape_made_by(made: tuple[str, ...]) -> frozenset[tuple[str, ...]]:
    model = sqlite3.connect(":memory:")
    register_functions(model)
    try:
        for sql in made:
            model.executescript(sql)
        return _shape(model)
    finally:
        model.close()


def _shape(connection: SqlConnection) -> frozenset[tuple[str, ...]]:
    # the full-text index's own tables are SQLite's business and differ from version to version
    sql = "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE name NOT LIKE '%!_fts!_%' ESCAPE '!'"
    return frozenset(tuple(row) for row in connection.execute(sql))


def _run(connection: sqlite3.Connection, number: int, sql: str) -> None:
    marks = f"PRAGMA application_id = {APPLICATION_ID};\nPRAGMA user_version = {number};"
    try:
        connection.executescript(f"BEGIN IMMEDIATE;\n{sql}\n{marks}\nCOMMIT;")
    except sqlite3.Error as error:
        roll_back(connection)
        raise StoreError(later("store.step-failed", number=str(number), why=str(error))) from error
