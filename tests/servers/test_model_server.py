"""Drive the model server with a plain client: what it keeps of a request, and everything it can say."""

from __future__ import annotations

import io
from collections.abc import AsyncIterator
from itertools import pairwise

import aiohttp
import orjson
import pytest

from tests.servers.model import (
    FAILURES,
    Asked,
    Calls,
    Declines,
    Drops,
    Empty,
    Fails,
    Garbage,
    NotHttp,
    Says,
    Usage,
    model_server,
)
from tests.servers.model_client import ASK, STREAM, Client, plain_client


@pytest.fixture
async def client() -> AsyncIterator[Client]:
    async with plain_client() as client:
        yield client


async def test_every_request_is_kept_byte_for_byte_and_in_order(client):
    bodies = [b'{"model":"m", "messages":[{"role":"user","content":"\xf0\x9f\x8d\xb5"}]}', b"{", orjson.dumps(ASK)]
    async with model_server() as server:
        for body in bodies:
            async with client.session.post(f"{server.base_url}/chat/completions", data=body) as response:
                await response.read()
        async with client.session.get(f"{server.base_url}/models") as response:
            await response.read()
    assert [received.body for received in server.received] == [*bodies, b""]
    assert [received.at_index for received in server.received] == [0, 1, 2, 3]
    assert server.received[0].headers["content-type"] == "application/octet-stream"
    assert server.received[2].json() == ASK
    assert server.received[3].path == "/v1/models"


async def test_a_large_request_is_taken(client):
    async with model_server() as server:
        request = ASK | {"messages": [{"role": "user", "content": "x" * 3_000_000}]}
        url, body = f"{server.base_url}/chat/completions", io.BytesIO(orjson.dumps(request))
        async with client.session.post(url, data=body) as response:
            assert response.status == 200
    assert server.chats == [request]


async def test_the_script_goes_first_and_then_the_function(client):
    async with model_server(Says("one"), Says("two")) as server:
        server.answer = lambda request: Says(f"asked: {request['messages'][-1]['content']}")
        said = [(await client.ask(server)).json()["choices"][0]["message"]["content"] for _ in range(3)]
    assert said == ["one", "two", "asked: are you there?"]


async def test_a_mistake_in_the_tests_own_function_is_told_at_the_end(client):
    with pytest.raises(ExceptionGroup) as caught:
        async with model_server() as server:
            server.answer = lambda request: Says(request["no such key"])
            assert (await client.ask(server)).status == 500
    assert isinstance(caught.value.exceptions[0], KeyError)


async def test_the_key_is_checked_and_never_shown_whole(client):
    async with model_server(Says("hello"), key="sk-right-key-123456") as server:
        missing = await client.ask(server)
        wrong = await client.ask(server, headers={"Authorization": "Bearer sk-wrong-key-123456"})
        right = await client.ask(server, headers={"Authorization": "Bearer sk-right-key-123456"})
    assert [missing.status, wrong.status, right.status] == [401, 401, 200]
    assert wrong.json()["error"]["code"] == "invalid_api_key"
    assert b"sk-wrong-key-123456" not in wrong.body
    assert len(server.received) == 3


async def test_models_are_listed_and_other_paths_are_not_known(client):
    async with model_server() as server:
        server.models = ("small", "large")
        async with client.session.get(f"{server.base_url}/models") as response:
            assert [row["id"] for row in (await response.json())["data"]] == ["small", "large"]
        async with client.session.post(f"{server.base_url}/completions", json=ASK) as response:
            assert response.status == 404
            assert "Invalid URL" in (await response.json())["error"]["message"]


async def test_a_text_in_one_body(client):
    answered = await client.told(Says("yes, here"), ASK)
    body = answered.json()
    assert answered.headers["Content-Type"] == "application/json"
    assert body["object"] == "chat.completion"
    assert body["choices"][0]["message"]["content"] == "yes, here"
    assert body["choices"][0]["finish_reason"] == "stop"
    assert body["usage"]["prompt_tokens"] == len(orjson.dumps(ASK)) // 4
    assert body["usage"]["total_tokens"] == body["usage"]["prompt_tokens"] + body["usage"]["completion_tokens"]


