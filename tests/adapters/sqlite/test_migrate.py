from __future__ import annotations

import sqlite3
import stat
from pathlib import Path

import pytest

from adapters.sqlite import migrate
from adapters.sqlite.rows import SEALED
from bot.errors import StoreError
from tests.adapters.sqlite.opened import opened
from tests.fakes import values as v


async def test_a_newer_file_is_left_alone(tmp_path: Path):
    async with opened(tmp_path):
        pass
    with sqlite3.connect(tmp_path / "glassmind.db") as raw:
        raw.execute("PRAGMA user_version = 99")
    raw.close()
    before = (tmp_path / "glassmind.db").read_bytes()
    with pytest.raises(StoreError, match=r"schema 99, this program knows 1.*Install"):
        async with opened(tmp_path):
            pass
    assert (tmp_path / "glassmind.db").read_bytes() == before


async def test_an_older_file_is_copied_before_it_is_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    async with opened(tmp_path) as store:
        await store.ledger.arrive([v.arrival()], None)
    files = {**migrate.steps(), 2: "CREATE TABLE later (id INTEGER PRIMARY KEY) STRICT;"}
    monkeypatch.setattr(migrate, "steps", lambda: files)
    async with opened(tmp_path) as store:
        assert len(await store.ledger.unsettled()) == 1
    (copy,) = (tmp_path / "backups").iterdir()
    assert copy.name == "before-2-20251009T085320Z.db"
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    raw = sqlite3.connect(copy)
    assert raw.execute("PRAGMA user_version").fetchone() == (1,)
    assert raw.execute("SELECT count(*) FROM inbound").fetchone() == (1,)
    raw.close()


async def test_a_step_that_fails_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    async with opened(tmp_path):
        pass
    files = {**migrate.steps(), 2: "CREATE TABLE later (id INTEGER PRIMARY KEY) STRICT; SELECT nonsense;"}
    with monkeypatch.context() as patched:
        patched.setattr(migrate, "steps", lambda: files)
        with pytest.raises(StoreError, match="Step 2"):
            async with opened(tmp_path):
                pass
    async with opened(tmp_path) as store:
        assert {probe.state for probe in await store.probe()} == {"ok"}


async def test_another_programs_database_is_refused(tmp_path: Path):
    raw = sqlite3.connect(tmp_path / "glassmind.db")
    raw.execute("CREATE TABLE theirs (x)")
    raw.commit()
    raw.close()
    with pytest.raises(StoreError, match="another program"):
        async with opened(tmp_path):
            pass


async def test_a_crash_before_the_first_step_is_no_obstacle(tmp_path: Path):
    (tmp_path / "glassmind.db").write_bytes(b"")
    async with opened(tmp_path) as store:
        assert await store.ledger.unsettled() == []


async def test_seals_cover_every_column(tmp_path: Path):
    async with opened(tmp_path):
        pass
    raw = sqlite3.connect(tmp_path / "glassmind.db")
    for table, columns in SEALED.items():
        found = [row[1] for row in raw.execute(f"PRAGMA table_info({table})")]
        assert found == [*columns, "h"], table
    raw.close()


def test_steps_are_numbered_without_a_gap() -> None:
    assert sorted(migrate.steps()) == list(range(1, len(migrate.steps()) + 1))
