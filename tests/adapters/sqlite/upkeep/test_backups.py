"""The daily copy: whole, verified, for the owner's eyes, and gone when what it holds must be gone."""

from __future__ import annotations

import asyncio
import ctypes
import os
import sqlite3
import stat
from contextlib import suppress
from pathlib import Path

import pytest

from adapters.sqlite import SqliteStore, open_readonly
from adapters.sqlite.engine import copies
from bot.domain.ledger import Outcome, Settlement
from bot.errors import StoreError
from bot.ports.store import RetentionPolicy
from tests.adapters.sqlite.engine.test_writer import mounted
from tests.adapters.sqlite.opened import opened
from tests.adapters.sqlite.upkeep.test_integrity import furnish, tamper
from tests.fakes import values as v
from tests.fakes.clock import START, FakeClock

HOUR = 3_600_000
DAY = 24 * HOUR
FOREVER = RetentionPolicy(ambient_ms=0, messages_ms=0, requests_ms=0, records_ms=0, audit_ms=0, forgotten_ms=DAY)
KEEP = FOREVER.replace(ambient_ms=3 * DAY, messages_ms=30 * DAY, backups_ms=3 * DAY)


def there(directory: Path) -> list[str]:
    return sorted(path.name for path in (directory / "backups").glob("*"))


def texts(path: Path) -> list[str]:
    raw = sqlite3.connect(path)
    found = [row[0] for row in raw.execute("SELECT text FROM inbound ORDER BY id")]
    raw.close()
    return found


async def backup_probe(store: SqliteStore):
    (probe,) = (probe for probe in await store.probe() if probe.name == "store backup")
    return probe


async def test_a_copy_is_whole_and_for_the_owner_alone(tmp_path: Path):
    umask = os.umask(0)
    try:
        async with opened(tmp_path) as store:
            await store.ledger.arrive([v.arrival("hello", "1")], None)
            done = await store.back_up(KEEP, START)
    finally:
        os.umask(umask)
    assert there(tmp_path) == ["daily-20251009T085320Z.db"]
    assert (done.state, done.size) == ("made", os.stat(done.path).st_size)
    assert stat.S_IMODE(os.stat(done.path).st_mode) == 0o600
    assert stat.S_IMODE(os.stat(tmp_path / "backups").st_mode) == 0o700
    assert texts(Path(done.path)) == ["hello"]


async def test_one_a_day_however_often_the_bot_is_started(tmp_path: Path):
    clock = FakeClock()
    for hour in range(49):
        clock.set(START + hour * HOUR)
        async with opened(tmp_path, clock=clock) as store:
            done = await store.back_up(KEEP, clock.now())
            assert done.state == ("made" if hour % 24 == 0 else "not_due"), hour
    assert len(there(tmp_path)) == 3


async def test_one_copy_a_day_kept_as_long_as_it_may_be(tmp_path: Path):
    keep = KEEP.replace(messages_ms=2 * DAY, backups_ms=3 * DAY)
    async with opened(tmp_path) as store:
        await store.ledger.arrive([v.arrival()], None)
        made = await store.back_up(keep, START)
        assert (made.state, made.at, made.size > 0) == ("made", START, True)
        assert (await store.back_up(keep, START + DAY - 1)).state == "not_due"
        assert (await store.back_up(keep, START + DAY)).state == "made"
        assert Path(made.path).name in there(tmp_path)
        assert (await store.back_up(keep, START + 2 * DAY + 1)).state == "made"
        assert Path(made.path).name not in there(tmp_path)


async def test_copies_go_with_the_shortest_lived_thing_in_them(tmp_path: Path):
    short = KEEP.replace(ambient_ms=2 * DAY, backups_ms=3 * DAY)
    folder = tmp_path / "backups"
    async with opened(tmp_path) as store:
        await store.back_up(short, START)
        for name in (
            "replaced-20251009T085319Z.db",
            "replaced-20251009T085319Z.db-wal",
            "before-2-20251011T085320Z.db",
        ):
            (folder / name).write_bytes(b"a copy too")
        (folder / "mine.db").write_bytes(b"not made by this program")
        await store.back_up(short, START + 2 * DAY)
        assert there(tmp_path) == [
            "before-2-20251011T085320Z.db",
            "daily-20251009T085320Z.db",
            "daily-20251011T085320Z.db",
            "mine.db",
        ]
        await store.back_up(short, START + 2 * DAY + 1)
        assert "daily-20251009T085320Z.db" not in there(tmp_path)


async def test_what_was_wiped_is_in_no_copy_either_once_its_time_is_over(tmp_path: Path):
    canary, keep = "zanzibarcanary", KEEP.replace(messages_ms=3 * DAY)
    async with opened(tmp_path) as store:
        row = (await store.ledger.arrive([v.arrival(canary)], None))[0]
        assert row
        await store.ledger.settle([Settlement(inbound=row, at=START, outcome=Outcome.REPLIED)])
        days = []
        for day in range(8):
            await store.sweep(keep, START + day * DAY + HOUR)
            await store.back_up(keep, START + day * DAY + HOUR)
            days += [day] if holds(tmp_path, canary) else []
    assert days == [0, 1, 2, 3, 4, 5]  # three in the database, three in its last copy


