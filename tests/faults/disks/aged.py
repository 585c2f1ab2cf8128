"""Data directories as earlier versions of the program left them, with rows in every table."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from adapters.sqlite.engine import migrate
from adapters.sqlite.engine.functions import register_functions
from adapters.sqlite.engine.sealed_rows import row_hash
from adapters.sqlite.engine.tables import SEALED
from tests.adapters.sqlite.upkeep.test_integrity import furnish

_MADE = "SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite!_%' ESCAPE '!' AND sql IS NOT NULL"
_AMBIENT_LEFT_THE_INDEX = 11
_VERSIONS_ARE_KEPT = 15
_AMBIENT = """SELECT history.id, words_of(blob.hash, blob.body) FROM history JOIN blob ON blob.id = history.blob
    WHERE history.turn = 0 AND words_of(blob.hash, blob.body) <> ''"""
_kept: dict[str, bytes] = {}
_WORDS_HAVE_PLACES = 17
_SAID = "SELECT id, content FROM memory WHERE content IS NOT NULL"


def newest() -> int:
    """Return the number of the newest schema."""
    return max(migrate.steps())


async def age(directory: Path, version: int) -> None:
    """Make the data directory that a program with this schema left; 0: one that nobody has used."""
    files = await _furnished() if version else {}
    _write(directory, files)
    if version:
        take_back(directory / "glassmind.db", version)


async def _furnished() -> dict[str, bytes]:
    if not _kept:
        with TemporaryDirectory(prefix="glassmind-furnished-") as made:
            data = Path(made) / "data"
            await furnish(data)
            _kept.update({path.name: path.read_bytes() for path in data.iterdir() if path.is_file()})
    return _kept


def _write(directory: Path, files: Mapping[str, bytes]) -> None:
    directory.mkdir(mode=0o700)
    for name, body in files.items():
        (directory / name).write_bytes(body)


def take_back(path: Path, version: int) -> None:
    """Drop what later steps made, and give tables that they changed the shape back that they had."""
    model = sqlite3.connect(":memory:")
    register_functions(model)
    for number, sql in sorted(migrate.steps().items()):
        if number <= version:
            model.executescript(sql)
    raw = sqlite3.connect(path, isolation_level=None)
    register_functions(raw)
    raw.execute("PRAGMA secure_delete = ON")
    made = model.execute(_MADE).fetchall()
    had = {name: sql for _, name, sql in made}
    for kind, name, sql in raw.execute(_MADE).fetchall():
        if name not in had:
            raw.execute(f"DROP {kind} IF EXISTS {name}")
        elif kind == "table" and sql != had[name]:
            _reshape(raw, name, had[name], [row[1] for row in model.execute(f"PRAGMA table_info({name})")])
    there = {name for _, name, _ in raw.execute(_MADE)}
    for _, name, sql in made:
        if name not in there:
            # an index goes with its table
            raw.execute(sql)
    if version < _WORDS_HAVE_PLACES:
        raw.execute("INSERT INTO memory_fts (memory_fts) VALUES ('delete-all')")
        raw.execute(f"INSERT INTO memory_fts (rowid, text) {_SAID}")
    if version < _AMBIENT_LEFT_THE_INDEX:
        raw.execute(f"INSERT INTO history_fts (rowid, text) {_AMBIENT}")
    if version < _VERSIONS_ARE_KEPT:
        raw.execute("DELETE FROM meta WHERE name GLOB 'revision_*'")
    raw.execute(f"PRAGMA user_version = {version}")
    migrate.check_shape(raw)
    model.close()
    raw.close()


def _reshape(raw: sqlite3.Connection, table: str, sql: str, columns: list[str]) -> None:
    names = ", ".join(columns)
    rows = raw.execute(f"SELECT {names} FROM {table}").fetchall()
    if table in SEALED:
        # a row of that schema was sealed over the columns that it had
        rows = [(*row[:-1], row_hash(*row[:-1])) for row in rows]
    raw.execute(f"DROP TABLE {table}")
    raw.execute(sql)
    raw.executemany(f"INSERT INTO {table} ({names}) VALUES ({', '.join('?' * len(columns))})", rows)


def copy(source: Path, target: Path) -> Path:
    """Give another directory like this one."""
    shutil.copytree(source, target)
    return target
