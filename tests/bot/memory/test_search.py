"""Finding memories."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.ids import MAIN
from bot.domain.memory import Memory, MemoryHit, MemoryReach, MemoryType, fuse
from bot.errors import StoreError
from bot.memory.search import FoundHits, RecallMode, RecallQuery, Searched, effective_importance, rank_hits, recall
from bot.ports.embeddings import BY_WORDS_ALONE
from tests.fakes.clock import START
from tests.fakes.memories import FakeMemories
from tests.fakes.values import GENERAL, memory, relation

REACH = MemoryReach(agent=MAIN, channel=GENERAL)


def three() -> FakeMemories:
    return FakeMemories(
        memory("old but vital tea rule", importance=0.9, created_at=START),
        memory("ann likes tea", importance=0.3, created_at=START + 2),
        memory("bob likes coffee", importance=0.6, type=MemoryType.PREFERENCE, created_at=START + 1),
    )


def here(memories: FakeMemories) -> Searched:
    return Searched(memories, BY_WORDS_ALONE, REACH)


async def found(ask: RecallQuery) -> list[int]:
    return [m.id for m in await recall(here(three()), ask, START + 10)]


async def test_words_choose_and_recency_and_importance_order():
    assert await found(RecallQuery(words="tea")) == [2, 1]
    assert await found(RecallQuery(words="zebra")) == []


async def test_without_words_everything_is_a_candidate():
    assert sorted(await found(RecallQuery())) == [1, 2, 3]
    assert await found(RecallQuery(limit=1)) == (await found(RecallQuery()))[:1]


async def test_the_other_modes_have_one_order():
    assert await found(RecallQuery(mode=RecallMode.RECENT)) == [2, 3, 1]
    assert await found(RecallQuery(mode=RecallMode.IMPORTANT)) == [1, 3, 2]
    assert await found(RecallQuery(mode=RecallMode.TYPED, type=MemoryType.PREFERENCE)) == [3]


async def test_what_hangs_together_with_a_hit_is_found_too():
    memories = three()
    await memories.add([memory("the kettle is in the kitchen", importance=0.1, relations=(relation(2),))])
    ask = RecallQuery(words="tea")
    assert [m.id for m in await recall(here(memories), ask, START)] == [2, 1, 4]
    assert [m.id for m in await recall(here(memories), ask.replace(type=MemoryType.PREFERENCE), START)] == []
    assert [m.id for m in await recall(here(memories), ask.replace(mode=RecallMode.RECENT), START)] == [2, 1]
    memories.forget(4)
    assert [m.id for m in await recall(here(memories), ask, START)] == [2, 1]


async def test_a_hit_that_another_one_leads_to_ranks_higher():
    tea = [memory(f"tea {n}", created_at=START + n % 2) for n in range(3)]
    plain = FakeMemories(*tea, memory("nothing"))
    linked = FakeMemories(*tea[:2], tea[2].replace(relations=(relation(1, weight=1),)), memory("nothing"))
    before = [m.id for m in await recall(here(plain), RecallQuery(words="tea"), START)]
    after = [m.id for m in await recall(here(linked), RecallQuery(words="tea"), START)]
    assert before.index(2) < before.index(1) and after.index(1) < after.index(2)


async def test_a_broken_store_does_not_look_empty():
    memories = three()
    memories.broken = True
    with pytest.raises(StoreError):
        await recall(here(memories), RecallQuery(), START)


def test_fused_rankings_prefer_what_is_good_everywhere():
    assert fuse([[1, 2, 3], [2, 1, 3], [2, 3, 1]]) == [2, 1, 3]
    assert fuse([[1], [2]]) == [2, 1]
    assert fuse([]) == []


DAY = 86_400_000


def kept(importance: float = 0.8, **changes: object) -> Memory:
    kind = changes.pop("type", MemoryType.FACT)
    return Memory(id=1, body=memory(importance=importance, type=kind), **changes)


def test_a_fresh_memory_counts_fully_and_an_old_one_less():
    assert effective_importance(kept(), START) == 0.8
    assert round(effective_importance(kept(), START + 90 * DAY), 3) == 0.44


def test_reading_keeps_a_memory_fresh():
    assert effective_importance(kept(last_accessed=START + 90 * DAY), START + 90 * DAY) == 0.8


def test_an_identity_never_fades():
    assert effective_importance(kept(1.0, type=MemoryType.IDENTITY), START + 9999 * DAY) == 1.0


@given(st.floats(0, 1), st.integers(-(10**12), 10**13))
def test_it_neither_vanishes_nor_grows(importance, later):
    now = effective_importance(kept(importance), START + later)
    assert importance / 10 <= now <= importance


def hit(row: int, score: float, days_ago: int = 0, importance: float = 0.6) -> MemoryHit:
    return MemoryHit(row, score, START - days_ago * DAY, 0, importance, "fact")


def test_what_hardly_fits_is_not_lifted_by_being_new_or_important():
    hits = [hit(1, 9.0, days_ago=300, importance=0.1), *(hit(row, 1.0, importance=0.9) for row in range(2, 40))]
    assert rank_hits(FoundHits(hits), START)[0] == 1


def test_of_what_fits_about_as_well_the_newer_and_weightier_comes_first():
    hits = [hit(1, 9.0, days_ago=300, importance=0.1), hit(2, 8.5, importance=0.9), hit(3, 1.0)]
    assert rank_hits(FoundHits(hits), START) == [2, 1, 3]


def test_what_is_of_the_time_that_is_asked_for_comes_first():
    old, new, of_time = hit(1, 9.0, days_ago=60), hit(2, 8.0), hit(3, 7.0, days_ago=7)
    assert rank_hits(FoundHits([old, new, of_time], of_time=[of_time]), START)[0] == 3


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("what did ann say about tea last week?", [2, 1]),
        ("what happened last week?", [2]),
        ("what happened the day before yesterday?", []),
        ("tea", [1, 2]),
    ],
)
async def test_a_question_that_names_a_time_finds_what_was_then(asked, found):
    memories = FakeMemories(
        memory("ann wants tea at four", created_at=START),
        memory("ann spilt the tea", created_at=START - 7 * DAY),
        memory("bob sings", created_at=START - 40 * DAY),
    )
    rows = [m.id for m in await recall(here(memories), RecallQuery(words=asked), START)]
    assert rows[:2] == found


async def test_a_type_that_is_asked_for_holds_for_a_time_too():
    memories = FakeMemories(
        memory("tea", created_at=START - 7 * DAY), memory("cake", type=MemoryType.EVENT, created_at=START - 7 * DAY)
    )
    ask = RecallQuery(words="what was last week?", type=MemoryType.EVENT)
    assert [m.id for m in await recall(here(memories), ask, START)] == [2]
