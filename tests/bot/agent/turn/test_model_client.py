"""The one layer that retries, against the real adapter and a real server; the clock is a value."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial

import pytest

from adapters.anthropic import create as create_anthropic
from adapters.openai import create as create_openai
from adapters.simulated import create as create_simulated
from bot.agent.turn.circuit_breaker import RequestOwner
from bot.agent.turn.deadline import TurnDeadline
from bot.agent.turn.model_attempts import AnswerRequest, Listen, PreparedRequest
from bot.agent.turn.model_client import ModelClient, parse_model, size_of
from bot.config import ModelConfig
from bot.domain.channel import ProcessKind
from bot.domain.health import WorkKind
from bot.domain.ids import MAIN, ChannelId, ChannelKey
from bot.domain.llm import ModelName, TokenUsage
from bot.domain.snapshot import ModelLimits
from bot.domain.turn import AttemptRecord
from bot.errors import ProviderError, ProviderFault
from tests.fakes.clock import FakeClock
from tests.fakes.values import llm_request
from tests.servers.model import (
    FAILURES,
    FAILURES_OF,
    Cut,
    Drops,
    Fails,
    Hangs,
    Language,
    ModelServer,
    Reply,
    Says,
    model_server,
)

CREATE = {"openai": create_openai, "anthropic": create_anthropic}
FIRST, SECOND = ModelName(provider="first", model="a"), ModelName(provider="second", model="b")


@dataclass
class Bench:
    """Two services, and an agent loop that only prepares and records."""

    models: ModelClient
    first: ModelServer
    second: ModelServer
    clock: FakeClock
    prepared: list[tuple[ModelLimits, int]] = field(default_factory=list)
    records: list[AttemptRecord] = field(default_factory=list)

    async def prepare(self, limits: ModelLimits, fallback_of: int) -> PreparedRequest:
        self.prepared.append((limits, fallback_of))
        encode = partial(self.models.encode, llm_request(model=limits.model))
        return PreparedRequest(len(self.prepared), encode(), encode)

    async def record(self, attempt: AttemptRecord) -> None:
        self.records.append(attempt)

    async def ask(
        self,
        seconds: float = 120,
        override: str = "",
        listen: Listen | None = None,
        place: str = "#a",
        kind: ProcessKind = ProcessKind.CHANNEL,
    ):
        chain, deadline = self.models.chain(override), TurnDeadline(self.clock, seconds)
        by = RequestOwner(kind, ChannelKey(MAIN, ChannelId(f"console:{place}")), place, False)
        return await self.models.answer(AnswerRequest(by, chain, deadline, self.prepare, self.record, listen))

    async def fails(self, **how) -> ProviderError:
        with pytest.raises(ProviderError) as caught:
            await self.ask(**how)
        return caught.value

    @property
    def faults(self) -> list[str]:
        return [record.fault for record in self.records]


Kinds = tuple[Language, Language]
OPENAI: Kinds = ("openai", "openai")


@asynccontextmanager
async def bench(
    *script: Reply, fallback: bool = True, first_token: float = 5, between: float = 5, kinds: Kinds = OPENAI, **config
) -> AsyncIterator[Bench]:
    patience = {"first": {"first_token_timeout": first_token, "between_tokens_timeout": between}, "second": {}}
    async with model_server(*script, language=kinds[0]) as first, model_server(language=kinds[1]) as second:
        services = {"first": first, "second": second}
        providers = {
            name: CREATE[service.language](name, {"base_url": service.base_url, **patience[name]})
            for name, service in services.items()
        }
        clock = FakeClock()
        config = {"name": "first/a", "fallbacks": ("second/b",) if fallback else (), **config}
        try:
            yield Bench(ModelClient(providers, ModelConfig(**config), clock), first, second, clock)
        finally:
            for provider in providers.values():
                await provider.close()


async def test_the_first_model_answers_and_nothing_else_happens():
    async with bench(Says("hi")) as it:
        answered = await it.ask()
        assert (answered.response.text, answered.model, answered.request, answered.attempts) == ("hi", FIRST, 1, 1)
        assert it.prepared == [(it.models.limits(FIRST), 0)]
        assert it.records[0].response == answered.response and it.records[0].first_token_ms is not None
        assert it.clock.slept == [] and it.second.received == []
        assert it.models.health()[0].last_success_at == it.clock.now()


MIXED: list[Kinds] = [("openai", "anthropic"), ("anthropic", "openai"), ("anthropic", "anthropic")]
TRANSIENT = {"rate_limited", "broken", "bad_gateway", "unavailable", "overloaded", "html_gateway"}
LASTING = {
    "html_forbidden",
    "bad_key",
    "no_credit",
    "forbidden",
    "no_such_model",
    "quota_spent",
    "spending_limit",
    "billing",
}
OURS = {"context_too_long", "no_room_to_answer", "request_too_large", "tool_id_unanswered", "tool_id_unknown"}


def troubles(names: set[str]) -> pytest.MarkDecorator:
    """Every trouble of these names, between every two kinds of services."""
    found = [
        pytest.param(kinds, FAILURES_OF[kinds[0]][name], id=f"{'-'.join(kinds)}-{name}")
        for kinds in [OPENAI, *MIXED]
        for name in sorted(names & FAILURES_OF[kinds[0]].keys())
    ]
    return pytest.mark.parametrize(("kinds", "trouble"), found)


@troubles(TRANSIENT)
async def test_what_may_pass_is_tried_again_with_the_same_bytes(kinds: Kinds, trouble: Fails):
    async with bench(trouble, trouble, Says("at last"), kinds=kinds) as it:
        answered = await it.ask()
        assert (answered.response.text, answered.attempts) == ("at last", 3)
        assert [record.number for record in it.records] == [1, 2, 3] and len(it.prepared) == 1
        assert len({received.body for received in it.first.received}) == 1
        assert 0.5 <= it.clock.slept[0] < 0.7 and 1.0 <= it.clock.slept[1] < 1.3


@troubles(LASTING)
async def test_what_does_not_pass_goes_to_the_next_model_at_once(kinds: Kinds, trouble: Fails):
    async with bench(trouble, kinds=kinds) as it:
        answered = await it.ask()
        assert (answered.model, answered.request, it.clock.slept) == (SECOND, 2, [])
        assert it.prepared == [(it.models.limits(FIRST), 0), (it.models.limits(SECOND), 1)]
        assert it.models.health()[0].cooling_until == 0
        # what a second channel meets as well is no matter of the first
        it.first.script.append(trouble)
        assert (await it.ask(place="#b")).model == SECOND
        assert it.models.health()[0].cooling_until == it.clock.now() + 60_000


@troubles(OURS)
async def test_what_is_our_own_fault_is_said_at_once(kinds: Kinds, trouble: Fails):
    async with bench(trouble, kinds=kinds) as it:
        error = await it.fails()
        assert error.fault in (ProviderFault.CONTEXT_LENGTH, ProviderFault.TOOL_PAIRING)
        assert len(it.first.received) == 1 and it.second.received == []
        assert it.models.health()[0].cooling_until == 0


@pytest.mark.parametrize("kinds", MIXED, ids="-".join)
async def test_one_kind_stands_in_for_the_other_until_it_is_back(kinds: Kinds):
    overloaded = FAILURES_OF[kinds[0]]["overloaded"]
    async with bench(*[overloaded] * 3, kinds=kinds) as it:
        assert [(await it.ask()).model, (await it.ask()).model] == [SECOND, SECOND]
        assert it.faults == ["overloaded"] * 3 + [""] * 2 and len(it.first.received) == 3
        it.clock.advance(60)
        assert (await it.ask()).model == FIRST
        paths = {server.received[-1].path for server in (it.first, it.second)}
        assert paths == {{"openai": "/v1/chat/completions", "anthropic": "/v1/messages"}[kind] for kind in kinds}


@pytest.mark.parametrize(
    ("reply", "patience"),
    [
        (Drops(), {}),
        (Drops(reset=True), {}),
        (Hangs(), {"first_token": 0.05}),
        (Hangs("between_tokens"), {"between": 0.05}),
        (Cut(700, Says("half and half")), {}),
    ],
)
async def test_a_broken_line_is_tried_again_and_then_left(reply: Reply, patience: dict):
    async with bench(reply, reply, reply, **patience) as it:
        assert (await it.ask()).model == SECOND
        assert len(it.first.received) == 3 and not it.models.health()[0].cooling_until
        it.first.script.extend([reply] * 3)
        assert (await it.ask(place="#b")).model == SECOND
        assert it.models.health()[0].cooling_until


async def test_nobody_there_goes_to_the_next_model():
    async with bench() as it:
        await it.first.refuse()
        assert (await it.ask()).model == SECOND
        assert it.faults == ["unreachable"] * 3 + [""]


async def test_when_all_fail_the_last_error_is_raised_and_then_all_cool_down():
    async with bench(*[FAILURES["bad_key"]] * 2) as it:
        it.second.script.extend([FAILURES["no_credit"]] * 2)
        for place in ("#a", "#b"):
            assert (await it.fails(place=place)).fault is ProviderFault.CREDIT
        error = await it.fails()
        assert error.fault is ProviderFault.COOLING_DOWN and error.retry_after == 60
        assert error.behind is ProviderFault.AUTH
        assert "first/a" in str(error) and "401" in str(error)
        assert len(it.records) == 4 == len(it.prepared)
        it.clock.advance(60)
        assert (await it.ask()).model == FIRST


async def test_a_model_that_cools_down_is_passed_over():
    async with bench(*[FAILURES["bad_key"]] * 2) as it:
        await it.ask()
        await it.ask(place="#b")
        assert (await it.ask(place="#c")).model == SECOND
        assert len(it.first.received) == 2 and it.prepared[-1][1] == 0


@pytest.mark.parametrize("kind", [kind for kind in ProcessKind if kind is not ProcessKind.CHANNEL])
async def test_people_and_the_background_do_not_stop_each_other(kind: ProcessKind):
    async with bench(*[FAILURES["overloaded"]] * 3, fallback=False) as it:
        assert (await it.fails(kind=kind)).fault is ProviderFault.OVERLOADED
        assert (await it.fails(kind=kind, place="#b")).fault is ProviderFault.COOLING_DOWN
        assert (await it.ask(place="#b")).model == FIRST
        (aside,) = [one for one in it.models.health() if one.cooling_until]
        assert (aside.work, aside.opened_by, aside.opened_in) == (WorkKind.BACKGROUND, kind.value, "console:#a")


async def test_the_wait_that_the_service_names_is_kept():
    async with bench(Fails(429, retry_after=7), Says("hi"), fallback=False) as it:
        await it.ask()
        assert it.clock.slept == [7.0] and it.records[0].retry_after == 7


async def test_a_wait_longer_than_the_turn_goes_to_the_next_model():
    async with bench(Fails(429, retry_after=600)) as it:
        assert (await it.ask(seconds=30)).model == SECOND
        assert it.clock.slept == []
        assert it.models.health()[0].cooling_until == it.clock.now() + 600_000


class Seen:
    """Everything that somebody saw, by attempt."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def listen(self):
        mine = len(self.texts)
        self.texts.append("")

        def heard(piece: str) -> None:
            self.texts[mine] += piece

        return heard


