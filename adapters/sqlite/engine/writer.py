"""The one writer: units of work from many callers, committed in groups."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import partial
from typing import Any, NamedTuple, TypeVar, cast

import structlog

from adapters.sqlite.engine.connection import DatabaseThread, Work, explain, is_full, on_thread
from adapters.sqlite.engine.sql_connection import DATABASE_ERRORS, DatabaseFault, SqlConnection, roll_back
from adapters.sqlite.engine.wal_checkpointer import CommitLog
from adapters.sqlite.engine.write_batch import (
    Batching,
    begin_batch,
    count_commit,
    drop_rest,
    drop_untold,
    execute_unbatched,
    settle,
    store_and_commit,
    store_rest,
    untold_so_far,
)
from bot.errors import StoreError
from bot.runtime.tasks import TaskSupervisor
from bot.sentences import later

T = TypeVar("T")
Undone = Callable[[SqlConnection], None]
"""Told, on the writer's thread, that units were undone: what is remembered of them outside the database is wrong."""
Ahead = Callable[[], Iterable[Hashable]]
"""Says, on the writer's thread, by which names a unit will look for rows, so that a group looks for all at once."""

MAX_GROUP = 256
MAX_PARKED_SECONDS = 0.05
"""Seconds that a unit which nobody is in a hurry for is kept, so that it can be part of somebody's commit."""
LARGE_GROUP = 8
"""From so many units on a commit has a crowd behind it: others are under way that will write soon as well."""
MAX_GATHER_SECONDS = 0.05
"""Seconds for which a crowd may go on before the next commit; each commit takes the interpreter from it many times."""
MAX_CUTS = 3
"""So many times a group is run again whose session a server ended before it was stored."""
REST_SECONDS = 0.0002
"""Seconds within which a loop that has no work comes round."""

log = structlog.get_logger(__name__)


class _Unit(NamedTuple):
    work: Work[Any]
    ahead: Ahead
    done: asyncio.Future[Any]
    is_parked: bool = False
    """Nobody waits until it is stored."""


class WriterHooks(NamedTuple):
    """What is remembered outside of the database: whom to tell of undone units, and who looks for rows."""

    undone: Undone
    look_for: Callable[[SqlConnection, Sequence[Hashable]], None]


class _Result(NamedTuple):
    value: Any = None
    error: BaseException | None = None
    undone: bool = False
    """The whole group was rolled back, whatever this unit did."""
    full: bool = False
    """That was for lack of room."""
    lacked_room: bool = False
    """So did this unit alone, in a database that then keeps the others."""
    cut: bool = False
    """A server ended the session before anything of the group was stored."""


class BatchWriter:
    """Owns the write connection. While one group is made durable the next gathers; behind a large one, a bit longer."""

    def __init__(
        self,
        connection: DatabaseThread,
        memory: WriterHooks,
        make_room: Callable[[], bool],
        wal: CommitLog,
        check: Callable[[], None],
    ) -> None:
        self.groups = 0
        self.was_full = False
        self._connection = connection
        self._memory = memory
        self._make_room = make_room
        self._check = check
        self.wal = wal
        self._queue: deque[_Unit] = deque()
        self._tasks = TaskSupervisor()
        self._parked: asyncio.Future[Any] | None = None
        self._left: list[_Unit] = []
        self._draining = False
        self._is_due = False
        self._closed = False

    def version(self, tables: Sequence[str]) -> tuple[int, ...]:
        """Return what differs after every commit that may have changed one of these tables."""
        commits = cast(Batching, self._connection._conn).commits
        return tuple(commits.get(table, 0) for table in ("", *tables))

    async def write(self, work: Work[T], ahead: Ahead = tuple, *, hurries: bool = True) -> T:
        """Run a unit and return when it is durable. Cancelling the caller cancels the waiting, never the unit.

        One that does not hurry waits for the next commit of somebody else's where one is under way, for a moment.
        """
        if self._closed:
            raise StoreError(later("store.closed"))
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._take_up_left()
        self._queue.append(_Unit(work, ahead, done))
        if hurries or not self._draining:
            self._wake()
        return await done

    def park(self, work: Work[Any]) -> None:
        """Let a unit be part of the next group, whose it ever is: durable before anything that is written after it.

        Where a whole group cannot be stored, it is part of the one that is tried next.
        """
        if self._closed:
            raise StoreError(later("store.closed"))
        self._wake_later()
        self._take_up_left()
        self._queue.append(self._parked_unit(work))
        # a group that is under way does not end before this is stored, too
        self._is_due = True

    async def flush_parked(self) -> None:
        """Return when what is parked can be read, or could not be stored; what is in line by now is not waited for."""
        self._take_up_left()
        if self._queue and not self._draining and self._parked is not None:
            self._wake()
            await asyncio.wait([self._parked])

    def draw(self, table: str) -> int:
        """Return the number of a row that is stored later; every number of such a table is drawn here."""
        newest = cast(Batching, self._connection._conn).newest
        newest[table] = drawn = newest[table] + 1
        return drawn

    async def run_alone(self, work: Callable[[Any], T]) -> T:
        """Run work that brings its own transactions (checkpoint, vacuum) between two groups."""
        async with self.wal.hold():
            return await on_thread(self._connection, work)

    async def close(self) -> None:
        """Finish what is queued, checkpoint and let go of the file."""
        self._closed = True
        self._take_up_left()
        self._wake()
        await self._tasks.idle()
        await self.wal.close()
        try:
            await on_thread(self._connection, self.wal.finish)
        finally:
            await self._connection.close()

    def _parked_unit(self, work: Work[Any]) -> _Unit:
        self._parked = asyncio.get_running_loop().create_future()
        self._parked.add_done_callback(_told_nobody)
        return _Unit(work, tuple, self._parked, is_parked=True)

    def _take_up_left(self) -> None:
        """Put what could not be stored, and nobody was told of, before everything else."""
        self._queue.extendleft(reversed(self._left))
        self._left.clear()

    def _wake_later(self) -> None:
        """See to it that what is put in line now does not wait for ever; whoever stands there already has done so."""
        if not self._draining and not self._queue:
            asyncio.get_running_loop().call_later(MAX_PARKED_SECONDS, self._wake)

    def _wake(self) -> None:
        if not self._queue:
            return
        self._is_due = True
        if not self._draining:
            self._draining = True
            self._tasks.spawn("store-writer", self._drain())

    async def _drain(self) -> None:
        try:
            while self._queue and self._is_due:
                # what comes meanwhile, and does not hurry, waits for what does
                self._is_due = len(self._queue) > MAX_GROUP
                group = [self._queue.popleft() for _ in range(min(MAX_GROUP, len(self._queue)))]
                await self._commit(group)
                if len(group) >= LARGE_GROUP:
                    await self._gather()
        finally:
            self._draining = False
            if self._queue:
                asyncio.get_running_loop().call_later(MAX_PARKED_SECONDS, self._wake)

    async def _gather(self) -> None:
        """Let a crowd go on for a moment, so that more of it shares the next commit; return where the loop has rest."""
        now = asyncio.get_running_loop().time
        began = before = now()
        while not self._closed:
            await asyncio.sleep(0)
            after = now()
            if after - before < REST_SECONDS or after - began > MAX_GATHER_SECONDS:
                return
            before = after

    async def _commit(self, group: Sequence[_Unit]) -> None:
        self.groups += 1
        commit = partial(_commit_checked, self._check, group, self._memory)
        results: Sequence[_Result]
        try:
            results = await on_thread(self._connection, commit)
            if results[0].full and self._make_room():
                results = await on_thread(self._connection, commit)
            for _ in range(MAX_CUTS):
                if not results[0].cut:
                    break
                results = await on_thread(self._connection, commit)
        except Exception as error:  # noqa: BLE001 - whatever it is, every waiter is told and the writer goes on
            results = [_Result(error=error, undone=True)] * len(group)
        self.was_full = any(result.full or result.lacked_room for result in results)
        for unit, result in zip(group, results, strict=True):
            if unit.done.done():
                continue
            if result.undone and unit.is_parked:
                self._left.append(self._parked_unit(unit.work))
                unit.done.set_result(None)
            elif result.error is None:
                unit.done.set_result(result.value)
            else:
                unit.done.set_exception(result.error)
        self.wal.note_growth(cast(Batching, self._connection._conn).changes)


