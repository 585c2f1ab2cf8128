"""Everything is read once; a section whose store fails is absent, and the turn goes on."""

from __future__ import annotations

from bot.context.tokens import BYTES
from tests.fakes.contexts import Stack, ask, talked
from tests.fakes.memories import FakeMemories
from tests.fakes.values import channel, memory


async def test_each_section_says_what_it_read_and_from_where():
    stack = Stack(memories=FakeMemories(memory("Ann likes tea.")))
    inputs = await stack.contexts.gatherer.gather(ask(channel()), BYTES)
    by_name = {loaded.name: loaded for loaded in inputs.loaded}
    assert len(by_name) == 16
    assert by_name["identity"].sources == ("config:bot.name", "config:bot.persona")
    assert by_name["memory_bulletin"].sources[0].startswith("memory:m")
    assert by_name["skills"].data is None and by_name["skills"].reason


async def test_a_broken_memory_store_costs_the_bulletin_and_not_the_turn():
    stack = Stack(memories=FakeMemories(memory("Ann likes tea.")))
    stack.memories.broken = True
    snapshot = await stack.contexts.snapshot(ask(talked(channel(), ("hi", "hello"))))
    trace = next(t for t in snapshot.sections if t.name == "memory_bulletin")
    assert trace.reason == "could not be read: the disk is gone"
    assert snapshot.request.messages


async def test_gathering_leaves_no_trace():
    stack, state = Stack(memories=FakeMemories(memory("Ann likes tea."))), channel()
    before = (list(stack.memories.kept), state.model_dump_json())
    await stack.contexts.gatherer.gather(ask(state), BYTES)
    assert (list(stack.memories.kept), state.model_dump_json()) == before
