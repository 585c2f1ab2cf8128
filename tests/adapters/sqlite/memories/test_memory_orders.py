"""The first memories by time and importance, from the front of indices."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from adapters.sqlite.memories.memory_orders import _KIND, SCOPES, ordered_rows
from bot.domain.ids import MAIN
from bot.domain.memory import MemoryReach, MemoryType, RecallOrder
from tests.adapters.sqlite.opened import opened
from tests.fakes import values as v
from tests.fakes.clock import START

DAY = 86_400_000
REACH = MemoryReach(agent=MAIN, channel=v.GENERAL)


@pytest.mark.parametrize("kinds", [[MemoryType.FACT], [MemoryType.IDENTITY], [*MemoryType]])
async def test_equal_ones_stand_newest_first_however_many_there_are(tmp_path: Path, kinds: list[MemoryType]) -> None:
    async with opened(tmp_path) as store:
        new = [v.memory("tea", type=kinds[n % len(kinds)], importance=0.5, created_at=START) for n in range(2000)]
        await store.memories.add(new)
        for order in RecallOrder:
            found = await store.memories.foremost(REACH, order, None, START, 25)
            assert [memory.id for memory in found] == list(range(2000, 1975, -1))
        found = await store.memories.foremost(REACH, RecallOrder.IMPORTANT, kinds[0], START, 5)
        assert [memory.body.type for memory in found] == kinds[:1] * 5


async def test_what_was_important_long_ago_and_what_was_read_today_are_both_among_the_first(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        old = [v.memory("old", importance=0.9, created_at=START - 300 * DAY) for _ in range(1500)]
        fresh = [v.memory("fresh", importance=0.2, created_at=START - n) for n in range(1500)]
        await store.memories.add([*old, *fresh])
        await store.memories.touched([7], START)
        found = await store.memories.foremost(REACH, RecallOrder.IMPORTANT, None, START, 3)
        assert [memory.id for memory in found] == [7, 1501, 1502]


@pytest.mark.parametrize(
    ("index", "order"),
    [
        ("memory_by_time", "created_at DESC, id DESC"),
        ("memory_by_importance", "importance DESC, fresh_at DESC, id DESC"),
        ("memory_by_freshness", "fresh_at DESC, id DESC"),
    ],
)
async def test_each_order_is_that_of_an_index(tmp_path: Path, index: str, order: str) -> None:
    async with opened(tmp_path):
        pass
    connection = sqlite3.connect(tmp_path / "glassmind.db")
    args = {"agent": "main", "channel": "c", "guild": "g", "user": "u", "platform": "p", "kind": ""}
    for scope in (SCOPES[0], SCOPES[3]):
        sql = f"""EXPLAIN QUERY PLAN SELECT id FROM memory INDEXED BY {index}
            WHERE agent = :agent AND forgotten_at = 0 AND {scope} AND {_KIND} ORDER BY {order} LIMIT 5"""
        (step,) = [row[3] for row in connection.execute(sql, args)]
        assert f"USING INDEX {index}" in step, "and nothing is sorted"
    connection.close()


async def test_what_is_damaged_is_passed_over(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        await store.memories.add([v.memory(f"tea {n}", created_at=START + n) for n in range(5)])
    connection = sqlite3.connect(tmp_path / "glassmind.db")
    connection.row_factory = sqlite3.Row
    connection.execute("UPDATE memory SET body = 'broken' WHERE id = 3")
    connection.execute("UPDATE memory SET body = json_set(body, '$.importance', 'much') WHERE id = 4")
    args = {"agent": "main", "channel": v.GENERAL, "guild": "", "user": "", "platform": "console"}
    for order in RecallOrder:
        assert ordered_rows(connection, args, order, None, START, 9) == [5, 2, 1]
    connection.close()
