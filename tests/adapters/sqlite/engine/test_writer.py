from __future__ import annotations

import asyncio
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from adapters.sqlite.engine.connection import connect, on_thread
from adapters.sqlite.engine.wal_checkpointer import WriteAheadLog
from adapters.sqlite.engine.writer import LARGE_GROUP, MAX_GROUP, REST_SECONDS, BatchWriter, WriterHooks
from bot.errors import DamagedDatabase, StoreError, UserError


def nothing(connection: sqlite3.Connection, texts: Iterable[str]) -> None:
    """Look for no texts."""


FORGETFUL = WriterHooks(lambda _: None, nothing)


async def a_writer(path: Path, make_room: Callable[[], bool], memory: WriterHooks = FORGETFUL) -> BatchWriter:
    connection = await connect(path, writable=True)
    return BatchWriter(connection, memory, make_room, WriteAheadLog(await connect(path, writable=True)), lambda: None)


@pytest.fixture
async def writer(tmp_path: Path):
    path = tmp_path / "w.db"
    path.touch()
    opened = await a_writer(path, lambda: False)
    await opened.write(lambda c: c.execute("CREATE TABLE t (n INTEGER, s TEXT)") and None)
    yield opened
    await opened.close()


def put(n: int):
    return lambda connection: connection.execute("INSERT INTO t VALUES (?, '')", (n,)) and None


def stored(connection: sqlite3.Connection) -> list[int]:
    return [row[0] for row in connection.execute("SELECT n FROM t ORDER BY rowid")]


