"""Memories page by page: nothing leaves SQL that was not learnt where the reader may read."""

from __future__ import annotations

from pathlib import Path

import pytest

from adapters.sqlite import StoreSettings, create
from bot.domain.ids import MAIN, ChannelId, UserId
from bot.domain.memory import MemoryFilter, MemoryPlaces, MemoryProvenance, MemoryScope, MemoryType
from tests.fakes import values as v
from tests.fakes.clock import START, FakeClock, FakeEntropy

HERE, THERE = ChannelId("discord:1:10"), ChannelId("discord:1:11")
ABROAD, DM = ChannelId("discord:2:20"), ChannelId("discord:dm:7")
PLACES = MemoryPlaces(agent=MAIN, platform="discord", channels=(HERE,), guild_id="1")
EVERYWHERE = PLACES.replace(channels=(HERE, THERE))


@pytest.fixture
async def store(tmp_path: Path):
    store = await create(StoreSettings(tmp_path, FakeClock(), FakeEntropy(), 0, 0))

    def by(number: int, name: str) -> MemoryProvenance:
        return MemoryProvenance(author=UserId(f"{number}"), author_name=name)

    channel, guild, user = MemoryScope.CHANNEL, MemoryScope.GUILD, MemoryScope.USER
    rows = (
        ("one tea", HERE, channel, HERE, by(7, "Jürgen"), MemoryType.FACT, START),
        ("two tea", HERE, guild, "1", by(8, "ANN"), MemoryType.DECISION, START + 1000),
        ("three tea", THERE, guild, "1", by(8, "ann"), MemoryType.FACT, START + 2000),
        ("four tea", ABROAD, guild, "2", by(7, "Jürgen"), MemoryType.FACT, START),
        ("five tea", DM, user, "7", by(7, "Jürgen"), MemoryType.FACT, START),
        ("six tea", HERE, user, "7", by(7, "jürgen"), MemoryType.FACT, START),
        ("seven tea", ABROAD, MemoryScope.GLOBAL, "", by(9, "root"), MemoryType.FACT, START),
        ("eight tea", THERE, channel, THERE, by(9, "root"), MemoryType.FACT, START),
    )
    await store.memories.add(
        [
            v.memory(words, channel=learnt, scope=scope, scope_id=scope_id, provenance=cause, type=kind, created_at=at)
            for words, learnt, scope, scope_id, cause, kind, at in rows
        ]
    )
    yield store
    await store.close()


async def words(store, places=PLACES, learnt_in=(HERE,), skip=0, limit=50, **wanted) -> list[str]:
    found, many = await store.memory_audit.page(places, learnt_in, MemoryFilter(**wanted), skip, limit)
    assert skip or limit < 50 or len(found) == many
    return [memory.body.content.split()[0] for memory in found]


async def test_sources_are_counted_by_where_each_was_learnt(store):
    assert await store.memory_audit.sources(PLACES) == {HERE: 3, THERE: 1, ABROAD: 1}
    assert await store.memory_audit.sources(EVERYWHERE) == {HERE: 3, THERE: 2, ABROAD: 1}


async def test_only_what_was_learnt_where_the_reader_may_read_comes_back(store):
    assert await words(store) == ["six", "two", "one"]
    assert await words(store, learnt_in=()) == []
    assert await words(store, learnt_in=(HERE, THERE)) == ["six", "three", "two", "one"]
    assert await words(store, EVERYWHERE, (HERE, THERE)) == ["eight", "six", "three", "two", "one"]
    assert await words(store, learnt_in=(ABROAD, DM)) == ["seven"], "what is known everywhere, and nothing else"
    assert await words(store, words="four five seven eight") == []


async def test_filters_and_pages(store):
    assert await words(store, type=MemoryType.DECISION) == ["two"]
    assert await words(store, author="JÜRGEN") == ["six", "one"] == await words(store, author="7")
    assert await words(store, author="ann", learnt_in=(HERE, THERE)) == ["three", "two"]
    assert await words(store, since=START + 500) == ["two"] and await words(store, until=START + 500) == ["six", "one"]
    assert await words(store, scope=MemoryScope.GUILD) == ["two"]
    assert set(await words(store, words="two one nonsense")) == {"two", "one"}
    assert await words(store, words='" OR tea* :') == ["six", "two", "one"] and await words(store, words="...") == []
    assert await words(store, skip=1, limit=1) == ["two"] and await words(store, skip=3) == []
    assert await words(store, forgotten=True) == [] and await words(store, forgotten=False) == ["six", "two", "one"]
