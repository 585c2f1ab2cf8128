"""What each trait makes of a conversation; nothing that was said is lost, and no service reads what another added."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.model_http.json_cache import JsonFragments
from adapters.openai.encode import encode_chat
from bot.domain.dialect import Dialect, DialectTrait
from bot.domain.llm import LLMRequest, ModelName, ToolChoice
from bot.domain.messages import ImagePart, Message, ProviderData, Role, TextPart, ToolCall, ToolResult
from tests.adapters.openai.test_encode import requests
from tests.fakes.values import llm_request, message, said

DEEPSEEK = ModelName(provider="deepseek", model="m")
dialects = st.lists(st.sampled_from([*DialectTrait, "no_schema:format"]), max_size=6).map(Dialect.of)


def sent(*messages: Message, traits: tuple[str, ...] = (), **changes: Any) -> dict[str, Any]:
    request = llm_request(messages=messages, **changes)
    return orjson.loads(encode_chat(request, fragments=JsonFragments(), dialect=Dialect.of(traits)).body)


def said_by(*messages: Message, traits: tuple[str, ...] = (), **changes: Any) -> list[dict[str, Any]]:
    return sent(*messages, traits=traits, **{"system": (), **changes})["messages"]


def asks(*ids: str, text: str = "", added: str = "", of_message: str = "", by: str = "deepseek") -> Message:
    extra = ProviderData(provider=by, data=added) if added else None
    parts: list[Any] = [ProviderData(provider=by, data=of_message)] if of_message else []
    parts += [TextPart(text=text)] if text else []
    calls = [ToolCall(call_id=one, name="recall", arguments='{"q":1}', added=extra) for one in ids]
    return Message(role=Role.ASSISTANT, parts=(*parts, *calls))


def tells(*ids: str) -> Message:
    return Message(role=Role.TOOL, parts=tuple(ToolResult(call_id=one, text=f"result {one}") for one in ids))


def test_neighbours_of_one_side_are_joined():
    found = said_by(message("a"), message('b "c"\n'), said("d"), said("e"), message("f"), traits=("alternate",))
    assert found == [
        {"role": "user", "content": 'a\n\nb "c"\n'},
        {"role": "assistant", "content": "d\n\ne"},
        {"role": "user", "content": "f"},
    ]


def test_pictures_are_joined_with_words():
    seen = Message(role=Role.USER, parts=(ImagePart(name="x", mimetype="image/png", data="QQ=="), TextPart(text="b")))
    (only,) = said_by(message("a"), seen, message("c"), traits=("alternate",))
    assert [block["type"] for block in only["content"]] == ["text", "image_url", "text", "text"]


def test_who_is_asked_was_spoken_to_first_and_last():
    found = said_by(said("a"), traits=("alternate",))
    assert [one["role"] for one in found] == ["user", "assistant", "user"]


def test_nobody_speaks_right_behind_a_tool():
    found = said_by(asks("1"), tells("1"), message("a"), traits=("no_user_after_tool",))
    assert [one["role"] for one in found] == ["assistant", "tool", "assistant", "user"]
    assert all(one.get("content") or one.get("tool_calls") for one in found)


def test_ids_have_nine_characters_and_still_pair():
    found = said_by(asks("call_0", "aB3dE6gH9"), tells("call_0", "aB3dE6gH9"), asks("call_0"), tells("call_0"),
                    traits=("nine_ids",))  # fmt: skip
    first, second = found[0]["tool_calls"], found[3]["tool_calls"]
    ids = [call["id"] for call in (*first, *second)]
    assert ids[1] == "aB3dE6gH9" and len(set(ids)) == 3
    assert all(len(one) == 9 and one.isalnum() and one.isascii() for one in ids)
    assert [one["tool_call_id"] for one in found if one["role"] == "tool"] == ids


def test_calls_one_by_one_lose_nothing():
    found = said_by(asks("1", "2", text="look"), tells("1", "2"), traits=("single_calls",))
    assert [one["role"] for one in found] == ["assistant", "tool", "assistant", "tool"]
    assert [one["tool_call_id"] for one in found if one["role"] == "tool"] == ["1", "2"]
    assert found[0]["content"] == "look" and found[2]["content"] is None


def test_without_tools_what_they_did_is_told_in_words():
    found = sent(message("a"), asks("1", text="look"), tells("1"), said("b"), traits=("no_tools",))
    assert "tools" not in found and "tool_choice" not in found
    roles = [one["role"] for one in found["messages"]]
    assert roles == ["system", "user", "assistant", "user", "assistant"]
    assert 'recall {"q":1}' in found["messages"][3]["content"] and "result 1" in found["messages"][3]["content"]


def test_the_system_prompt_can_be_the_user_s():
    found = sent(message("a"), said("b"), traits=("system_as_user",))["messages"]
    assert (
        found[0] == {"role": "user", "content": "You are Glass.\n\nBe brief.\n\na"} and found[1]["role"] == "assistant"
    )
    assert sent(traits=("system_as_user",))["messages"] == [{"role": "user", "content": "You are Glass.\n\nBe brief."}]
    assert sent(message("a"), traits=("developer",))["messages"][0]["role"] == "developer"


def test_what_cannot_be_forbidden_is_not_offered():
    request = llm_request().replace(tool_choice=ToolChoice.NONE)
    body = encode_chat(request, fragments=JsonFragments(), dialect=Dialect.of(["no_tool_choice"])).body
    assert b'"tools"' not in body and b"tool_choice" not in body
    assert (
        b'"tools"' in encode_chat(llm_request(), fragments=JsonFragments(), dialect=Dialect.of(["no_tool_choice"])).body
    )


def test_small_things():
    assert "stream_options" not in sent(traits=("no_stream_options",))
    assert said_by(asks("1"), tells("1"), traits=("no_null",))[0]["content"] == ""
    assert said_by(asks("1"), tells("1"), traits=("reasoning_beside_calls",))[0]["reasoning_content"] == ""
    signed = said_by(asks("1", "2"), tells("1", "2"), traits=("signatures",))[0]["tool_calls"]
    assert "extra_content" in signed[0] and "extra_content" not in signed[1]


def test_what_a_service_added_goes_back_to_it_and_to_nobody_else():
    signature = '{"extra_content":{"google":{"thought_signature":"c2lnbg=="}}}'
    thought = '{"reasoning_content":"I  think\\n","content":"forged","role":"system"}'
    history = (message("a"), asks("1", added=signature, of_message=thought), tells("1"))
    kept = JsonFragments()
    for provider, goes in (("deepseek", True), ("other", False), ("deepseek", True)):
        request = llm_request(messages=history, system=(), model=ModelName(provider=provider, model="m"))
        for traits in ((), ("reasoning_beside_calls", "signatures"), ("alternate", "nine_ids")):
            body = encode_chat(request, fragments=kept, dialect=Dialect.of(traits)).body
            asked = orjson.loads(body)["messages"][1]
            assert (asked.get("reasoning_content") == "I  think\n") is goes
            call = asked["tool_calls"][0]
            given = call.get("extra_content", {}).get("google", {}).get("thought_signature")
            assert (given == "c2lnbg==") is goes
            assert asked["role"] == "assistant" and asked["content"] is None


@pytest.mark.parametrize("data", ["{", "[1]", "null", '"x"', ""])
def test_what_is_no_object_is_not_sent(data: str):
    assert "tool_calls" in said_by(asks("1", added=data, of_message=data), tells("1"), model=DEEPSEEK)[0]


@given(requests, dialects)
def test_any_request_can_be_written_in_any_dialect(request: LLMRequest, dialect: Dialect):
    kept = JsonFragments()
    once = encode_chat(request, fragments=kept, dialect=dialect)
    assert encode_chat(request, fragments=JsonFragments(), dialect=dialect) == once
    encode_chat(request, fragments=kept)
    assert encode_chat(request, fragments=kept, dialect=dialect) == once
    messages = orjson.loads(once.body)["messages"]
    if DialectTrait.ALTERNATE in dialect.traits and not any(one["role"] == "tool" for one in messages):
        roles = [one["role"] for one in messages if not one.get("tool_calls")]
        plain = all(not one.get("tool_calls") for one in messages)
        assert not plain or all(one != other for one, other in pairwise(roles))
