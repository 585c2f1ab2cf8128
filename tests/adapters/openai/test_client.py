"""What only chat completions do; what every service must keep is in tests/contracts/test_service.py."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from adapters.openai import create
from bot.domain.llm import MAX_CALLS, FinishReason
from tests.contracts.test_service import OPENAI, ask
from tests.servers.model import Calls, Garbage, body_of


@pytest.mark.parametrize("deltas", ["in_order", "interleaved", "whole", "unnumbered"])
async def test_calls_however_dealt_out(deltas):
    many = [("recall", f'{{"n": {number}}}') for number in range(100)]
    async with OPENAI.connected(Calls(many, deltas=deltas)) as (provider, _):
        response = await ask(provider)
    assert [(c.name, c.arguments) for c in response.calls] == many[:MAX_CALLS]
    assert len({c.call_id for c in response.calls}) == MAX_CALLS
    assert response.dropped_calls == 100 - MAX_CALLS


async def test_a_local_server_that_never_streams():
    body = body_of(Calls([("recall", "{}")], text="so"), {"model": "local"})
    async with OPENAI.connected(Garbage(body, kind="application/json")) as (provider, _):
        response = await ask(provider)
    assert (response.text, response.calls[0].name, response.finish) == ("so", "recall", FinishReason.TOOL_CALLS)


async def test_the_organization_goes_into_its_header():
    async with OPENAI.connected(organization="org-1") as (provider, server):
        await ask(provider)
        assert server.received[-1].headers["OpenAI-Organization"] == "org-1"
    with pytest.raises(ValidationError):
        create("x", {"organization": "räuber"})
