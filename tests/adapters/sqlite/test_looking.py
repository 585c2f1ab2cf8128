"""What a look at a channel costs those who read, in statements: each of them waits for the interpreter."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from adapters.sqlite import SqliteStore
from adapters.sqlite.engine.database import MAX_ENTRIES
from adapters.sqlite.store import READERS
from bot.domain.channel import ChannelSettings, ResponseMode
from bot.domain.ids import MAIN, AgentId, ChannelId, ChannelKey
from bot.domain.memory import MemoryReach
from bot.domain.messages import ChannelPlace
from bot.domain.revisions import BY_ITSELF
from bot.domain.turn import TurnEnd, TurnStatus
from tests.adapters.sqlite.opened import opened
from tests.fakes import values as v
from tests.fakes.clock import START
from tests.inside.store import database_of

ROOMS = 600


class Readers:
    """A store, and the statements of its readers since the last look."""

    def __init__(self, store: SqliteStore) -> None:
        self.store = store
        self._said: list[str] = []

    async def start(self) -> None:
        def watch(connection: sqlite3.Connection) -> None:
            connection.set_trace_callback(self._said.append)

        # side by side, so that each of the readers is given one
        await asyncio.gather(*(database_of(self.store).read(watch) for _ in range(READERS)))

    def look(self) -> list[str]:
        ours = [said for said in self._said if said not in ("BEGIN", "ROLLBACK")]
        self._said.clear()
        return ours


@pytest.fixture
async def readers(tmp_path: Path) -> AsyncIterator[Readers]:
    async with opened(tmp_path) as store:
        yield Readers(store)


def room(name: str) -> ChannelKey:
    return ChannelKey(MAIN, ChannelId(f"console:{name}"))


async def meet(store: SqliteStore, name: str, place: ChannelPlace = v.GUILD) -> ChannelKey:
    await store.channels.meet(room(name), f"#{name}", place, ChannelSettings())
    return room(name)


async def neighbours(store: SqliteStore, key: ChannelKey) -> list[str]:
    return [f"{found.name} {found.id}" for found in await store.channels.neighbours(key, "1", 9)]


async def test_the_channels_of_a_guild_are_listed_once_for_all_of_them(readers: Readers):
    store = readers.store
    keys = [await meet(store, name) for name in "abc"]
    await readers.start()
    assert await neighbours(store, keys[0]) == ["#b console:b", "#c console:c"]
    readers.look()
    assert await neighbours(store, keys[1]) == ["#a console:a", "#c console:c"]
    await store.channels.hear([(keys[2], v.message("hello", ambient=True))], 50)
    await store.channels.set_settings(keys[2], ChannelSettings(mode=ResponseMode.OBSERVE), BY_ITSELF)
    assert await neighbours(store, keys[0]) == ["#b console:b", "#c console:c"]
    assert readers.look() == [], "talk and settings change no name"


async def test_a_new_name_a_new_place_a_new_channel_and_a_move_are_seen_at_once(readers: Readers):
    store = readers.store
    here, there = await meet(store, "a"), await meet(store, "b")
    assert await neighbours(store, here) == ["#b console:b"]
    await store.channels.meet(there, "#renamed", v.GUILD, ChannelSettings())
    assert await neighbours(store, here) == ["#renamed console:b"]
    await meet(store, "c")
    assert await neighbours(store, here) == ["#renamed console:b", "#c console:c"]
    await store.channels.meet(there, "#renamed", ChannelPlace(guild_id="2"), ChannelSettings())
    assert await neighbours(store, here) == ["#c console:c"]
    await store.channels.move(ChannelId("console:c"), ChannelId("console:d"), START)
    assert await neighbours(store, here) == ["#c console:d"]


async def test_only_so_many_neighbours_whoever_asks(readers: Readers):
    keys = [await meet(readers.store, name) for name in "abcd"]
    for key in keys:
        others = [room(name).channel for name in "abcd" if room(name) != key]
        assert [n.id for n in await readers.store.channels.neighbours(key, "1", 2)] == others[:2]


async def test_a_conversation_is_read_in_a_few_statements_however_long_it_is(readers: Readers):
    store = readers.store
    key = ChannelKey(MAIN, v.GENERAL)
    for number in range(30):
        turn = await store.journal.begin_turn(v.turn_start(), ())
        said = (v.message(f"question {number}"), v.said(f"answer {number}"))
        end = TurnEnd(turn=turn, agent=MAIN, channel=v.GENERAL, at=START, status=TurnStatus.REPLIED, messages=said)
        await store.journal.end_turn(end)
    await readers.start()
    state = await store.channels.load(key)
    assert state is not None
    assert [m.text for turn in state.turns for m in turn.messages][-2:] == ["question 29", "answer 29"]
    assert len(readers.look()) <= 6


async def test_where_nothing_is_remembered_nobody_looks_twice(readers: Readers):
    store = readers.store

    def reach(number: int) -> MemoryReach:
        return MemoryReach(agent=AgentId(MAIN), channel=ChannelId(f"console:{number}"), guild_id="1")

    for number in range(ROOMS):
        assert not await store.memories.in_reach(reach(number))
        assert await store.memories.weightiest(reach(number), 100) == ([], 0)
    await readers.start()
    for number in range(ROOMS):
        assert not await store.memories.in_reach(reach(number))
        assert await store.memories.weightiest(reach(number), 100) == ([], 0)
    assert readers.look() == []
    (row,) = await store.memories.add([v.memory("tea is at four", scope_id="console:5")])
    assert [m.id for m in await store.memories.in_reach(reach(5))] == [row]
    assert (await store.memories.weightiest(reach(5), 100))[1] == 1
    assert not await store.memories.in_reach(reach(6))


async def test_long_answers_are_remembered_within_bounds(readers: Readers):
    store = readers.store
    for room in range(4):
        await store.memories.add([v.memory(f"memory {n}", scope_id=f"console:{room}") for n in range(MAX_ENTRIES // 3)])
    for room in range(4):
        reach = MemoryReach(agent=AgentId(MAIN), channel=ChannelId(f"console:{room}"))
        assert len(await store.memories.in_reach(reach, MAX_ENTRIES)) == MAX_ENTRIES // 3
    database = database_of(store)
    assert sum(len(answer) for _, (_, answer) in database._answers.items()) == database._answers.size <= MAX_ENTRIES
    await readers.start()
    await store.memories.in_reach(reach, MAX_ENTRIES)
    assert readers.look() == []
