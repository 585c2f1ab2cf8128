"""Counting by bytes is a bound; counting by the tokenizer is what numbers are made of."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.context.tokens import (
    BYTES,
    BYTES_PER_TOKEN,
    by_bytes,
    cost,
    cost_of_turn,
    costs,
    count_function,
    framing_tokens,
)
from bot.domain.channel import MessageEdited, Turn, apply
from bot.domain.messages import Message, Role, TextPart, ToolCall, ToolResult
from bot.domain.snapshot import CountMethod, Tokenizer
from tests.fakes.counter import WordCounter
from tests.fakes.values import call, channel, message, result


@given(st.text(max_size=300))
def test_four_times_the_estimate_is_never_less_than_the_bytes(text):
    assert by_bytes(text) * BYTES_PER_TOKEN >= len(text.encode("utf-8", "surrogatepass"))


def test_each_method_counts_its_own_way():
    counter = WordCounter()
    assert count_function(BYTES, counter)("one two three") == 4
    assert count_function(Tokenizer(name="words", method=CountMethod.EXACT, ratio=2.0), counter)("one two three") == 3
    assert (
        count_function(Tokenizer(name="words", method=CountMethod.ESTIMATE, ratio=1.5), counter)("one two three") == 5
    )


def test_everything_that_a_model_reads_is_counted_once():
    parts = (TextPart(text="a"), TextPart(text="b"), ToolCall(call_id="1", name="n", arguments="{}"))
    words = Message(role=Role.ASSISTANT, parts=parts)
    assert words.texts == ("a\n\n", "b", "n", "{}")
    assert Message(role=Role.ASSISTANT, parts=(TextPart(text="a"), TextPart(text="/b"))).texts == ("a\n\n/b",)
    assert Message(role=Role.TOOL, parts=(ToolResult(call_id="1", text="done"),)).texts == ("done",)
    assert message("just this").texts == ("just this",)


@pytest.mark.parametrize("said", [message("one two"), call("skip", "{ }"), result("well done")])
def test_the_cost_of_a_message_is_the_sum_of_its_texts(said):
    count = WordCounter().count
    assert cost(said, count) == sum(count(text) for text in said.texts)


@pytest.mark.parametrize("count", [by_bytes, WordCounter().count])
def test_a_turn_costs_what_its_messages_cost(count):
    messages = (message("one two"), call("skip", "{ }"), result("well done"))
    assert costs(messages, count) == tuple(cost(said, count) for said in messages)
    assert cost_of_turn(Turn(id=1, messages=messages), count) == sum(costs(messages, count))


def test_a_turn_with_an_edited_message_is_counted_anew():
    said = message("short", inbound=1)
    before = channel().replace(turns=(Turn(id=1, messages=(said,)),))
    assert cost_of_turn(before.turns[0], by_bytes) == said.quarter_bytes
    edited = message("much, much longer than it was", inbound=1)
    (turn,) = apply(before, MessageEdited(message=edited)).turns
    assert cost_of_turn(turn, by_bytes) == edited.quarter_bytes > said.quarter_bytes


def test_the_frame_counts_the_system_prompt_too():
    assert framing_tokens(0) == 7
    assert framing_tokens(2) == 15
