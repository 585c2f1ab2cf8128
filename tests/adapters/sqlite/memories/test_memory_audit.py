"""Memories page by page: nothing leaves SQL that was not learnt where the reader may read."""

from __future__ import annotations

from pathlib import Path

import pytest

from adapters.sqlite import StoreSettings, create
from adapters.sqlite.engine.sealed_rows import change
from bot.domain.ids import MAIN, ChannelId, PersonKey, UserId
from bot.domain.memory import MemoryFilter, MemoryPlaces, MemoryProvenance, MemoryScope, MemoryType
from bot.domain.memory_timeline import TimelineSpan
from tests.bench.timeline import CHANNEL, fill
from tests.fakes import values as v
from tests.fakes.clock import START, FakeClock, FakeEntropy
from tests.inside.store import database_of

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


DAY = 86_400_000
SPAN = TimelineSpan(START - DAY, DAY, 3)


async def timeline(store, learnt_in=(HERE,), places=PLACES, span=SPAN, most=6):
    return await store.memory_audit.timeline(places, learnt_in, span, most)


async def test_who_taught_how_much_and_when(store):
    await store.memories.add(
        [
            v.memory(
                "tomorrow", channel=HERE, scope_id=HERE, created_at=START + DAY, provenance=MemoryProvenance(author="9")
            ),
            v.memory("long ago", channel=HERE, scope_id=HERE, created_at=1, provenance=MemoryProvenance(author="9")),
        ]
    )
    seen = await timeline(store)
    # what was learnt elsewhere is in nobody's count, and neither is whoever taught only that
    assert [(one.person.user_id, one.name, one.steps) for one in seen.teachers] == [
        ("7", "jürgen", ((0, 0), (2, 0), (0, 0))),
        ("8", "ANN", ((0, 0), (1, 0), (0, 0))),
        ("9", "", ((0, 0), (0, 0), (1, 0))),
    ]
    assert seen.kinds == (("fact", 3), ("decision", 1)) and seen.older == 1
    assert (await timeline(store, (HERE, THERE), EVERYWHERE)).total.total == 6
    assert (await timeline(store, ())).teachers == () == (await timeline(store, (DM, THERE))).teachers[1:]


async def test_whoever_taught_less_is_counted_together(store):
    everything = await timeline(store, (HERE, THERE, ABROAD), EVERYWHERE)
    seen = await timeline(store, (HERE, THERE, ABROAD), EVERYWHERE, most=1)
    assert [one.total.total for one in everything.teachers] == [2, 2, 2]
    first, others = seen.teachers
    assert (first, others.person, others.name) == (everything.teachers[0], None, "")
    assert (others.people, others.total.total) == (2, 4)
    assert (seen.total, seen.kinds) == (everything.total, everything.kinds)


async def test_forgotten_ones_are_counted_apart_and_those_of_the_erased_not_at_all(store):
    (two, *_), _ = await store.memory_audit.page(PLACES, (HERE,), MemoryFilter(words="two"), 0, 1)
    await database_of(store).write(lambda connection: change(connection, "memory", two.id, forgotten_at=START))
    assert [one.total for one in (await timeline(store)).teachers] == [(2, 0), (0, 1)]
    await store.erasures.erase(PersonKey("discord", UserId("7")))
    seen = await timeline(store)
    assert [(one.name, one.total) for one in seen.teachers] == [("ANN", (0, 1))]
    assert seen.kinds == (("decision", 1),)
    # their rows are there, and say when something was saved
    assert (await store.memory_audit.page(PLACES, (HERE,), MemoryFilter(), 0, 9))[1] == 3


async def test_no_memory_is_read_but_one_for_each_name(store):
    """What is counted is not sealed here: what is read of it is noted as damaged."""
    await database_of(store).write(lambda connection: fill(connection, 3000, first=101))
    places = PLACES.replace(platform="console", channels=(CHANNEL,), guild_id="")
    seen = await timeline(store, (CHANNEL,), places, TimelineSpan.back(START, 60 * DAY))
    assert seen.total.total == 3000 and seen.total.forgotten == 300 and len(seen.teachers) == 7
    assert len(store.damaged) == 6
