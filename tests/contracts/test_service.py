"""What every model service over HTTP must keep, whatever it speaks: one post, and a name for every failure."""

from __future__ import annotations

import asyncio
import tracemalloc
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import pytest
from pydantic import ValidationError

from adapters.anthropic import create as create_anthropic
from adapters.openai import create as create_openai
from bot.domain.llm import MAX_CALLS, FinishReason, LLMResponse, TokenUsage
from bot.errors import ProviderError, ProviderFault
from tests.fakes.lengths import whole_or
from tests.fakes.values import llm_request
from tests.servers.model import (
    FAILURES_OF,
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
    Language,
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


@dataclass(frozen=True)
class Service:
    """A protocol: who speaks it, which header carries the key, how answers are named, and what ends one."""

    language: Language
    create: Callable[[str, Mapping[str, object]], Any]
    key: tuple[str, str]
    first_id: str
    finish: bytes
    ending: str

    @asynccontextmanager
    async def connected(self, *script: Reply, **settings: object) -> AsyncIterator[tuple[Any, ModelServer]]:
        async with model_server(*script, key=KEY, language=self.language) as server:
            provider = self.create("service", {"base_url": server.base_url, "api_key": KEY, **settings})
            try:
                yield provider, server
            finally:
                await provider.close()

    async def failure(self, *script: Reply, **settings: object) -> ProviderError:
        async with self.connected(*script, **settings) as (provider, _):
            with pytest.raises(ProviderError) as caught:
                await ask(provider)
        assert KEY not in str(caught.value) and "\n" not in str(caught.value)
        return caught.value


OPENAI = Service(
    "openai",
    create_openai,
    ("Authorization", f"Bearer {KEY}"),
    "chatcmpl-0",
    b'"finish_reason":"stop"',
    "finish_reason",
)
ANTHROPIC = Service(
    "anthropic", create_anthropic, ("x-api-key", KEY), "msg_0000", b'"stop_reason":"end_turn"', "stop_reason"
)
SERVICES = {service.language: service for service in (OPENAI, ANTHROPIC)}


@pytest.fixture(params=SERVICES)
def service(request: pytest.FixtureRequest) -> Service:
    return SERVICES[request.param]


async def ask(provider: Any, heard: list[str] | None = None) -> LLMResponse:
    wire = provider.encode(llm_request())
    return await provider.complete(wire, (heard if heard is not None else []).append)


async def test_what_is_posted_is_what_was_encoded(service: Service):
    async with service.connected(Says("hi")) as (provider, server):
        wire = provider.encode(llm_request())
        await provider.complete(wire, lambda _: None)
        received = server.received[-1]
        name, value = service.key
        assert received.body == wire.body and received.headers[name] == value
        assert received.headers["Content-Type"] == "application/json"
        assert sum(KEY in value for value in received.headers.values()) == 1
        assert not [name for name in received.headers if name.lower().startswith("x-stainless")]


async def test_a_stream_is_handed_on_as_it_comes(service: Service):
    heard: list[str] = []
    async with service.connected(Says("Grüße 😀 und mehr", chunks=4)) as (provider, _):
        response = await ask(provider, heard)
    assert "".join(heard) == response.text == "Grüße 😀 und mehr"
    assert len(heard) == 4
    known = response.finish, response.answered_by, response.response_id
    assert known == (FinishReason.STOP, "echo", service.first_id)
    assert response.usage.input and response.usage.output and response.usage.cached == 0


@pytest.mark.parametrize("wrap", [Crlf, Spaceless, Commented, NoDone, lambda reply: Crlf(reply, b"\r")])
@pytest.mark.parametrize("size", [1, 7, 100_000])
async def test_every_legal_stream_reads_the_same(service: Service, wrap, size: int):
    calls = Calls([("recall", '{"query": "thé 😀"}'), ("react", "{}")], text="let me 👀 see", deltas="interleaved")
    async with service.connected(Dribbles(size, wrap(calls))) as (provider, _):
        response = await ask(provider)
    assert response.text == "let me 👀 see"
    assert [(c.name, c.arguments) for c in response.calls] == [("recall", '{"query": "thé 😀"}'), ("react", "{}")]
    assert response.finish is FinishReason.TOOL_CALLS


async def test_many_calls(service: Service):
    many = [("recall", f'{{"n": {number}}}') for number in range(100)]
    async with service.connected(Calls(many)) as (provider, _):
        response = await ask(provider)
    # all calls beyond those that are taken are counted, and nothing of them is kept
    assert [(c.name, c.arguments) for c in response.calls] == many[:MAX_CALLS]
    assert len({c.call_id for c in response.calls}) == MAX_CALLS
    assert response.dropped_calls == 100 - MAX_CALLS


MANY_CALLS = whole_or(5_000, 500)


@pytest.mark.parametrize("whole", [True, False])
async def test_calls_without_end_cost_little(service: Service, whole: bool):
    calls = Calls([("recall", f'{{"n": {number}}}') for number in range(MANY_CALLS)], deltas="in_order")
    body = body_of(calls, {"model": "local"}, language=service.language)
    reply = Garbage(body, kind="application/json") if whole else calls
    async with service.connected(reply) as (provider, _):
        tracemalloc.start()
        try:
            response = await ask(provider)
            kept, _ = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
    assert (len(response.calls), response.dropped_calls) == (MAX_CALLS, MANY_CALLS - MAX_CALLS)
    assert kept < 8 * 2**20


async def test_cut_arguments_come_back_as_they_are(service: Service):
    half = Calls([("recall", '{"que')]), Calls([("a", "{")], finish_reason="length")
    async with service.connected(*half) as (provider, _):
        first, second = await ask(provider), await ask(provider)
    assert first.calls[0].arguments == '{"que' and first.finish is FinishReason.TOOL_CALLS
    assert second.calls[0].arguments == "{" and second.finish is FinishReason.LENGTH


async def test_a_server_that_does_not_stream(service: Service):
    reply = Calls([("recall", '{"q":1}')], text="so")
    body = body_of(reply, {"model": "local"}, language=service.language)
    async with service.connected(Garbage(body, kind="application/json; charset=utf-8")) as (provider, _):
        response = await ask(provider)
    assert (response.text, response.calls[0].name, response.finish) == ("so", "recall", FinishReason.TOOL_CALLS)
    assert response.calls[0].arguments == '{"q":1}' and response.usage.output


async def test_refusals_empties_and_missing_usage(service: Service):
    script = Declines("no"), Empty(), Says("x", usage=None), Empty(content=None)
    async with service.connected(*script) as (provider, _):
        assert (await ask(provider)).text == "no"
        assert (await ask(provider)).text == ""
        assert (await ask(provider)).usage == TokenUsage()
        assert (await ask(provider)).text == ""


EACH = whole_or(1, 3)
"""Bytes from one cut to the next; `make soak` leaves none out."""


@pytest.mark.parametrize("reset", [False, True])
async def test_a_stream_cut_at_any_byte_is_complete_or_cut(service: Service, reset: bool):
    reply = Says("héllo wörld", chunks=2)
    asked = {"model": "echo", "stream": True, "stream_options": {"include_usage": True}}
    body = body_of(reply, asked, language=service.language)
    finished = body.index(b"\n\n", body.index(service.finish)) + 2
    async with service.connected() as (provider, server):
        for at in range(0, len(body), EACH if not reset else 17):
            server.script.append(Cut(at, reply, reset))
            try:
                response = await ask(provider)
            except ProviderError as error:
                # aiohttp drops what it has read when the end comes in the same breath, so late cuts may land here too
                assert error.fault is ProviderFault.CUT
                assert "héllo wörld".startswith(error.partial_text)
            else:
                assert response.text == "héllo wörld" and at >= finished - 2


async def test_calls_cut_at_any_byte_are_complete_or_cut(service: Service):
    reply = Calls([("recall", '{"query": "tea"}'), ("react", "{}")])
    body = body_of(reply, {"model": "echo", "stream": True}, language=service.language)
    async with service.connected() as (provider, server):
        for at in range(0, len(body), 3 * EACH):
            server.script.append(Cut(at, reply))
            try:
                response = await ask(provider)
            except ProviderError as error:
                assert error.fault is ProviderFault.CUT
            else:
                assert [call.arguments for call in response.calls] == ['{"query": "tea"}', "{}"]


FAULTS = {
    "context_too_long": ProviderFault.CONTEXT_LENGTH,
    "no_room_to_answer": ProviderFault.CONTEXT_LENGTH,
    "request_too_large": ProviderFault.CONTEXT_LENGTH,
    "tool_id_unanswered": ProviderFault.TOOL_PAIRING,
    "tool_id_unknown": ProviderFault.TOOL_PAIRING,
    "bad_request": ProviderFault.BAD_REQUEST,
    "bad_key": ProviderFault.AUTH,
    "no_credit": ProviderFault.CREDIT,
    "spending_limit": ProviderFault.CREDIT,
    "billing": ProviderFault.CREDIT,
    "forbidden": ProviderFault.AUTH,
    "no_such_model": ProviderFault.NOT_FOUND,
    "rate_limited": ProviderFault.RATE,
    "rate_limited_for": ProviderFault.RATE,
    "quota_spent": ProviderFault.CREDIT,
    "broken": ProviderFault.SERVER,
    "bad_gateway": ProviderFault.SERVER,
    "took_too_long": ProviderFault.SERVER,
    "unavailable": ProviderFault.OVERLOADED,
    "overloaded": ProviderFault.OVERLOADED,
    "html_gateway": ProviderFault.SERVER,
    "html_forbidden": ProviderFault.BLOCKED,
    "bad_image": ProviderFault.BAD_REQUEST,
    "image_too_large": ProviderFault.BAD_REQUEST,
    "no_tools_ollama": ProviderFault.BAD_REQUEST,
    "no_tools_vllm": ProviderFault.BAD_REQUEST,
    "no_tools_openrouter": ProviderFault.NOT_FOUND,
    "no_images_openrouter": ProviderFault.NOT_FOUND,
}
KNOWN = [(language, name) for language, failures in FAILURES_OF.items() for name in sorted(failures)]


@pytest.mark.parametrize(("language", "name"), KNOWN)
async def test_every_known_failure_has_its_name(language: Language, name: str):
    reply = FAILURES_OF[language][name]
    error = await SERVICES[language].failure(reply)
    # one service's 403 is the country, another's the key
    fault = ProviderFault.REGION if (language, name) == ("openai", "forbidden") else FAULTS[name]
    assert error.fault is fault and error.named
    assert error.status == reply.status
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
    (NoDone(Says("x", finish_reason=None)), ProviderFault.CUT, "ended without a "),
]


