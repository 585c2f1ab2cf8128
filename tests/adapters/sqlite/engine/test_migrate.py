from __future__ import annotations

import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest

from adapters.sqlite.engine import migrate
from adapters.sqlite.engine.tables import SEALED
from adapters.sqlite.store import open_readonly
from bot.domain.ids import MAIN
from bot.domain.messages import Message
from bot.domain.turn import TurnEnd, TurnStatus
from bot.errors import StoreError
from tests.adapters.sqlite.opened import opened
from tests.adapters.sqlite.upkeep.test_integrity import cells
from tests.fakes import values as v
from tests.faults.disks.aged import age, take_back
from tests.inside.new_store import copies_new_stores, run_steps

NEWEST = max(migrate.steps())


@pytest.fixture(autouse=True)
def _steps_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(migrate, "bring_up", run_steps)


@pytest.fixture
async def first_schema(tmp_path: Path) -> Path:
    """A full data directory as the first version of the program left it: only step 1 has run."""
    await age(tmp_path / "data", 1)
    return tmp_path / "data"


def schema(path: Path) -> int:
    raw = sqlite3.connect(path)
    version: int = raw.execute("PRAGMA user_version").fetchone()[0]
    raw.close()
    return version


NEWER = {"memory_edge", "move", "invitation", "compaction", "compacted", "checkpoint", "erasure", "process"}


async def test_a_store_of_the_first_schema_keeps_everything(first_schema: Path):
    database, tables = first_schema / "glassmind.db", [table for table in SEALED if table not in NEWER]
    before = cells(first_schema, tables)
    assert schema(database) == 1 and {table for table, *_ in before} == set(tables)
    async with opened(first_schema) as store:
        assert await store.verify() == []
        await store.memories.add([v.memory("newer", relations=(v.relation(2),))])
        assert [edge.target for edge in await store.memories.edges([2], None)] == [2]
    assert schema(database) == NEWEST
    after = [cell for cell in cells(first_schema, tables) if cell[:3] not in {("memory", cell[1], 10)}]
    assert after == before
    (copy,) = (first_schema / "backups").glob("before-2-*.db")
    assert schema(copy) == 1
    async with opened(first_schema):
        assert len(list((first_schema / "backups").iterdir())) == 1


async def test_talk_that_no_turn_took_up_leaves_the_index(tmp_path: Path):
    async with opened(tmp_path / "data") as store:
        turn = await store.journal.begin_turn(v.turn_start(), [])
        await store.journal.end_turn(ended(turn, v.message("tea was had", inbound=1), v.said("Yes.")))
        await store.channels.hear([(v.KEY, v.message("tea is wanted", ambient=True, inbound=2))], keep=5)
    take_back(tmp_path / "data" / "glassmind.db", 10)
    assert indexed(tmp_path / "data", "tea") == 2
    async with opened(tmp_path / "data") as store:
        assert indexed(tmp_path / "data", "tea") == 1
        assert {row for row, *_ in await store.history.search(v.KEY, "tea", 5)} == {1, 2}
        turn = await store.journal.begin_turn(v.turn_start(), [])
        await store.journal.end_turn(ended(turn, v.message("so?", inbound=3), v.said("Here.")))
        assert indexed(tmp_path / "data", "tea") == 2
        assert len(await store.history.search(v.KEY, "tea", 5)) == 2


def ended(turn: int, *messages: Message) -> TurnEnd:
    return TurnEnd(turn=turn, agent=MAIN, channel=v.GENERAL, at=1, status=TurnStatus.REPLIED, messages=messages)


def indexed(data: Path, word: str) -> int:
    """Count the lines that the index itself finds."""
    with closing(sqlite3.connect(data / "glassmind.db")) as raw:
        sql = "SELECT count(*) FROM history_fts WHERE history_fts MATCH ?"
        return int(raw.execute(sql, (word,)).fetchone()[0])


async def test_a_store_of_an_older_schema_is_not_changed_by_looking(first_schema: Path):
    before = (first_schema / "glassmind.db").read_bytes()
    with pytest.raises(StoreError, match=rf"has schema 1, this program reads {NEWEST}\. Start the bot once"):
        await open_readonly(first_schema)
    assert (first_schema / "glassmind.db").read_bytes() == before


async def test_a_step_that_was_cut_off_is_run_again(first_schema: Path):
    raw = sqlite3.connect(first_schema / "glassmind.db")
    raw.executescript(f"BEGIN IMMEDIATE;\n{migrate.steps()[2]}\n")
    raw.close()
    async with opened(first_schema) as store:
        assert await store.verify() == []


async def test_a_newer_file_is_left_alone(tmp_path: Path):
    async with opened(tmp_path):
        pass
    with sqlite3.connect(tmp_path / "glassmind.db") as raw:
        raw.execute("PRAGMA user_version = 99")
    raw.close()
    before = (tmp_path / "glassmind.db").read_bytes()
    with pytest.raises(StoreError, match=rf"schema 99, this program knows {NEWEST}.*Install"):
        async with opened(tmp_path):
            pass
    assert (tmp_path / "glassmind.db").read_bytes() == before


async def test_an_older_file_is_copied_before_it_is_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    async with opened(tmp_path) as store:
        await store.ledger.arrive([v.arrival()], None)
    files = {**migrate.steps(), NEWEST + 1: "CREATE TABLE later (id INTEGER PRIMARY KEY) STRICT;"}
    monkeypatch.setattr(migrate, "steps", lambda: files)
    async with opened(tmp_path) as store:
        assert len(await store.ledger.unsettled()) == 1
    (copy,) = (tmp_path / "backups").iterdir()
    assert copy.name == f"before-{NEWEST + 1}-20251009T085320Z.db"
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    raw = sqlite3.connect(copy)
    assert raw.execute("PRAGMA user_version").fetchone() == (NEWEST,)
    assert raw.execute("SELECT count(*) FROM inbound").fetchone() == (1,)
    raw.close()


async def test_a_step_that_fails_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    async with opened(tmp_path):
        pass
    later = "CREATE TABLE later (id INTEGER PRIMARY KEY) STRICT; SELECT nonsense;"
    files = {**migrate.steps(), NEWEST + 1: later}
    with monkeypatch.context() as patched:
        patched.setattr(migrate, "steps", lambda: files)
        with pytest.raises(StoreError, match=f"Step {NEWEST + 1}"):
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


async def test_the_copy_with_which_other_tests_begin_is_what_the_steps_make(tmp_path: Path):
    made = []
    for name in ("steps", "copy"):
        async with opened(tmp_path / name):
            copies_new_stores()
        with closing(sqlite3.connect(tmp_path / name / "glassmind.db")) as raw:
            pragmas = ("application_id", "user_version", "journal_mode", "page_size", "encoding", "auto_vacuum")
            told = [raw.execute(f"PRAGMA {pragma}").fetchone() for pragma in pragmas]
            tables = raw.execute("SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY rowid").fetchall()
            many = [
                raw.execute(f"SELECT count(*) FROM {name}").fetchone() for kind, name, *_ in tables if kind == "table"
            ]
            made.append((told, tables, many))
    assert made[0] == made[1]
    assert made[0][0][:3] == [(migrate.APPLICATION_ID,), (NEWEST,), ("wal",)]
