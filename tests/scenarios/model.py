"""A model service that refuses, fails, is not there, or does not take the request."""

from __future__ import annotations

from bot.domain.channel import ProcessKind
from bot.domain.finding import Confidence
from bot.domain.ids import MAIN
from bot.domain.messages import Message, Role, Text, ToolCall
from bot.domain.turn import TurnEnd, TurnStart, TurnStatus
from tests.dialogs.bot import GENERAL
from tests.scenarios.scenario import Scenario
from tests.scenarios.stage import Stage
from tests.servers.model import FAILURES, Fails, Hangs, Says

PROVIDER, WINDOW, ORPHAN = "LLM-AUTH", "CTX-OVERFLOW", "CTX-ORPHAN"
LIMITED = Fails(429, "rate_limit_exceeded", "Rate limit reached.", retry_after=30)


async def ann_asks(stage: Stage) -> None:
    await stage.says("ann", "@glassmind are you there?")


async def ann_asks_again(stage: Stage) -> None:
    await ann_asks(stage)
    await stage.says("ann", "@glassmind are you there now?")


async def nobody_listens(stage: Stage) -> None:
    await ann_asks(stage)
    await stage.server.refuse()
    await stage.says("ann", "@glassmind and now?")


async def ann_writes_a_book(stage: Stage) -> None:
    await stage.says("ann", "@glassmind what do you think of this? " + "pear " * 12_000)


async def the_history_is_torn(stage: Stage) -> None:
    """Keep a turn as a faulty program might: a call of a tool, and nothing that came of it."""
    await ann_asks(stage)
    await stage.ends("")
    await stage.begins()
    journal, now = stage.store.journal, stage.bot.clock.now()
    start = TurnStart(agent=MAIN, channel=GENERAL.channel, kind=ProcessKind.CHANNEL, at=now)
    call = ToolCall(call_id="call_lost", name="memory_recall", arguments='{"query": "pears"}')
    torn = (
        Message(role=Role.USER, parts=(Text(text="what of pears?"),), at=now),
        Message(role=Role.ASSISTANT, parts=(call,), at=now),
    )
    end = TurnEnd(
        turn=await journal.begin_turn(start, []),
        agent=MAIN,
        channel=GENERAL.channel,
        at=now,
        status=TurnStatus.REPLIED,
        messages=torn,
    )
    await journal.end_turn(end)
    await ann_asks_again(stage)


SERVICE = (
    Scenario("the key is refused", PROVIDER, ann_asks, ("HTTP 401", "auth", "Renew"), script=(FAILURES["bad_key"],)),
    Scenario(
        "the key is refused, seen from the machine",
        PROVIDER,
        ann_asks,
        ("HTTP 401", "Renew"),
        script=(FAILURES["bad_key"],),
        on_host=True,
    ),
    Scenario("no credit is left", PROVIDER, ann_asks, ("HTTP 402", "Top up"), script=(FAILURES["no_credit"],)),
    Scenario("the quota is spent", PROVIDER, ann_asks, ("HTTP 429", "Top up"), script=(FAILURES["quota_spent"],)),
    Scenario(
        "the model has another name",
        PROVIDER,
        ann_asks,
        ("HTTP 404", "model.name"),
        script=(FAILURES["no_such_model"],),
    ),
    Scenario(
        "the rate is limited",
        PROVIDER,
        ann_asks,
        ("2 times", "HTTP 429", "Not asked again until", "fallback"),
        script=(LIMITED, LIMITED),
    ),
    Scenario(
        "the model is left alone after it failed",
        PROVIDER,
        ann_asks_again,
        ("left alone", "Not asked again until", "failed with: auth", "Renew"),
        script=(FAILURES["bad_key"],),
    ),
    Scenario(
        "the service is broken",
        PROVIDER,
        ann_asks,
        ("2 times", "HTTP 500", "status page"),
        script=(FAILURES["broken"],) * 2,
    ),
    Scenario(
        "the service is overloaded", PROVIDER, ann_asks, ("HTTP 503", "fallback"), script=(FAILURES["unavailable"],) * 2
    ),
    Scenario(
        "both models fail",
        PROVIDER,
        ann_asks,
        ("no model answers", "test-model: auth (HTTP 401)", "second: not_found (HTTP 404)", "Renew"),
        script=(FAILURES["bad_key"], FAILURES["no_such_model"]),
        settings={"model": {"fallbacks": ["openai/second"]}},
    ),
    Scenario(
        "nobody listens at the address",
        PROVIDER,
        nobody_listens,
        ("not reachable", "base_url"),
        script=(Says("yes"),),
    ),
    Scenario(
        "the service does not begin to answer",
        PROVIDER,
        ann_asks,
        ("too slow", "timeouts"),
        script=(Hangs(), Hangs()),
        settings={"client": {"first_token_timeout": 0.05}},
    ),
    Scenario(
        "the turn runs out of time",
        PROVIDER,
        ann_asks,
        ("no answer in time", "timeouts"),
        script=(Hangs(),),
        settings={"model": {"turn_timeout": 0.1}},
    ),
    Scenario(
        "a page instead of an answer",
        PROVIDER,
        ann_asks,
        ("HTTP 403", "base_url"),
        script=(FAILURES["html_forbidden"],) * 2,
    ),
    Scenario(
        "the request is refused",
        PROVIDER,
        ann_asks,
        ("HTTP 400", "Open the request"),
        script=(Fails(400, "invalid_prompt", "Your prompt was flagged."),),
    ),
)
REQUESTS = (
    Scenario(
        "a message larger than the window",
        WINDOW,
        ann_writes_a_book,
        ("60,038 characters", "8,000", "smaller parts"),
        settings={"model": {"name": "simulated/simulated-1", "context_window": 8_000, "max_output_tokens": 1_000}},
    ),
    Scenario(
        "a window too small for anything",
        WINDOW,
        ann_asks,
        ("context is too long", "3,000", "The next request is", "larger window"),
        settings={"model": {"name": "simulated/simulated-1", "context_window": 3_000, "max_output_tokens": 1_000}},
    ),
    Scenario(
        "too long, says the provider",
        WINDOW,
        ann_asks,
        ("By our count it fits", "model.context_window"),
        script=(FAILURES["context_too_long"],),
    ),
    Scenario(
        "a call without its result", ORPHAN, the_history_is_torn, ("call_lost", "2 turns", "new"), script=(Says("yes"),)
    ),
    Scenario(
        "a torn pair that only the provider sees",
        ORPHAN,
        ann_asks,
        ("do not pair up", "new"),
        sure=Confidence.LIKELY,
        script=(FAILURES["tool_id_unanswered"],),
    ),
)
SCENARIOS = (*SERVICE, *REQUESTS)
