"""What is written in a group is stored at its end, and whoever asks before that is told the truth all the same."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path

import pytest

from adapters.sqlite import SqliteStore
from adapters.sqlite.engine.content_store import ContentStore
from adapters.sqlite.engine.database import SqliteDatabase
from adapters.sqlite.engine.directory import DATABASE
from adapters.sqlite.engine.sealed_rows import exists, fetch, insert, next_number, update_sealed, verified_rows
from adapters.sqlite.engine.write_batch import AT_ONCE, KNOWN_BYTES, SIZES, batch_of, lookups, portions
from bot.domain.handles import HandleKind, handle
from bot.domain.ids import MAIN
from bot.domain.memory import MemoryReach
from bot.errors import DamagedRow, UserError
from tests.adapters.sqlite.opened import opened
from tests.fakes import values as v
from tests.inside.store import database_of

CHANNEL = {"name": "#general", "place": "{}", "settings": "{}", "epoch": 0, "last": None, "last_at": 5}
BY_NAME = "WHERE agent = 'main' AND channel = ?"


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqliteStore]:
    async with opened(tmp_path) as found:
        yield found


@pytest.fixture
def database(store: SqliteStore) -> SqliteDatabase:
    return database_of(store)


def met(connection: sqlite3.Connection, name: str) -> int:
    return insert(connection, "channel", agent="main", channel=name, **CHANNEL)


def needed(connection: sqlite3.Connection, row: int) -> sqlite3.Row:
    found = fetch(connection, "channel", row)
    assert found is not None
    return found


async def test_a_unit_sees_what_it_has_written_however_it_asks(store: SqliteStore, database: SqliteDatabase):
    def work(connection: sqlite3.Connection) -> list[object]:
        row = met(connection, "a:1")
        seen: list[object] = [needed(connection, row)["name"]]
        update_sealed(connection, "channel", needed(connection, row), name="#other")
        seen.append(needed(connection, row)["name"])
        seen += [found["name"] for found in verified_rows(connection, "channel", BY_NAME, ("a:1",))]
        update_sealed(connection, "channel", needed(connection, row), last_at=9)
        seen += connection.execute("SELECT name FROM channel WHERE last_at = 9").fetchone()
        seen.append(exists(connection, "channel", met(connection, "a:2")))
        return seen

    assert await database.write(work) == ["#general", "#other", "#other", "#other", True]
    assert not await store.verify()


async def test_changes_of_one_row_in_many_units_are_one_change(store: SqliteStore, database: SqliteDatabase):
    row = await database.write(lambda connection: met(connection, "a:1"))

    def change(connection: sqlite3.Connection, **columns: int | str) -> None:
        update_sealed(connection, "channel", needed(connection, row), **columns)

    await asyncio.gather(
        database.write(lambda connection: change(connection, name="#other")),
        database.write(lambda connection: change(connection, last_at=7)),
        database.write(lambda connection: change(connection, name="#third")),
    )
    found = await database.read(lambda connection: needed(connection, row))
    assert (found["name"], found["last_at"]) == ("#third", 7)
    assert not await store.verify()


async def test_a_unit_that_fails_takes_nothing_of_the_others_with_it(database: SqliteDatabase):
    def broken(connection: sqlite3.Connection) -> int:
        met(connection, "a:2")
        raise UserError("no")

    def twice(connection: sqlite3.Connection) -> int:
        return met(connection, "a:1")

    units = [lambda connection: met(connection, "a:1"), broken, twice, lambda connection: met(connection, "a:3")]
    done = await asyncio.gather(*(database.write(unit) for unit in units), return_exceptions=True)
    assert [isinstance(one, int) for one in done] == [True, False, False, True]
    rows = await database.read(lambda connection: verified_rows(connection, "channel", "ORDER BY id"))
    assert [row["channel"] for row in rows] == ["a:1", "a:3"]


async def test_what_others_have_altered_is_not_taken_for_known(database: SqliteDatabase, tmp_path: Path):
    row = await database.write(lambda connection: met(connection, "a:1"))
    with sqlite3.connect(tmp_path / DATABASE) as other:
        other.execute("UPDATE channel SET name = 'forged'")
    other.close()
    with pytest.raises(DamagedRow):
        await database.write(lambda connection: needed(connection, row))


async def test_no_more_is_remembered_than_is_useful(database: SqliteDatabase):
    def work(connection: sqlite3.Connection) -> int:
        rows = [met(connection, f"a:{number}" + "x" * (KNOWN_BYTES // 100)) for number in range(110)]
        group = batch_of(connection)
        assert group is not None
        assert group.known("channel", rows[0]) is None and group.known("channel", rows[-1]) is not None
        update_sealed(connection, "channel", needed(connection, rows[0]), name="#first")
        return rows[0]

    row = await database.write(work)
    assert (await database.read(lambda connection: needed(connection, row)))["name"] == "#first"


async def test_a_text_that_is_stored_is_found_again_by_names_that_know_nothing(database: SqliteDatabase):
    messages = [v.message(f"line {number}") for number in range(3)]

    def work(connection: sqlite3.Connection) -> tuple[int, int]:
        names = ContentStore()
        chain = names.chain(connection, messages, (1, 2, 3))
        connection.execute("SELECT 1")  # stores what was put off
        return chain, next_number(connection, "blob")

    (first, blobs), (second, later) = [await database.write(work) for _ in range(2)]
    assert (second, later) == (first, blobs + 1)


async def test_an_answer_is_remembered_until_it_may_be_another(store: SqliteStore, database: SqliteDatabase):
    reach = MemoryReach(agent=MAIN, channel=v.GENERAL, guild_id="", user_id=None)
    assert await store.memories.in_reach(reach) == []
    await database.write(lambda connection: met(connection, "a:1"))

    def broken(connection: sqlite3.Connection) -> None:
        raise UserError("no")

    with suppress(UserError):
        await asyncio.gather(store.memories.add([v.memory()]), database.write(broken))
    (found,) = await store.memories.in_reach(reach)
    await store.memories.touched([found.id], 9)
    (touched,) = await store.memories.in_reach(reach)
    assert (found.access_count, touched.access_count) == (0, 1)


async def test_what_a_request_held_and_a_search_returned_makes_nothing_be_read_anew(
    store: SqliteStore, database: SqliteDatabase
):
    rows = await store.memories.add([v.memory("one"), v.memory("two")])
    sources = tuple(f"memory:{handle(HandleKind.MEMORY, row)}" for row in rows)
    held = v.request_record(0, sections=(v.section("bulletin", sources),))
    writer = database.writer
    assert writer is not None
    before = writer.version(("memory", "memory_edge"))
    requests = await asyncio.gather(*(store.journal.record_request(held, []) for _ in range(3)))
    assert writer.version(("memory", "memory_edge")) == before
    assert set(await store.memories.requests_with(rows[1], 9)) == {*requests}


async def test_what_is_used_again_and_again_stays_known(store: SqliteStore, database: SqliteDatabase):
    def work(connection: sqlite3.Connection) -> bool:
        used, group = met(connection, "a:used"), batch_of(connection)
        assert group is not None
        for number in range(300):
            met(connection, f"a:{number}" + "x" * (KNOWN_BYTES // 100))
            if number % 10 == 0:
                update_sealed(connection, "channel", needed(connection, used), last_at=number)
        return group.known("channel", used) is not None

    assert await database.write(work)
    assert not await store.verify()


def test_any_number_of_rows_goes_into_statements_for_few_numbers():
    for count in range(200):
        rows = list(range(count))
        stored, sought = portions(rows), list(lookups(rows))
        assert [row for some in stored for row in some] == rows
        assert {row for some in sought for row in some} == set(rows)
        assert {len(some) for some in (*stored, *sought)} <= set(SIZES)
        assert len(stored) <= count // AT_ONCE + 3 and len(sought) == -(-count // AT_ONCE)
