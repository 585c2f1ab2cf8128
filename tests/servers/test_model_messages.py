"""The model server in Anthropic's language: what it refuses, what it keeps of prompts, and how it answers."""

from __future__ import annotations

import io
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
import orjson
import pytest

from tests.servers.model import Calls, Declines, Empty, Fails, Interrupted, ModelServer, Reply, Says, model_server
from tests.servers.model.cache import LOOKBACK, PromptCache

HI = {"role": "user", "content": "are you there?"}
ASK: dict[str, Any] = {"model": "claude", "max_tokens": 10, "messages": [HI]}
HEADERS = {"anthropic-version": "2023-06-01", "x-api-key": "the-key"}
MARK = {"cache_control": {"type": "ephemeral"}}
TOOL = {"name": "recall", "input_schema": {"type": "object"}}


def words(text: str = "hi", **more: Any) -> dict[str, Any]:
    return {"type": "text", "text": text, **more}


def user(*blocks: dict[str, Any]) -> dict[str, Any]:
    return {"role": "user", "content": [*blocks]}


def bot(*blocks: dict[str, Any]) -> dict[str, Any]:
    return {"role": "assistant", "content": [*blocks]}


def call(identity: str = "a", **changes: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": identity, "name": "recall", "input": {}, **changes}


def result(identity: str = "a") -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": identity, "content": "done"}


def said(*messages: dict[str, Any]) -> dict[str, Any]:
    return ASK | {"tools": [TOOL], "messages": [*messages]}


@asynccontextmanager
async def asked(server: ModelServer, request: object, **headers: str) -> AsyncIterator[aiohttp.ClientResponse]:
    async with aiohttp.ClientSession(headers=HEADERS | headers) as session:
        body = request if isinstance(request, bytes) else orjson.dumps(request)
        async with session.post(f"{server.base_url}/messages", data=io.BytesIO(body)) as response:
            yield response


async def told(*script: Reply, request: object = ASK, strict: bool = True) -> tuple[int, Any]:
    async with model_server(*script, language="anthropic", strict=strict) as server, asked(server, request) as response:
        return response.status, await response.json()


ROUND = user(words()), bot(call()), user(result())
REFUSED = [
    ({"model": "m", "messages": [HI]}, "max_tokens: Field required"),
    ({"max_tokens": 1, "messages": [HI]}, "model: Field required"),
    ({"model": "m", "max_tokens": 1}, "messages: Field required"),
    (ASK | {"max_tokens": 0}, "greater than or equal to 1"),
    (ASK | {"max_completion_tokens": 1}, "max_completion_tokens: Extra inputs are not permitted"),
    (ASK | {"messages": []}, "at least one message is required"),
    (ASK | {"messages": [{"role": "system", "content": "x"}]}, 'Unexpected role "system"'),
    (ASK | {"messages": [HI | {"name": "ann"}]}, "messages.0.name: Extra inputs are not permitted"),
    (ASK | {"messages": [user()]}, "must have non-empty content"),
    (ASK | {"messages": [HI, HI]}, "roles must alternate"),
    (ASK | {"messages": [bot(words()), HI]}, 'first message must use the "user" role'),
    (ASK | {"messages": [HI, bot(words())]}, "does not support assistant message prefill"),
    (said(user(words(""))), "text content blocks must be non-empty"),
    (said(user(words(" \n"))), "must contain non-whitespace text"),
    (said(user(words("", **MARK))), "cache_control cannot be set for empty text blocks"),
    (said(user(words(name="x"))), "messages.0.content.0.text.name: Extra inputs are not permitted"),
    (said(user({"type": "image_url"})), "Input tag 'image_url'"),
    (said(user({"type": "image", "source": {"media_type": "image/tiff", "data": ""}})), "media_type"),
    (said(user({"type": "image", "source": {"media_type": "image/png", "data": "A" * 5_242_884}})), "exceeds 5 MB"),
    (ASK | {"system": [words("")]}, "system: text content blocks must be non-empty"),
    (ASK | {"tools": [TOOL | {"name": "a b"}]}, "tools.0.custom.name: String should match"),
    (ASK | {"tools": [TOOL, TOOL]}, "Tool names must be unique"),
    (ASK | {"tools": [{"name": "a"}]}, "tools.0.custom.input_schema: Field required"),
    (ASK | {"tools": [{"name": "a", "input_schema": {"type": "string"}}]}, "input_schema.type"),
    (ASK | {"tools": [TOOL | {"parameters": {}}]}, "tools.0.custom.parameters: Extra inputs"),
    (ASK | {"tool_choice": {"type": "auto"}}, "only be specified while providing tools"),
    (ASK | {"tools": [TOOL], "tool_choice": {"type": "required"}}, "Input tag 'required'"),
    (said(user(words()), bot(call("a.b")), user(result("a.b"))), "tool_use.id: String should match pattern"),
    (said(user(words()), bot(call(name="")), user(result())), "tool_use.name: String should match pattern"),
    (said(user(words()), bot(call(input="{}")), user(result())), "tool_use.input: Input should be a valid dictionary"),
    (said(user(words()), bot(call())), "prefill"),
    (said(user(words()), bot(call()), HI), "were found without `tool_result` blocks immediately after: a"),
    (said(user(words()), bot(call()), user(words(), result())), "were found without `tool_result` blocks"),
    (said(user(words()), bot(call(), call("b")), user(result())), "immediately after: b"),
    (said(user(result())), "unexpected `tool_use_id` found in `tool_result` blocks: a"),
    (said(user(words()), bot(call()), user(result(), result())), "each tool_use must have a single result"),
    (said(*ROUND, bot(call()), user(result())), "`tool_use` ids must be unique"),
    (said(user(call())), "`tool_use` blocks can only be in `assistant` messages"),
    (said(user(words()), bot(result()), HI), "`tool_result` blocks can only be in `user` messages"),
    (ASK | {"messages": list(ROUND)}, "must define tools"),
    (said(user(*[words(**MARK)] * 5)), "A maximum of 4 blocks with cache_control may be provided. Found 5."),
    (b"{", "not valid JSON"),
    (b"[]", "not valid JSON"),
]


@pytest.mark.parametrize(("request_", "message"), REFUSED)
async def test_a_request_that_the_service_would_refuse(request_: object, message: str):
    async with model_server(Says("fine"), language="anthropic") as server, asked(server, request_) as response:
        body = await response.json()
        assert (response.status, body["type"], body["error"]["type"]) == (400, "error", "invalid_request_error")
        assert message in body["error"]["message"]
        assert len(server.script) == 1


async def test_a_transcript_in_order_is_welcome():
    messages = [
        user(words(), words("there")),
        bot(words("let me see"), call("a"), call("b")),
        user(result("b"), result("a") | {"is_error": True}, words("and?", **MARK)),
        bot(words("done")),
        HI,
    ]
    request = said(*messages) | {"system": [words("be kind", **MARK)], "tool_choice": {"type": "none"}}
    status, body = await told(Says("fine"), request=request)
    assert (status, body["content"], body["stop_reason"]) == (200, [words("fine")], "end_turn")


async def test_both_headers_are_needed():
    async with model_server(language="anthropic", key="the-key") as server:
        for headers, status in (({"x-api-key": "wrong"}, 401), ({"anthropic-version": ""}, 400), ({}, 200)):
            async with asked(server, ASK, **headers) as response:
                assert response.status == status


async def test_errors_and_other_paths_speak_the_same_language():
    status, body = await told(Fails(529, None, "Overloaded"))
    error = {"type": "overloaded_error", "message": "Overloaded"}
    assert (status, body) == (529, {"type": "error", "error": error, "request_id": "req_0000"})
    async with model_server(language="openai") as server, asked(server, ASK) as response:
        assert response.status == 404


@pytest.mark.parametrize(
    ("reply", "stop", "kinds"),
    [
        (Says("hi", reasoning="hmm"), "end_turn", ["thinking", "text"]),
        (Calls([("recall", "{}"), ("react", "{}")], text="so"), "tool_use", ["text", "tool_use", "tool_use"]),
        (Says("hi", finish_reason="length"), "max_tokens", ["text"]),
        (Declines("no"), "refusal", ["text"]),
        (Empty(), "end_turn", []),
    ],
)
async def test_whole_and_streamed_say_the_same(reply: Reply, stop: str, kinds: list[str]):
    _, body = await told(reply)
    assert ([block["type"] for block in body["content"]], body["stop_reason"]) == (kinds, stop)
    async with (
        model_server(reply, language="anthropic") as server,
        asked(server, ASK | {"stream": True}) as response,
    ):
        found = events(await response.read())
    assert [event["type"] for event in found[:2]] == ["message_start", "ping"]
    assert [e["content_block"]["type"] for e in found if e["type"] == "content_block_start"] == kinds
    assert (found[-2]["delta"]["stop_reason"], found[-1]) == (stop, {"type": "message_stop"})
    assert found[-2]["usage"]["output_tokens"] == body["usage"]["output_tokens"]


async def test_an_error_may_come_in_the_middle():
    broken = Interrupted(Fails(529, None, "Overloaded"), Says("half and half"))
    async with (
        model_server(broken, language="anthropic") as server,
        asked(server, ASK | {"stream": True}) as response,
    ):
        assert events(await response.read())[-1]["error"]["type"] == "overloaded_error"


def events(body: bytes) -> list[Any]:
    parts = [event.split(b"\n") for event in body.strip().split(b"\n\n")]
    found = [orjson.loads(data.removeprefix(b"data: ")) for _, data in parts]
    assert [name.removeprefix(b"event: ").decode() for name, _ in parts] == [event["type"] for event in found]
    return found


def marked(*texts: str, mark: int = -1, **more: Any) -> dict[str, Any]:
    blocks = [words(text * 40) for text in texts]
    blocks[mark] |= MARK
    return ASK | {"messages": [user(*blocks)]} | more


def test_a_prefix_is_read_where_it_was_kept():
    cache = PromptCache()
    read, written = cache.look(marked("a", "b"))
    assert read == 0 < written
    assert cache.look(marked("a", "b", "c"))[0] == written
    assert cache.look(marked("a", "b")) == (written, 0)
    assert cache.look(marked("x", "b"))[0] == 0
    assert cache.look(marked("a", "c"))[0] == 0, "nothing was kept behind the first block"
    assert cache.look(marked("a", "b", tools=[TOOL], tool_choice={"type": "none"}))[0] == 0


def test_it_looks_back_only_so_far():
    near, far = PromptCache(), PromptCache()
    for cache, more in ((near, LOOKBACK - 1), (far, LOOKBACK)):
        cache.look(marked("a"))
        found = cache.look(marked("a", *[f"{at}" for at in range(more)]))[0]
        assert (found > 0) == (cache is near)