@pytest.mark.parametrize(("reply", "fault", "words"), TABLE)
async def test_the_failure_table(service: Service, reply: Reply, fault: ProviderFault, words: str):
    error = await service.failure(reply, **(FAST if fault is ProviderFault.TIMEOUT else {}))
    assert error.fault is fault and words in str(error)


async def test_the_words_name_what_is_missing(service: Service):
    error = await service.failure(NoDone(Says("x", finish_reason=None)))
    assert f"the stream ended without a {service.ending}, after 1 characters" in str(error)


async def test_what_was_heard_before_a_failure_is_kept(service: Service):
    error = await service.failure(Hangs("between_tokens", Says("half and half", chunks=6)), **FAST)
    assert error.partial_text and "half and half".startswith(error.partial_text)


class HangsAtTheEnd:
    def wire(self, asked: Asked) -> tuple[Step, ...]:
        return (*NoDone(Says("all of it", usage=None)).wire(asked), Hang())


async def test_an_answer_whose_end_hangs_is_still_an_answer(service: Service):
    async with service.connected(HangsAtTheEnd(), **FAST) as (provider, _):
        assert (await ask(provider)).text == "all of it"


async def test_slow_is_not_dead(service: Service):
    async with service.connected(SlowBy(0.03, Says("slow", chunks=2), "between_tokens")) as (provider, _):
        assert (await ask(provider)).text == "slow"


