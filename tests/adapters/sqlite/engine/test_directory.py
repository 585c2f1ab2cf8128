from __future__ import annotations

import os
import shutil
import stat
from pathlib import Path

import pytest

from adapters.sqlite import open_readonly
from adapters.sqlite.engine.directory import SECRET
from bot.domain.health import KILLED, Heartbeat
from bot.errors import StoreError
from bot.ports.store import RetentionPolicy
from tests.adapters.sqlite.opened import opened
from tests.fakes import values as v
from tests.fakes.clock import START, FakeClock, FakeEntropy


def modes(directory: Path) -> dict[str, int]:
    return {path.name: stat.S_IMODE(path.stat().st_mode) for path in directory.rglob("*") if path.is_file()}


@pytest.fixture
def loose_umask():
    before = os.umask(0)
    yield
    os.umask(before)


async def test_every_file_is_readable_by_its_owner_alone(tmp_path: Path, loose_umask: None):
    async with opened(tmp_path / "data", ballast=4096) as store:
        await store.ledger.arrive([v.arrival()], None)
        found = modes(tmp_path / "data")
        assert set(found) == {"ballast", "glassmind.db", "glassmind.db-shm", "glassmind.db-wal", "lock", "secret.key"}
        assert set(found.values()) == {0o600}
    assert stat.S_IMODE((tmp_path / "data").stat().st_mode) == 0o700
    assert not list((tmp_path / "data").glob("*-wal"))


async def test_a_database_that_others_can_read_is_closed_to_them(tmp_path: Path):
    async with opened(tmp_path):
        pass
    for name in ("glassmind.db", SECRET):
        (tmp_path / name).chmod(0o644)
    os.chmod(tmp_path, 0o755)
    async with opened(tmp_path):
        assert set(modes(tmp_path).values()) == {0o600}
        assert stat.S_IMODE(os.stat(tmp_path).st_mode) == 0o700


async def test_the_key_and_the_instance_are_made_once(tmp_path: Path):
    async with opened(tmp_path) as store:
        key, instance = store.secret_key, store.instance
    assert len(key) == 32
    assert len(instance) == 2
    async with opened(tmp_path) as store:
        assert (store.secret_key, store.instance) == (key, instance)


async def test_a_damaged_key_is_not_replaced(tmp_path: Path):
    async with opened(tmp_path):
        pass
    (tmp_path / SECRET).write_bytes(b"short")
    with pytest.raises(StoreError, match="damaged"):
        async with opened(tmp_path):
            pass
    assert (tmp_path / SECRET).read_bytes() == b"short"


async def test_a_half_made_key_does_not_stand_in_the_way(tmp_path: Path):
    (tmp_path / f"{SECRET}.new").write_bytes(b"half")
    async with opened(tmp_path) as store:
        assert len(store.secret_key) == 32


async def test_a_directory_that_cannot_be_made_is_named(tmp_path: Path):
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="data directory"):
        async with opened(tmp_path / "file" / "data"):
            pass


async def test_a_second_process_is_told_who_is_first(tmp_path: Path):
    async with opened(tmp_path) as store:
        with pytest.raises(StoreError, match=f"process {os.getpid()}"):
            async with opened(tmp_path):
                pass
        await store.ledger.arrive([v.arrival()], None)
    async with opened(tmp_path) as store:
        assert len(await store.ledger.unsettled()) == 1


async def test_an_open_that_failed_lets_the_next_one_in(tmp_path: Path):
    (tmp_path / "glassmind.db").write_bytes(b"not a database, by any means" * 50)
    for _ in range(2):
        with pytest.raises(StoreError, match="damaged"):
            async with opened(tmp_path):
                pass


async def test_below_the_low_water_mark_there_is_no_room(tmp_path: Path):
    clock = FakeClock()
    async with opened(tmp_path, low_water=1 << 60, clock=clock) as store:
        assert not store.has_room()
        probes = {probe.name: probe.state for probe in await store.probe()}
        assert probes["store room"] == "failed"
    async with opened(tmp_path) as store:
        assert store.has_room()


