"""The write-ahead log is copied beside whoever writes: it stays short, and no commit waits for it."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from adapters.sqlite.engine.connection import LOG_PAGES, connect, on_thread
from adapters.sqlite.engine.wal_checkpointer import MIN_PAGES, WriteAheadLog, copy_now
from adapters.sqlite.engine.writer import BatchWriter, WriterHooks

PAGE = 4096


class House:
    """A store of one table, and who copies its log."""

    def __init__(self, path: Path, writer: BatchWriter, wal: WriteAheadLog) -> None:
        self.path, self.writer, self.wal = path, writer, wal

    async def write(self, rows: int) -> None:
        def work(connection: sqlite3.Connection) -> None:
            connection.executemany("INSERT INTO t VALUES (?)", [("x" * PAGE,)] * rows)

        await self.writer.write(work)

    async def copied(self) -> None:
        """Return when nothing is being copied."""
        async with self.wal.hold():
            pass

    def in_database(self) -> int:
        """Return the bytes that are in the database itself."""
        return self.path.stat().st_size

    def in_log(self) -> int:
        return self.path.with_name(f"{self.path.name}-wal").stat().st_size


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    path = tmp_path / "w.db"
    path.touch()
    wal = WriteAheadLog(await connect(path, writable=True))
    writer = BatchWriter(
        await connect(path, writable=True),
        WriterHooks(lambda _: None, lambda *_: None),
        lambda: False,
        wal,
        lambda: None,
    )
    await writer.write(lambda c: c.execute("CREATE TABLE t (s TEXT)") and None)
    yield House(path, writer, wal)
    await writer.close()


async def test_a_few_rows_are_not_worth_it(house: House):
    before = house.in_database()
    await house.write(MIN_PAGES - 1)
    await house.copied()
    assert house.in_database() == before


async def test_many_rows_are_copied_without_a_commit_that_waits(house: House):
    await house.write(MIN_PAGES)
    await house.copied()
    assert house.in_database() > MIN_PAGES * PAGE


async def test_what_was_copied_whole_is_overwritten(house: House):
    await house.write(MIN_PAGES)
    await house.copied()
    before = house.in_log()
    await house.write(MIN_PAGES // 2)
    assert house.in_log() == before


async def test_it_is_not_copied_again_and_again(house: House):
    await house.write(MIN_PAGES)
    await house.copied()
    first = house.in_database()
    await house.write(MIN_PAGES)
    await house.copied()
    assert house.in_database() == first


async def test_a_log_that_is_never_copied_is_copied_by_a_commit(house: House):
    async with house.wal.hold():
        await house.write(LOG_PAGES)
        assert house.in_database() > LOG_PAGES * PAGE


async def test_whoever_needs_the_store_alone_is_not_refused(house: House):
    """Deleted words leave the log by a checkpoint that cuts it, which SQLite refuses while another one is under way."""
    house.wal.rest = 0.0
    for _ in range(5):
        await house.write(MIN_PAGES)
        refused, *_ = await house.writer.run_alone(lambda c: c.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone())
        assert (refused, house.in_log()) == (0, 0)


async def test_a_copy_that_fails_hinders_nobody(house: House, caplog: pytest.LogCaptureFixture):
    await on_thread(house.wal._connection, lambda c: c.set_authorizer(lambda *_: sqlite3.SQLITE_DENY))
    await house.write(MIN_PAGES)
    await house.copied()
    await house.write(1)
    assert await house.writer.run_alone(lambda c: c.execute("SELECT count(*) FROM t").fetchone()[0]) == MIN_PAGES + 1


class Interrupted(sqlite3.Connection):
    """Somebody else's commit, begun before, ends when it has copied for the first time."""

    other: sqlite3.Connection | None = None

    def execute(self, *args: Any) -> sqlite3.Cursor:
        found = super().execute(*args)
        if self.other is not None:
            self.other.execute("COMMIT")
            self.other = None
        return found


def test_what_is_committed_during_a_copy_is_copied_too_so_that_the_log_begins_anew(tmp_path: Path):
    writer = sqlite3.connect(tmp_path / "w.db", isolation_level=None)
    writer.execute("PRAGMA journal_mode = WAL")
    writer.execute("CREATE TABLE t (s TEXT)")
    writer.executemany("INSERT INTO t VALUES (?)", [("x" * PAGE,)] * 50)
    copier = sqlite3.connect(tmp_path / "w.db", isolation_level=None, factory=Interrupted)
    writer.execute("BEGIN IMMEDIATE")
    writer.execute("INSERT INTO t VALUES ('meanwhile')")
    copier.other = writer
    copy_now(copier)
    writer.execute("INSERT INTO t VALUES ('one more')")
    _, there, _ = writer.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
    assert 0 < there < 10
    writer.close()
    copier.close()
