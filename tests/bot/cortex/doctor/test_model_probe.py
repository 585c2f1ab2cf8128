"""What the doctor says of model services: only what it looked at. Real adapters against loopback servers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from types import MappingProxyType

import pytest

from adapters.anthropic import create as anthropic
from adapters.openai import create as openai
from bot.agent.turn.model_client import ModelClient
from bot.config import ModelConfig
from bot.config.schema import Config
from bot.cortex.doctor.model_probe import (
    ANSWER_TTL_SECONDS,
    MAX_PROBED_MODELS,
    REFUSAL_TTL_SECONDS,
    ModelProbe,
    configured_models,
    models_of_service,
)
from bot.domain.health import ProbeResult
from bot.runtime.tasks import TaskSupervisor
from tests.dialogs.bot import a_bot
from tests.fakes.clock import FakeClock
from tests.servers.model import Fails, Hangs, Language, ModelServer, Says, model_server

KEY = "sk-live-0123456789abcdef"  # a canary, not a key
CREATE = MappingProxyType({"openai": openai, "anthropic": anthropic})
NO_CREDIT = {
    "openai": Fails(429, "insufficient_quota", "You exceeded your current quota, please check your plan."),
    "anthropic": Fails(400, None, "Your credit balance is too low to access the Anthropic API.", kind="billing_error"),
}


@dataclass
class Here:
    """A service, and what is looked at it with."""

    server: ModelServer
    kind: Language
    clock: FakeClock
    tasks: TaskSupervisor

    async def look(self, key: str = KEY, model: str = "test-model", *, free: bool = False, **keys: object) -> list[str]:
        """Look once; return the rows as people read them, with the fix behind what needs one."""
        return [said(row) for row in await self.rows(key, model, free=free, **keys)]

    async def rows(self, key: str, model: str, *, free: bool, **keys: object) -> list[ProbeResult]:
        settings = {"base_url": self.server.base_url, **({"api_key": key} if key else {}), **keys}
        provider = CREATE[self.kind]("x", settings)
        models = ModelClient({"x": provider}, ModelConfig(name=f"x/{model}", price_input=1, price_output=2), self.clock)
        try:
            return [*await ModelProbe(models, {"x": provider}, self.clock, free=free).look("x", models.chain())]
        finally:
            await provider.close()


def said(row: ProbeResult) -> str:
    assert KEY not in row.evidence + row.fix
    return f"{row.state} {row.name}: {row.evidence}{f' -> {row.fix}' if row.fix else ''}"


@pytest.fixture(params=["openai", "anthropic"])
async def here(request) -> AsyncIterator[Here]:
    async with a_service(request.param) as found:
        yield found


@asynccontextmanager
async def a_service(kind: Language, key: str | None = KEY) -> AsyncIterator[Here]:
    async with model_server(key=key, language=kind) as server:
        yield Here(server, kind, FakeClock(), TaskSupervisor())


async def test_one_token_proves_key_and_model(here: Here):
    listed, answered = await here.look()
    assert listed == f"ok provider x: {here.server.base_url} lists 1 model to this key, and to nobody without one"
    assert answered.startswith("ok answer of x/test-model: answered a one-token request with this key in ")
    assert "tokens in, <$0.0001, not in the bot's own account)" in answered
    (asked,) = here.server.chats
    assert asked.get("max_completion_tokens", asked.get("max_tokens")) == 1 and not asked.get("tools")
    assert len(here.server.received[-1].body) < 400


async def test_a_public_list_proves_no_key(here: Here):
    here.server.public_list = True
    listed, answered = await here.look("sk-wrong-key-0123456789")
    assert listed == f"ok provider x: {here.server.base_url} lists 1 model to everybody, which proves no key"
    assert answered.startswith("failed answer of x/test-model: HTTP 401") and "Check api_key" in answered
    listed, answered = await here.look()
    assert "proves no key" in listed and answered.startswith("ok answer of x/test-model: answered a one-token")


async def test_a_wrong_key_where_only_the_key_opens_the_list(here: Here):
    listed, answered = await here.look("sk-wrong-key-0123456789")
    assert listed.startswith("failed provider x: HTTP 401") and "Check api_key" in listed
    assert answered.startswith("failed answer of x/test-model: HTTP 401")


async def test_a_model_that_the_list_does_not_have_is_said_with_near_names(here: Here):
    here.server.models = ("gpt-5-mini", "gpt-5-nano", "whisper-1")
    words = "The model `gpt5-mini` does not exist."
    here.server.script = [Fails(404, "model_not_found", words, kind="not_found_error")]
    _, answered = await here.look(model="gpt5-mini")
    assert answered.startswith(f"failed answer of x/gpt5-mini: HTTP 404: {words}")
    assert answered.endswith("Near: gpt-5-mini, gpt-5-nano.")
    # an alias is in no list, and answers
    _, answered = await here.look(model="gpt5-mini")
    assert answered.startswith("ok ") and answered.endswith("; its name is not in the list")


@pytest.mark.parametrize(
    ("listed", "name"),
    [
        ("models/gemini-3-flash", "gemini-3-flash"),
        ("llama3.2:latest", "llama3.2"),
        ("Qwen/Qwen3-8B", "qwen/qwen3-8b"),
        ("deepseek/deepseek-r1", "deepseek/deepseek-r1:free"),
    ],
)
async def test_a_name_in_another_spelling_is_in_the_list(listed: str, name: str):
    async with a_service("openai") as here:
        here.server.models = (listed,)
        _, answered = await here.look(model=name, free=True)
        assert answered.startswith(f"ok answer of x/{name}: in the service's list")


async def test_no_list_is_no_fault_where_the_model_answers(here: Here):
    here.server.listing = Fails(404, None, "Not Found")
    listed, answered = await here.look()
    assert (
        listed.startswith("ok provider x: its list of models is not available (HTTP 404") and "models answer" in listed
    )
    assert answered.startswith("ok ")


async def test_an_address_without_its_end_is_said(here: Here):
    wrong = {"base_url": here.server.address}
    listed, answered = await here.look(**wrong)
    assert listed.startswith("failed provider x: HTTP 404") and "it usually ends in /v1" in listed
    assert answered.startswith("failed answer of x/test-model: HTTP 404") and "it usually ends in /v1" in answered
    listed, answered = await here.look(free=True, **wrong)
    assert "it usually ends in /v1" in listed and answered.startswith("unknown ")


async def test_a_page_for_people_is_no_list(here: Here):
    here.server.listing = Fails(200, None, "Welcome", html=True)
    here.server.script = [Fails(405, None, "Method Not Allowed", html=True)]
    listed, answered = await here.look()
    assert listed.startswith("failed provider x: what ") and "is no list of models" in listed
    assert answered.startswith("failed answer of x/test-model: HTTP 405")


async def test_an_account_without_credit_is_said(here: Here):
    here.server.script = [NO_CREDIT[here.kind]]
    listed, answered = await here.look()
    assert listed.startswith("ok ") and answered.startswith("failed ") and "Top up the account" in answered


async def test_a_limit_and_an_overload_pass(here: Here):
    for reply in (Fails(429, None, "Rate limit reached."), Fails(503, None, "Overloaded.")):
        here.server.script = [reply]
        _, answered = await here.look()
        assert answered.startswith("warning ")


async def test_one_token_may_be_too_few_for_a_model_that_thinks(here: Here):
    words = "Could not finish the message because max_tokens or model output limit was reached. Please try again."
    here.server.script = [Fails(400, None, words)]
    _, answered = await here.look()
    assert answered.startswith("ok answer of x/test-model: answered a one-token request")
    here.server.script = [Fails(400, None, "Unsupported parameter: 'max_tokens' is not supported with this model.")]
    _, answered = await here.look()
    assert answered.startswith("failed ") and "Unsupported parameter" in answered


async def test_a_service_that_does_not_answer_in_time(here: Here):
    here.server.script = [Hangs("first_token")]
    _, answered = await here.look(first_token_timeout=0.05)
    assert (
        answered.startswith("failed answer of x/test-model: no first token within 0.05 s") and "Ask again" in answered
    )


async def test_a_service_that_cannot_be_reached_is_not_asked(here: Here):
    await here.server.refuse()
    (listed,) = await here.look()
    assert listed.startswith("failed provider x: no connection")


async def test_nothing_is_asked_for_free(here: Here):
    listed, answered = await here.look(free=True)
    assert listed.endswith("to nobody without one")
    assert answered == (
        "ok answer of x/test-model: in the service's list, which the key opens; I did not ask it for an answer (--free)"
    )
    here.server.public_list = True
    _, answered = await here.look(free=True)
    assert answered.startswith("unknown ") and "nothing else proves the key" in answered
    _, answered = await here.look(free=True, model="test-modle")
    assert answered.startswith("warning ") and answered.endswith("Near: test-model.")
    assert here.server.chats == []


async def test_without_a_key_there_is_nothing_to_prove_of_it():
    async with a_service("openai", key=None) as here:
        listed, answered = await here.look(key="")
        assert listed.endswith("lists 1 model") and "key" not in answered and answered.startswith("ok ")


async def test_slow_is_said(here: Here):
    class Late:
        def wire(self, asked):
            here.clock.advance(40)
            return Says("yes").wire(asked)

    here.server.script = [Late()]
    _, answered = await here.look()
    assert answered.startswith("warning answer of x/test-model: answered a one-token request with this key in 40 s")
    assert "it was loading" in answered


async def test_a_server_that_loads_is_not_asked_to_begin_again(monkeypatch):
    monkeypatch.setattr("bot.cortex.doctor.model_probe._WAIT_SECONDS", 0.05)
    async with a_service("openai", key=None) as here:
        provider = openai("x", {"base_url": here.server.base_url})
        models = ModelClient({"x": provider}, ModelConfig(name="x/test-model"), here.clock)
        asking = ModelProbe(models, {"x": provider}, here.clock, background=here.tasks)
        here.server.script = [Hangs("first_token", Says("yes"))]

        async def look() -> str:
            return said((await asking.look("x", models.chain()))[-1])

        assert (await look()).startswith("unknown answer of x/test-model: no answer yet to a one-token request")
        assert (await look()).startswith("unknown ")
        here.server.release()
        await here.tasks.idle()
        assert (await look()).startswith("ok answer of x/test-model: answered a one-token request in ")
        assert len(here.server.chats) == 1
        await provider.close()


async def test_whoever_waits_is_told_once(monkeypatch):
    monkeypatch.setattr("bot.cortex.doctor.model_probe._SILENT_SECONDS", 0.02)
    told: list[str] = []
    async with a_service("openai", key=None) as here:
        provider = openai("x", {"base_url": here.server.base_url})
        models = ModelClient({"x": provider}, ModelConfig(name="x/test-model"), here.clock)

        def waits(model: object) -> None:
            told.append(str(model))
            here.server.release()

        asking = ModelProbe(models, {"x": provider}, here.clock, waits=waits)
        here.server.script = [Hangs("first_token", Says("yes"))]
        assert said((await asking.look("x", models.chain()))[-1]).startswith("ok ")
        await asking.look("x", models.chain())
        assert told == ["x/test-model"]
        await provider.close()


async def test_who_looks_again_and_again_asks_once():
    async with a_service("openai") as here:
        provider = openai("x", {"base_url": here.server.base_url, "api_key": KEY})
        models = ModelClient({"x": provider}, ModelConfig(name="x/test-model"), here.clock)
        asking = ModelProbe(models, {"x": provider}, here.clock, background=here.tasks)
        here.server.script = [Fails(401, "invalid_api_key", "Incorrect API key provided.")]

        async def look(wait: float) -> str:
            here.clock.advance(wait)
            return said((await asking.look("x", models.chain()))[-1])

        assert (await look(0)).startswith("failed ")
        assert "ago" in await look(REFUSAL_TTL_SECONDS / 2) and len(here.server.chats) == 1
        # who mended it sees that
        assert (await look(REFUSAL_TTL_SECONDS)).startswith("ok ")
        rows = await asyncio.gather(*(look(1) for _ in range(20)))
        assert all("4 s ago" in row or "ago" in row for row in rows[1:]) and len(here.server.chats) == 2
        await look(ANSWER_TTL_SECONDS + 1)
        assert len(here.server.chats) == 3
        await provider.close()


async def test_a_look_asks_so_many_and_says_how_many_more_there_are():
    async with a_service("openai") as here:
        provider = openai("x", {"base_url": here.server.base_url, "api_key": KEY})
        names = tuple(f"x/m{number}" for number in range(MAX_PROBED_MODELS + 3))
        models = ModelClient({"x": provider}, ModelConfig(name=names[0], fallbacks=names[1:]), here.clock)
        rows = await ModelProbe(models, {"x": provider}, here.clock).look("x", models.chain())
        assert len(here.server.chats) == MAX_PROBED_MODELS
        assert said(rows[-1]) == "ok more models of x: 3 more were not asked: I ask 8 of a service at a time"
        await provider.close()


def test_every_model_that_is_configured_is_asked_once():
    tables: Mapping[str, object] = {
        "providers": {"a": {"kind": "openai"}, "b": {"kind": "openai"}},
        "platforms": {"console": {}},
        "model": {"name": "a/one", "fallbacks": ["b/two"]},
        "compaction": {"summarization_model": "a/three"},
        "cortex": {"model": "b/two"},
        "channels": {"console:#general": {"model": "a/four"}},
    }
    config = Config.model_validate(tables)
    names = configured_models(ModelClient({}, config.model, FakeClock()), config)
    assert [str(name) for name in names] == ["a/one", "b/two", "a/four", "a/three"]
    assert [str(name) for name in models_of_service(names, "a")] == ["a/one", "a/four", "a/three"]


async def test_an_admin_asks_in_the_chat(tmp_path):
    async with a_service("openai") as here:
        here.server.public_list = True
        provider = openai("x", {"base_url": here.server.base_url, "api_key": "sk-wrong-key-0123456789"})
        more = '[model]\nname = "x/test-model"\ncontext_window = 32000\n[providers.x]\nkind = "openai"\n'
        async with a_bot(tmp_path, providers={"x": provider}, more=more) as bot:
            for _ in range(3):
                text = "\n".join(await bot.says("root", "!cortex doctor"))
                assert "proves no key" in text and "✗ answer of x/test-model: HTTP 401" in text
                assert "answers and takes" not in text
            assert len(here.server.chats) == 1
        await provider.close()