async def test_the_last_copy_that_holds_anything_stays_whatever_its_age(tmp_path: Path):
    async with opened(tmp_path) as store:
        await store.ledger.arrive([v.arrival("hello", "1")], None)
        full = Path((await store.back_up(KEEP, START)).path)
    (tmp_path / "glassmind.db").unlink()
    async with opened(tmp_path, fresh=True) as store:
        for day in (1, 5, 400, 40_000):
            assert (await store.back_up(KEEP, START + day * DAY)).state == "made"
            assert full.name in there(tmp_path) and len(there(tmp_path)) == 2, day
        # the clock was wrong, and what it made goes; it goes back further than the copy is old
        await store.back_up(KEEP, START - 40_000 * DAY)
        assert full.name in there(tmp_path)
        await store.back_up(KEEP, START + DAY)
        await store.ledger.arrive([v.arrival("there is somebody again", "2")], None)
        await store.back_up(KEEP, START + 6 * DAY)
        assert there(tmp_path) == ["daily-20251015T085320Z.db"]


@pytest.mark.parametrize("now", [-(10**18), -1, 0, 2**31 * 1000, 253_402_300_800_000, 10**18])
async def test_a_clock_that_says_anything_makes_a_copy(tmp_path: Path, now: int):
    async with opened(tmp_path) as store:
        assert (await store.back_up(KEEP, now)).state == "made"
        assert len(there(tmp_path)) == 1
        assert await backup_probe(store)


def holds(directory: Path, canary: str) -> bool:
    return any(canary.encode() in path.read_bytes() for path in directory.rglob("*") if path.is_file())


async def test_without_daily_copies_the_others_still_go(tmp_path: Path):
    async with opened(tmp_path) as store:
        await store.back_up(KEEP, START)
        assert (await store.back_up(KEEP.replace(backups_ms=0), START + DAY)).state == "off"
        assert len(there(tmp_path)) == 1
        probe = await backup_probe(store)
        assert (probe.state, "switched off" in probe.evidence) == ("ok", True)
        await store.back_up(KEEP.replace(backups_ms=0), START + 4 * DAY)
        assert there(tmp_path) == []


async def test_where_nothing_is_wiped_nothing_is_dropped_but_what_is_told(tmp_path: Path):
    async with opened(tmp_path) as store:
        for day in range(4):
            await store.back_up(FOREVER.replace(backups_ms=2 * DAY), START + day * DAY)
    assert len(there(tmp_path)) == 3  # the oldest is two days old to the second


async def test_copies_that_live_for_hours_are_made_as_often(tmp_path: Path):
    short = KEEP.replace(ambient_ms=2 * HOUR)
    async with opened(tmp_path) as store:
        states = [(await store.back_up(short, START + hour * HOUR)).state for hour in range(5)]
        assert states == ["made", "not_due", "made", "not_due", "made"]
        assert len(there(tmp_path)) == 2


async def test_a_clock_that_was_ahead_does_not_stop_the_copies(tmp_path: Path):
    async with opened(tmp_path) as store:
        await store.back_up(KEEP, START + 900 * DAY)
        assert (await store.back_up(KEEP, START)).state == "made"
        assert (await store.back_up(KEEP, START + HOUR)).state == "not_due"
    assert there(tmp_path) == ["daily-20251009T085320Z.db"]


async def test_what_a_killed_process_was_writing_is_cleared_away(tmp_path: Path):
    (tmp_path / "backups").mkdir()
    for name in ("daily-20251009T085320Z.db.part", "daily-20251009T085320Z.db.part-journal"):
        (tmp_path / "backups" / name).write_bytes(b"half")
    async with opened(tmp_path):
        assert there(tmp_path) == []


async def test_a_copy_that_does_not_hold_is_not_kept_and_the_good_one_stays(tmp_path: Path):
    await furnish(tmp_path)
    async with opened(tmp_path) as store:
        await store.back_up(KEEP, START)
    good = there(tmp_path)
    tamper(tmp_path, "UPDATE memory SET content = 'never answer Ann' WHERE id = 3")
    clock = FakeClock(START + 2 * DAY)
    async with opened(tmp_path, clock=clock) as store:
        done = await store.back_up(KEEP, clock.now())
        assert done.state == "failed" and "memory 3 (altered)" in done.why
        assert there(tmp_path) == good
        probe = await backup_probe(store)
        assert probe.state == "warning" and "memory 3" in probe.evidence and good[0] in probe.evidence
        await store.ledger.arrive([v.arrival("life goes on", "99")], None)
    tamper(tmp_path, "UPDATE memory SET content = 'memory 2' WHERE id = 3")
    async with opened(tmp_path, clock=clock) as store:
        assert (await store.back_up(KEEP, clock.now() + HOUR)).state == "made"
        assert (await backup_probe(store)).state == "ok"


