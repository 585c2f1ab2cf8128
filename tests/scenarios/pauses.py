"""A bot that was told to be silent, or that may not do more."""

from __future__ import annotations

from tests.scenarios.scenario import Scenario
from tests.scenarios.stage import Stage

RULE = "PAUSED"


async def ann_asks_twice(stage: Stage) -> None:
    await stage.says("ann", "@glassmind are you there?")
    stage.passes(10)
    await stage.says("ann", "@glassmind are you still there?")


async def paused(stage: Stage) -> None:
    await stage.says("ann", "@glassmind are you there?")
    stage.passes(60)
    await stage.says("mod", "@glassmind !pause a raid is on")
    await ann_asks_twice(stage)


async def paused_without_a_word(stage: Stage) -> None:
    await stage.says("mod", "@glassmind !pause")
    await ann_asks_twice(stage)


async def paused_after_the_answer(stage: Stage) -> None:
    await stage.says("ann", "@glassmind are you there?")
    await stage.says("mod", "@glassmind !pause a raid is on")


async def paused_and_resumed(stage: Stage) -> None:
    await paused(stage)
    await stage.says("mod", "@glassmind !resume")


async def observing(stage: Stage) -> None:
    await stage.says("mod", "@glassmind !quiet")
    await ann_asks_twice(stage)


async def observed(stage: Stage) -> None:
    await observing(stage)
    await stage.says("mod", "@glassmind !active")


SCENARIOS = (
    Scenario("paused", RULE, paused, ("1 more", "admin", "a raid is on", "Last answer", "Resume #general…")),
    Scenario("paused without a word", RULE, paused_without_a_word, ("no reason",)),
    Scenario("paused after the last answer", RULE, paused_after_the_answer, ("came before that", "a raid is on")),
    Scenario("paused then, resumed since", RULE, paused_and_resumed, ("was paused", "resumed since", "answers now")),
    Scenario("paused, seen from the machine", RULE, paused, ("a raid is on", "Say `resume`"), on_host=True),
    Scenario("observing", RULE, observing, ("observe", "active")),
    Scenario("observed then, active since", RULE, observed, ("listen-only then", "changed since", "answers now")),
    Scenario(
        "too many messages of one person",
        RULE,
        ann_asks_twice,
        ("1 of 1 messages a minute from one person", "limits.user_per_minute"),
        settings={"limits": {"user_per_minute": 1}},
    ),
    Scenario(
        "too many messages in a channel",
        RULE,
        ann_asks_twice,
        ("1 of 1 messages a minute in this channel", "limits.channel_per_minute"),
        settings={"limits": {"channel_per_minute": 1}},
    ),
)
