"""What the parts of the store share: one way to write, one way to read."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Hashable, Iterable, Sequence, Sized
from functools import partial
from typing import Any, NamedTuple, TypeVar, cast

from adapters.sqlite.engine.connection import DatabaseThread, Work, explain, on_thread
from adapters.sqlite.engine.content_store import ContentStore
from adapters.sqlite.engine.damage import DamageList
from adapters.sqlite.engine.file_watch import FileWatch
from adapters.sqlite.engine.leftovers import LeftoverWiper
from adapters.sqlite.engine.moves import read_moves as read_moves
from adapters.sqlite.engine.prefetch import prefetch_rows
from adapters.sqlite.engine.sql_connection import (
    DATABASE_ERRORS,
    DatabaseFault,
    SqlConnection,
    execute_unbatched,
    is_sqlite,
    must_not_be_lost,
    roll_back,
)
from adapters.sqlite.engine.write_batch import Values
from adapters.sqlite.engine.writer import MAX_CUTS, Ahead, BatchWriter
from bot.domain.base import Digest
from bot.domain.channel_moves import ChannelMoves
from bot.errors import DamagedRow, StoreError
from bot.ports.clock import Clock
from bot.runtime.lru_cache import LRUCache
from bot.sentences import later

T = TypeVar("T")
MAX_ANSWERS = 500
"""How many answers are remembered that may be long."""
MAX_ENTRIES = 3000
"""How many entries these have together: one, a memory for instance, takes 3 KB."""
MAX_SHORT_ANSWERS = 5000
"""How many are that are one value or none: of them hardly more than the question is kept (400 bytes, measured)."""


_Answers = LRUCache[Hashable, tuple[tuple[int, ...], Any]]


def _version_of(connection: SqlConnection) -> Hashable:
    sql = "PRAGMA data_version" if is_sqlite(connection) else "SELECT pg_snapshot_xmax(pg_current_snapshot())::text"
    return cast(Hashable, connection.execute(sql).fetchone()[0])


class OthersWrote(NamedTuple):
    """What other processes may have done since: deleted content, and given channels other names."""

    swept: bool
    moved: bool


class SqliteDatabase:
    """An open file. Without a writer it can only be read. `moves` is written on the writer's thread alone."""

    def __init__(
        self,
        readers: Sequence[DatabaseThread],
        writer: BatchWriter | None,
        names: ContentStore,
        clock: Clock | None,
    ) -> None:
        self.writer = writer
        self.names = names
        self.instance = ""
        self.secret_key = b""
        self.moves = ChannelMoves()
        self.damage = DamageList()
        self.watch: FileWatch | None = None
        self.leftovers: LeftoverWiper | None = None
        self.vacuum: Callable[[], Awaitable[None]] | None = None
        """How another database than SQLite takes deleted words out of its files."""
        self.clock = clock
        self.shares = False
        """Other processes write here as well: nothing is remembered that they may change."""
        self.of_nobody = ""
        """What holds where no living process is at work on a row of `{table}`; empty where there is only this one."""
        self._closed = False
        self._answers: _Answers = LRUCache(MAX_ANSWERS, most_size=MAX_ENTRIES, size=lambda _, kept: len(kept[1]))
        self._short: _Answers = LRUCache(MAX_SHORT_ANSWERS)
        self._readers = readers
        self._pending = [0] * len(readers)

    @property
    def is_full(self) -> bool:
        """Whether the newest commit failed for lack of room."""
        return self.writer is not None and self.writer.was_full

    def now(self) -> int:
        """Return UTC milliseconds; 0 without a clock."""
        return self.clock.now() if self.clock else 0

    def left_in(self, table: str) -> str:
        """Return what is to be asked of rows of a table that nobody is at work on, behind another condition."""
        return self.of_nobody.format(table=table)

    def recall(self, connection: SqlConnection) -> None:
        """Take the moves from the database."""
        self.moves = read_moves(connection)

    def undone(self, connection: SqlConnection) -> None:
        """Forget what is remembered of units that were undone; for the writer's thread."""
        self.names.forget()
        # a row that was altered since the start stays as it was then
        # nor is anything read of a session that was lost: another one recalls it when it begins
        with contextlib.suppress(DamagedRow, DatabaseFault):
            self.recall(connection)

    def others_wrote(self, connection: SqlConnection, what: OthersWrote) -> None:
        """Forget what others may have changed: deleted content, and where channels are; for the writer's thread."""
        if what.swept:
            self.names.forget()
        else:
            self.names.forget_absent()
        if what.moved:
            self.recall(connection)

    def look_for(self, connection: SqlConnection, wanted: Iterable[Hashable]) -> None:
        """Look at once for texts, by their digests, and for rows, by their unique names; for the writer's thread."""
        texts: list[Digest] = []
        rows: list[Values] = []
        for name in wanted:
            if isinstance(name, tuple):
                rows.append(name)
            else:
                texts.append(cast(Digest, name))
        self.names.look_for(connection, texts)
        prefetch_rows(connection, rows)

    async def write(self, work: Work[T], ahead: Ahead = tuple, *, hurries: bool = True) -> T:
        """Run a unit of work; it is durable when this returns. `ahead` says by which names it will look for rows.

        One that does not hurry may be kept for a moment (`writer.MAX_PARKED_SECONDS`).
        """
        if self.writer is None:
            raise StoreError(later("store.read-only"))
        try:
            return await self.writer.write(work, ahead, hurries=hurries)
        except DamagedRow as error:
            self.damage.note(error)
            raise

    def park(self, work: Work[Any]) -> None:
        """Let a unit of work that nobody waits for be durable before anything that is written after it, and be read."""
        if self.writer is None:
            raise StoreError(later("store.read-only"))
        self.writer.park(work)

    def draw(self, table: str) -> int:
        """Return the number of a row that is stored later."""
        if self.writer is None:
            raise StoreError(later("store.read-only"))
        return self.writer.draw(table)

    async def read(self, work: Work[T]) -> T:
        """Run a query on what is committed; everything that it reads is of one moment."""
        if self._closed:
            raise StoreError(later("store.closed"))
        if self.writer is not None:
            await self.writer.flush_parked()
        index = min(range(len(self._readers)), key=self._pending.__getitem__)
        self._pending[index] += 1
        try:
            return await self._looked(self._readers[index], partial(snapshot, work))
        except DamagedRow as error:
            self.damage.note(error)
            raise
        except (*DATABASE_ERRORS, ValueError) as error:
            raise explain(error) from error
        finally:
            self._pending[index] -= 1

    async def _looked(self, reader: DatabaseThread, look: Work[T]) -> T:
        for _ in range(MAX_CUTS):
            try:
                return await on_thread(reader, look)
            except DatabaseFault as fault:
                if not fault.cut:
                    raise
        return await on_thread(reader, look)

    def version(self, tables: Sequence[str]) -> tuple[int, ...] | None:
        """Return what differs after every commit that may have changed one of these; None where others write."""
        return self.writer.version(tables) if self.writer is not None and not self.shares else None

    async def ask(self, question: Hashable, tables: Sequence[str], work: Work[T]) -> T:
        """Do what `read` does, but not again as long as nothing of this has changed: `table`, `table+`, `table.column`.

        `question` is another for everything that gives another answer, and the answer is nothing that can change.
        """
        version = self.version(tables)
        if version is None:
            return await self.read(work)
        for shelf in (self._answers, self._short):
            known = shelf.get(question)
            if known is not None and known[0] == version:
                return cast(T, known[1])
        answer = await self.read(work)
        is_long = isinstance(answer, Sized) and len(answer) > 0
        shelf, other = (self._answers, self._short) if is_long else (self._short, self._answers)
        # of another version it may be on the other shelf
        other.drop(question)
        shelf.put(question, (version, answer))
        return answer

    async def version_on_disk(self, tables: Sequence[str]) -> Hashable:
        """Return the same also where others write: there it differs after every commit of theirs."""
        if (own := self.version(tables)) is not None:
            return own
        # each connection has a count of its own
        return await on_thread(self._readers[0], _version_of)

    async def close(self) -> None:
        """Close readers first, so that the writer's checkpoint finds nobody in its way."""
        self._closed = True
        await asyncio.gather(*(reader.close() for reader in self._readers))
        if self.writer is not None:
            await self.writer.close()
        if self.leftovers is not None:
            self.leftovers.close()


def snapshot(work: Work[T], connection: SqlConnection) -> T:
    """Run a query for which everything is of one moment."""
    execute_unbatched(connection, "BEGIN")
    try:
        found = work(connection)
    finally:
        roll_back(connection)
    must_not_be_lost(connection)
    return found
