"""Counting costs nothing while nothing depends on it."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.context.builder import ContextBuilder
from bot.domain.llm import ToolChoice
from bot.domain.snapshot import CountMethod, SectionFate
from tests.bot.context.talk import MEMORIES, states, triggers
from tests.fakes.contexts import Stack, ask, limits, says, talked, trigger
from tests.fakes.counter import WordCounter
from tests.fakes.lengths import whole_or
from tests.fakes.memories import FakeMemories
from tests.fakes.values import call, channel, memory, result


class Refusing(WordCounter):
    """A tokenizer that must not be asked."""

    def count(self, text):
        raise AssertionError("counted on the turn's path")

    async def warm(self, texts):
        raise AssertionError("loaded on the turn's path")


def long_talk(turns=20):
    return talked(channel(), *((f"question {n} " + "why " * 100, "because " * 100) for n in range(turns)))


async def test_a_small_request_is_never_counted():
    stack = Stack(counter=Refusing())
    snapshot = await stack.contexts.snapshot(ask(talked(channel(), ("hi", "hello"))))
    assert snapshot.stats.tokenizer.method is CountMethod.BYTES
    assert not snapshot.dropped_turns and not snapshot.overflow


async def test_a_request_that_may_not_fit_is_counted_properly():
    stack = Stack()
    snapshot = await stack.contexts.snapshot(ask(long_talk(), limit=limits(6000, 500)))
    assert snapshot.stats.tokenizer.name == "words"
    assert snapshot.dropped_turns == () and snapshot.overflow == 0


async def test_by_bytes_nothing_is_ever_dropped():
    """Dropping by an estimate would forget what fits."""
    for window in (1000, 3000, 6000, 12_000, 24_000, 48_000):
        snapshot = await Stack().contexts.snapshot(ask(long_talk(), limit=limits(window, 500)))
        if snapshot.inputs.tokenizer.method is CountMethod.BYTES:
            assert not snapshot.dropped_turns and not snapshot.overflow
            assert all(trace.fate is not SectionFate.DROPPED for trace in snapshot.sections)


async def test_measuring_changes_numbers_and_nothing_else():
    contexts = Stack(memories=FakeMemories(memory("Ann likes tea."))).contexts
    asked = ask(talked(channel(), ("hi there", "hello you")))
    by_bytes, exact = await contexts.snapshot(asked), await contexts.snapshot(asked, exact=True)
    assert exact.digest == by_bytes.digest and exact.inputs == by_bytes.inputs
    assert exact.stats.tokenizer.name == "words"
    assert exact.message_tokens[1] == 2
    assert exact.stats.system_prompt == len(exact.request.system_text.split())
    status = next(t for t in exact.sections if t.name == "status")
    assert status.tokens == len(next(p.text for p in exact.request.messages[-1].parts if "## Status" in p.text).split())


@settings(max_examples=whole_or(100, 40), deadline=None)
@given(states(), triggers(), MEMORIES, st.integers(200, 40_000), st.sampled_from([0.25, 0.7, 1.0, 1.6, 4.0]))
def test_counted_in_one_go_it_is_what_it_is_counted_in_two(state, at, memories, window, ratio):
    asked, model = ask(state, at), f"{'estimated' if ratio != 1 else 'simulated'}/x"
    asked = replace(asked, limits=limits(window, 100, model))
    found = []
    for ready in (False, True):
        stack = Stack(memories=FakeMemories(*memories), counter=WordCounter(ready=ready))
        stack.meter.ratios[model] = ratio
        found.append(asyncio.run(stack.contexts.snapshot(asked, exact=True)))
    assert found[0] == found[1] and found[0].inputs == found[1].inputs


async def test_what_is_known_is_counted_in_one_go_and_what_is_much_and_unknown_off_the_loop():
    class Watching(WordCounter):
        warmed = 0

        async def sizes(self, texts):
            self.warmed += 1
            return await super().sizes(texts)

    stack = Stack(counter=Watching(ready=True))
    little, much = talked(channel(), ("hi", "hello")), talked(channel(), ("why", "because " * 1000))
    warmed = []
    for state in (channel(), little, much, much):
        await stack.contexts.snapshot(ask(state), exact=True)
        warmed.append(stack.counter.warmed)
    assert warmed == [1, 1, 2, 2]  # the first one counts the sections


async def test_rounds_are_the_whole_of_them_each_time():
    contexts = Stack().contexts
    first = await contexts.snapshot(ask(channel()))
    one = (call("skip", "{}"), result("done"))
    two = (*one, call("skip", "{}", "c2"), result("done", "c2"))
    then = contexts.extended(contexts.extended(first, one, ToolChoice.AUTO), two, ToolChoice.NONE)
    assert then.request.messages == (*first.request.messages, *two)
    assert then.request.tool_choice is ToolChoice.NONE and then.request.tools == first.request.tools


async def test_a_round_that_outgrows_the_bound_is_counted_when_the_table_is_there():
    state = long_talk(4)
    for ready, name in ((True, "words"), (False, "bytes/4")):
        stack = Stack(counter=WordCounter(ready=ready))
        first = await stack.contexts.snapshot(ask(state, limit=limits(20_000, 500)))
        assert first.stats.tokenizer.name == "bytes/4"
        then = stack.contexts.extended(first, (call(), result("data " * 3000)), ToolChoice.AUTO)
        assert then.stats.tokenizer.name == name


async def test_another_model_gets_what_was_gathered_once():
    stack = Stack()
    snapshot = await stack.contexts.snapshot(ask(long_talk(), limit=limits(100_000)))
    stack.memories.broken = True
    small = await stack.contexts.refit(snapshot, limits(2000, 200, "other/small"))
    assert str(small.request.model) == "other/small" and small.dropped_turns
    assert small.inputs.loaded == snapshot.inputs.loaded
    assert small.overflow == 0


async def learned(contexts: ContextBuilder, usage: int | None, model="estimated/x"):
    snapshot = await contexts.snapshot(ask(talked(channel(), ("hi", "hello")), limit=limits(model=model)))
    measured = await contexts.measured(snapshot)
    await contexts.learn(snapshot, usage)
    return measured


async def test_the_ratio_moves_towards_what_the_provider_counts():
    stack = Stack(counter=WordCounter(ready=True))
    measured = await learned(stack.contexts, 0)
    assert stack.meter.ratios == {}
    real = round(measured.stats.total * 1.5)
    for _ in range(30):
        await learned(stack.contexts, real)
    assert stack.meter.ratios["estimated/x"] == pytest.approx(1.5, abs=0.02)
    asked = ask(talked(channel(), ("hi", "hello")), limit=limits(model="estimated/x"))
    again = await stack.contexts.snapshot(asked, exact=True)
    assert again.stats.total == pytest.approx(real, rel=0.05)


@pytest.mark.parametrize(
    ("words", "read"),
    [
        (4000, 2050),  # the half that Ollama keeps of a window of 4,096, and two
        (4000, 120),  # only what was not in the server's own cache was counted
        (4700, 4096),  # a window to the token
        (4700, 4095),  # the same, with room for one token of an answer
        (20_000, 10_240),
    ],
)
async def test_what_the_server_cut_teaches_nothing(words: int, read: int):
    stack = Stack(counter=WordCounter(ready=True))
    state = talked(channel(), ("pear " * words, "hello"))
    snapshot = await stack.contexts.snapshot(ask(state, limit=limits(100_000, model="estimated/x")))
    assert (await stack.contexts.measured(snapshot)).stats.total > read
    await stack.contexts.learn(snapshot, read)
    assert stack.meter.ratios == {}
    await stack.contexts.learn(snapshot, read * 2 - 7 if read > 2000 else words)
    assert stack.meter.ratios.keys() == {"estimated/x"}


async def test_nothing_is_loaded_to_learn_and_nonsense_teaches_nothing():
    stack = Stack(counter=Refusing())
    snapshot = await stack.contexts.snapshot(ask(channel()))
    await stack.contexts.learn(snapshot, 500)
    assert stack.meter.ratios == {}
    stack = Stack(counter=WordCounter(ready=True))
    await learned(stack.contexts, 10_000_000)
    assert stack.meter.ratios == {}


async def test_everything_the_budget_needs_is_counted_before_it_is_asked():
    stack = Stack()
    warmed: list[str] = []

    class Watching(WordCounter):
        def count(self, text):
            # only the newest message in its envelope is new, and short
            assert text in warmed or "## Where and when this is" in text
            return super().count(text)

        async def warm(self, texts):
            warmed.extend(texts)

    stack.counter = Watching()
    at = trigger(says("one", 91), says("two " * 50, 92))
    await stack.contexts.snapshot(ask(long_talk(), at, limit=limits(3000, 100)))