async def test_a_text_in_a_stream(client):
    answered = await client.told(Says("yes, here", reasoning="is she asking me?"))
    events = answered.events()
    assert answered.headers["Content-Type"].startswith("text/event-stream")
    assert answered.text() == "yes, here"
    assert answered.finish() == ["stop"]
    assert answered.body.endswith(b"data: [DONE]\n\n")
    assert "".join(one["delta"].get("reasoning_content", "") for one in answered.choices()) == "is she asking me?"
    assert events[-1]["choices"] == [] and events[-1]["usage"]["total_tokens"] > 0
    assert all(event["usage"] is None for event in events[:-1])


async def test_usage_is_streamed_only_when_it_is_asked_for(client):
    answered = await client.told(Says("yes"), ASK | {"stream": True})
    assert all("usage" not in event for event in answered.events())


async def test_the_test_may_name_the_chunks(client):
    answered = await client.told(Says("tea 🍵", chunks=("te", "a ", "🍵")))
    assert [one["delta"]["content"] for one in answered.choices()[1:-1]] == ["te", "a ", "🍵"]
    with pytest.raises(ValueError, match="join"):
        Says("tea", chunks=("cof", "fee"))


async def test_a_lone_surrogate_travels_as_an_escape(client):
    answered = await client.told(Says("a\ud83d"), ASK)
    assert b"a\\ud83d" in answered.body


@pytest.mark.parametrize("request_", [ASK, STREAM], ids=["whole", "stream"])
@pytest.mark.parametrize(
    ("usage", "expected"),
    [
        (Usage(prompt_tokens=1200, cached_tokens=1024), (1200, 1024, 0)),
        (Usage(prompt_tokens=-5, completion_tokens=-1), (-5, 0, 0)),
        (Usage(prompt_tokens=7, reasoning_tokens=30), (7, 0, 30)),
    ],
)
async def test_usage_is_what_the_test_says(client, request_, usage, expected):
    answered = await client.told(Says("yes", usage=usage), request_)
    told = answered.events()[-1]["usage"] if request_ is STREAM else answered.json()["usage"]
    cached, reasoning = told["prompt_tokens_details"], told["completion_tokens_details"]
    assert (told["prompt_tokens"], cached["cached_tokens"], reasoning["reasoning_tokens"]) == expected


async def test_usage_may_be_missing(client):
    assert "usage" not in (await client.told(Says("yes", usage=None), ASK)).json()
    assert all("usage" not in event for event in (await client.told(Says("yes", usage=None))).events())


async def test_the_server_may_count_with_another_measure(client):
    async with model_server(Says("yes")) as server:
        server.count = len
        assert (await client.ask(server)).json()["usage"]["prompt_tokens"] == len(orjson.dumps(ASK))


@pytest.mark.parametrize("deltas", ["in_order", "interleaved", "whole"])
async def test_calls_come_in_pieces_by_index(client, deltas):
    tools = [("recall", '{"query":"green tea"}'), ("clock", "{}")]
    answered = await client.told(Calls(tools, text="let me look", deltas=deltas))
    assert [(call["name"], call["arguments"]) for call in answered.calls().values()] == tools
    assert [call["id"] for call in answered.calls().values()] == ["call_0_0", "call_0_1"]
    assert answered.text() == "let me look"
    assert answered.finish() == ["tool_calls"]


async def test_interleaved_calls_take_turns(client):
    tools = [("one", '{"a":1234567}'), ("two", '{"b":1234567}')]
    pieces = (await client.told(Calls(tools, deltas="interleaved"))).choices()[1:-1]
    indexes = [one["delta"]["tool_calls"][0]["index"] for one in pieces]
    assert all(one != other for one, other in pairwise(indexes))


