"""Vectors of memories: who comes near is found, where it may be seen, and none outlives the words it was made of."""

from __future__ import annotations

import random
from math import sqrt

import pytest

from bot.domain.embedding import VectorCount, VectorQuery
from bot.domain.ids import MAIN, ChannelId
from bot.domain.memory import MemoryReach, MemoryScope, MemoryType
from tests.adapters.sqlite.opened import opened
from tests.fakes.values import GENERAL, memory
from tests.inside.store import database_of

MODEL = "service/words-1#8"
HERE = MemoryReach(agent=MAIN, channel=GENERAL)


@pytest.fixture
async def store(tmp_path):
    async with opened(tmp_path) as store:
        yield store


async def kept(store, *pairs):
    rows = await store.memories.add([body for body, _ in pairs])
    found = await store.memories.several(rows)
    await store.vectors.put(MODEL, [(one, vector) for one, (_, vector) in zip(found, pairs, strict=True)])
    return found


async def changed(store, row, how):
    sql = f"UPDATE memory SET {how} WHERE id = ?"
    await database_of(store).write(lambda connection: connection.execute(sql, (row,)) and None)


def ask(*numbers, model=MODEL):
    return VectorQuery(model, numbers)


async def test_the_nearest_come_first_with_how_near_they_are(store):
    await kept(
        store,
        (memory("far"), (-1.0, 0.5, 0.0, 0.2)),
        (memory("near"), (1.0, 0.5, 0.1, 0.2)),
        (memory("nearest", type=MemoryType.EVENT), (2.0, 1.0, 0.0, 0.4)),
    )
    hits = await store.vectors.nearest(HERE, ask(1.0, 0.5, 0.0, 0.2), None, 5)
    assert [hit.id for hit in hits] == [3, 2, 1]
    assert hits[0].score == pytest.approx(1.0, abs=0.01) and hits[2].score < 0
    only = await store.vectors.nearest(HERE, ask(1.0, 0.5, 0.0, 0.2), MemoryType.EVENT, 5)
    assert [hit.id for hit in only] == [3]


async def test_among_many_it_is_as_near_as_the_whole_numbers_say(store):
    seeded = random.Random(3)
    vectors = [[seeded.gauss(0, 1) for _ in range(64)] for _ in range(400)]
    await kept(store, *((memory(f"fact {n}"), vector) for n, vector in enumerate(vectors)))
    wanted = [one + seeded.gauss(0, 0.7) for one in vectors[123]]

    def cosine(other):
        lengths = sqrt(sum(a * a for a in wanted)) * sqrt(sum(b * b for b in other))
        return sum(a * b for a, b in zip(wanted, other, strict=True)) / lengths

    best = max(range(400), key=lambda n: cosine(vectors[n]))
    hits = await store.vectors.nearest(HERE, ask(*wanted), None, 3)
    assert hits[0].id == best + 1
    assert hits[0].score == pytest.approx(cosine(vectors[best]), abs=0.01)


async def test_what_may_not_be_seen_is_not_near(store):
    there = memory("elsewhere", scope_id="console:#other", channel=ChannelId("console:#other"))
    theirs = memory("theirs", scope=MemoryScope.USER, scope_id="7")
    await kept(store, (there, (1.0, 0.0)), (theirs, (1.0, 0.0)), (memory("here"), (1.0, 0.1)))
    assert [hit.id for hit in await store.vectors.nearest(HERE, ask(1.0, 0.0), None, 5)] == [3]
    own = HERE.model_copy(update={"user_id": "7"})
    assert {hit.id for hit in await store.vectors.nearest(own, ask(1.0, 0.0), None, 5)} == {2, 3}


async def test_a_vector_goes_with_its_words_and_is_made_anew_when_they_come_back(store):
    (one, other) = await kept(store, (memory("one"), (1.0, 0.0)), (memory("other"), (0.0, 1.0)))
    await changed(store, one.id, "forgotten_at = 5")
    assert await store.vectors.count("service/words-1") == VectorCount(1, 1)
    assert await store.vectors.missing(MODEL, 0, 9) == []
    await database_of(store).write(
        lambda connection: (
            connection.execute("UPDATE memory SET content = 'another' WHERE id = ?", (other.id,)) and None
        )
    )
    assert (await store.vectors.count("service/words-1")).vectors == 0


async def test_what_changed_while_the_model_was_at_work_gets_no_vector(store):
    (row,) = await store.memories.add([memory("said")])
    (before,) = await store.memories.several([row])
    otherwise = before.replace(body=before.body.replace(content="said otherwise"))
    assert await store.vectors.put(MODEL, [(otherwise, (1.0, 0.0))]) == 0
    assert await store.vectors.put(MODEL, [(before, (1.0, 0.0))]) == 1


async def test_those_of_another_model_are_as_good_as_none_and_are_dropped(store):
    await kept(store, (memory("one"), (1.0, 0.0)))
    other = "service/words-2#8"
    assert [one.id for one in await store.vectors.missing(other, 0, 9)] == [1]
    assert await store.vectors.nearest(HERE, ask(1.0, 0.0, model=other), None, 5) == []
    assert await store.vectors.drop_others(MODEL) == 0
    assert await store.vectors.drop_others(other) == 1
    assert (await store.vectors.count("service/words-1")).vectors == 0
