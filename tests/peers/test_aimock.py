"""The contract of model services, in both languages, against `aimock`, which somebody else wrote."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

import aiohttp
import orjson
import pytest

from adapters.anthropic import create as create_anthropic
from adapters.openai import create as create_openai
from bot.domain.llm import FinishReason, LLMRequest
from bot.errors import ProviderError, ProviderFault
from tests.contracts import test_model as contract
from tests.contracts.test_model import FULL, Service
from tests.fakes.values import llm_request, message, result, said
from tests.peers.processes import a_peer, aimock_program, free_port

CREATE = {"openai": create_openai, "anthropic": create_anthropic}
WORDS = "Tea, and 😀 no cake: that is what I was told."
COUNTS = {
    "openai": {"prompt_tokens": 90, "completion_tokens": 9, "total_tokens": 99},
    "anthropic": {"input_tokens": 90, "output_tokens": 9},
}


class Peer:
    """A running aimock, asked in one language."""

    def __init__(self, address: str, language: str) -> None:
        self.address = address
        self.language = language

    async def control(self, method: str, path: str, body: object = None) -> Any:
        async with (
            aiohttp.ClientSession() as session,
            session.request(method, f"{self.address}/__aimock/{path}", json=body) as response,
        ):
            assert response.status == 200, await response.text()
            return await response.json()

    async def answers(self, *responses: Mapping[str, object], **physics: object) -> None:
        """Let it say this, one after the other; the last for ever."""
        await self.control("POST", "reset")
        fixtures = [
            {"match": {"sequenceIndex": at} if at < len(responses) - 1 else {}, "response": response, **physics}
            for at, response in enumerate(responses)
        ]
        await self.control("POST", "fixtures", {"fixtures": fixtures})

    async def heard(self) -> list[Any]:
        """What it has read, in the terms of chat completions whatever the language was."""
        return [one["body"] for one in await self.control("GET", "journal") if one["method"] == "POST"]


@pytest.fixture(params=CREATE)
async def peer(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Peer]:
    port, program, fixtures = free_port(), aimock_program(), tmp_path / "fixtures.json"
    response = {"content": WORDS, "usage": COUNTS[request.param]}
    fixtures.write_bytes(orjson.dumps({"fixtures": [{"match": {}, "response": response}]}))
    command = [*program, "--port", str(port), "--fixtures", str(fixtures), "--log-level", "silent"]
    async with a_peer(*command, port=port) as address:
        yield Peer(address, request.param)


@pytest.fixture
async def service(peer: Peer) -> AsyncIterator[Service]:
    provider = CREATE[peer.language](
        peer.language, {"base_url": f"{peer.address}/v1", "api_key": "sk-0123456789abcdef"}
    )
    yield Service(provider)
    await provider.close()


test_the_bytes_that_are_shown_are_the_bytes_that_are_sent = (
    contract.test_the_bytes_that_are_shown_are_the_bytes_that_are_sent
)
test_equal_requests_give_equal_bytes_in_every_process = contract.test_equal_requests_give_equal_bytes_in_every_process
test_what_differs_gives_other_bytes = contract.test_what_differs_gives_other_bytes
test_the_text_that_streams_is_the_text_that_returns = contract.test_the_text_that_streams_is_the_text_that_returns
test_asking_changes_nothing = contract.test_asking_changes_nothing
test_it_names_its_wire_format_and_itself = contract.test_it_names_its_wire_format_and_itself
test_the_probe_never_raises = contract.test_the_probe_never_raises


async def test_the_words_and_the_counts_come_through(service: Service):
    _, response = await service.ask(FULL)
    assert response.text == WORDS and response.finish is FinishReason.STOP
    assert (response.usage.input, response.usage.output) == (90, 9)


async def test_tool_calls_come_whole(service: Service, peer: Peer):
    arguments = orjson.dumps({"emoji": "👍", "why": "because " * 20}).decode()
    asked = [{"id": "call_7", "name": "react", "arguments": arguments}, {"name": "skip", "arguments": "{}"}]
    await peer.answers({"content": "let me see", "toolCalls": asked}, {"content": WORDS})
    _, response = await service.ask(FULL)
    assert [(one.name, one.arguments) for one in response.calls] == [("react", arguments), ("skip", "{}")]
    assert response.finish is FinishReason.TOOL_CALLS and response.calls[0].call_id == "call_7"
    assert len({one.call_id for one in response.calls}) == 2


async def test_a_model_that_reasons_says_only_the_words(service: Service, peer: Peer):
    await peer.answers({"content": WORDS, "reasoning": "hmm, tea"})
    assert (await service.ask(FULL))[1].text == WORDS


CONVERSATION = llm_request(
    [
        message("tea?"),
        contract.FULL.messages[1],
        result("no", "a"),
        said("yes 😀"),
        message("by the way"),
        message("and now?"),
    ]
)


async def test_the_peer_reads_the_same_conversation_in_both_languages(service: Service, peer: Peer):
    await service.ask(CONVERSATION)
    (body,) = await peer.heard()
    assert flat(body) == [
        ("system", CONVERSATION.system_text),
        ("user", "tea?"),
        ("call", "a", "skip", {}),
        ("result", "a", "no"),
        ("assistant", "yes 😀"),
        ("user", "by the way and now?"),
    ]
    assert [tool["function"]["name"] for tool in body["tools"]] == ["skip"]
    assert body["stream"] is True


def flat(body: Mapping[str, Any]) -> list[tuple[object, ...]]:
    """Return who said what; what one side says in a row is one thing."""
    found: list[tuple[object, ...]] = []
    for one in body["messages"]:
        words = one.get("content") or ""
        words = words if isinstance(words, str) else "".join(part.get("text", "") for part in words)
        if one["role"] == "tool":
            found.append(("result", one["tool_call_id"], words))
            continue
        if one["role"] == "user":
            before = found.pop()[1] if found[-1][0] == "user" else ""
            found.append(("user", " ".join(f"{before} {words}".split())))
        elif words:
            found.append((one["role"], words))
        for call in one.get("tool_calls") or ():
            found.append(("call", call["id"], call["function"]["name"], orjson.loads(call["function"]["arguments"])))
    return found


async def fails(service: Service, request: LLMRequest = FULL) -> ProviderError:
    with pytest.raises(ProviderError) as caught:
        await service.ask(request)
    return caught.value


ERRORS = [
    (401, "authentication_error", "invalid x-api-key", ProviderFault.AUTH),
    (403, "permission_error", "Only the person", ProviderFault.REFUSED),  # a number alone says nothing of a key
    (404, "not_found_error", "model: nothing", ProviderFault.NOT_FOUND),
    (413, "request_too_large", "Request exceeds the maximum size", ProviderFault.CONTEXT_LENGTH),
    (429, "rate_limit_error", "slow down", ProviderFault.RATE),
    (500, "api_error", "Internal server error", ProviderFault.SERVER),
    (529, "overloaded_error", "Overloaded", ProviderFault.OVERLOADED),
    (400, "invalid_request_error", "prompt is too long: 9 tokens > 8 maximum", ProviderFault.CONTEXT_LENGTH),
    (400, "invalid_request_error", "no", ProviderFault.BAD_REQUEST),
]


@pytest.mark.parametrize(("status", "kind", "words", "fault"), ERRORS)
async def test_errors_have_their_names(
    service: Service, peer: Peer, status: int, kind: str, words: str, fault: ProviderFault
):
    await peer.control("POST", "error", {"status": status, "body": {"message": words, "type": kind}})
    error = await fails(service)
    assert (error.fault, error.status) == (fault, status) and words in str(error)
    assert (await service.ask(FULL))[1].text == WORDS


async def test_a_limit_says_how_long_to_wait(service: Service, peer: Peer):
    await peer.control("POST", "chaos", {"rateLimitRate": 1})
    error = await fails(service)
    assert error.fault is ProviderFault.RATE and error.retry_after == 1


CHAOS = {"dropRate": ProviderFault.SERVER, "malformedRate": ProviderFault.GARBAGE, "disconnectRate": ProviderFault.CUT}


@pytest.mark.parametrize("kind", CHAOS)
async def test_chaos_has_a_name(service: Service, peer: Peer, kind: str):
    await peer.control("POST", "chaos", {kind: 1})
    assert (await fails(service)).fault is CHAOS[kind]


@pytest.mark.parametrize("chunks", range(1, 6))
async def test_half_a_stream_is_never_taken_for_an_answer(service: Service, peer: Peer, chunks: int):
    await peer.answers({"content": WORDS}, chunkSize=10, truncateAfterChunks=chunks)
    error = await fails(service)
    assert error.fault is ProviderFault.CUT and WORDS.startswith(error.partial_text)


async def test_a_body_that_is_not_streamed(peer: Peer):
    if peer.language != "anthropic":
        pytest.skip("chat completions are always streamed")
    provider = create_anthropic("anthropic", {"base_url": f"{peer.address}/v1", "stream": False})
    await peer.answers({"content": WORDS, "toolCalls": [{"name": "skip", "arguments": "{}"}]})
    response = await provider.complete(provider.encode(FULL), lambda _: None)
    await provider.close()
    assert response.text == WORDS and [one.name for one in response.calls] == ["skip"]