async def test_some_servers_leave_the_index_out(client):
    pieces = (await client.told(Calls([("one", "{}"), ("two", "{}")], deltas="unnumbered"))).choices()[1:-1]
    assert ["index" in one["delta"]["tool_calls"][0] for one in pieces] == [False, False]


@pytest.mark.parametrize("request_", [ASK, STREAM], ids=["whole", "stream"])
@pytest.mark.parametrize("arguments", ['{"query": "gre', "", "null", "not json", '{"a":NaN}', "{" * 500])
async def test_arguments_are_what_the_model_wrote(client, request_, arguments):
    answered = await client.told(Calls([("recall", arguments)]), request_)
    if request_ is STREAM:
        assert answered.calls()[0]["arguments"] == arguments
    else:
        assert answered.json()["choices"][0]["message"]["tool_calls"][0]["function"]["arguments"] == arguments


async def test_two_hundred_calls_and_ids_that_repeat(client):
    answered = await client.told(Calls([("dance", "{}")] * 200, ids=["same"] * 200, finish_reason="length"))
    assert len(answered.calls()) == 200
    assert {call["id"] for call in answered.calls().values()} == {"same"}
    assert answered.finish() == ["length"]


@pytest.mark.parametrize("finish_reason", ["stop", "length", "content_filter", None])
async def test_nothing_at_all(client, finish_reason):
    answered = await client.told(Empty(finish_reason, reasoning_tokens=400))
    assert answered.text() == ""
    assert answered.finish() == ([finish_reason] if finish_reason else [])
    assert answered.events()[-1]["usage"]["completion_tokens"] == 400


async def test_a_refusal(client):
    answered = await client.told(Declines("no"), ASK)
    assert answered.json()["choices"][0]["message"]["refusal"] == "no"
    streamed = await client.told(Declines("no"))
    assert "".join(one["delta"].get("refusal") or "" for one in streamed.choices()) == "no"


@pytest.mark.parametrize("request_", [ASK, STREAM], ids=["whole", "stream"])
@pytest.mark.parametrize("name", FAILURES)
async def test_every_known_failure(client, name, request_):
    failure = FAILURES[name]
    answered = await client.told(failure, request_)
    assert answered.status == failure.status
    if failure.html:
        assert answered.headers["Content-Type"].startswith("text/html") and b"<html>" in answered.body
    else:
        assert answered.json()["error"] == failure.error
        assert answered.json()["error"]["code"] == failure.code


async def test_retry_after_is_a_header(client):
    assert "Retry-After" not in (await client.told(Fails(429))).headers
    assert (await client.told(Fails(429, retry_after=2))).headers["Retry-After"] == "2"
    date = "Wed, 21 Oct 2026 07:28:00 GMT"
    assert (await client.told(Fails(503, retry_after=date))).headers["Retry-After"] == date


async def test_garbage_is_sent_as_it_is(client):
    answered = await client.told(Garbage(b"\xff\x00data: {"))
    assert answered.body == b"\xff\x00data: {"
    assert answered.headers["Content-Type"].startswith("text/event-stream")
    assert (await client.told(Garbage(b"<p>", kind="text/html"), ASK)).body == b"<p>"


async def test_bytes_that_are_not_http(client):
    async with model_server(NotHttp()) as server:
        with pytest.raises(aiohttp.ClientResponseError):
            await client.ask(server)


@pytest.mark.parametrize("reset", [False, True])
async def test_a_connection_dropped_without_a_byte(client, reset):
    async with model_server(Drops(reset)) as server:
        assert await client.read_until_lost(server) == b""


async def test_a_test_may_bring_a_reply_of_its_own(client):
    class Repeats:
        def wire(self, asked: Asked):
            return Says(asked.model * 2).wire(asked)

    assert (await client.told(Repeats())).text() == "mm"
