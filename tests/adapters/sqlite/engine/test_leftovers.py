"""What deleted rows leave in the unused part of pages is overwritten, and nothing else is."""

from __future__ import annotations

import asyncio
import random
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from adapters.sqlite.engine import leftovers
from adapters.sqlite.engine.leftovers import gaps
from tests.adapters.sqlite.opened import opened
from tests.fakes import values as v
from tests.fakes.lengths import whole_or
from tests.inside.store import database_of


def live(path: Path, seed: int, size: int = 4096) -> list[bytes]:
    """Write rows that grow and go, in tables of each kind; return what stood in those that are gone."""
    rng = random.Random(seed)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for pragma in (f"page_size = {size}", "journal_mode = WAL", "synchronous = OFF", "secure_delete = ON"):
            connection.execute(f"PRAGMA {pragma}")
        connection.execute("CREATE TABLE row (id INTEGER PRIMARY KEY, body TEXT)")
        connection.execute("CREATE TABLE named (name TEXT PRIMARY KEY, body TEXT) WITHOUT ROWID")
        connection.execute("CREATE INDEX row_by_body ON row (body)")
        connection.execute("CREATE VIRTUAL TABLE words USING fts5 (body)")
        connection.execute("BEGIN")
        for number in range(300):
            body = f"<mark{number:04d}>" + "x" * rng.choice((20, 300, 900, 9000))
            connection.execute("INSERT INTO row VALUES (?, ?)", (number, body))
            connection.execute("INSERT INTO named VALUES (?, ?)", (f"{rng.random()}<mark{number:04d}>", body[:200]))
            connection.execute("INSERT INTO words (rowid, body) VALUES (?, ?)", (number, f"mark{number:04d}"))
        for _ in range(300):
            more = "z" * rng.choice((10, 100, 3000))
            connection.execute("UPDATE row SET body = body || ? WHERE id = ?", (more, rng.randrange(300)))
        gone = rng.sample(range(300), 120)
        for number in gone:
            connection.execute("DELETE FROM row WHERE id = ?", (number,))
            connection.execute("DELETE FROM named WHERE name LIKE ?", (f"%<mark{number:04d}>",))
            connection.execute("DELETE FROM words WHERE rowid = ?", (number,))
        connection.execute("INSERT INTO words (words) VALUES ('optimize')")
        connection.execute("COMMIT")
    return [b"<mark%04d>" % number for number in gone]


def content(path: Path) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        return [
            row
            for table in ("row", "named", "words", "words_data")
            for row in connection.execute(f"SELECT * FROM {table}").fetchall()
        ]


@pytest.mark.parametrize("size", [512, 1024, 4096, 65536])
def test_nothing_of_a_row_that_is_gone_is_left_and_every_other_stays(size: int, tmp_path: Path):
    left = 0
    for seed in whole_or((0, 1, 2, 3), (0, 2) if size != 4096 else (1, 3)):
        path = tmp_path / f"{size}-{seed}.db"
        gone = live(path, seed, size)
        before, raw = content(path), path.read_bytes()
        left += sum(one in raw for one in gone)
        cleared = bytearray(raw)
        for offset, length in gaps(raw, size, size):
            cleared[offset : offset + length] = bytes(length)
        path.write_bytes(cleared)
        assert content(path) == before
        assert not [one for one in gone if one in cleared]
        assert not [*gaps(bytes(cleared), size, size)]
    assert left or size == 512, "SQLite left nothing, so nothing is shown"


def test_a_page_that_makes_no_sense_is_left_alone():
    rng = random.Random(7)
    for _ in range(3000):
        page = bytearray(rng.randbytes(512))
        page[0] = rng.choice((0, 2, 5, 10, 13, 200))
        for offset, length in gaps(bytes(page), 512, 512, 512):
            assert offset >= 0 and 0 < length <= 512 - offset


async def test_a_store_that_forgets_leaves_nothing_while_others_write(tmp_path: Path, monkeypatch):
    monkeypatch.setattr(leftovers, "SLICE_BYTES", 64 << 10)
    async with opened(tmp_path) as store:
        rng = random.Random(3)
        for start in range(0, 600, 30):
            texts = [f"words-{n:04d} " + "y" * rng.choice((20, 400, 2000)) for n in range(start, start + 30)]
            await store.ledger.arrive([v.arrival(text, str(start + n)) for n, text in enumerate(texts)], None)
        database = database_of(store)
        assert database.writer is not None and database.leftovers is not None

        def grows(connection: sqlite3.Connection) -> None:
            for row in range(1, 600, 7):
                connection.execute("UPDATE inbound SET text = text || ? WHERE id = ?", ("z" * 700, row))

        def goes(connection: sqlite3.Connection) -> None:
            connection.execute("UPDATE inbound SET text = NULL, body = '{}' WHERE id % 3 = 0")

        await database.write(grows)
        await database.write(goes)
        path = tmp_path / "glassmind.db"

        async def talks() -> None:
            for n in range(40):
                await store.ledger.arrive([v.arrival(f"later {n}", f"later{n}")], None)

        await asyncio.gather(database.leftovers.clear(database.writer), talks())
        kept = await database.read(lambda c: c.execute("SELECT id, text FROM inbound ORDER BY id").fetchall())
        raw = path.read_bytes()
        gone = [f"words-{row['id'] - 1:04d}" for row in kept if row["text"] is None]
        assert len(gone) > 150 and not [one for one in gone if one.encode() in raw]
        assert sum(row["text"] is not None and "words-" in row["text"] for row in kept) == 600 - len(gone)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


async def test_the_locks_of_the_process_are_kept(tmp_path: Path):
    """Whoever else opens the file may not take the write-ahead log away, as it could if nobody held a lock."""
    probe = f"""
import sqlite3
connection = sqlite3.connect({str(tmp_path / "glassmind.db")!r}, timeout=0)
try:
    connection.execute("PRAGMA journal_mode = DELETE")
except sqlite3.OperationalError as error:
    print(error)
"""
    async with opened(tmp_path) as store:
        await store.ledger.arrive([v.arrival("hello", "1")], None)
        database = database_of(store)
        assert database.writer is not None and database.leftovers is not None
        await database.leftovers.clear(database.writer)
        other = await asyncio.create_subprocess_exec(sys.executable, "-c", probe, stdout=asyncio.subprocess.PIPE)
        said, _ = await other.communicate()
        assert b"locked" in said
