"""The whole database is looked over in slices, which go on where they were; what was not looked at is never claimed."""

from __future__ import annotations

import random
import sqlite3
from pathlib import Path

import pytest

from adapters.sqlite.engine.directory import DATABASE
from adapters.sqlite.engine.functions import register_functions
from adapters.sqlite.engine.tables import SEALED
from adapters.sqlite.upkeep import checkup
from adapters.sqlite.upkeep.checkup import FEW_ROWS, INTERVAL_MS, NEWEST_ROWS, CheckupProgress
from adapters.sqlite.upkeep.integrity import scan
from bot.domain.health import ProbeResult
from bot.sentences import speaking
from tests.adapters.sqlite.opened import opened
from tests.fakes import values as v
from tests.fakes.clock import START, FakeClock
from tests.inside.store import database_of

HOUR = 3_600_000


def many_rows(directory: Path, many: int) -> None:
    """Put so many sealed rows into the table that has most of them."""
    columns = ", ".join(SEALED["stage"])
    values = "n, 1, n, 'gate', 'pass', 'reason', '{}'"
    with sqlite3.connect(directory / DATABASE) as connection:
        register_functions(connection)
        connection.execute(
            f"WITH RECURSIVE up(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM up WHERE n < {many})"
            f" INSERT INTO stage ({columns}, h) SELECT {values}, row_hash({values}) FROM up"
        )
    connection.close()


def tamper(directory: Path, sql: str) -> None:
    with sqlite3.connect(directory / DATABASE) as connection:
        register_functions(connection)
        connection.execute(sql)
    connection.close()


async def integrity(directory: Path, clock: FakeClock) -> ProbeResult:
    async with opened(directory, clock=clock) as store:
        return next(probe for probe in await store.probe() if probe.name == "store integrity")


@pytest.fixture
async def large(tmp_path: Path) -> Path:
    async with opened(tmp_path) as store:
        await store.memories.add([v.memory(f"memory {number}") for number in range(1, 9)])
    many_rows(tmp_path, FEW_ROWS + 5000)
    return tmp_path


async def test_of_a_large_database_only_that_is_said_which_was_looked_at(large: Path) -> None:
    clock = FakeClock()
    found = await integrity(large, clock)
    assert found.state == "unknown" and "no whole check yet" in found.evidence and found.fix
    # a clock that stands: all of it is one slice
    async with opened(large, clock=clock) as store:
        await store.look_over(0.1)
    found = await integrity(large, clock)
    assert found.state == "ok"
    assert found.evidence == (
        "last whole check 0 s ago, 100 % (65,008 rows); the newest 200 rows of each table are intact now"
    )
    clock.advance(3 * 3600)
    assert "last whole check 3 h ago" in (await integrity(large, clock)).evidence


async def test_the_look_goes_on_where_it_was_also_after_a_new_start(large: Path) -> None:
    clock, slices = FakeClock(), 0
    state = CheckupProgress()
    while not state.whole_at:
        async with opened(large, clock=clock) as store:
            for _ in range(4):
                # no time at all: one slice for each call
                await store.look_over(0.0)
                clock.advance(10)
                slices += 1
        state = recalled(large)
        if slices % 20 == 0 and not state.whole_at:
            found = await integrity(large, clock)
            assert found.state == "unknown" and f"begun {slices * 10 // 60} min ago" in found.evidence
        assert state.looked <= slices * checkup.SLICE_ROWS
    assert state.whole_looked == FEW_ROWS + 5000 + 8
    assert slices > (FEW_ROWS + 5000) // checkup.SLICE_ROWS


def recalled(directory: Path) -> CheckupProgress:
    connection = sqlite3.connect(directory / DATABASE)
    connection.row_factory = sqlite3.Row
    register_functions(connection)
    try:
        return checkup.recall(connection)
    finally:
        connection.close()


async def test_nothing_is_looked_at_again_for_hours(tmp_path: Path) -> None:
    clock = FakeClock()
    async with opened(tmp_path, clock=clock) as store:
        await store.look_over(1.0)
        assert recalled(tmp_path).whole_at == START
        clock.advance(INTERVAL_MS / 1000 - 1)
        await store.look_over(1.0)
        assert recalled(tmp_path).whole_at == START
        clock.advance(1)
        await store.look_over(1.0)
        assert recalled(tmp_path).whole_at == START + INTERVAL_MS


async def test_an_old_row_that_was_altered_is_found_by_the_slices_and_a_new_one_at_once(large: Path) -> None:
    clock = FakeClock()
    tamper(large, "UPDATE stage SET reason = 'other' WHERE id = 7")
    assert (await integrity(large, clock)).state == "unknown"
    async with opened(large, clock=clock) as store:
        await store.look_over(0.1)
        # so that those who run the bot hear of it
        assert [(damage.table, damage.row) for damage in store.damaged] == [("stage", 7)]
    found = await integrity(large, clock)
    assert found.state == "failed" and "stage 7 (altered)" in found.evidence and "restore" in found.fix
    with speaking("de"):
        assert "stage 7 (verändert)" in (await integrity(large, clock)).evidence
    tamper(large, f"UPDATE stage SET reason = 'other' WHERE id = {FEW_ROWS + 5000 - NEWEST_ROWS + 1}")
    found = await integrity(large, clock)
    assert f"stage {FEW_ROWS + 5000 - NEWEST_ROWS + 1} (altered)" in found.evidence


async def test_slices_find_what_a_whole_scan_finds(tmp_path: Path) -> None:
    dice = random.Random(3)
    async with opened(tmp_path) as store:
        rows = await store.memories.add(
            [v.memory(f"memory {n}", relations=(v.relation(n - 1),) if n > 1 else ()) for n in range(1, 40)]
        )
    for row in dice.sample(list(rows), 6):
        tamper(tmp_path, f"UPDATE memory SET content = 'other' WHERE id = {row}")
    tamper(tmp_path, "UPDATE memory SET content = CAST(x'ff6f' AS TEXT) WHERE id = 3")
    tamper(tmp_path, "DELETE FROM memory WHERE id = 20")
    async with opened(tmp_path) as store:
        scanned = await database_of(store).read(lambda connection: scan(connection, store.secret_key))
        await store.look_over(1.0)
        # that a row is gone, of which a version tells, is found by `verify` alone
        assert "memory 20 (missing)" in map(str, await store.verify())
    assert scanned and set(recalled(tmp_path).whole_damage) == set(scanned)


async def test_a_look_that_cannot_be_read_is_begun_again(large: Path) -> None:
    clock = FakeClock()
    async with opened(large, clock=clock) as store:
        await store.look_over(0.0)
    tamper(large, "UPDATE meta SET value = '{' WHERE name = 'checkup'")
    assert "no whole check yet" in (await integrity(large, clock)).evidence
    async with opened(large, clock=clock) as store:
        await store.look_over(1.0)
    assert recalled(large).whole_at
