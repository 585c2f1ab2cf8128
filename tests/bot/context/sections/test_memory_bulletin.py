"""The bulletin is the same for the same memories, short, and every line is data."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.context.sections.memory_bulletin import MAX_MEMORY_CHARS, MemoryBulletinSection, choose, line_of
from bot.domain.handles import HandleKind, handle
from bot.domain.memory import Memory, MemoryType, RelationKind
from bot.domain.snapshot import SectionFate
from tests.bot.context.talk import WORDS
from tests.fakes.contexts import Stack, ask
from tests.fakes.lengths import whole_or
from tests.fakes.memories import FakeMemories
from tests.fakes.values import channel, memory, relation


def stored(*bodies):
    return [Memory(id=number, body=body) for number, body in enumerate(bodies, 1)]


def test_importance_comes_first_then_type_then_number():
    known = stored(
        memory("a", importance=0.5),
        memory("b", importance=0.9, type=MemoryType.FACT),
        memory("c", importance=0.9, type=MemoryType.DECISION),
        memory("d", importance=0.9, type=MemoryType.FACT),
    )
    assert [m.body.content for m in choose(known, 500)] == ["c", "b", "d", "a"]
    assert choose(list(reversed(known)), 500) == choose(known, 500)


def test_what_does_not_fit_makes_room_for_what_does():
    known = stored(memory("long " * 60, importance=0.9), memory("short", importance=0.1))
    assert [m.id for m in choose(known, 30)] == [2]
    assert choose(known, 5) == ()


def test_a_long_memory_is_shown_by_its_beginning():
    line = line_of(stored(memory("y" * 5000))[0])
    assert "(5,000 characters in all)" in line["content"] and len(line["content"]) < MAX_MEMORY_CHARS + 60


@settings(max_examples=whole_or(100, 40), deadline=None)
@given(st.lists(WORDS.filter(bool), min_size=1, max_size=6), WORDS)
async def test_no_memory_breaks_out_of_its_line(contents, name):
    bodies = [memory(text) for text in contents]
    bodies[0] = bodies[0].replace(provenance=bodies[0].provenance.replace(author_name=name))
    snapshot = await Stack(memories=FakeMemories(*bodies)).contexts.snapshot(ask(channel()))
    text = next(b.text for b in snapshot.request.system if b.name == "memory_bulletin")
    lines = [line for line in text.split("\n") if line.startswith("- ")]
    assert len(lines) == len(contents)
    assert all(line.endswith('"') and line.count(" | ") >= 5 for line in lines)
    assert text.endswith(f"{len(contents)} of {len(contents)} shown.")


async def test_every_line_is_a_source():
    bodies = [memory(f"number {n}") for n in range(3)]
    snapshot = await Stack(memories=FakeMemories(*bodies)).contexts.snapshot(ask(channel()))
    trace = next(t for t in snapshot.sections if t.name == "memory_bulletin")
    assert set(trace.sources) == {f"memory:{handle(HandleKind.MEMORY, n)}" for n in (1, 2, 3)}


async def test_what_a_newer_memory_updates_is_not_shown_but_counted():
    newer = memory("tea at five", relations=(relation(1, RelationKind.UPDATES),))
    memories = FakeMemories(memory("tea at four", importance=1), newer)

    async def bulletin():
        snapshot = await Stack(memories=memories).contexts.snapshot(ask(channel()))
        return next(b.text for b in snapshot.request.system if b.name == "memory_bulletin")

    assert "five" in await bulletin() and "four" not in await bulletin()
    assert (await bulletin()).endswith("1 of 2 shown; `memory_recall` searches all of them.")
    memories.forget(2)
    assert "four" in await bulletin()


async def test_what_only_contradicts_hides_nothing():
    newer = memory("tea at five", relations=(relation(1, RelationKind.CONTRADICTS),))
    snapshot = await Stack(memories=FakeMemories(memory("tea at four"), newer)).contexts.snapshot(ask(channel()))
    text = next(b.text for b in snapshot.request.system if b.name == "memory_bulletin")
    assert "five" in text and "four" in text


async def test_why_there_is_no_bulletin():
    async def reason(stack):
        trace = next(t for t in (await stack.contexts.snapshot(ask(channel()))).sections if t.name == "memory_bulletin")
        assert trace.fate is SectionFate.ABSENT
        return trace.reason

    assert await reason(Stack()) == "nothing is remembered here"
    stack = Stack(memories=FakeMemories(memory("tea")))
    stack.facts = type(stack.facts)(bot_name="G", persona="P", bulletin_words=3)
    assert await reason(stack) == "none of 1 memories fits into 3 words"
    stack.facts = type(stack.facts)(bot_name="G", persona="P", bulletin_words=0)
    assert await reason(stack) == "switched off: memory.bulletin_words is 0"


async def test_people_s_own_memories_stay_out_of_a_channel_s_bulletin():
    stack = Stack()
    await MemoryBulletinSection().load(channel(), stack.contexts.gatherer.sources)
    assert stack.memories.reached[0].user_id is None
