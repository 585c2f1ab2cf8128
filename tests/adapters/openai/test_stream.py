"""Server-sent events, however they are cut; answers, however they are dealt out."""

from __future__ import annotations

import itertools
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.openai.stream import Answer, Events, parse_chunk
from bot.domain.llm import FinishReason, Usage


def cut(stream: bytes, *at: int) -> list[bytes]:
    events, found = Events(), []
    places = [0, *sorted(place % (len(stream) + 1) for place in at), len(stream)]
    for start, end in itertools.pairwise(places):
        found += events.feed(stream[start:end])
    return [*found, *events.rest()]


STREAM = ': hello\r\n\r\ndata: {"a":"é😀"}\r\n\r\nevent: x\rdata:one\rdata: two\r\rid: 7\n\n\ndata: [DONE]\n\n'.encode()
FOUND = ['{"a":"é😀"}'.encode(), b"one\ntwo", b"[DONE]"]


@given(st.lists(st.integers(0, len(STREAM)), max_size=12))
def test_cuts_do_not_matter(at: list[int]):
    assert cut(STREAM, *at) == FOUND


def test_every_byte_alone():
    assert cut(STREAM, *range(len(STREAM))) == FOUND


def test_a_line_of_megabytes_in_small_pieces():
    line = b"data: " + b"x" * 3_000_000 + b"\n\n"
    assert cut(line, *range(0, len(line), 4096)) == [b"x" * 3_000_000]


def test_the_last_event_may_lack_its_blank_line():
    assert cut(b"data: a\n\ndata: b") == [b"a", b"b"]


def answer(*chunks: dict) -> Answer:
    grown = Answer(lambda _: None)
    for chunk in chunks:
        parsed = parse_chunk(json.dumps(chunk).encode())
        assert parsed is not None
        grown.take(parsed)
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
        (None, Usage()),
        ("none", Usage()),
        ({"prompt_tokens": -5, "completion_tokens": "7"}, Usage()),
        ({"prompt_tokens": 5, "completion_tokens": True}, Usage(input=5)),
        ({"prompt_tokens": 5, "completion_tokens": 10**30}, Usage(input=5)),
        (
            {"prompt_tokens": 9, "completion_tokens": 2, "prompt_tokens_details": {"cached_tokens": 4}},
            Usage(input=9, output=2, cached=4),
        ),
    ],
)
def test_usage_is_a_count_or_nothing(said: object, usage: Usage):
    assert answer({**delta("stop"), "usage": said}).response().usage == usage


@pytest.mark.parametrize("odd", ["[]", "1", '"x"', "{", "", '{"choices":[1]}', "[" * 5000])
def test_what_is_not_the_protocol_is_refused(odd: str):
    assert parse_chunk(odd.encode()) is None


@pytest.mark.parametrize("odd", ['{"choices":null}', "{}", '{"choices":[{"delta":null}],"model":3}'])
def test_null_stands_for_absent(odd: str):
    assert parse_chunk(odd.encode()) is not None


@given(st.binary(max_size=200))
def test_no_bytes_can_break_it(data: bytes):
    for found in cut(b"data: " + data):
        parse_chunk(found)