async def test_nobody_there(service: Service):
    async with service.connected() as (provider, server):
        await server.refuse()
        with pytest.raises(ProviderError) as caught:
            await ask(provider)
        assert caught.value.fault is ProviderFault.UNREACHABLE
        assert [probe.state for probe in await provider.probe()] == ["failed"]


async def test_a_name_that_does_not_exist_and_a_port_that_speaks_no_tls(service: Service):
    nowhere = service.create("x", {"base_url": "http://no-such-host.invalid/v1"})
    async with model_server() as server:
        secure = service.create("x", {"base_url": server.base_url.replace("http:", "https:")})
        for provider in (nowhere, secure):
            with pytest.raises(ProviderError) as caught:
                await ask(provider)
            assert caught.value.fault is ProviderFault.UNREACHABLE
            await provider.close()


async def test_one_post_is_one_request(service: Service):
    async with service.connected(Fails(503), Drops(), Fails(429)) as (provider, server):
        for count in (1, 2, 3):
            with pytest.raises(ProviderError):
                await ask(provider)
            assert len(server.received) == count


async def test_a_connection_is_used_again(service: Service):
    async with service.connected(Says("a"), Says("b")) as (provider, _):
        await ask(provider)
        await ask(provider)
        session = provider._line._session
        assert session is not None and session.connector is not None
        assert len(session.connector._conns) == 1


async def test_cancelling_lets_the_server_go(service: Service):
    async with service.connected(Hangs("between_tokens")) as (provider, server):
        task = asyncio.get_running_loop().create_task(ask(provider))
        await server.heard(1)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await server.idle()


async def test_the_probe_says_what_to_do(service: Service):
    async with service.connected() as (provider, server):
        assert [probe.state for probe in await provider.probe()] == ["ok"]
        server.key = "another"
        probe = (await provider.probe())[0]
        assert probe.state == "failed" and "api_key" in probe.fix and KEY not in probe.evidence


@pytest.mark.parametrize(
    "settings",
    [
        {"base_url": "api.example.com"},
        {"base_url": "https://user:s3cret@x.example/v1"},
        {"api_key": "s3cret key"},
        {"api_key": "s3cret\nkey"},
        {"no_such_key": "s3cret"},
        {"first_token_timeout": 0},
        {"cache": "s3cret"},
        {"max_tokens_field": "s3cret"},
    ],
)
def test_settings_that_cannot_work_are_refused_without_showing_them(service: Service, settings: dict):
    with pytest.raises(ValidationError) as caught:
        service.create("x", settings)
    assert "s3cret" not in str(caught.value)


def test_the_key_is_in_no_repr(service: Service):
    provider = service.create("x", {"api_key": KEY, "proxy": "http://u:s3cret@p:1"})
    assert KEY not in repr(provider) + repr(vars(provider))
    assert "s3cret" not in repr(vars(provider))
