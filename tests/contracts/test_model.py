"""What every model service must keep, whoever answers: the bytes that are shown are the bytes that are sent."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

import pytest
from hypothesis import HealthCheck, given, settings

from adapters.anthropic import create as create_anthropic
from adapters.openai import create as create_openai
from adapters.simulated import create as create_simulated
from bot.domain.llm import LLMRequest, LLMResponse, WireRequest
from bot.domain.messages import Message, Role, ToolCall
from bot.ports.model import LLMProvider
from tests.adapters.openai.test_encode import requests
from tests.fakes.values import llm_request, message, result, said, tool_definition
from tests.servers.model import ModelServer, model_server

FULL = llm_request(
    [
        message("tea?"),
        Message(role=Role.ASSISTANT, parts=(ToolCall(call_id="a", name="skip", arguments="{broken"),)),
        result("no", "a"),
        said("yes 😀"),
        message("and now?"),
    ],
    tools=[tool_definition(), tool_definition("react", "React.")],
)


@dataclass
class Service:
    """A provider, and the server behind it where there is one."""

    provider: LLMProvider
    server: ModelServer | None = None
    heard: list[str] = field(default_factory=list)

    async def ask(self, request: LLMRequest) -> tuple[WireRequest, LLMResponse]:
        wire = self.provider.encode(request)
        return wire, await self.provider.complete(wire, self.heard.append)


def create(name: str) -> LLMProvider:
    return CREATE[name](name, {})


CREATE = {"openai": create_openai, "anthropic": create_anthropic, "simulated": create_simulated}


@pytest.fixture(params=CREATE)
async def service(request: pytest.FixtureRequest) -> AsyncIterator[Service]:
    if request.param == "simulated":
        yield Service(create("simulated"))
        return
    async with model_server(language=request.param) as server:
        provider = CREATE[request.param](request.param, {"base_url": server.base_url})
        yield Service(provider, server)
        await provider.close()


async def test_the_bytes_that_are_shown_are_the_bytes_that_are_sent(service: Service):
    wire, _ = await service.ask(FULL)
    assert wire == service.provider.encode(FULL)
    assert wire.sha256 == hashlib.sha256(wire.body).hexdigest()
    if service.server:
        assert service.server.received[-1].body == wire.body


async def test_equal_requests_give_equal_bytes_in_every_process(service: Service):
    for request in (FULL, llm_request(), FULL):
        again = LLMRequest.model_validate_json(request.model_dump_json())
        others = [create(name) for name in CREATE]
        same = [other for other in others if other.encoder == service.provider.encoder]
        assert same and all(other.encode(again) == service.provider.encode(request) for other in same)


async def test_what_differs_gives_other_bytes(service: Service):
    bodies = {
        service.provider.encode(request).body
        for request in (
            FULL,
            FULL.replace(messages=FULL.messages[:-1]),
            FULL.replace(tools=FULL.tools[:1]),
            FULL.replace(system=FULL.system[:1]),
            FULL.replace(max_output_tokens=1),
            FULL.replace(tool_choice="none"),
        )
    }
    assert len(bodies) == 6


async def test_the_text_that_streams_is_the_text_that_returns(service: Service):
    _, response = await service.ask(FULL)
    assert response.text and "".join(service.heard) == response.text
    assert response.answered_by and response.response_id
    assert response.usage.input and response.usage.output


async def test_asking_changes_nothing(service: Service):
    before = service.provider.encode(FULL)
    first, second = await service.ask(FULL), await service.ask(FULL)
    assert first[0] == second[0] == before and first[1].text == second[1].text


async def test_it_names_its_wire_format_and_itself(service: Service):
    name, _, version = service.provider.encoder.partition("/")
    assert name and version.isdigit()
    assert service.provider.name in CREATE


async def test_the_probe_never_raises(service: Service):
    assert [probe.state for probe in await service.provider.probe()] == ["ok"]
    if service.server:
        await service.server.refuse()
        assert [probe.state for probe in await service.provider.probe()] == ["failed"]


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(request=requests)
async def test_any_request_can_be_written(service: Service, request: LLMRequest):
    wire = service.provider.encode(request)
    assert service.provider.encode(request) == wire
    if service.server is None:
        assert await service.provider.complete(wire, lambda _: None)
