"""Where memories have been: what the store finds is what led there, no more and no less."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from adapters.sqlite.engine import migrate
from bot.domain.finding import ForgetSpread, MemoryVersion
from bot.errors import UserError
from tests.adapters.sqlite.opened import opened
from tests.adapters.sqlite.turns.histories import Played, as_nodes
from tests.contracts.test_compactions import compacts, conversation, loaded
from tests.contracts.test_store import audited, offer
from tests.fakes import values as v
from tests.fakes.lengths import whole_or
from tests.inside.store import database_of

STORES, HISTORIES = whole_or(8, 1), whole_or(25, 10)
"""Two hundred histories in all, ten of them in the suite."""


@pytest.mark.parametrize("number", range(STORES))
async def test_what_is_found_is_what_led_there(tmp_path: Path, number: int):
    chance = random.Random(number)
    asked = found = 0
    async with opened(tmp_path) as store:
        for history in range(HISTORIES):
            played = Played(store, chance, f"n{history}x")
            await played.play(24)
            every = [[row] for row in played.memories] + [chance.sample(played.memories, 2)]
            for seeds in every:
                spread = await store.spread.spread(seeds)
                assert as_nodes(spread.items) == played.closure(seeds), (number, history, seeds)
                asked, found = asked + 1, found + len(spread.items)
    assert asked > HISTORIES * 4 and found > asked


async def test_what_was_recorded_before_is_read_from_what_the_searches_returned(tmp_path: Path):
    step = next(sql for number, sql in migrate.steps().items() if "call_memory" in sql)
    backfill = next(part for part in step.split(";") if "INSERT INTO call_memory" in part)
    async with opened(tmp_path) as store:
        played = Played(store, random.Random(3), "before")
        await played.play(24)
        database = database_of(store)
        links = "SELECT memory, call FROM call_memory ORDER BY memory, call"
        known = await database.read(lambda c: [tuple(row) for row in c.execute(links)])
        for sql in ("DELETE FROM call_memory", backfill):
            await database.write(lambda c, sql=sql: c.execute(sql).rowcount)
        assert known and await database.read(lambda c: [tuple(row) for row in c.execute(links)]) == known


async def test_a_memory_and_the_summaries_on_summaries_that_hold_it_are_taken_back_and_come_back(tmp_path: Path):
    async with opened(tmp_path) as store:
        whole = await conversation(store)
        (row,) = await store.memories.add([v.memory()])
        first = await compacts(store, whole, 0, 2)
        shorter = await loaded(store)
        second = await compacts(store, shorter, 0, 2)
        shortest = await loaded(store)
        undone = await store.spread.undoable([first.id, second.id])
        assert list(undone) == [second.id, first.id]
        # what stands on another one cannot be undone without it
        assert list(await store.spread.undoable([first.id])) == []
        fix = ForgetSpread(memories=(MemoryVersion(memory=row, version=1),), compactions=tuple(undone))
        proposal = await store.offers.propose(offer(fix))
        done = await store.offers.execute(proposal.id, audited())
        assert done is not None and await loaded(store) == whole
        assert (await store.memories.get(row)).forgotten_at
        back = await store.offers.undo(done.id, audited("undo"))
        assert back is not None and isinstance(back.body.undo, ForgetSpread)
        assert await loaded(store) == shortest and not (await store.memories.get(row)).forgotten_at


async def test_what_has_changed_since_it_was_offered_is_not_taken_back(tmp_path: Path):
    async with opened(tmp_path) as store:
        whole = await conversation(store)
        stored = await compacts(store, whole, 0, 2)
        proposal = await store.offers.propose(offer(ForgetSpread(memories=(), compactions=(stored.id,))))
        # another one stands on it by now
        await compacts(store, await loaded(store), 0, 2)
        shortest = await loaded(store)
        with pytest.raises(UserError, match="has changed since"):
            await store.offers.execute(proposal.id, audited())
        assert await loaded(store) == shortest
