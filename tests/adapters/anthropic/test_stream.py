"""Answers of the Messages protocol, event by event."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.anthropic.stream import AnthropicAnswer
from adapters.model_http.client import LifeSign
from adapters.model_http.errors import ErrorInside, NotTheProtocol
from bot.domain.llm import FinishReason, TokenUsage

START = {"type": "message_start", "message": {"id": "msg_1", "model": "claude", "usage": {"input_tokens": 9}}}
STOP = {"type": "message_stop"}


def answer(*events: dict) -> AnthropicAnswer:
    grown = AnthropicAnswer(lambda _: None)
    for event in events:
        grown.take(json.dumps(event).encode())
    return grown


def start(index: int = 0, kind: str = "text", **fields) -> dict:
    return {"type": "content_block_start", "index": index, "content_block": {"type": kind, **fields}}


def delta(index: int = 0, kind: str = "text_delta", **fields) -> dict:
    return {"type": "content_block_delta", "index": index, "delta": {"type": kind, **fields}}


def end(reason: str | None = "end_turn", **usage) -> dict:
    return {"type": "message_delta", "delta": {"stop_reason": reason}, "usage": usage}


def heard(event: dict) -> LifeSign:
    return AnthropicAnswer(lambda _: None).take(json.dumps(event).encode())


def test_calls_grow_by_their_block():
    grown = answer(
        START,
        start(0, text=""),
        delta(0, text="let me"),
        start(1, "tool_use", id="toolu_1", name="recall", input={}),
        delta(1, "input_json_delta", partial_json=""),
        start(2, "tool_use", id="toolu_2", name="react", input={}),
        delta(2, "input_json_delta", partial_json='{"emoji":'),
        delta(1, "input_json_delta", partial_json='{"q":1}'),
        delta(2, "input_json_delta", partial_json='"x"}'),
        end("tool_use"),
    ).response()
    calls = [(call.call_id, call.name, call.arguments) for call in grown.calls]
    assert calls == [("toolu_1", "recall", '{"q":1}'), ("toolu_2", "react", '{"emoji":"x"}')]
    assert (grown.text, grown.finish) == ("let me", FinishReason.TOOL_CALLS)


def test_a_call_without_pieces_has_what_it_began_with():
    given = start(0, "tool_use", id="a", name="b", input={"q": 1})
    none = start(1, "tool_use", id="c", name="d", input={})
    assert [call.arguments for call in answer(START, given, none, end("tool_use")).response().calls] == [
        '{"q":1}',
        "{}",
    ]


def test_thoughts_are_not_words():
    grown = answer(
        START,
        start(0, "thinking", thinking="", signature=""),
        delta(0, "thinking_delta", thinking="hmm"),
        delta(0, "signature_delta", signature="EqQB"),
        start(1, "redacted_thinking", data="EmwK"),
        start(2, "something_new", text="x"),
        delta(2, "something_new_delta", text="y"),
        start(3),
        delta(3, text="yes"),
        end(),
    ).response()
    assert (grown.text, grown.calls, grown.finish) == ("yes", (), FinishReason.STOP)


@pytest.mark.parametrize(
    ("reason", "finish"),
    [
        ("end_turn", FinishReason.STOP),
        ("stop_sequence", FinishReason.STOP),
        ("tool_use", FinishReason.TOOL_CALLS),
        ("max_tokens", FinishReason.LENGTH),
        ("model_context_window_exceeded", FinishReason.LENGTH),
        ("refusal", FinishReason.CONTENT_FILTER),
        ("pause_turn", FinishReason.OTHER),
        ("some_day", FinishReason.OTHER),
    ],
)
def test_why_it_stopped(reason: str, finish: FinishReason):
    grown = answer(START, end(reason))
    assert grown.finished and grown.response().finish is finish


def test_without_a_reason_it_has_not_finished():
    assert not answer(START, start(), delta(text="x"), end(None)).finished


@pytest.mark.parametrize(
    ("begun", "ended", "usage"),
    [
        ({}, {}, TokenUsage()),
        ("none", None, TokenUsage()),
        ({"input_tokens": -5}, {"output_tokens": "7"}, TokenUsage()),
        ({"input_tokens": 5, "output_tokens": 1}, {"output_tokens": 12}, TokenUsage(input=5, output=12)),
        ({"input_tokens": 0}, {"input_tokens": 7, "output_tokens": 2}, TokenUsage(input=7, output=2)),
        (
            {"input_tokens": 5},
            {"output_tokens": 12, "output_tokens_details": {"thinking_tokens": 10}},
            TokenUsage(input=5, output=12, reasoning=10),
        ),
        (
            {"input_tokens": 10, "cache_creation_input_tokens": 200, "cache_read_input_tokens": 3000},
            {"input_tokens": 10, "output_tokens": 2},
            TokenUsage(input=3210, output=2, cached=3000, written=200),
        ),
    ],
)
def test_what_was_read_from_the_cache_is_part_of_the_input(begun: object, ended: object, usage: TokenUsage):
    first = {**START, "message": {"usage": begun}}
    assert answer(first, {**end(), "usage": ended}).response().usage == usage


@pytest.mark.parametrize(
    ("event", "means"),
    [
        ({"type": "ping"}, LifeSign.NOTHING),
        ({"type": "some_day"}, LifeSign.NOTHING),
        (START, LifeSign.NOTHING),
        (start(0, "thinking"), LifeSign.THOUGHT),
        (delta(0, "thinking_delta", thinking="x"), LifeSign.THOUGHT),
        (start(), LifeSign.TOKEN),
        (delta(text="x"), LifeSign.TOKEN),
        ({"type": "content_block_stop", "index": 0}, LifeSign.TOKEN),
        (end(), LifeSign.TOKEN),
        (STOP, LifeSign.END),
    ],
)
def test_what_an_event_is_for_somebody_who_waits(event: dict, means: LifeSign):
    assert heard(event) is means


def test_an_error_inside_is_an_error():
    with pytest.raises(ErrorInside) as caught:
        answer(START, {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}})
    assert caught.value.value == {"type": "overloaded_error", "message": "Overloaded"}


@pytest.mark.parametrize("odd", ["[]", "1", '"x"', "{", "{}", '{"type":3}', '{"choices":[]}', "[" * 5000])
def test_what_is_not_the_protocol_is_refused(odd: str):
    with pytest.raises(NotTheProtocol):
        AnthropicAnswer(lambda _: None).take(odd.encode())


@pytest.mark.parametrize("odd", ['{"type":"content_block_delta"}', '{"type":"message_delta","delta":null,"usage":[]}'])
def test_null_stands_for_absent(odd: str):
    assert AnthropicAnswer(lambda _: None).take(odd.encode())


def test_half_a_character_costs_only_itself():
    grown = AnthropicAnswer(lambda _: None)
    grown.take(b'{"type":"content_block_delta","delta":{"type":"text_delta","text":"a\\ud83d \\ud83d\\ude00"}}')
    assert grown.text == "a\ufffd 😀"


@given(st.binary(max_size=200))
def test_no_bytes_can_break_it(data: bytes):
    for take in (AnthropicAnswer(lambda _: None).take, AnthropicAnswer(lambda _: None).take_whole):
        try:
            take(data)
        except (NotTheProtocol, ErrorInside):
            continue
