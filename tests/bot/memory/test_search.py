"""Finding memories."""

from __future__ import annotations

import pytest

from bot.domain.ids import MAIN
from bot.domain.memory import MemoryReach, MemoryType
from bot.errors import StoreError
from bot.memory.search import Recall, RecallMode, fuse, recall
from tests.fakes.clock import START
from tests.fakes.memories import FakeMemories
from tests.fakes.values import GENERAL, memory

REACH = MemoryReach(agent=MAIN, channel=GENERAL)


def three() -> FakeMemories:
    return FakeMemories(
        memory("old but vital tea rule", importance=0.9, created_at=START),
        memory("ann likes tea", importance=0.3, created_at=START + 2),
        memory("bob likes coffee", importance=0.6, type=MemoryType.PREFERENCE, created_at=START + 1),
    )


async def found(ask: Recall) -> list[int]:
    return [m.id for m in await recall(three(), REACH, ask, START + 10)]


async def test_words_choose_and_recency_and_importance_order():
    assert await found(Recall(words="tea")) == [2, 1]
    assert await found(Recall(words="zebra")) == []


async def test_without_words_everything_is_a_candidate():
    assert sorted(await found(Recall())) == [1, 2, 3]
    assert await found(Recall(limit=1)) == (await found(Recall()))[:1]


async def test_the_other_modes_have_one_order():
    assert await found(Recall(mode=RecallMode.RECENT)) == [2, 3, 1]
    assert await found(Recall(mode=RecallMode.IMPORTANT)) == [1, 3, 2]
    assert await found(Recall(mode=RecallMode.TYPED, type=MemoryType.PREFERENCE)) == [3]


async def test_a_broken_store_does_not_look_empty():
    memories = three()
    memories.broken = True
    with pytest.raises(StoreError):
        await recall(memories, REACH, Recall(), START)


def test_fused_rankings_prefer_what_is_good_everywhere():
    assert fuse([[1, 2, 3], [2, 1, 3], [2, 3, 1]]) == [2, 1, 3]
    assert fuse([[1], [2]]) == [2, 1]
    assert fuse([]) == []
