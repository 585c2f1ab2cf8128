"""The adapter against a real server on loopback: what it posts, what it reads, how it names each failure."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from pydantic import ValidationError

from adapters.openai import create
from adapters.openai.client import OpenAIProvider
from bot.domain.llm import FinishReason, LLMResponse, Usage
from bot.errors import ProviderError, ProviderFault
from tests.fakes.values import llm_request
from tests.servers.model import (
    FAILURES,
    Asked,
    Calls,
    Commented,
    Crlf,
    Cut,
    Declines,
    Dribbles,
    Drops,
    Empty,
    Fails,
    Garbage,
    Hangs,
    Headed,
    Interrupted,
    ModelServer,
    NoDone,
    NotHttp,
    Reply,
    Says,
    SlowBy,
    Spaceless,
    body_of,
    model_server,
)
from tests.servers.model.wire import Hang, Step

KEY = "sk-test-0123456789abcdef"
FAST = {"first_token_timeout": 0.15, "between_tokens_timeout": 0.08}


@asynccontextmanager
async def connected(*script: Reply, **settings: object) -> AsyncIterator[tuple[OpenAIProvider, ModelServer]]:
    async with model_server(*script, key=KEY) as server:
        provider = create("openai", {"base_url": server.base_url, "api_key": KEY, **settings})
        try:
            yield provider, server
        finally:
            await provider.close()


async def ask(provider: OpenAIProvider, heard: list[str] | None = None) -> LLMResponse:
    wire = provider.encode(llm_request())
    return await provider.complete(wire, (heard if heard is not None else []).append)


async def failure(*script: Reply, **settings: object) -> ProviderError:
    async with connected(*script, **settings) as (provider, _):
        with pytest.raises(ProviderError) as caught:
            await ask(provider)
    assert KEY not in str(caught.value) and "\n" not in str(caught.value)
    return caught.value


async def test_what_is_posted_is_what_was_encoded():
    async with connected(Says("hi")) as (provider, server):
        wire = provider.encode(llm_request())
        await provider.complete(wire, lambda _: None)
        assert server.received[-1].body == wire.body
        assert server.received[-1].headers["Authorization"] == f"Bearer {KEY}"
        assert not [name for name in server.received[-1].headers if name.lower().startswith("x-")]


async def test_a_stream_is_handed_on_as_it_comes():
    heard: list[str] = []
    async with connected(Says("Grüße 😀 und mehr", chunks=4)) as (provider, _):
        response = await ask(provider, heard)
    assert "".join(heard) == response.text == "Grüße 😀 und mehr"
    assert len(heard) == 4
    assert (response.finish, response.answered_by, response.response_id) == (FinishReason.STOP, "echo", "chatcmpl-0")
    assert response.usage.input and response.usage.output and response.usage.cached == 0


@pytest.mark.parametrize("wrap", [Crlf, Spaceless, Commented, NoDone, lambda reply: Crlf(reply, b"\r")])
@pytest.mark.parametrize("size", [1, 7, 100_000])
async def test_every_legal_stream_reads_the_same(wrap, size: int):
    calls = Calls([("recall", '{"query": "thé 😀"}'), ("react", "{}")], text="let me 👀 see", deltas="interleaved")
    async with connected(Dribbles(size, wrap(calls))) as (provider, _):
        response = await ask(provider)
    assert response.text == "let me 👀 see"
    assert [(c.name, c.arguments) for c in response.calls] == [("recall", '{"query": "thé 😀"}'), ("react", "{}")]
    assert response.finish is FinishReason.TOOL_CALLS


@pytest.mark.parametrize("deltas", ["in_order", "interleaved", "whole", "unnumbered"])
async def test_calls_however_dealt_out(deltas):
    many = [("recall", f'{{"n": {number}}}') for number in range(100)]
    async with connected(Calls(many, deltas=deltas)) as (provider, _):
        response = await ask(provider)
    assert [(c.name, c.arguments) for c in response.calls] == many
    assert len({c.call_id for c in response.calls}) == 100


async def test_cut_arguments_come_back_as_they_are():
    async with connected(Calls([("recall", '{"que')]), Calls([("a", "{")], finish_reason="length")) as (provider, _):
        first, second = await ask(provider), await ask(provider)
    assert first.calls[0].arguments == '{"que' and first.finish is FinishReason.TOOL_CALLS
    assert second.calls[0].arguments == "{" and second.finish is FinishReason.LENGTH


async def test_a_server_that_does_not_stream():
    body = body_of(Calls([("recall", "{}")], text="so"), {"model": "local"})
    async with connected(Garbage(body, kind="application/json; charset=utf-8")) as (provider, _):
        response = await ask(provider)
    assert (response.text, response.calls[0].name, response.finish) == ("so", "recall", FinishReason.TOOL_CALLS)


async def test_refusals_empties_and_missing_usage():
    async with connected(Declines("no"), Empty(), Says("x", usage=None), Empty(content=None)) as (provider, _):
        assert (await ask(provider)).text == "no"
        assert (await ask(provider)).text == ""
        assert (await ask(provider)).usage == Usage()
        assert (await ask(provider)).text == ""


@pytest.mark.parametrize("reset", [False, True])
async def test_a_stream_cut_at_any_byte_is_complete_or_cut(reset: bool):
    reply = Says("héllo wörld", chunks=2)
    body = body_of(reply, {"model": "echo", "stream": True, "stream_options": {"include_usage": True}})
    finished = body.index(b"\n\n", body.index(b'"finish_reason":"stop"')) + 2
    async with connected() as (provider, server):
        for at in range(0, len(body), 1 if not reset else 17):
            server.script.append(Cut(at, reply, reset))
            try:
                response = await ask(provider)
            except ProviderError as error:
                # aiohttp drops what it has read when the end comes in the same breath, so late cuts may land here too
                assert error.fault is ProviderFault.CUT
                assert "héllo wörld".startswith(error.partial_text)
            else:
                assert response.text == "héllo wörld" and at >= finished - 2


FAULTS = {
    "context_too_long": ProviderFault.CONTEXT_LENGTH,
    "tool_id_unanswered": ProviderFault.TOOL_PAIRING,
    "tool_id_unknown": ProviderFault.TOOL_PAIRING,
    "bad_key": ProviderFault.AUTH,
    "no_credit": ProviderFault.CREDIT,
    "forbidden": ProviderFault.AUTH,
    "no_such_model": ProviderFault.NOT_FOUND,
    "rate_limited": ProviderFault.RATE,
    "rate_limited_for": ProviderFault.RATE,
    "quota_spent": ProviderFault.CREDIT,
    "broken": ProviderFault.SERVER,
    "bad_gateway": ProviderFault.SERVER,
    "unavailable": ProviderFault.OVERLOADED,
    "overloaded": ProviderFault.OVERLOADED,
    "html_gateway": ProviderFault.SERVER,
    "html_forbidden": ProviderFault.GARBAGE,
}


@pytest.mark.parametrize("name", sorted(FAILURES))
async def test_every_known_failure_has_its_name(name: str):
    error = await failure(FAILURES[name])
    assert error.fault is FAULTS[name]
    assert error.status == FAILURES[name].status
    assert error.retry_after == (0.02 if name == "rate_limited_for" else None)


TABLE = [
    (Drops(), ProviderFault.CUT, ""),
    (Drops(reset=True), ProviderFault.CUT, ""),
    (NotHttp(), ProviderFault.GARBAGE, ""),
    (Hangs("headers"), ProviderFault.TIMEOUT, "first_token_timeout"),
    (Hangs("first_token"), ProviderFault.TIMEOUT, "first_token_timeout"),
    (Hangs("first_token", heartbeat=0.01), ProviderFault.TIMEOUT, "first_token_timeout"),
    (Hangs("between_tokens"), ProviderFault.TIMEOUT, "between_tokens_timeout"),
    (Hangs("between_tokens", heartbeat=0.01), ProviderFault.TIMEOUT, "between_tokens_timeout"),
    (Garbage(b"<html>proxy login</html>", kind="text/html"), ProviderFault.GARBAGE, "HTML"),
    (Garbage(b"<html>proxy login</html>"), ProviderFault.GARBAGE, ""),
    (Garbage(b"data: {nonsense\n\n"), ProviderFault.GARBAGE, ""),
    (Garbage(b"{}", kind="application/json"), ProviderFault.GARBAGE, ""),
    (Garbage(b"", kind="application/json"), ProviderFault.GARBAGE, ""),
    (Garbage(b""), ProviderFault.CUT, ""),
    (Interrupted(Fails(502, 502, "Provider returned error"), Says("half and half")), ProviderFault.SERVER, "Provider"),
    (Interrupted(Fails(429, 429, "slow down"), Says("half and half")), ProviderFault.RATE, "slow down"),
    (Headed({"Location": "https://x.example/"}, Fails(302)), ProviderFault.NOT_FOUND, "base_url"),
    (NoDone(Says("x", finish_reason=None)), ProviderFault.CUT, "finish_reason"),
]


@pytest.mark.parametrize(("reply", "fault", "words"), TABLE)
async def test_the_failure_table(reply: Reply, fault: ProviderFault, words: str):
    error = await failure(reply, **(FAST if fault is ProviderFault.TIMEOUT else {}))
    assert error.fault is fault and words in str(error)


async def test_what_was_heard_before_a_failure_is_kept():
    error = await failure(Hangs("between_tokens", Says("half and half", chunks=6)), **FAST)
    assert error.partial_text and "half and half".startswith(error.partial_text)


class HangsAtTheEnd:
    def wire(self, asked: Asked) -> tuple[Step, ...]:
        return (*NoDone(Says("all of it", usage=None)).wire(asked), Hang())


async def test_an_answer_whose_end_hangs_is_still_an_answer():
    async with connected(HangsAtTheEnd(), **FAST) as (provider, _):
        assert (await ask(provider)).text == "all of it"


async def test_slow_is_not_dead():
    async with connected(SlowBy(0.03, Says("slow", chunks=2), "between_tokens")) as (provider, _):
        assert (await ask(provider)).text == "slow"


async def test_nobody_there():
    async with connected() as (provider, server):
        await server.refuse()
        with pytest.raises(ProviderError) as caught:
            await ask(provider)
        assert caught.value.fault is ProviderFault.UNREACHABLE
        assert [probe.state for probe in await provider.probe()] == ["failed"]


async def test_a_name_that_does_not_exist_and_a_port_that_speaks_no_tls():
    nowhere = create("x", {"base_url": "http://no-such-host.invalid/v1"})
    async with model_server() as server:
        plain = create("x", {"base_url": server.base_url.replace("http:", "https:")})
        for provider in (nowhere, plain):
            with pytest.raises(ProviderError) as caught:
                await ask(provider)
            assert caught.value.fault is ProviderFault.UNREACHABLE
            await provider.close()


async def test_one_post_is_one_request():
    async with connected(Fails(503), Drops(), Fails(429)) as (provider, server):
        for count in (1, 2, 3):
            with pytest.raises(ProviderError):
                await ask(provider)
            assert len(server.received) == count


async def test_a_connection_is_used_again():
    async with connected(Says("a"), Says("b")) as (provider, _):
        await ask(provider)
        await ask(provider)
        assert provider._session is not None and provider._session.connector is not None
        assert len(provider._session.connector._conns) == 1  # type: ignore[attr-defined]


async def test_cancelling_lets_the_server_go():
    async with connected(Hangs("between_tokens")) as (provider, server):
        task = asyncio.get_running_loop().create_task(ask(provider))
        await server.heard(1)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await server.idle()


async def test_the_probe_says_what_to_do():
    async with connected() as (provider, server):
        assert [probe.state for probe in await provider.probe()] == ["ok"]
        server.key = "another"
        probe = (await provider.probe())[0]
        assert probe.state == "failed" and "api_key" in probe.fix and KEY not in probe.evidence


@pytest.mark.parametrize(
    "settings",
    [
        {"base_url": "api.openai.com"},
        {"base_url": "https://user:s3cret@x.example/v1"},
        {"api_key": "s3cret key"},
        {"api_key": "s3cret\nkey"},
        {"no_such_key": "s3cret"},
        {"first_token_timeout": 0},
    ],
)
def test_settings_that_cannot_work_are_refused_without_showing_them(settings: dict):
    with pytest.raises(ValidationError) as caught:
        create("x", settings)
    assert "s3cret" not in str(caught.value)


def test_the_key_is_in_no_repr():
    provider = create("x", {"api_key": KEY, "proxy": "http://u:s3cret@p:1"})
    assert KEY not in repr(provider) + repr(provider._settings) + repr(vars(provider))
    assert "s3cret" not in repr(provider._settings)
