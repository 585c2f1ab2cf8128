"""What model services say when they refuse, each told to a person with a phone and to one in a Discord server."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from bot.domain.finding import Confidence
from tests.scenarios.online_play import OnDiscord, Online, OnTelegram
from tests.scenarios.online_stage import OnlineStage
from tests.servers.model import Fails, Garbage, Reply

PROVIDER, FLAGGED, WINDOW = "LLM-AUTH", "FLAGGED", "CTX-OVERFLOW"
TOO_LARGE = Fails(
    413,
    "rate_limit_exceeded",
    "Request too large for model `llama-3.3-70b` in organization `org_1` service tier `on_demand` on tokens per minute "
    "(TPM): Limit 6000, Requested 7913, please reduce your message size and try again.",
)
LATER = Fails(429, "rate_limit_exceeded", "Rate limit reached for model on tokens per day. Please try again in 7m12s.")
BADLY = Fails(400, "tool_use_failed", "Failed to call a function. Please adjust your prompt.")
LOADING = Garbage(b'{"detail": "loading"}', kind="application/json")
NO_CHOICE = Garbage(b'{"id": "x", "object": "chat.completion", "choices": []}', kind="application/json")


@dataclass(frozen=True)
class Refusal:
    """What a service says, the rule that explains it, and what an operator reads."""

    name: str
    script: tuple[Reply, ...]
    says: tuple[str, ...]
    rule: str = PROVIDER
    sure: Confidence = Confidence.CONFIRMED
    settings: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


REFUSALS = (
    Refusal(
        "the country is not served",
        (Fails(403, "unsupported_country_region_territory", "Country, region, or territory not supported"),),
        ("not offered in this country", "HTTP 403", "host's country"),
    ),
    Refusal(
        "the message is flagged",
        (Fails(403, 403, "Input was flagged for: harassment"),),
        ("the filter refused it", "flagged for: harassment", "Nothing is broken"),
        FLAGGED,
    ),
    Refusal(
        "a content policy refuses the conversation",
        (
            Fails(
                400,
                "content_filter",
                "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
            ),
        ),
        ("the filter refused it", "content management policy"),
        FLAGGED,
    ),
    Refusal(
        "the address lacks its path",
        (Garbage(b'{"detail":"Not Found"}', 404, "application/json"),),
        ("the service address is wrong", "HTTP 404", "/v1"),
    ),
    Refusal(
        "the account is not verified",
        (Fails(404, "model_not_found", "Your organization must be verified to use the model `gpt-5`."),),
        ("account is not verified", "must be verified", "Verify the account"),
    ),
    Refusal(
        "the model was retired",
        (
            Fails(
                400, "model_decommissioned", "The model `llama-3` has been decommissioned and is no longer supported."
            ),
        ),
        ("the model was retired", "still offers"),
    ),
    Refusal(
        "the machine has too little memory",
        (Garbage(b'{"error":"model requires more system memory (8.1 GiB) than is available (5.2 GiB)"}', 500),),
        ("too little memory", "8.1 GiB", "smaller model"),
    ),
    Refusal(
        "it will never fit",
        (TOO_LARGE,),
        ("the request is over the limit", "6,000 tokens at most", "has 7,913", "account's limit"),
        "SERVICE-LIMIT",
    ),
    Refusal(
        "the rate is limited for minutes",
        (LATER,),
        ("rate-limits us", "HTTP 429", "Next try from", "7 min"),
    ),
    Refusal(
        "a tool call that was malformed", (BADLY, BADLY), ("tool call was malformed", "2 times", "malformed tool call")
    ),
    Refusal(
        "the model is being loaded",
        (LOADING, LOADING),
        ("the model is still loading", "loading", "Wait until it is loaded"),
    ),
    Refusal("an answer without a choice", (NO_CHOICE, NO_CHOICE), ("service sent no answer", "choices is empty")),
    Refusal(
        "a firewall before the service",
        (Fails(403, message="Sorry, you have been blocked", html=True),),
        ("a firewall blocks the bot", "HTTP 403", "Sorry, you have been blocked"),
    ),
    Refusal(
        "nobody knows why",
        (Fails(403, None, "The moon is in the wrong house."),),
        ("the service refused (HTTP 403)", "The moon is in the wrong house.", "Open the request"),
        sure=Confidence.LIKELY,
    ),
)


async def ann_asks(stage: OnlineStage) -> None:
    await stage.asks(stage.ann, "@glassmind_bot are you there?")


async def ann_asks_and_it_is_tried_again(stage: OnlineStage) -> None:
    """Let the time between two tries pass."""
    async with asyncio.TaskGroup() as group:
        group.create_task(ann_asks(stage))
        await stage.until(lambda: any(0.009 < slept < 0.02 for slept in stage.clock.slept))
        stage.clock.advance(0.02)


def _played(refusal: Refusal, where: str, kind: type[Online]) -> Online:
    return kind(
        f"{refusal.name}, on {where}",
        refusal.rule,
        ann_asks if len(refusal.script) == 1 else ann_asks_and_it_is_tried_again,
        refusal.says,
        sure=refusal.sure,
        script=refusal.script,
        settings=refusal.settings,
    )


SCENARIOS = tuple(
    _played(refusal, where, kind)
    for refusal in REFUSALS
    for where, kind in (("Telegram", OnTelegram), ("Discord", OnDiscord))
)
