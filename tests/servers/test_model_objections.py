"""What the model server refuses because a provider would."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.servers.model import Says, model_server
from tests.servers.model_client import ASK, STREAM, Client, plain_client


@pytest.fixture
async def client() -> AsyncIterator[Client]:
    async with plain_client() as client:
        yield client


CALLING = {"role": "assistant", "content": None}
HI = {"role": "user", "content": "hi"}


def called(*ids: str, name: str = "recall", arguments: str = "{}") -> dict[str, Any]:
    calls = [{"id": one, "type": "function", "function": {"name": name, "arguments": arguments}} for one in ids]
    return CALLING | {"tool_calls": calls}


def result(identity: str) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": identity, "content": "done"}


def tool(name: str) -> dict[str, Any]:
    return {"type": "function", "function": {"name": name, "parameters": {"type": "object"}}}


@pytest.mark.parametrize(
    ("request_", "message"),
    [
        ({"messages": [HI]}, "you must provide a model"),
        ({"model": "m"}, "'messages'"),
        ({"model": "m", "messages": []}, "Invalid 'messages': empty array"),
        (ASK | {"stream_options": {"include_usage": True}}, "only allowed when 'stream'"),
        (ASK | {"tool_choice": "none"}, "only allowed when 'tools'"),
        (ASK | {"tools": []}, "Invalid 'tools': empty array"),
        (ASK | {"tools": [tool("t")] * 129}, "array with length 129"),
        (ASK | {"tools": [tool("memory.delete")]}, "tools[0].function.name"),
        (ASK | {"messages": [{"role": "bot", "content": "hi"}]}, "Invalid value: 'bot'"),
        (ASK | {"messages": [{"role": "user", "content": None}]}, "got null"),
        (ASK | {"messages": [HI | {"name": "Ann Smith"}]}, "messages[0].name"),
        (ASK | {"messages": [CALLING | {"tool_calls": []}]}, "empty array"),
        (ASK | {"messages": [called(*map(str, range(129)))]}, "messages[0].tool_calls"),
        (ASK | {"messages": [called("a", arguments='{"q'), result("a")]}, "tool_calls[0].function.arguments"),
        (ASK | {"messages": [called("a", name=""), result("a")]}, "tool_calls[0].function.name"),
        (ASK | {"messages": [called("a", "b"), result("a")]}, "did not have response messages: b"),
        (ASK | {"messages": [called("a"), HI, result("a")]}, "did not have response messages: a"),
        (ASK | {"messages": [HI, result("a")]}, "must be a response to a preceeding message"),
        (ASK | {"messages": [called("a"), result("b"), result("a")]}, "must be a response to a preceeding message"),
        (ASK | {"messages": [called("a"), result("a"), result("a")]}, "Duplicate value for 'tool_call_id' of 'a'"),
        (ASK | {"messages": [called("a", "a"), result("a")]}, "Duplicate value for 'tool_call_id' of 'a'"),
    ],
)
async def test_a_request_that_a_provider_would_refuse(client, request_, message):
    async with model_server(Says("fine")) as server:
        refused = await client.ask(server, request_)
        assert refused.status == 400
        assert message in refused.json()["error"]["message"]
        assert len(server.script) == 1
    async with model_server(Says("fine"), strict=False) as server:
        assert (await client.ask(server, request_)).status == 200


async def test_a_transcript_in_order_is_welcome(client):
    messages = [
        {"role": "system", "content": "be kind"},
        HI | {"name": "Ann", "content": [{"type": "text", "text": "hi"}]},
        called("a", "b"),
        result("b"),
        result("a"),
        called("a"),
        result("a"),
        {"role": "assistant", "content": "done"},
        HI,
    ]
    async with model_server(Says("fine")) as server:
        request = STREAM | {"messages": messages, "tools": [tool("recall")], "tool_choice": "none"}
        assert (await client.ask(server, request)).text() == "fine"


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"[]", b'{"a":NaN}', b'{"a":"\\ud83d"}', b"\xff", b"[" * 100_000],
    ids=lambda body: repr(body[:8]),
)
async def test_a_body_that_is_not_json(client, body):
    async with model_server(Says("fine")) as server:
        async with client.session.post(f"{server.base_url}/chat/completions", data=body) as response:
            assert response.status == 400
            assert "could not parse" in (await response.json())["error"]["message"]
        assert len(server.script) == 1
