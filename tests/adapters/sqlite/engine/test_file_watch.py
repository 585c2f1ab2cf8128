"""An open database whose file is taken away: nothing more is confirmed, and what was is there at the next start."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from adapters.sqlite.engine import copies
from bot.errors import DamagedDatabase, StoreError
from tests.adapters.sqlite.opened import opened
from tests.fakes import values as v


def removed(data: Path) -> None:
    (data / "glassmind.db").unlink()


def all_removed(data: Path) -> None:
    for path in data.glob("glassmind.db*"):
        path.unlink()


def log_removed(data: Path) -> None:
    (data / "glassmind.db-wal").unlink()


def index_removed(data: Path) -> None:
    (data / "glassmind.db-shm").unlink()


def replaced(data: Path) -> None:
    shutil.copy(data / "glassmind.db", data / "other")
    os.replace(data / "other", data / "glassmind.db")


def moved(data: Path) -> None:
    (data / "glassmind.db").rename(data / "elsewhere.db")


AWAY = [removed, all_removed, log_removed, index_removed, replaced, moved]


@pytest.mark.parametrize("how", AWAY)
async def test_nothing_is_confirmed_and_nothing_that_was_is_lost(tmp_path: Path, how):
    async with opened(tmp_path) as store:
        for number in range(20):
            await store.ledger.arrive([v.arrival(f"kept {number}", str(number))], None)
        how(tmp_path)
        with pytest.raises(DamagedDatabase, match="while I was running"):
            await store.ledger.arrive([v.arrival("not confirmed", "99")], None)
    if how is replaced:
        (copy,) = (one for one in copies.find_copies(tmp_path) if one.kind == "replaced")
        os.replace(copy.path, tmp_path / "glassmind.db")
    async with opened(tmp_path) as store:
        kept = {row.inbound.text for row in await store.ledger.recent(v.KEY, 99)}
        assert kept == {f"kept {number}" for number in range(20)}
        assert not await store.verify()


async def test_a_file_that_is_cut_off_is_not_written_to(tmp_path: Path):
    async with opened(tmp_path) as store:
        await store.ledger.arrive([v.arrival("hello", "1")], None)
    async with opened(tmp_path) as store:
        os.truncate(tmp_path / "glassmind.db", 8192)
        with pytest.raises(StoreError, match=r"cut off|damaged"):
            await store.ledger.arrive([v.arrival("again", "2")], None)


async def test_a_missing_database_is_not_begun_empty_by_itself(tmp_path: Path):
    async with opened(tmp_path) as store:
        await store.ledger.arrive([v.arrival("hello", "1")], None)
    (tmp_path / "glassmind.db").unlink()
    for _ in range(2):
        with pytest.raises(StoreError, match=r"glassmind restore.*--fresh"):
            async with opened(tmp_path):
                pass
        assert not (tmp_path / "glassmind.db").exists()
    async with opened(tmp_path, fresh=True) as store:
        assert await store.ledger.recent(v.KEY, 9) == []
