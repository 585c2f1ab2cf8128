"""A model service that refuses, fails, is not there, or does not take the request."""

from __future__ import annotations

from dataclasses import dataclass

from bot.domain.channel import ProcessKind
from bot.domain.finding import Confidence
from bot.domain.ids import MAIN
from bot.domain.messages import Message, Role, TextPart, ToolCall
from bot.domain.turn import TurnEnd, TurnStart, TurnStatus
from tests.scenarios.scenario import HEALTHY, Scenario
from tests.scenarios.stage import ONLINE, Stage
from tests.servers.model import FAILURES, Calls, Empty, Fails, Hangs, Reply, Says, Usage
from tests.servers.model.wire import Asked, Wire

PROVIDER, WINDOW, ORPHAN = "LLM-AUTH", "CTX-OVERFLOW", "CTX-ORPHAN"
TOOLS, GUESS = "MODEL-TOOLS", "CTX-WINDOW"
PROXIED = {"proxy": "http://127.0.0.1:1"}
"""Nobody listens there."""
SECURED = "https://models.localhost/v1"
LIMITED = Fails(429, "rate_limit_exceeded", "Rate limit reached.", retry_after=30)


@dataclass(frozen=True)
class Mind:
    """Answers every process of a bot that has a branch look for something; `at_last`, when that has come back."""

    at_last: Reply
    brought: str = "It stands in the kitchen."

    def wire(self, asked: Asked) -> Wire:
        tools = {tool["function"]["name"] for tool in asked.request.get("tools", ())}
        newest = asked.request["messages"][-1]
        if '"is":"result"' in str(newest):
            return self.at_last.wire(asked)
        if "skip" not in tools:
            return Says(self.brought).wire(asked)
        if newest["role"] == "tool":
            return Says("I am looking for it.").wire(asked)
        return Calls((("branch", '{"task": "find the tea"}'),)).wire(asked)


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


async def ann_writes_a_book_after_a_word(stage: Stage) -> None:
    await ann_asks(stage)
    await ann_writes_a_book(stage)


async def ann_writes_much(stage: Stage) -> None:
    await stage.says("ann", "@glassmind what do you think of this? " + "pear " * 5_000)


async def the_service_counts_fewer_tokens(stage: Stage) -> None:
    """Have a tokenizer with a large vocabulary: about six bytes a token, where we count four."""
    stage.server.count = lambda body: len(body) // 6
    await ann_writes_much(stage)


async def the_history_is_torn(stage: Stage) -> None:
    """Keep a turn as a faulty program might: a call of a tool, and nothing that came of it."""
    await ann_asks(stage)
    await stage.ends("")
    await stage.begins()
    journal, now = stage.store.journal, stage.bot.clock.now()
    start = TurnStart(agent=MAIN, channel=stage.home.channel, kind=ProcessKind.CHANNEL, at=now)
    call = ToolCall(call_id="call_lost", name="memory_recall", arguments='{"query": "pears"}')
    torn = (
        Message(role=Role.USER, parts=(TextPart(text="what of pears?"),), at=now),
        Message(role=Role.ASSISTANT, parts=(call,), at=now),
    )
    end = TurnEnd(
        turn=await journal.begin_turn(start, []),
        agent=MAIN,
        channel=stage.home.channel,
        at=now,
        status=TurnStatus.REPLIED,
        messages=torn,
    )
    await journal.end_turn(end)
    await ann_asks_again(stage)


