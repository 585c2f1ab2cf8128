"""What is chosen of the memories of a channel, by the database and not by reading all of them."""

from __future__ import annotations

import asyncio
import random
import sqlite3
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adapters.sqlite import SqliteStore, open_readonly
from adapters.sqlite.memories.memories import _WEIGHTIEST
from bot.context.sections.memory_bulletin import choose
from bot.domain.handles import HandleKind, handle, parse_handle
from bot.domain.ids import MAIN, ChannelId, UserId
from bot.domain.memory import (
    MAX_FUSED_PLACES,
    Memory,
    MemoryReach,
    MemoryScope,
    MemoryType,
    NewMemory,
    RecallOrder,
    RelationKind,
    fuse,
)
from bot.domain.memory import superseded_memories as updated
from bot.memory.search import effective_importance
from tests.adapters.sqlite.opened import opened
from tests.fakes import values as v
from tests.fakes.clock import START
from tests.fakes.lengths import whole_or
from tests.inside.store import database_of

DAY = 86_400_000
REACH = MemoryReach(agent=MAIN, channel=v.GENERAL, guild_id="1", user_id=UserId("100"))
MEMORIES = st.lists(
    st.tuples(
        st.sampled_from(MemoryType),
        st.sampled_from([0.0, 0.3, 0.6, 0.6, 0.61, 1.0]),
        st.sampled_from(
            [
                (MemoryScope.CHANNEL, v.GENERAL),
                (MemoryScope.CHANNEL, v.GENERAL),
                (MemoryScope.CHANNEL, "console:there"),
                (MemoryScope.GUILD, "1"),
                (MemoryScope.GUILD, "2"),
                (MemoryScope.USER, "100"),
                (MemoryScope.GLOBAL, ""),
            ]
        ),
        st.integers(0, 400),
        st.integers(1, 12),
        st.one_of(st.none(), st.integers(0, 30)),
    ),
    max_size=30,
)
"""Of each: its type, its importance, its scope, how many days old it is, its words, and which one it updates."""


def memories(drawn: list[Any]) -> list[NewMemory]:
    return [
        v.memory(
            "word " * words,
            type=kind,
            importance=importance,
            scope=scope,
            scope_id=scope_id,
            created_at=START - days * DAY,
            relations=(v.relation(of, RelationKind.UPDATES),) if of else (),
        )
        for kind, importance, (scope, scope_id), days, words, of in drawn
    ]


async def everything(store: SqliteStore, reach: MemoryReach = REACH) -> list[Memory]:
    """Read all that is in reach, as a full scan does."""
    return list(await store.memories.in_reach(reach, 1_000_000))