async def test_an_answer_of_which_a_part_was_seen_is_tried_again_as_a_text_of_its_own():
    seen = Seen()
    async with bench(Hangs("between_tokens", Says("half and half", chunks=6)), Says("whole"), between=0.05) as it:
        assert (await it.ask(listen=seen.listen)).model == FIRST
        first, second = seen.texts
        assert first and "half and half".startswith(first) and second == "whole"
        assert it.faults == ["timeout", ""]


async def test_an_answer_of_which_a_part_was_seen_may_fall_back():
    seen = Seen()
    async with bench(Hangs("between_tokens", Says("half and half", chunks=6)), retries=0, between=0.05) as it:
        it.second.script.append(Says("hello"))
        assert (await it.ask(listen=seen.listen)).model == SECOND
        assert seen.texts[1:] == ["hello"]


async def test_a_cancelled_attempt_leaves_a_record():
    async with bench(Hangs()) as it:
        asking = asyncio.get_running_loop().create_task(it.ask())
        await it.first.heard(1)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        assert it.faults == ["cancelled"]


async def test_a_service_that_is_not_configured_is_skipped_and_said():
    async with bench(Says("hi")) as it:
        assert (await it.ask(override="elsewhere/x")).model == SECOND
    async with bench(fallback=False) as it:
        error = await it.fails(override="elsewhere/x")
        assert error.fault is ProviderFault.NOT_FOUND and "known: first, second" in str(error)
        assert it.records == []


