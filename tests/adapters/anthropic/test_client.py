"""What only the Messages protocol does; what every service must keep is in tests/contracts/test_service.py."""

from __future__ import annotations

import tomllib

import pytest
from pydantic import ValidationError

from adapters.anthropic import Settings, create
from bot.app.adapters import adapter_problems
from bot.domain.llm import FinishReason
from bot.errors import ProviderError, ProviderFault
from tests.architecture.tree import ROOT
from tests.contracts.test_service import ANTHROPIC, FAST, KEY, ask
from tests.fakes.values import llm_request, message, said
from tests.servers.model import (
    FAILURES_OF,
    Asked,
    Calls,
    Cut,
    Declines,
    Empty,
    Fails,
    Hangs,
    Interrupted,
    Reply,
    Says,
    SlowBy,
    body_of,
)
from tests.servers.model.wire import Wire

TROUBLES = FAILURES_OF["anthropic"]


async def test_the_headers_that_every_request_needs():
    async with ANTHROPIC.connected() as (provider, server):
        await ask(provider)
        await provider.probe()
        *keyed, bare = server.received
        for received in keyed:
            assert received.headers["x-api-key"] == KEY
        assert "x-api-key" not in bare.headers  # whether the list is open to everybody
        for received in server.received:
            assert received.headers["anthropic-version"] == "2023-06-01"
            assert "Authorization" not in received.headers
        assert [received.path for received in server.received] == ["/v1/messages", "/v1/models", "/v1/models"]


async def test_an_answer_that_is_not_streamed():
    reply = Calls([("recall", '{"q": "tea"}')], text="so")
    async with ANTHROPIC.connected(reply, Declines("no"), Empty(), stream=False) as (provider, server):
        heard: list[str] = []
        response = await ask(provider, heard)
        assert server.chats[0]["stream"] is False
        assert (response.text, heard, response.finish) == ("so", ["so"], FinishReason.TOOL_CALLS)
        assert response.calls[0].arguments == '{"q":"tea"}' and response.usage.input
        assert (await ask(provider)).finish is FinishReason.CONTENT_FILTER
        assert (await ask(provider)).text == ""


async def test_a_body_cut_at_any_byte_is_complete_or_cut():
    reply = Says("héllo wörld")
    body = body_of(reply, {"model": "echo"}, language="anthropic")
    async with ANTHROPIC.connected(stream=False) as (provider, server):
        for at in range(0, len(body), 5):
            server.script.append(Cut(at, reply))
            with pytest.raises(ProviderError) as caught:
                await ask(provider)
            assert caught.value.fault is ProviderFault.CUT


async def test_an_error_instead_of_a_body():
    class Told:
        def wire(self, asked: Asked) -> Wire:
            return Fails(200, None, "Overloaded", kind="overloaded_error").wire(asked)

    error = await ANTHROPIC.failure(Told(), stream=False)
    assert error.fault is ProviderFault.OVERLOADED and "Overloaded" in str(error)


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("overloaded", ProviderFault.OVERLOADED),
        ("rate_limited", ProviderFault.RATE),
        ("broken", ProviderFault.SERVER),
        ("took_too_long", ProviderFault.TIMEOUT),
        ("context_too_long", ProviderFault.CONTEXT_LENGTH),
        ("bad_request", ProviderFault.BAD_REQUEST),
        ("bad_key", ProviderFault.AUTH),
    ],
)
async def test_an_error_in_the_middle_of_a_stream_has_the_same_name(name: str, fault: ProviderFault):
    error = await ANTHROPIC.failure(Interrupted(TROUBLES[name], Says("half and half")))
    assert error.fault is fault and TROUBLES[name].message[:20] in str(error)
    assert error.partial_text and "half and half".startswith(error.partial_text)


def thinks(seconds: float) -> Reply:
    """Stop for a while in the middle of a thought."""
    return SlowBy(seconds, Says("yes", reasoning="hmm", chunks=1), "between_tokens")


async def test_thinking_takes_as_long_as_the_first_token_may():
    patience = {"first_token_timeout": 2.0, "between_tokens_timeout": 0.05}
    async with ANTHROPIC.connected(thinks(0.2), **patience) as (provider, _):
        assert (await ask(provider)).text == "yes"
    error = await ANTHROPIC.failure(thinks(5), **FAST)
    assert error.fault is ProviderFault.TIMEOUT and "first_token_timeout" in str(error)


async def test_nothing_but_pings_is_no_answer():
    error = await ANTHROPIC.failure(Hangs("first_token", heartbeat=0.01), **FAST)
    assert error.fault is ProviderFault.TIMEOUT and "no first token within 0.15 s" in str(error)


async def test_the_second_turn_reads_what_the_first_has_kept():
    first = llm_request(messages=[message("hi")])
    second = llm_request(messages=[message("hi"), said("ho"), message("again")])
    async with ANTHROPIC.connected() as (provider, _):
        one, two = [await provider.complete(provider.encode(r), lambda _: None) for r in (first, second)]
    assert not one.usage.cached and one.usage.written
    assert two.usage.cached == one.usage.written and two.usage.input > two.usage.cached


def test_the_example_shows_every_key_with_its_default():
    lines = (ROOT / "config.example.toml").read_text().split("# [providers.anthropic]")[1].split("\n\n")[0].splitlines()
    shown = tomllib.loads("\n".join(line.removeprefix("# ") for line in lines[1:]))
    own = {
        name: list(field.default) if isinstance(field.default, tuple) else field.default
        for name, field in Settings.model_fields.items()
        if name != "api_key"
    }
    assert shown == own | {"kind": "anthropic", "api_key": "env:ANTHROPIC_API_KEY"}


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ('cahce = "1h"', "providers.claude.cahce: unknown key. Did you mean `cache`?"),
        ('cache = "2h"', "providers.claude.cache: must be one of '5m', '1h', 'off'. Found: a text."),
        ('max_tokens_field = "max_tokens"', "providers.claude.max_tokens_field: unknown key."),
        ('base_url = "api.anthropic.com"', "base_url: must be an address like https://api.anthropic.com/v1."),
        ('api_key = "canary canary"', "providers.claude.api_key: must be one line of plain ASCII without spaces."),
        (
            "first_token_timeout = 0",
            "providers.claude.first_token_timeout: must be more than 0. Found: a whole number.",
        ),
        ('kind = "anthropc"', "providers.claude.kind: there is no adapter 'anthropc'."),
    ],
)
def test_what_cannot_work_is_named_with_its_fix(line: str, problem: str):
    kind = "" if line.startswith("kind") else 'kind = "anthropic"\n'
    (found,) = adapter_problems(tomllib.loads(f"[providers.claude]\n{kind}{line}"))
    assert problem in found and "canary" not in found
    assert "config.example.toml" in found or "Did you mean" in found


@pytest.mark.parametrize(
    "settings", [{"cache": "2h"}, {"thinking": "enabled"}, {"effort": "most"}, {"stream": "maybe"}]
)
def test_a_manner_that_the_service_does_not_know_is_refused(settings: dict):
    with pytest.raises(ValidationError):
        create("x", settings)