def in_order(known: list[Memory], order: RecallOrder) -> list[Memory]:
    """Put memories into an order as it is said in the port, by looking at all of them."""
    recent = sorted(known, key=lambda m: (-m.body.created_at, -m.id))
    important = sorted(known, key=lambda m: (-effective_importance(m, START), -m.id))
    by_row = {m.id: m for m in known}
    both = [by_row[row] for row in fuse([m.id for m in one[:MAX_FUSED_PLACES]] for one in (recent, important))]
    return {RecallOrder.RECENT: recent, RecallOrder.IMPORTANT: important, RecallOrder.HYBRID: both}[order]


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(MEMORIES, st.sampled_from([5, 40, 100, 500, 5000]), st.sets(st.integers(1, 30), max_size=4))
def test_a_bulletin_shows_what_a_look_at_all_of_them_would_choose(drawn: list[Any], words: int, read: set[int]) -> None:
    async def compare() -> None:
        with tempfile.TemporaryDirectory() as directory:
            async with opened(Path(directory)) as store:
                for new in memories(drawn):
                    await store.memories.add([new])
                await store.memories.touched(sorted(read), START - DAY)
                known = await everything(store)
                old = updated(await store.memories.edges([m.id for m in known], REACH))
                candidates, many = await store.memories.weightiest(REACH, words // 11 + 200)
                assert many == len(known)
                assert choose(candidates, words) == choose([m for m in known if m.id not in old], words)
                for order in RecallOrder:
                    for kind in (None, MemoryType.FACT):
                        some = [m for m in known if kind in (None, m.body.type)]
                        found = await store.memories.foremost(REACH, order, kind, START, 25)
                        assert list(found) == in_order(some, order)[:25]
                for memory in known:
                    named = parse_handle(handle(HandleKind.MEMORY, memory.id))
                    assert named is not None and await store.memories.find(REACH, named) == memory

    asyncio.run(compare())


async def test_of_thousands_the_true_first_ones_are_read_and_no_more(tmp_path: Path) -> None:
    dice, many, passed = random.Random(1), *whole_or((5000, 1000), (1500, 300))
    async with opened(tmp_path) as store:
        new = [
            v.memory(f"Member {n} likes {n}.", type=dice.choice([*MemoryType]), importance=dice.random(), created_at=n)
            for n in range(1, many + 1)
        ]
        await store.memories.add(new)
        # what is updated by a newer one is passed over, also where that is nearly all of it
        order = sorted(range(many), key=lambda at: -new[at].importance)
        updates = [
            v.memory("new", importance=0.0, relations=(v.relation(at + 1, RelationKind.UPDATES),)) for at in order
        ]
        await store.memories.add(updates[:passed])
        reach = MemoryReach(agent=MAIN, channel=v.GENERAL)
        found, all_of_them = await store.memories.weightiest(reach, 245)
        assert all_of_them == many + passed
        assert [m.id for m in found] == [at + 1 for at in order[passed : passed + 245]]
        assert len(await store.memories.in_reach(reach)) == 500
        known = await everything(store, reach)
        for by in RecallOrder:
            assert list(await store.memories.foremost(reach, by, None, START, 25)) == in_order(known, by)[:25]


async def test_the_first_ones_are_found_by_an_index_that_stands_in_their_order(tmp_path: Path) -> None:
    async with opened(tmp_path):
        pass
    connection = sqlite3.connect(tmp_path / "glassmind.db")
    args = {"agent": "main", "channel": "c", "guild": "g", "user": "u", "platform": "p", "limit": 5}
    plan = [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {_WEIGHTIEST}", args)]
    connection.close()
    assert sum("memory_by_weight" in step for step in plan) == 4
    assert not any("TEMP B-TREE" in step for step in plan), plan


@pytest.mark.parametrize("forgotten", [True, False])
async def test_a_memory_out_of_reach_or_forgotten_is_not_found_by_its_name(tmp_path: Path, forgotten: bool) -> None:
    async with opened(tmp_path) as store:
        (row,) = await store.memories.add([v.memory(scope_id=v.GENERAL if forgotten else "console:there")])
        named = parse_handle(handle(HandleKind.MEMORY, row))
        assert named is not None
        if forgotten:
            await database_of(store).write(
                lambda connection: connection.execute("UPDATE memory SET forgotten_at = 1") and None
            )
        assert await store.memories.find(REACH, named) is None


async def test_questions_of_five_guilds_find_nothing_of_each_other(tmp_path: Path) -> None:
    dice = random.Random(7)
    words = ["tea", "cake", "budget", "server", "canary", "Ann", "yesterday", "the", "7", "緑茶"]
    places = [(f"discord:{guild}:{n}", f"{guild}") for guild in range(1, 6) for n in range(3)]

    def text() -> str:
        return " ".join(dice.choices(words, k=5))

    async with opened(tmp_path) as store:
        seen: dict[int, tuple[str, str]] = {}
        for channel, guild in places:
            scopes = [(MemoryScope.CHANNEL, channel)] * 6 + [
                (MemoryScope.GUILD, guild),
                (MemoryScope.USER, f"9{guild}"),
            ]
            new = [
                v.memory(text(), scope=scope, scope_id=scope_id, channel=ChannelId(channel), created_at=START - n * DAY)
                for n, (scope, scope_id) in enumerate(scopes)
            ]
            seen |= dict(zip(await store.memories.add(new), scopes, strict=True))
        for _ in range(whole_or(1000, 300)):
            channel, guild = dice.choice(places)
            person = dice.choice([None, UserId(f"9{guild}")])
            reach = MemoryReach(agent=MAIN, channel=ChannelId(channel), guild_id=guild, user_id=person)
            may = {("channel", channel), ("guild", guild), *([("user", person)] if person else [])}
            rows = {hit.id for hit in await store.memories.hits(reach, text(), None, 50)}
            rows |= {hit.id for hit in await store.memories.hits_between(reach, START - 3 * DAY, START, None, 50)}
            order = dice.choice([*RecallOrder])
            rows |= {memory.id for memory in await store.memories.foremost(reach, order, None, START, 50)}
            assert rows and {seen[row] for row in rows} <= may


async def test_what_is_known_of_how_often_words_are_used_ends_with_the_next_memory(tmp_path):
    async with opened(tmp_path) as store:
        reach = MemoryReach(agent=MAIN, channel=v.GENERAL)
        await store.memories.add([v.memory(f"tea number {n}") for n in range(700)])

        async def score(of):
            return (await of.memories.hits(reach, "tea cake", None, 1))[0].score

        first = await score(store)
        assert await score(store) == first
        await store.memories.add([v.memory(f"milk number {n}") for n in range(700)])
        assert await score(store) > first, "tea is rarer now"
        looking = await open_readonly(tmp_path)
        before = await score(looking)
        assert before == await score(store)
        await store.memories.add([v.memory(f"bread number {n}") for n in range(700)])
        assert await score(looking) == await score(store) > before
        await looking.close()