def models(**config) -> ModelClient:
    return ModelClient({"simulated": create_simulated("simulated", {})}, ModelConfig(**config), FakeClock())


def test_the_chain_names_each_model_once():
    chain = models(name="first/a", fallbacks=("second/b", "first/c")).chain
    assert [str(model) for model in chain()] == ["first/a", "second/b", "first/c"]
    assert [str(model) for model in chain("c")] == ["first/c", "second/b"]


def test_limits_come_from_the_configuration_the_table_or_caution():
    known = models(name="openai/gpt-4o", context_window=50_000, fallbacks=("local/llama",))
    main, other = known.chain()
    assert (known.limits(main).window, known.limits(main).max_output, known.limits(main).window_known) == (
        50_000,
        12_500,
        True,
    )
    assert (known.limits(other).window, known.limits(other).window_known) == (8192, False)
    assert models(name="openai/gpt-5-mini").limits(main).max_output == 16_384
    assert models(name="local/llama", max_output_tokens=77).limits(other).max_output == 77
    assert models().limits(models().chain()[0]).window_known


def test_the_price_is_known_or_none():
    priced = models(name="first/a", price_input=2.0, price_output=10.0, price_cached=1.0)
    assert priced.price(FIRST, TokenUsage(input=1_000_000, output=100_000, cached=500_000)) == 2.5
    assert priced.price(FIRST, TokenUsage(input=1_000_000)) is None
    kept = models(name="first/a", price_input=2.0, price_output=10.0, price_cached=0.2, price_cache_write=2.5)
    some = TokenUsage(input=1_000_000, output=100_000, cached=500_000, written=200_000)
    assert kept.price(FIRST, some) == pytest.approx(0.6 + 0.1 + 0.5 + 1.0)
    assert priced.price(FIRST, some) == pytest.approx(1.0 + 0.5 + 1.0)
    assert kept.price(FIRST, TokenUsage(input=10, output=0, cached=20, written=20)) == pytest.approx(
        10 * 0.2 / 1_000_000
    )
    assert priced.price(SECOND, TokenUsage(input=1, output=1)) is None
    assert models(name="first/a").price(FIRST, TokenUsage(input=1, output=1)) is None
    assert models().price(models().chain()[0], TokenUsage(input=1, output=1)) == 0.0