async def test_room_is_looked_up_once_a_second(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    clock, looks = FakeClock(), []
    async with opened(tmp_path, clock=clock) as store:
        monkeypatch.setattr("adapters.sqlite.engine.directory.DiskRoom.free", lambda self: looks.append(1) or 1 << 40)
        for _ in range(100):
            assert store.has_room()
        clock.advance(1.5)
        assert store.has_room()
    assert len(looks) == 2


async def test_the_host_reads_while_the_bot_runs_and_after_it_died(tmp_path: Path):
    async with opened(tmp_path) as store:
        await store.ledger.arrive([v.arrival()], None)
        reader = await open_readonly(tmp_path)
        assert len(await reader.ledger.unsettled()) == 1
        await store.ledger.arrive([v.arrival(message_id="2")], None)
        assert len(await reader.ledger.unsettled()) == 2
        await reader.close()
    reader = await open_readonly(tmp_path)
    assert len(await reader.ledger.unsettled()) == 2
    assert {probe.state for probe in await reader.probe()} == {"ok"}
    await reader.close()


async def last_word(directory: Path) -> str:
    reader = await open_readonly(directory)
    try:
        beat = await reader.heartbeat()
        assert beat is not None
        return beat.exit_reason
    finally:
        await reader.close()


async def test_the_host_sees_at_once_that_it_was_killed(tmp_path: Path):
    """The kernel frees the lock of a process that is gone; its last sign of life may be a second old."""
    gone = 2**22 + 7  # more than Linux gives out
    async with opened(tmp_path) as store:
        await store.beat(Heartbeat(instance="aa", pid=gone, started_at=START, at=START, version="1"))
        assert await last_word(tmp_path) == ""
        (tmp_path / "lock").write_text(f"{gone}\n")  # as seen from another container: the lock still says that it lives
        assert await last_word(tmp_path) == ""
        (tmp_path / "lock").write_text("")
    assert await last_word(tmp_path) == ""  # it let go by itself
    (tmp_path / "lock").write_text(f"{gone}\n")
    assert await last_word(tmp_path) == KILLED
    (tmp_path / "lock").write_text(f"{os.getpid()}\n")  # a number that is somebody else's by now proves nothing
    assert await last_word(tmp_path) == ""
    (tmp_path / "lock").unlink()
    assert await last_word(tmp_path) == ""


async def test_the_host_sees_that_the_disk_is_full(tmp_path: Path):
    async with opened(tmp_path):
        reader = await open_readonly(tmp_path, FakeClock(), 1 << 62)
        room = [probe for probe in await reader.probe() if probe.name == "store room"]
        assert [probe.state for probe in room] == ["failed"]
        await reader.close()


async def test_after_a_kill_nothing_that_was_promised_is_missing(tmp_path: Path):
    """The files of a running store, taken as they are, are what a killed process leaves."""
    async with opened(tmp_path / "data") as store:
        rows = await store.ledger.arrive([v.arrival(str(n), str(n)) for n in range(50)], None)
        shutil.copytree(tmp_path / "data", tmp_path / "killed")
    reader = await open_readonly(tmp_path / "killed")
    assert [m.id for m in await reader.ledger.unsettled()] == rows
    await reader.close()
    async with opened(tmp_path / "killed") as store:
        assert [m.id for m in await store.ledger.unsettled()] == rows
        assert {probe.state for probe in await store.probe()} == {"ok"}


async def test_reading_changes_nothing(tmp_path: Path):
    async with opened(tmp_path) as store:
        instance = store.instance
    before = (tmp_path / "glassmind.db").read_bytes()
    reader = await open_readonly(tmp_path)
    assert reader.instance == instance
    assert reader.secret_key == b""
    with pytest.raises(StoreError, match="read-only"):
        await reader.ledger.arrive([v.arrival()], None)
    keep = RetentionPolicy(ambient_ms=0, messages_ms=0, requests_ms=0, records_ms=0, audit_ms=0, forgotten_ms=0)
    with pytest.raises(StoreError, match="read-only"):
        await reader.sweep(keep, START)
    assert not reader.has_room()
    await reader.close()
    assert (tmp_path / "glassmind.db").read_bytes() == before


@pytest.mark.parametrize("content", [None, b""])
async def test_the_host_makes_nothing(tmp_path: Path, content: bytes | None):
    if content is not None:
        (tmp_path / "glassmind.db").write_bytes(content)
    before = sorted(os.listdir(tmp_path))
    with pytest.raises(StoreError):
        await open_readonly(tmp_path)
    assert sorted(os.listdir(tmp_path)) == before


async def test_an_emptied_database_is_not_taken_for_a_new_one(tmp_path: Path):
    async with opened(tmp_path):
        pass
    (tmp_path / "glassmind.db").write_bytes(b"")
    with pytest.raises(StoreError, match="empty"):
        async with opened(tmp_path):
            pass


def test_entropy_is_not_used_twice() -> None:
    entropy = FakeEntropy()
    assert entropy.token(8) != entropy.token(8)


@pytest.mark.parametrize("how", [Path.unlink, lambda path: path.rename(path.with_name("away")), Path.touch])
async def test_no_second_one_starts_where_the_lock_was_taken_away(tmp_path: Path, how):
    async with opened(tmp_path) as store:
        how(tmp_path / "lock")
        for _ in range(2):  # the first one that tries makes the file again
            with pytest.raises(StoreError, match="in use by"):
                async with opened(tmp_path):
                    pass
        await store.ledger.arrive([v.arrival()], None)
    async with opened(tmp_path):
        pass


@pytest.mark.parametrize("name", ["lock", "secret.key.new"])
async def test_what_the_system_refuses_is_said_in_a_sentence(tmp_path: Path, name: str):
    (tmp_path / name).mkdir()
    with pytest.raises(StoreError, match="cannot be used"):
        async with opened(tmp_path):
            pass
