"""What two requests begin with in common is what a provider can read from its cache, and what ends it is named."""

from __future__ import annotations

import asyncio

from hypothesis import given, settings

from bot.domain.channel import LastTurn, TurnFinished, apply
from bot.domain.llm import TokenUsage
from bot.inspect.diff.context_diff import RequestPart
from bot.inspect.diff.shared_prefix import blocks, breaking_change, common_length, common_prefix
from tests.bot.context.laid import coming, sent, side
from tests.bot.context.talk import MEMORIES, rounds, states, triggers
from tests.fakes.contexts import says, talked, trigger
from tests.fakes.values import channel, memory, said, tool_definition


def changed(one, **changes):
    return type(one)(**{**vars(one), "digest": "", **changes})


@settings(max_examples=25, deadline=None)
@given(states(), triggers(), rounds(), MEMORIES)
def test_a_round_shares_everything_with_the_round_before(state, asked, more, memories):
    async def check():
        first = side(await sent(state, asked, memories=memories))
        second = side(await sent(state, asked, more, memories=memories))
        found = common_prefix(first, second)
        assert found.broke is None and found.well
        assert found.shared == found.of_before
        assert found.of_after.messages - found.shared.messages == len(more)

    asyncio.run(check())


@settings(max_examples=25, deadline=None)
@given(states(), states(), triggers(), triggers())
def test_what_is_shared_is_a_beginning_of_both_and_the_next_block_differs(a, b, t1, t2):
    async def check():
        first, second = side(await sent(a, t1)), side(await sent(b, t2))
        found, old, new = common_prefix(first, second), list(blocks(first)), list(blocks(second))
        at = found.shared.blocks
        assert [block.piece.name for block in old[:at]] == [block.piece.name for block in new[:at]]
        assert sum(block.piece.tokens for block in new[:at]) == found.shared.tokens
        if found.broke is not None and at < len(new):
            assert (old[at].part, old[at].piece.name) != (new[at].part, new[at].piece.name)

    asyncio.run(check())


async def test_a_quiet_turn_shares_everything_up_to_the_question_before():
    state = talked(channel(), ("hi", "hello"))
    first = side(await sent(state, trigger(says("how are you?", 99))))
    messages = (says("how are you?", 99), said("well"))
    state = apply(state, TurnFinished(turn_id=2, messages=messages, last=LastTurn(outcome="replied", at=1)))
    found = common_prefix(first, side(await coming(state)))
    assert found.broke and found.broke.expected and found.well
    assert found.shared.messages == 2
    assert found.broke.label.startswith("the blocks before the newest message")
    change, _ = breaking_change(found)
    assert change.moving


async def test_a_new_memory_ends_it_at_the_bulletin():
    state = talked(channel(), ("hi", "hello"))
    bodies = [memory("Tea."), memory("Coffee.")]
    first, second = side(await coming(state, bodies[0])), side(await coming(state, *bodies))
    found = common_prefix(first, second)
    assert found.broke and not found.well and found.broke.label == "memory_bulletin"
    assert found.broke.inside > 100 and found.shared.messages == 0
    change, _ = breaking_change(found)
    assert (change.part, change.label) == (RequestPart.SECTION, "memory_bulletin")


async def test_another_model_shares_nothing_and_another_tool_comes_first():
    state = talked(channel(), ("hi", "hello"))
    one = side(await sent(state, trigger()))
    other = one.parameters[0]._replace(name="a/b", text="a/b")
    found = common_prefix(one, changed(one, parameters=(other, *one.parameters[1:])))
    assert found.shared.blocks == 0 and found.broke.label == "model"
    change, _ = breaking_change(found)
    assert change.label == "model"
    two = side(await sent(state, trigger(), tools=(tool_definition(description="Other."),)))
    assert common_prefix(one, two).broke.label == "tool skip"
    # fewer than before: what stood next is not there
    assert common_prefix(changed(one, messages=()), changed(one, messages=(), sections=())).broke.after is None


async def test_the_rate_is_the_providers_own():
    one = side(await coming(channel()))
    for usage, rate in (
        (None, None),
        (TokenUsage(input=100), None),
        (TokenUsage(input=200, cached=50), 0.25),
        (TokenUsage(input=0, cached=0), None),
    ):
        assert common_prefix(one, changed(one, usage=usage)).hit_rate == rate
    assert common_prefix(one, one).share == 1.0


def test_the_common_length_is_exact():
    for before, after, length in (("", "", 0), ("abc", "abd", 2), ("abc", "abcdef", 3), ("x", "y", 0)):
        assert common_length(before, after) == common_length(after, before) == length
        assert common_length(before.encode(), after.encode()) == length