SERVICE = (
    Scenario(
        "the key is refused", PROVIDER, ann_asks, ("HTTP 401", "key rejected", "Renew"), script=(FAILURES["bad_key"],)
    ),
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
        ("2 times", "HTTP 429", "Next try from", "fallback"),
        script=(LIMITED, LIMITED),
    ),
    Scenario(
        "the model is left alone after it failed",
        PROVIDER,
        ann_asks_again,
        ("failing model", "Next try from", "in this channel: overloaded", "fallback model"),
        script=(FAILURES["unavailable"],) * 2,
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
        ("no model answers", "test-model: key rejected (HTTP 401)", "second: no such model (HTTP 404)", "Renew"),
        script=(FAILURES["bad_key"], FAILURES["no_such_model"]),
        settings={"model": {"fallbacks": ["openai/second"]}},
    ),
    Scenario(
        "nobody listens at the address",
        "NET",
        nobody_listens,
        ("unreachable", "Nothing answers at its address", "Console is reachable", "base_url of [providers.openai]"),
        script=(Says("yes"),),
    ),
    Scenario(
        "the proxy is not there",
        "NET",
        ann_asks,
        (
            "The proxy is unreachable",
            "The service is openai, through the proxy 127",
            "Check proxy of [providers.openai]",
        ),
        settings={"model": ONLINE, "providers": {"openai": {"kind": "openai", **PROXIED}}, "client": PROXIED},
    ),
    Scenario(
        "no TLS where there should be",
        "NET",
        ann_asks,
        ("The TLS connection fails", "models.localhost", "certificates"),
        settings={"model": ONLINE, "providers": {"openai": {"kind": "openai", "base_url": SECURED}}, "tls": {"on": 1}},
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
        ("HTTP 403", "a firewall blocks the bot"),
        script=(FAILURES["html_forbidden"],),
    ),
    Scenario(
        "the request is refused",
        PROVIDER,
        ann_asks,
        ("HTTP 400", "Open the request"),
        script=(Fails(400, "unsupported_value", "Unsupported parameter: 'logprobs'."),),
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
        ("the prompt is too long", "3,000", "The next request is", "larger window"),
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
        "a history that was torn is mended",
        HEALTHY,
        the_history_is_torn,
        ("was answered",),
        script=(Says("yes"), Says("yes"), Says("yes")),
    ),
    Scenario(
        "a torn pair that only the provider sees",
        ORPHAN,
        ann_asks,
        ("do not belong together", "new"),
        sure=Confidence.LIKELY,
        script=(FAILURES["tool_id_unanswered"],),
    ),
)
UNFIT = (
    Scenario(
        "the model takes no tools, and nothing may be learnt",
        TOOLS,
        ann_asks,
        ("takes no tools", "refused 7 tools", "does not support tools", "model.name"),
        settings={"client": {"learn_dialect": False}},
        script=(FAILURES["no_tools_ollama"],),
    ),
    Scenario(
        "the model takes no tools, says Ollama, and answers without",
        HEALTHY,
        ann_asks,
        ("was answered", "runs without them"),
        script=(FAILURES["no_tools_ollama"], Says("yes")),
    ),
    Scenario(
        "nobody offers the model with tools, says OpenRouter, and it answers without",
        HEALTHY,
        ann_asks,
        ("was answered", "runs without them"),
        script=(FAILURES["no_tools_openrouter"], Says("yes")),
    ),
    Scenario(
        "the server was started without tools, says vLLM, and answers without",
        HEALTHY,
        ann_asks,
        ("was answered", "runs without them"),
        script=(FAILURES["no_tools_vllm"], Says("yes")),
    ),
    Scenario(
        "the server reads half a window",
        GUESS,
        ann_writes_much,
        ("only part of it", "read 2,050", "a window of 4,096", "num_ctx"),
        script=(Says("nice", usage=Usage(prompt_tokens=2050, completion_tokens=2)),),
    ),
    Scenario(
        "the server reads less than was sent",
        GUESS,
        ann_writes_much,
        ("only part of it", "read 1,999", "without an error", "num_ctx"),
        sure=Confidence.LIKELY,
        script=(Says("nice", usage=Usage(prompt_tokens=1999, completion_tokens=2)),),
    ),
    Scenario(
        "the server reads its window and no more",
        GUESS,
        ann_writes_much,
        ("only part of it", "read 4,096", "a window of 4,096", "num_ctx"),
        sure=Confidence.LIKELY,
        script=(Says("nice", usage=Usage(prompt_tokens=4096, completion_tokens=2)),),
    ),
    Scenario(
        "nobody knows the window",
        GUESS,
        ann_writes_a_book_after_a_word,
        ("the window is a guess", "assumes 8,192 tokens", "model.context_window"),
        script=(Says("yes"),),
        settings={"model": {"context_window": 0}},
    ),
    Scenario(
        "a long message is read whole",
        HEALTHY,
        the_service_counts_fewer_tokens,
        ("was answered",),
        script=(Says("nice"),),
    ),
)
OWN_WORK = (
    Scenario(
        "what a branch brought back comes to nothing",
        PROVIDER,
        ann_asks,
        ("own work: the service rejects our key", "HTTP 401", "about the result of branch b", "Renew"),
        script=(Mind(FAILURES["bad_key"]),) * 4,
    ),
    Scenario(
        "nothing is said of what a branch brought back",
        "DEC-EMPTY",
        ann_asks,
        (
            "own work: the answer was empty",
            "about the result of branch b",
            "the bot's own work that failed",
            "another model",
        ),
        script=(Mind(Empty()),) * 5,
        on_host=True,
    ),
    Scenario(
        "what a branch brought back is too long",
        WINDOW,
        ann_asks,
        (
            "own work: the result is too long",
            "12,246 characters",
            "about the result of branch b",
            "Ask for it in smaller",
        ),
        script=(Mind(Says("never asked"), brought="pear " * 2400),) * 3,
        settings={"model": {"context_window": 6_500, "max_output_tokens": 500}},
    ),
    Scenario(
        "what a branch brought back is told",
        HEALTHY,
        ann_asks,
        ("was answered",),
        script=(Mind(Says("It stands in the kitchen.")),) * 4,
    ),
    Scenario(
        "answered after own work failed",
        HEALTHY,
        ann_asks_again,
        ("was answered",),
        script=(*(Mind(Empty()),) * 5, Says("In the kitchen.")),
    ),
)
SCENARIOS = (*SERVICE, *REQUESTS, *UNFIT, *OWN_WORK)
