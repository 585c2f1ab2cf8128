"""Answers, however they are dealt out."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.openai.stream import OpenAIAnswer, parse_chunk
from bot.domain.llm import FinishReason, TokenUsage


def answer(*chunks: dict) -> OpenAIAnswer:
    grown = OpenAIAnswer(lambda _: None)
    for chunk in chunks:
        parsed = parse_chunk(json.dumps(chunk).encode())
        assert parsed is not None
        grown.add(parsed)
    return grown


def delta(finish: str | None = None, **fields) -> dict:
    return {"choices": [{"index": 0, "delta": fields, "finish_reason": finish}]}


def part(arguments: str, **fields) -> dict:
    return {
        "function": {"arguments": arguments, **({"name": fields.pop("name")} if "name" in fields else {})},
        **fields,
    }


def test_calls_without_numbers_and_calls_with_one_number_for_all():
    for number in ({}, {"index": 0}):
        grown = answer(
            delta(tool_calls=[part('{"a"', id="x", name="one", **number)]),
            delta(tool_calls=[part(":1}", **number)]),
            delta("tool_calls", tool_calls=[part("{}", id="y", name="two", **number)]),
        ).response()
        assert [(c.call_id, c.name, c.arguments) for c in grown.calls] == [("x", "one", '{"a":1}'), ("y", "two", "{}")]


def test_arguments_sent_as_an_object_and_calls_without_ids():
    grown = answer(delta("stop", tool_calls=[{"function": {"name": "a", "arguments": {"q": 1}}}])).response()
    assert [(c.call_id, c.arguments) for c in grown.calls] == [("call_0", '{"q":1}')]
    assert grown.finish is FinishReason.TOOL_CALLS


def test_half_a_character_costs_only_itself():
    chunk = parse_chunk(b'{"choices":[{"delta":{"content":"a\\ud83d \\\\ud83d \\ud83d\\ude00"}}]}')
    assert chunk is not None and chunk.choices[0].delta is not None
    assert chunk.choices[0].delta.content == "a\ufffd \\ud83d 😀"


@pytest.mark.parametrize(
    ("said", "usage"),
    [
        (None, TokenUsage()),
        ("none", TokenUsage()),
        ({"prompt_tokens": -5, "completion_tokens": "7"}, TokenUsage()),
        ({"prompt_tokens": 5, "completion_tokens": True}, TokenUsage(input=5)),
        ({"prompt_tokens": 5, "completion_tokens": 10**30}, TokenUsage(input=5)),
        (
            {"prompt_tokens": 9, "completion_tokens": 2, "prompt_tokens_details": {"cached_tokens": 4}},
            TokenUsage(input=9, output=2, cached=4),
        ),
    ],
)
def test_usage_is_a_count_or_nothing(said: object, usage: TokenUsage):
    assert answer({**delta("stop"), "usage": said}).response().usage == usage


@pytest.mark.parametrize("odd", ["[]", "1", '"x"', "{", "", '{"choices":[1]}', "[" * 5000])
def test_what_is_not_the_protocol_is_refused(odd: str):
    assert parse_chunk(odd.encode()) is None


@pytest.mark.parametrize("odd", ['{"choices":null}', "{}", '{"choices":[{"delta":null}],"model":3}'])
def test_null_stands_for_absent(odd: str):
    assert parse_chunk(odd.encode()) is not None


@given(st.binary(max_size=200))
def test_no_bytes_can_break_it(data: bytes):
    parse_chunk(data)
