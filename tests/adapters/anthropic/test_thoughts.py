"""Thoughts go back whole, to who had them, and with the calls that they led to."""

from __future__ import annotations

import orjson

from adapters.anthropic.encode import RequestOptions, encode_messages
from adapters.anthropic.thoughts import added_blocks
from adapters.model_http.json_cache import JsonFragments
from bot.domain.llm import ModelName
from bot.domain.messages import Message, ProviderData, Role, TextPart, ToolCall
from tests.fakes.values import call, llm_request, message, result, said
from tests.servers.model.scruples import objection

BLOCK = {"type": "thinking", "thinking": "Tea.", "signature": "EqQB"}
MINE = ModelName(provider="mine", model="claude")
FRAGMENTS = JsonFragments()


def data(provider: str = "mine", *blocks: dict) -> ProviderData:
    return ProviderData(provider=provider, data=orjson.dumps(added_blocks(blocks or [BLOCK])).decode())


def asked(*parts, **fields) -> Message:
    one = ToolCall(call_id="c1", name="skip", arguments="{}", **fields)
    return Message(role=Role.ASSISTANT, parts=(*parts, one), at=1)


def sent(*messages: Message, provider: str = "mine", thinking: int = 2048) -> dict:
    request = llm_request(messages=messages, model=MINE.replace(provider=provider))
    body = orjson.loads(
        encode_messages(request, fragments=FRAGMENTS, manner=RequestOptions(cache="off", thinking=thinking)).body
    )
    assert objection(body) is None
    return body


def kinds(body: dict) -> list[str]:
    return [block["type"] for turn in body["messages"] if turn["role"] == "assistant" for block in turn["content"]]


def test_thoughts_stand_where_they_stood():
    body = sent(
        message("hi"),
        asked(data(), TextPart(text="So."), added=data("mine", {**BLOCK, "thinking": "Then."})),
        result("ok"),
    )
    assert kinds(body) == ["thinking", "text", "thinking", "tool_use"]
    assert body["messages"][1]["content"][0] == BLOCK
    assert (body["thinking"], body["max_tokens"]) == ({"type": "enabled", "budget_tokens": 2048}, 2048 + 1024)


def test_they_go_back_to_nobody_else():
    body = sent(message("hi"), asked(data()), result("ok"), provider="other")
    assert kinds(body) == ["tool_use"] and "thinking" not in body and body["max_tokens"] == 1024


def test_a_round_that_began_without_a_thought_goes_on_without():
    assert "thinking" not in sent(message("hi"), call("skip"), result("ok"))
    assert "thinking" not in sent(message("hi"), asked(data("other")), result("ok"))
    assert "thinking" in sent(message("hi"), call("skip"), result("ok"), said("bye"), message("and?"))
    assert "thinking" in sent(message("hi"), asked(data()), result("ok"))


def test_thoughts_of_words_alone_are_left_out():
    spoken = Message(role=Role.ASSISTANT, parts=(data(), TextPart(text="bye")), at=1)
    assert kinds(sent(message("hi"), spoken, message("and?"))) == ["text"]


def test_what_is_not_signed_cannot_go_back():
    assert added_blocks([{"type": "thinking", "thinking": "Tea."}]) is None
    assert added_blocks([]) is None
    odd = ProviderData(provider="mine", data="[1]")
    assert kinds(sent(message("hi"), asked(odd), result("ok"))) == ["tool_use"]
