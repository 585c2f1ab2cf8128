"""What a database holds, as one name: two files with the same name hold the same in every table, indexes included."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from hashlib import blake2b
from pathlib import Path

_TABLES = "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY name"
Cells = dict[str, list[tuple[object, ...]]]


_DRAWN = {"revision": ("salt", "content_mac", "prev_hash", "hash")}
"""Columns that chance has a part in: whoever does the same again writes something else there, and a check proves it."""
_HEAD = "revision_head"
"""The row of `meta` that follows from them."""


def name_of(connection: sqlite3.Connection) -> str:
    """Name what is committed, but for what chance drew; what a connection knows of its rows stays known."""
    found = blake2b(digest_size=12)
    for table, rows in cells_of(connection).items():
        drawn = _places(connection, table)
        kept = [tuple(cell for n, cell in enumerate(row) if n not in drawn) for row in rows if row[0] != _HEAD]
        found.update(f"{table}\0{kept!r}\0".encode())
    return found.hexdigest()


def _places(connection: sqlite3.Connection, table: str) -> frozenset[int]:
    columns = sqlite3.Connection.execute(connection, f'SELECT * FROM "{table}" LIMIT 0').description
    return frozenset(n for n, column in enumerate(columns) if column[0] in _DRAWN.get(table, ()))


def cells_of(connection: sqlite3.Connection) -> Cells:
    """Return every row of every table, those of the full-text indexes included."""
    ask = sqlite3.Connection.execute
    tables = [row[0] for row in ask(connection, _TABLES).fetchall()]
    return {table: [tuple(row) for row in ask(connection, f'SELECT * FROM "{table}"')] for table in tables}


def read_cells(path: Path) -> Cells:
    """Do that with a file, without changing it."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as raw:
        return cells_of(raw)
