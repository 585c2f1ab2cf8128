"""Copy the write-ahead log into the database beside the writer, so that nobody who writes waits for it.

Left to SQLite, every thousandth page makes some commit wait until all of them are copied and durable: 5 to 10 ms, which
at a thousand messages a second was one commit of ten.
"""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Protocol

import aiosqlite
import structlog

from adapters.sqlite.engine.connection import on_thread
from adapters.sqlite.engine.sql_connection import SqlConnection
from bot.runtime.tasks import TaskSupervisor

MIN_PAGES = 500
"""How many rows change between two copies; a row is two to four pages of the log."""
REST_SECONDS = 0.5
"""Seconds from the end of a copy to the next one: copying too often is writing the same pages again and again."""

MAX_PASSES = 3
"""How often what was committed during a copy is copied as well: only a log that was copied whole begins anew, and one
that never does grows until some commit has to copy it (4 to 9 ms, measured at a thousand messages a second)."""

log = structlog.get_logger(__name__)


class CommitLog(Protocol):
    """What is to be done beside a writer, or after it, for what it has committed."""

    def note_growth(self, changes: int) -> None:
        """Hear how many rows the writer has changed since it began."""

    def hold(self) -> AbstractAsyncContextManager[None]:
        """Let nothing be done meanwhile."""

    async def close(self) -> None:
        """Finish what is under way."""

    def finish(self, connection: SqlConnection) -> None:
        """Do what is left at the end, on the writer's own connection."""


class WriteAheadLog:
    """Copies while somebody writes, on a connection of its own. What was copied whole the next commit overwrites.

    Where the log grows all the same, because it was never copied whole, the writer does it (`LOG_PAGES`).
    """

    def __init__(self, connection: aiosqlite.Connection) -> None:
        self.worth_it = MIN_PAGES
        self.rest = REST_SECONDS
        self._connection = connection
        self._tasks = TaskSupervisor()
        self._changes = 0
        self._not_before = 0.0
        self._held = 0

    def note_growth(self, changes: int) -> None:
        """Begin to copy where it is worth it; `changes` are the rows that the writer has changed since it began."""
        rests = asyncio.get_running_loop().time() < self._not_before
        if changes - self._changes < self.worth_it or rests or self._held or self._tasks.busy:
            return
        self._changes = changes
        self._tasks.spawn("store-log", self._copy())

    @asynccontextmanager
    async def hold(self) -> AsyncIterator[None]:
        """Let nothing be copied meanwhile: SQLite refuses to somebody else what is under way here."""
        self._held += 1
        try:
            await self._tasks.idle()
            yield
        finally:
            self._held -= 1

    def finish(self, connection: SqlConnection) -> None:
        """Copy the rest at the end, on the writer's own connection."""
        # on a full disk this fails and nothing is lost: the next start reads the write-ahead log
        with contextlib.suppress(sqlite3.Error):
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    async def close(self) -> None:
        """Finish what is under way and let go of the file."""
        await self._tasks.idle()
        await self._connection.close()

    async def _copy(self) -> None:
        try:
            await on_thread(self._connection, copy_now)
        except sqlite3.Error as error:
            # nothing is lost and nobody is hindered; a full disk is told to those who write
            log.warning("log_not_copied", error=str(error))
        self._not_before = asyncio.get_running_loop().time() + self.rest


def copy_now(connection: sqlite3.Connection) -> None:
    """Copy what is there, and what is committed meanwhile, as far as nobody reads what would be overwritten."""
    # https://www.sqlite.org/pragma.html#pragma_wal_checkpoint: waits for nobody, and nobody waits for it
    before = -1
    for _ in range(MAX_PASSES):
        _, there, copied = connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
        if copied < there or there == before:
            return
        before = there
