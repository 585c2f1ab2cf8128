"""The bytes that are posted: fixed order, equal for equal requests, valid whatever the request holds."""

from __future__ import annotations

import hashlib
import tracemalloc

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.model_http.json_cache import JsonFragments
from adapters.openai.encode import encode_chat
from bot.domain.base import JsonText
from bot.domain.dialect import Dialect, DialectTrait
from bot.domain.llm import LLMRequest, ModelName, SystemBlock, ToolChoice, ToolDefinition
from bot.domain.messages import Message, Role, TextPart, ToolCall, ToolResult
from tests.fakes.values import call, llm_request, message, result, said, tool_definition

NASTY = ["", " ", "{}", "[1]", "{", '{"a": NaN}', '{"a": "\\ud800"}', "null", '{"q": "tea"}', "[" * 3000, "\ud800x"]
words = st.one_of(st.text(max_size=30), st.sampled_from(["\ud800", "a\udc00b", "\x00", "\u2028", '"\\', "😀é", "\n"]))
arguments = st.one_of(words, st.sampled_from(NASTY))
calls = st.builds(ToolCall, call_id=words, name=words, arguments=arguments)
results = st.builds(ToolResult, call_id=words, text=words, ok=st.booleans())
parts = st.lists(st.one_of(st.builds(TextPart, text=words), calls, results), max_size=4).map(tuple)
messages = st.builds(Message, role=st.sampled_from(Role), parts=parts)
tools = st.builds(ToolDefinition, name=words, description=words, parameters=arguments.map(JsonText))
requests = st.builds(
    LLMRequest,
    model=st.builds(ModelName, provider=words, model=words),
    system=st.lists(st.builds(SystemBlock, name=words, text=words), max_size=3).map(tuple),
    tools=st.lists(tools, max_size=3).map(tuple),
    messages=st.lists(messages, max_size=5).map(tuple),
    max_output_tokens=st.integers(-1, 10_000),
    tool_choice=st.sampled_from(ToolChoice),
)


def body(request: LLMRequest) -> bytes:
    return encode_chat(request, fragments=JsonFragments()).body


def entries(*sent: Message) -> list[dict]:
    return orjson.loads(body(llm_request(messages=sent, system=())))["messages"]


def test_a_request_is_written_in_one_fixed_way():
    request = llm_request(
        messages=[message("hi"), call("skip", '{"reason": "no"}'), result("ok"), said("bye")],
        model=ModelName(provider="openai", model="gpt-5-mini"),
    )
    wire = encode_chat(request, fragments=JsonFragments())
    assert wire.body.decode() == (
        '{"model":"gpt-5-mini",'
        '"tools":[{"type":"function","function":{"name":"skip","description":"Say nothing.",'
        '"parameters":{"properties":{"reason":{"type":"string"}},"type":"object"}}}],'
        '"messages":['
        '{"role":"system","content":"You are Glass.\\n\\nBe brief."},'
        '{"role":"user","content":"hi"},'
        '{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function",'
        '"function":{"name":"skip","arguments":"{\\"reason\\": \\"no\\"}"}}]},'
        '{"role":"tool","tool_call_id":"c1","content":"ok"},'
        '{"role":"assistant","content":"bye"}],'
        '"tool_choice":"auto","stream":true,"stream_options":{"include_usage":true},"max_completion_tokens":1024}'
    )
    assert (wire.provider, wire.model, wire.path) == ("openai", "gpt-5-mini", "/chat/completions")
    assert wire.sha256 == hashlib.sha256(wire.body).hexdigest()


def test_without_tools_there_is_no_tool_choice():
    sent = orjson.loads(body(llm_request(tools=())))
    assert "tools" not in sent and "tool_choice" not in sent


def test_the_last_round_keeps_the_tools_and_forbids_them():
    request = llm_request().replace(tool_choice=ToolChoice.NONE)
    sent = orjson.loads(body(request))
    assert sent["tool_choice"] == "none" and len(sent["tools"]) == 1


def test_the_field_for_the_longest_answer_is_a_setting():
    older = Dialect.of([DialectTrait.MAX_TOKENS])
    sent = orjson.loads(encode_chat(llm_request(), fragments=JsonFragments(), dialect=older).body)
    assert sent["max_tokens"] == 1024 and "max_completion_tokens" not in sent


def test_text_parts_are_joined_and_the_system_prompt_is_the_request_s_own():
    request = llm_request(messages=[Message(role=Role.USER, parts=(TextPart(text="a"), TextPart(text='"b"\n')))])
    sent = orjson.loads(body(request))
    assert sent["messages"][0]["content"] == request.system_text
    assert sent["messages"][1]["content"] == 'a\n\n"b"\n'


def test_every_result_is_a_message_of_its_own():
    both = Message(role=Role.TOOL, parts=(ToolResult(call_id="1", text="a"), ToolResult(call_id="2", text="b")))
    assert [(entry["tool_call_id"], entry["content"]) for entry in entries(both)] == [("1", "a"), ("2", "b")]


@pytest.mark.parametrize("raw", [text for text in NASTY if text not in ("{}", '{"q": "tea"}')])
def test_an_invalid_call_is_never_replayed(raw: str):
    function = entries(call("skip", raw))[0]["tool_calls"][0]["function"]
    assert function["arguments"] == "{}"


def test_valid_arguments_go_out_as_the_model_wrote_them():
    raw = '{ "q" : "t\\u00e9a",\n "n":1.50 }'
    assert entries(call("recall", raw))[0]["tool_calls"][0]["function"]["arguments"] == raw


def test_a_name_that_a_provider_would_refuse_is_made_plain():
    assert entries(call("no such tool!", "{}"))[0]["tool_calls"][0]["function"]["name"] == "no_such_tool_"


@given(requests)
def test_any_request_can_be_written(request: LLMRequest):
    once = body(request)
    assert isinstance(orjson.loads(once.decode("utf-8"))["messages"], list)
    assert body(request) == once
    assert body(LLMRequest.model_construct(**dict(request))) == once


@given(st.lists(requests, min_size=1, max_size=4), st.sampled_from([0, 200, 10**6]))
def test_what_is_kept_never_shows(several: list[LLMRequest], most_bytes: int):
    kept = JsonFragments(most_bytes=most_bytes)
    for request in [*several, *reversed(several)]:
        assert encode_chat(request, fragments=kept).body == body(request)


def test_what_has_not_changed_is_not_serialised_again():
    made: list[str] = []

    class Counting(JsonFragments):
        def get(self, key, make, value):
            return super().get(key, lambda value: made.append(key) or make(value), value)

    kept, first = Counting(), llm_request(messages=[message("one"), said("two")])
    encode_chat(first, fragments=kept)
    made.clear()
    encode_chat(first.replace(messages=(*first.messages, message("three"))), fragments=kept)
    assert len(made) == 1


def test_what_is_kept_is_bounded():
    kept = JsonFragments(most_bytes=500)
    for number in range(100):
        encode_chat(llm_request(messages=[message(f"{number}" * 20)], tools=[tool_definition()]), fragments=kept)
    assert 0 < len(kept) < 20


def test_what_is_kept_holds_no_more_than_its_own_bytes():
    kept, requests = JsonFragments(), [llm_request(messages=[message(f"{number} " * 400)]) for number in range(100)]
    tracemalloc.start()
    try:
        for request in requests:
            encode_chat(request, fragments=kept)
        held, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert held < 100 * 4_000