def _told_nobody(parked: asyncio.Future[Any]) -> None:
    if not parked.cancelled() and (error := parked.exception()) is not None:
        # what is written after it misses it, and fails by that
        log.error("parked_unit_failed", error_type=type(error).__name__, exc_info=error)


def _commit_checked(
    check: Callable[[], None], group: Sequence[_Unit], memory: WriterHooks, connection: SqlConnection
) -> list[_Result]:
    """Commit, and believe it only while the files are there that the next start will read."""
    check()
    results = _commit_group(group, memory, connection)
    check()
    return results


def _commit_group(group: Sequence[_Unit], memory: WriterHooks, connection: SqlConnection) -> list[_Result]:
    begin_batch(connection)
    drop_untold(connection)
    undone = memory.undone
    try:
        try:
            execute_unbatched(connection, "BEGIN IMMEDIATE")
            memory.look_for(connection, [name for unit in group for name in unit.ahead()])
            results = [_Result(unit.work(connection)) for unit in group]
            is_committed = store_and_commit(connection)
        except Exception:
            if not connection.in_transaction:
                _forget(undone, connection)
                raise  # SQLite has undone the whole group
            # somebody's unit failed, which is rare: begin again, with a way back to before each of them
            execute_unbatched(connection, "ROLLBACK")
            _forget(undone, connection)
            drop_untold(connection)
            execute_unbatched(connection, "BEGIN IMMEDIATE")
            # what it begins with may fail on a server, and is no unit's failure
            settle(connection)
            results = [_run(unit.work, undone, connection) for unit in group]
            is_committed = False
        if not is_committed:
            execute_unbatched(connection, "COMMIT")
        count_commit(connection)
    except DATABASE_ERRORS as error:
        # a full disk ends the whole transaction, also in the middle; then nobody's unit is stored
        roll_back(connection)
        _forget(undone, connection)
        cut = isinstance(error, DatabaseFault) and error.cut
        return [_Result(error=explain(error), undone=True, full=is_full(error), cut=cut) for _ in group]
    return results


def _run(work: Work[Any], undone: Undone, connection: SqlConnection) -> _Result:
    execute_unbatched(connection, "SAVEPOINT unit")
    before = untold_so_far(connection)
    try:
        result = _Result(work(connection))
        store_rest(connection)
    except Exception as error:
        # the unit's own failure goes to its caller, the others go on
        if not connection.in_transaction:
            _forget(undone, connection)
            raise  # SQLite has undone the whole group
        execute_unbatched(connection, "ROLLBACK TO unit")
        _forget(undone, connection)
        drop_untold(connection, before)
        lacked_room = isinstance(error, DatabaseFault) and error.full
        result = _Result(error=explain(error), lacked_room=lacked_room)
    execute_unbatched(connection, "RELEASE unit")
    return result


def _forget(undone: Undone, connection: SqlConnection) -> None:
    drop_rest(connection)
    undone(connection)