async def test_many_callers_share_a_commit(writer: BatchWriter):
    before = writer.groups
    await asyncio.gather(*(writer.write(put(n)) for n in range(1000)))
    assert writer.groups - before <= 1 + -(-1000 // MAX_GROUP)
    assert await writer.write(stored) == list(range(1000))


async def test_the_pragmas_are_what_durability_needs(writer: BatchWriter):
    def look(connection: sqlite3.Connection) -> list[object]:
        names = ("journal_mode", "synchronous", "foreign_keys", "secure_delete")
        return [connection.execute(f"PRAGMA {name}").fetchone()[0] for name in names]

    assert await writer.write(look) == ["wal", 2, 1, 1]


async def test_a_failing_unit_leaves_the_others_alone(writer: BatchWriter):
    def broken(connection: sqlite3.Connection) -> None:
        put(666)(connection)
        raise UserError("no")

    def refused(connection: sqlite3.Connection) -> None:
        put(667)(connection)
        connection.execute("INSERT INTO nowhere VALUES (1)")

    units = [put(1), broken, put(2), refused, put(3)]
    results = await asyncio.gather(*(writer.write(unit) for unit in units), return_exceptions=True)
    assert [type(result) for result in results] == [type(None), UserError, type(None), DamagedDatabase, type(None)]
    assert await writer.write(stored) == [1, 2, 3]


async def test_only_a_group_with_a_failing_unit_is_run_again(writer: BatchWriter):
    runs: list[int] = []

    def counted(n: int):
        return lambda connection: runs.append(n) or put(n)(connection)

    def broken(connection: sqlite3.Connection) -> None:
        raise UserError("no")

    await asyncio.gather(*(writer.write(counted(n)) for n in range(3)))
    assert runs == [0, 1, 2]
    runs.clear()
    await asyncio.gather(*(writer.write(unit) for unit in (counted(3), broken, counted(4))), return_exceptions=True)
    assert runs == [3, 3, 4]
    assert await writer.write(stored) == [0, 1, 2, 3, 4]


async def test_who_remembers_is_told_that_units_were_undone(tmp_path: Path):
    path = tmp_path / "w.db"
    path.touch()
    seen: list[list[int]] = []
    writer = await a_writer(path, lambda: False, WriterHooks(lambda c: seen.append(stored(c)), nothing))
    await writer.write(lambda c: c.execute("CREATE TABLE t (n INTEGER, s TEXT)") and None)

    def broken(connection: sqlite3.Connection) -> None:
        put(666)(connection)
        raise UserError("no")

    await asyncio.gather(*(writer.write(unit) for unit in (put(1), broken, put(2))), return_exceptions=True)
    assert seen == [[], [1]], "once when all began again, once when the one was left out"
    await writer.close()


async def test_a_cancelled_caller_does_not_cancel_its_unit(writer: BatchWriter):
    tasks = [asyncio.get_running_loop().create_task(writer.write(put(n))) for n in range(200)]
    await asyncio.sleep(0)
    for task in tasks[::2]:
        task.cancel()
    results = await asyncio.gather(*tasks, return_exceptions=True)
    assert sum(isinstance(result, asyncio.CancelledError) for result in results) == 100
    assert await writer.write(stored) == list(range(200))


async def test_callers_cancelled_at_any_moment_leave_no_open_transaction(writer: BatchWriter):
    for round_ in range(60):
        tasks = [asyncio.get_running_loop().create_task(writer.write(put(n))) for n in range(5)]
        for _ in range(round_ % 7):
            await asyncio.sleep(0)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    assert await writer.write(lambda connection: connection.in_transaction)
    assert not await writer.run_alone(lambda connection: connection.in_transaction)
    assert len(await writer.write(stored)) <= 300


async def test_closing_finishes_what_is_queued(tmp_path: Path):
    path = tmp_path / "w.db"
    path.touch()
    writer = await a_writer(path, lambda: False)
    await writer.write(lambda c: c.execute("CREATE TABLE t (n INTEGER, s TEXT)") and None)
    tasks = [asyncio.get_running_loop().create_task(writer.write(put(n))) for n in range(50)]
    await asyncio.sleep(0)
    await writer.close()
    await asyncio.gather(*tasks)
    raw = sqlite3.connect(path)
    assert stored(raw) == list(range(50))
    raw.close()
    with pytest.raises(StoreError, match="closed"):
        await writer.write(put(1))


async def test_no_thread_is_left_behind(tmp_path: Path):
    before = set(threading.enumerate())
    path = tmp_path / "w.db"
    path.touch()
    writer = await a_writer(path, lambda: False)
    await writer.close()
    for thread in set(threading.enumerate()) - before:
        thread.join(1)
    assert set(threading.enumerate()) <= before


async def leave_room(writer: BatchWriter, pages: int) -> None:
    """Let the file grow by so many pages and no more."""
    there = await writer.run_alone(lambda connection: connection.execute("PRAGMA page_count").fetchone()[0])
    await writer.run_alone(lambda connection: connection.execute(f"PRAGMA max_page_count = {there + pages}").fetchone())


def big(connection: sqlite3.Connection) -> None:
    connection.execute("INSERT INTO t VALUES (9, ?)", ("x" * 100_000,))


async def test_a_full_disk_fails_every_waiter_and_stores_nothing(writer: BatchWriter):
    await leave_room(writer, 5)
    results = await asyncio.gather(*(writer.write(u) for u in (put(1), big, put(2))), return_exceptions=True)
    assert [type(result) for result in results] == [StoreError] * 3
    assert all("Free some space" in str(result) for result in results)
    assert await writer.write(stored) == []
    await writer.write(put(7))
    assert await writer.write(stored) == [7]


async def test_the_ballast_lets_a_group_through(tmp_path: Path):
    path = tmp_path / "w.db"
    path.touch()
    asked: list[int] = []

    def big(connection: sqlite3.Connection) -> None:
        connection.execute(f"PRAGMA max_page_count = {1000 if asked else 4}").fetchone()
        connection.execute("INSERT INTO t VALUES (1, ?)", ("x" * 100_000,))

    writer = await a_writer(path, lambda: asked.append(1) is None)
    await writer.write(lambda c: c.execute("CREATE TABLE t (n INTEGER, s TEXT)") and None)
    await writer.write(big)
    assert asked == [1]
    assert await writer.write(stored) == [1]
    await writer.close()


def mounted(directory: Path, size: str) -> bool:
    # no subprocess in this code base; mount(2) is called directly
    import ctypes

    libc = ctypes.CDLL(None, use_errno=True)
    return os.geteuid() == 0 and not libc.mount(b"none", str(directory).encode(), b"tmpfs", 0, f"size={size}".encode())


async def test_a_really_full_file_system(tmp_path: Path):
    import ctypes

    from tests.adapters.sqlite.opened import opened
    from tests.fakes import values as v

    disk = tmp_path / "disk"
    disk.mkdir()
    if not mounted(disk, "2m"):
        pytest.skip("needs the right to mount a small tmpfs")
    try:
        async with opened(disk / "data") as store:
            kept = 0
            with pytest.raises(StoreError, match="Free some space"):
                while True:
                    await store.ledger.arrive([v.arrival("x" * 900, str(kept))], None)
                    kept += 1
            assert kept > 10
            assert len(await store.ledger.unsettled()) == kept
            with pytest.raises(StoreError, match="Free some space"):
                await store.ledger.arrive([v.arrival("x" * 9000, "more")], None)
        ctypes.CDLL(None).mount(b"none", str(disk).encode(), b"tmpfs", 32, b"size=8m")  # MS_REMOUNT
        async with opened(disk / "data") as store:
            assert len(await store.ledger.unsettled()) == kept
            await store.ledger.arrive([v.arrival("again", "again")], None)
            assert {probe.state for probe in await store.probe()} == {"ok"}
    finally:
        ctypes.CDLL(None).umount2(str(disk).encode(), 2)


async def test_what_nobody_waits_for_is_part_of_the_next_commit(writer: BatchWriter):
    before = writer.groups
    writer.park(put(1))
    await writer.write(put(2))
    assert await writer.write(stored) == [1, 2]
    assert writer.groups - before == 2


async def test_what_nobody_waits_for_is_there_for_whoever_reads_next(writer: BatchWriter):
    writer.park(put(1))
    await writer.flush_parked()
    await writer.flush_parked()
    assert await writer.run_alone(stored) == [1]


async def test_what_nobody_waits_for_is_kept_without_anybody_else(tmp_path: Path):
    path = tmp_path / "parked.db"
    path.touch()
    opened = await a_writer(path, lambda: False)
    await opened.write(lambda c: c.execute("CREATE TABLE t (n INTEGER, s TEXT)") and None)
    opened.park(put(1))
    await opened.close()
    with pytest.raises(StoreError, match="closed"):
        opened.park(put(2))
    again = await connect(path, writable=False)
    assert await on_thread(again, stored) == [1]
    await again.close()


async def test_what_nobody_waits_for_outlives_a_commit_that_failed(writer: BatchWriter):
    await leave_room(writer, 5)
    writer.park(put(1))
    with pytest.raises(StoreError, match="Free some space"):
        await writer.write(big)
    await writer.write(put(2))
    assert await writer.write(stored) == [1, 2]


async def test_what_cannot_be_stored_yet_keeps_no_reader_waiting_and_is_not_forgotten(writer: BatchWriter):
    await leave_room(writer, 5)
    writer.park(big)
    writer.park(put(1))
    await writer.flush_parked()
    await writer.flush_parked()
    assert await writer.run_alone(stored) == []
    with pytest.raises(StoreError, match="Free some space"):
        await writer.write(put(2))
    await leave_room(writer, 500)
    await writer.write(put(3))
    assert await writer.write(stored) == [9, 1, 3]


async def test_what_could_not_be_stored_is_when_the_writer_closes(tmp_path: Path):
    path = tmp_path / "parked.db"
    path.touch()
    opened = await a_writer(path, lambda: False)
    await opened.write(lambda c: c.execute("CREATE TABLE t (n INTEGER, s TEXT)") and None)
    await leave_room(opened, 5)
    opened.park(big)
    await opened.flush_parked()
    await leave_room(opened, 500)
    await opened.close()
    again = await connect(path, writable=False)
    assert await on_thread(again, stored) == [9]
    await again.close()


async def test_what_nobody_waits_for_and_fails_by_itself_is_tried_once(writer: BatchWriter):
    runs: list[int] = []

    def broken(connection: sqlite3.Connection) -> None:
        runs.append(1)
        raise UserError("no")

    writer.park(broken)
    await writer.write(put(1))
    await writer.write(put(2))
    assert len(runs) == 2  # in the commit that it spoils, and once more by itself
    assert await writer.write(stored) == [1, 2]


async def test_a_crowd_goes_on_before_the_next_commit(writer: BatchWriter, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("adapters.sqlite.engine.writer.MAX_GATHER_SECONDS", 10.0)
    before = writer.groups

    async def goes_on(number: int) -> None:
        await writer.write(put(number))
        for _ in range(number + 1):
            until = time.perf_counter() + 4 * REST_SECONDS
            while time.perf_counter() < until:
                pass  # the loop is at work
            await asyncio.sleep(0)
        await writer.write(put(100 + number))

    await asyncio.gather(*map(goes_on, range(LARGE_GROUP)))
    assert writer.groups - before == 2
    assert sorted(await writer.write(stored)) == [*range(LARGE_GROUP), *range(100, 100 + LARGE_GROUP)]


async def test_behind_a_crowd_nobody_waits_for_a_loop_that_rests(writer: BatchWriter, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("adapters.sqlite.engine.writer.MAX_GATHER_SECONDS", 1000.0)
    async with asyncio.timeout(10):
        for _ in range(3):
            await asyncio.gather(*(writer.write(put(n)) for n in range(LARGE_GROUP)))


async def test_a_goodbye_does_not_wait_for_a_crowd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("adapters.sqlite.engine.writer.MAX_GATHER_SECONDS", 1000.0)
    monkeypatch.setattr("adapters.sqlite.engine.writer.REST_SECONDS", 0.0)
    path = tmp_path / "w.db"
    path.touch()
    writer = await a_writer(path, lambda: False)
    await asyncio.gather(*(writer.write(lambda _: None) for _ in range(LARGE_GROUP)))
    async with asyncio.timeout(10):
        await writer.close()


async def test_what_does_not_hurry_shares_the_commit_of_what_does(writer: BatchWriter):
    before = writer.groups
    async with asyncio.TaskGroup() as group:
        group.create_task(writer.write(put(1), hurries=False))
        group.create_task(writer.write(put(2), hurries=False))
        group.create_task(writer.write(put(3)))
    assert writer.groups - before == 1
    assert await writer.write(stored) == [1, 2, 3]


async def test_what_does_not_hurry_waits_for_nobody_for_long(writer: BatchWriter):
    async with asyncio.timeout(10):
        await writer.write(put(1), hurries=False)
    assert await writer.write(stored) == [1]


async def test_what_does_not_hurry_is_no_commit_of_its_own_behind_another(writer: BatchWriter):
    """The case of a busy server: a poll is being stored while what was overheard in the one before comes in."""
    before, under_way, patient = writer.groups, threading.Event(), asyncio.Event()
    loop = asyncio.get_running_loop()

    def slow(connection: sqlite3.Connection) -> None:
        loop.call_soon_threadsafe(patient.set)
        assert under_way.wait(10)
        put(1)(connection)

    async with asyncio.TaskGroup() as group:
        group.create_task(writer.write(slow))
        await patient.wait()
        overheard = group.create_task(writer.write(put(2), hurries=False))
        await asyncio.sleep(0)
        under_way.set()
        await writer.write(put(3))
        await overheard
    assert writer.groups - before == 2
    assert await writer.write(stored) == [1, 2, 3]


async def test_what_does_not_hurry_is_stored_by_a_goodbye(tmp_path: Path):
    path = tmp_path / "patient.db"
    path.touch()
    opened = await a_writer(path, lambda: False)
    await opened.write(lambda c: c.execute("CREATE TABLE t (n INTEGER, s TEXT)") and None)
    async with asyncio.TaskGroup() as group:
        group.create_task(opened.write(put(1), hurries=False))
        await asyncio.sleep(0)
        await opened.close()
    again = await connect(path, writable=False)
    assert await on_thread(again, stored) == [1]
    await again.close()


async def test_what_does_not_hurry_waits_for_nobody_behind_what_could_not_be_stored(writer: BatchWriter):
    await leave_room(writer, 5)
    writer.park(big)
    await writer.flush_parked()
    await leave_room(writer, 500)
    async with asyncio.timeout(5):
        await writer.write(put(1), hurries=False)
    assert await writer.write(stored) == [9, 1]