async def test_the_doctor_of_the_host_sees_it_too(tmp_path: Path):
    clock = FakeClock()
    async with opened(tmp_path, clock=clock) as store:
        probe = await backup_probe(store)
        assert (probe.state, probe.evidence) == ("ok", "no backup yet")
        await store.back_up(KEEP, START)
    for hours, state in ((48, "ok"), (49, "warning")):
        clock.set(START + hours * HOUR)
        reader = await open_readonly(tmp_path, clock)
        probe = await backup_probe(reader)
        assert probe.state == state
        assert "daily-20251009T085320Z.db, 2 d old" in probe.evidence and "verified" in probe.evidence
        with pytest.raises(StoreError, match="read-only"):
            await reader.back_up(KEEP, START)
        await reader.close()
    (tmp_path / "backups" / "daily-20251009T085320Z.db").unlink()
    reader = await open_readonly(tmp_path, clock)
    assert (await backup_probe(reader)).state == "warning"
    await reader.close()


async def test_without_room_none_is_made_and_this_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    async with opened(tmp_path, low_water=1000) as store:
        size = sum(os.stat(tmp_path / f"glassmind.db{side}").st_size for side in ("", "-wal", "-shm"))
        monkeypatch.setattr("adapters.sqlite.engine.directory.DiskRoom.free", lambda self: 1000 + size - 1)
        done = await store.back_up(KEEP, START)
        assert done.state == "skipped" and "no room" in done.why
        assert there(tmp_path) == []
        probe = await backup_probe(store)
        assert probe.state == "warning" and "no room" in probe.evidence
        monkeypatch.setattr("adapters.sqlite.engine.directory.DiskRoom.free", lambda self: 1 << 40)
        assert (await store.back_up(KEEP, START)).state == "made"


async def test_a_disk_that_fills_up_leaves_the_bot_running(tmp_path: Path):
    disk = tmp_path / "disk"
    disk.mkdir()
    if not mounted(disk, "3m"):
        pytest.skip("needs the right to mount a small tmpfs")
    try:
        async with opened(disk / "data") as store:
            await store.ledger.arrive([v.arrival("x" * 30_000, str(n)) for n in range(40)], None)
            store._copies._room = None  # the look at the room before is not what is tested here
            done = await store.back_up(KEEP, START)
            assert done.state == "failed" and "Free some space" in done.why
            assert there(disk / "data") == []
            assert (await backup_probe(store)).state == "warning"
            await store.ledger.arrive([v.arrival("life goes on", "more")], None)
            assert len(await store.ledger.unsettled()) == 41
    finally:
        ctypes.CDLL(None).umount2(str(disk).encode(), 2)


async def test_messages_arrive_while_it_is_copied(tmp_path: Path):
    async with opened(tmp_path) as store:
        await store.ledger.arrive([v.arrival("x" * 2000, str(n)) for n in range(2000)], None)
        copying = asyncio.ensure_future(store.back_up(KEEP, START))  # noqa: TID251 - two things at once
        during = 0
        while not copying.done():
            await store.ledger.arrive([v.arrival("meanwhile", f"more {during}")], None)
            during += 1
        done = await copying
        assert done.state == "made" and during > 1
        found = texts(Path(done.path))
        assert len(found) >= 2000
        assert set(found[2000:]) <= {"meanwhile"}
        assert len(await store.ledger.unsettled()) == 2000 + during


@pytest.mark.parametrize("when", [0, 1, 5, 20, 50])
async def test_a_bot_that_stops_does_not_wait_for_the_copy(tmp_path: Path, when: int):
    async with opened(tmp_path) as store:
        await store.ledger.arrive([v.arrival("x" * 2000, str(n)) for n in range(2000)], None)
        copying = asyncio.ensure_future(store.back_up(KEEP, START))  # noqa: TID251 - to be cancelled
        for _ in range(when):
            await asyncio.sleep(0.001)
        copying.cancel()
        with suppress(asyncio.CancelledError):
            await copying
        assert not [name for name in there(tmp_path) if ".part" in name]


def test_names_carry_the_moment(tmp_path: Path) -> None:
    (tmp_path / "backups").mkdir()
    for name in (
        "daily-20251009T085320Z.db",
        "daily-99999999T999999Z.db",
        "daily-x.db",
        "daily-20251009T085320Z.db.part",
    ):
        (tmp_path / "backups" / name).touch()
    assert [(copy.kind, copy.at) for copy in copies.find_copies(tmp_path)] == [("daily", START), ("daily", 0)]
    assert copies.path_of(tmp_path, "daily", START + 999).name == "daily-20251009T085320Z.db"
