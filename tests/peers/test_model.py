"""The contract of model services against `llmock`, a server that somebody else wrote from the same specification."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import orjson
import pytest

from adapters.openai import create
from bot.errors import ProviderError, ProviderFault
from tests.contracts import test_model as contract
from tests.contracts.test_model import FULL, Service
from tests.fakes.values import llm_request
from tests.peers.processes import a_peer, free_port, llmock_program

ENDS = {"truncate": ProviderFault.CUT, "disconnect": ProviderFault.CUT, "malformed": ProviderFault.GARBAGE}


@pytest.fixture
async def address() -> AsyncIterator[str]:
    port = free_port()
    async with a_peer(llmock_program(), "serve", "--port", str(port), "--tool-mode", "off", port=port) as address:
        yield address


@pytest.fixture
async def service(address: str) -> AsyncIterator[Service]:
    provider = create("openai", {"base_url": f"{address}/v1", "api_key": "sk-0123456789abcdef0123"})
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
test_any_request_can_be_written = contract.test_any_request_can_be_written


async def call(method: str, url: str, body: object = None) -> Any:
    async with aiohttp.ClientSession() as session, session.request(method, url, json=body) as response:
        return await response.json()


async def test_what_the_peer_has_read_is_what_was_shown(service: Service, address: str):
    wire, _ = await service.ask(FULL)
    heard = (await call("GET", f"{address}/_llmock/requests"))["requests"]
    bodies = [one["body"] for one in heard if one["path"].endswith(wire.path)]
    assert bodies == [orjson.loads(wire.body)]


async def test_tool_calls_come_whole(service: Service, address: str):
    asked = {"name": "react", "arguments": {"emoji": "👍"}}
    behaviour = {"type": "reply", "tool_calls": [asked]}
    await call("POST", f"{address}/_llmock/scenario", {"behaviors": [behaviour]})
    _, response = await service.ask(FULL)
    assert [(one.name, orjson.loads(one.arguments)) for one in response.calls] == [("react", {"emoji": "👍"})]


@pytest.mark.parametrize("kind", ENDS)
async def test_half_a_stream_is_never_taken_for_an_answer(service: Service, address: str, kind: str):
    behaviour = {"type": "stream_fault", "kind": kind, "after_chunks": 3}
    await call("POST", f"{address}/_llmock/scenario", {"behaviors": [behaviour]})
    with pytest.raises(ProviderError) as caught:
        await service.ask(llm_request())
    assert caught.value.fault is ENDS[kind]


async def test_a_limit_says_how_long_to_wait(service: Service, address: str):
    behaviour = {"type": "fail", "status": 429, "retry_after": 7}
    await call("POST", f"{address}/_llmock/scenario", {"behaviors": [behaviour]})
    with pytest.raises(ProviderError) as caught:
        await service.ask(llm_request())
    assert caught.value.fault is ProviderFault.RATE and caught.value.retry_after == 7


async def test_the_peer_finds_no_fault_with_us(service: Service, address: str):
    await service.ask(FULL)
    verdict = await call("GET", f"{address}/_llmock/verdict")
    assert verdict["findings"] == []
