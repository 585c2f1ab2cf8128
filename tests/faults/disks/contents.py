"""What a database holds, as one name: two files with the same name hold the same in every table, indexes included."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from hashlib import blake2b
from pathlib import Path

_TABLES = "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY name"
Cells = dict[str, list[tuple[object, ...]]]


def name_of(connection: sqlite3.Connection) -> str:
    """Name what is committed; what a connection knows of its rows stays known."""
    found = blake2b(digest_size=12)
    for table, rows in cells_of(connection).items():
        found.update(f"{table}\0{rows!r}\0".encode())
    return found.hexdigest()


def cells_of(connection: sqlite3.Connection) -> Cells:
    """Return every row of every table, those of the full-text indexes included."""
    ask = sqlite3.Connection.execute
    tables = [row[0] for row in ask(connection, _TABLES).fetchall()]
    return {table: [tuple(row) for row in ask(connection, f'SELECT * FROM "{table}"')] for table in tables}


def read_cells(path: Path) -> Cells:
    """Do that with a file, without changing it."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as raw:
        return cells_of(raw)
