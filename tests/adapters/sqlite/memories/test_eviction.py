"""Where a channel has no room, what counts for the least is forgotten, as an admin would forget it."""

from __future__ import annotations

from pathlib import Path

from bot.domain.finding import ForgetMemory, RestoreMemory
from bot.domain.ids import MAIN, ChannelId, UserId
from bot.domain.memory import MadeRoom, MemoryProvenance, MemoryReach, MemoryScope, MemoryType
from bot.domain.revisions import RevisionCause, RevisionKind
from tests.adapters.sqlite.opened import opened
from tests.contracts.test_store import audited, offer
from tests.fakes import values as v
from tests.fakes.clock import START

DAY = 86_400_000
REACH = MemoryReach(agent=MAIN, channel=v.GENERAL)


async def left(store) -> list[int]:
    return sorted(memory.id for memory in await store.memories.in_reach(REACH))


async def test_what_counts_for_the_least_now_goes_first(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        new = [
            v.memory("weighty", importance=0.9),
            v.memory("weighty long ago", importance=0.9, created_at=START - 400 * DAY),
            v.memory("light", importance=0.3),
            v.memory("read a moment ago", importance=0.9, created_at=START - 400 * DAY),
            v.memory("elsewhere", importance=0.0, scope_id="console:there"),
            v.memory("of the guild", importance=0.0, scope=MemoryScope.GUILD, scope_id="1"),
        ]
        await store.memories.add(new)
        await store.memories.touched([4], START)
        assert await store.memories.make_room(4, START) == []
        assert await store.memories.make_room(0, START) == [], "0 is for no limit"
        assert await store.memories.make_room(2, START) == [MadeRoom(MAIN, v.GENERAL, 2, 2)]
        assert await left(store) == [1, 4]
        assert await store.memories.make_room(2, START) == []
        assert await store.memories.get(5) is not None and await store.memories.get(2) is not None


async def test_each_has_a_version_that_says_why_and_keeps_its_words(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        await store.memories.add([v.memory(f"tea {n}", created_at=START + n) for n in range(200)])
        assert await store.memories.make_room(50, START + DAY) == [MadeRoom(MAIN, v.GENERAL, 150, 50)]
        assert await left(store) == list(range(151, 201)), "of equals the oldest"
        gone = await store.memories.get(1)
        assert gone is not None
        assert (gone.body.content, gone.forgotten_at, gone.version) == ("tea 0", START + DAY, 2)
        history = await store.revisions.of(RevisionKind.MEMORY, 1)
        assert [one.cause for one in history] == [RevisionCause.SAVED, RevisionCause.EVICTED]
        assert history[-1].by.actor == "" and await store.verify() == []


async def test_some_are_never_forgotten_even_where_there_is_no_room_otherwise(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        by_admin = MemoryProvenance(author=UserId("1"), by_admin=True)
        new = [
            v.memory("who I am", type=MemoryType.IDENTITY, importance=0.0),
            v.memory("an admin's", importance=0.0, provenance=by_admin),
            v.memory("brought back", importance=0.0),
            v.memory("anybody's", importance=0.9),
        ]
        await store.memories.add(new)
        for fix in (ForgetMemory(memory=3, version=1), RestoreMemory(memory=3, version=2)):
            offered = await store.offers.propose(offer(fix, fix.kind))
            assert await store.offers.execute(offered.id, audited()) is not None
        assert await store.memories.make_room(1, START) == [MadeRoom(MAIN, v.GENERAL, 1, 3)]
        assert await left(store) == [1, 2, 3]
        assert await store.memories.make_room(1, START) == []


async def test_channels_are_looked_at_one_by_one(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        other = ChannelId("console:there")
        await store.memories.add([v.memory(str(n)) for n in range(5)])
        await store.memories.add([v.memory(str(n), channel=other, scope_id=other) for n in range(4)])
        made = await store.memories.make_room(3, START)
        assert made == [MadeRoom(MAIN, v.GENERAL, 2, 3), MadeRoom(MAIN, other, 1, 3)]
