"""What SQLite has undone by itself is not undone again: the failure is told, and not that there is nothing to undo."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from adapters.sqlite.engine.connection import connect, on_thread
from adapters.sqlite.engine.database import snapshot
from adapters.sqlite.engine.migrate import migrate
from adapters.sqlite.engine.revisions import begin_history
from tests.fakes.clock import START


def breaks_off(connection: sqlite3.Connection, beginning: str) -> None:
    """Let a write be broken off in the middle, as a failing disk does; SQLite ends its transaction then."""
    now = [""]
    connection.set_trace_callback(lambda sql: now.__setitem__(0, sql))
    connection.set_progress_handler(lambda: now[0].startswith(beginning), 1)


@pytest.fixture
async def connection(tmp_path: Path):
    path = tmp_path / "w.db"
    path.touch()
    opened = await connect(path, writable=True)
    await on_thread(opened, lambda c: migrate(c, tmp_path, START))
    yield opened
    await opened.close()


async def test_a_history_that_cannot_be_begun_says_why(connection):
    def work(c: sqlite3.Connection) -> None:
        breaks_off(c, "INSERT INTO meta")
        begin_history(START, c)

    with pytest.raises(sqlite3.OperationalError, match="interrupted"):
        await on_thread(connection, work)
    await on_thread(connection, lambda c: c.set_progress_handler(None, 0))
    await on_thread(connection, lambda c: begin_history(START, c))


async def test_a_look_that_breaks_says_why(connection):
    def ends_itself(c: sqlite3.Connection) -> None:
        c.execute("CREATE TEMP TABLE t (n)")
        breaks_off(c, "INSERT INTO t")
        c.execute("INSERT INTO t VALUES (1)")

    with pytest.raises(sqlite3.OperationalError, match="interrupted"):
        await on_thread(connection, lambda c: snapshot(ends_itself, c))
