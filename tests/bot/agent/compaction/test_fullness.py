"""What a request tells about the room that is left."""

from __future__ import annotations

from bot.agent.compaction.compactor import size_of
from tests.fakes.contexts import Stack, ask, limits, says, talked, trigger
from tests.fakes.values import channel


async def test_the_larger_count_holds_and_dropped_turns_are_told():
    stack = Stack()
    state = talked(channel(), *(("question " * 300, "answer " * 300) for _ in range(9)))
    snapshot = await stack.contexts.snapshot(ask(state, limit=limits(5000, 500)))
    size = size_of(snapshot, 0)
    assert (size.used, size.room, size.dropped) == (snapshot.stats.total, 4500, len(snapshot.dropped_turns))
    assert size.dropped and size_of(snapshot, 10**6).used == 10**6


async def test_nothing_follows_from_a_request_that_was_too_large_for_itself():
    snapshot = await Stack().contexts.snapshot(ask(channel(), trigger(says("word " * 9000)), limit=limits(5000, 500)))
    assert snapshot.overflow and size_of(snapshot, 0).used == 0 == size_of(None, 7).used