def test_the_encoder_has_a_name_for_the_journal():
    assert models().encoder(models().chain()[0]).startswith("openai-chat/")
    with pytest.raises(ProviderError):
        models().encoder(FIRST)


def model(text: str) -> ModelName:
    return parse_model(text, "openai")


@pytest.mark.parametrize(
    ("name", "window"),
    [
        ("openai/gpt-5-mini", 400_000),
        ("openai/gpt-4o-2024-08-06", 128_000),
        ("openrouter/openai/gpt-4.1-mini:free", 1_047_576),
        ("openai/GPT-4o", 128_000),
        ("simulated/whatever", 128_000),
        ("anthropic/claude-haiku-5-5", 1_000_000),
        ("anthropic/claude-sonnet-4-5-20250929", 200_000),
        ("openrouter/anthropic/claude-opus-4.6", 1_000_000),
    ],
)
def test_common_models_are_known_by_any_service(name: str, window: int):
    size = size_of(model(name))
    assert size is not None and size.window == window


@pytest.mark.parametrize("name", ["local/llama3", "openai/gpt-4o-audio-preview", "openai/gpt-99", "x/"])
def test_what_is_not_in_the_table_is_not_guessed(name: str):
    assert size_of(model(name)) is None


def test_a_bare_name_belongs_to_the_default_provider():
    assert parse_model("gpt-4o", "openai") == ModelName(provider="openai", model="gpt-4o")
    assert str(parse_model(" openrouter/openai/gpt-4o ", "x")) == "openrouter/openai/gpt-4o"
