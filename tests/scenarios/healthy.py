"""Channels in which nothing is wrong."""

from __future__ import annotations

from tests.scenarios.scenario import HEALTHY, Scenario
from tests.scenarios.stage import Stage
from tests.servers.model import FAILURES, Hangs, Says


async def ann_asks(stage: Stage) -> None:
    await stage.says("ann", "@glassmind are you there?")


async def nobody_asks(stage: Stage) -> None:
    """Nothing was ever said here."""


async def the_model_thinks(stage: Stage) -> None:
    await stage.says_on("ann", "@glassmind are you there?")
    await stage.server.hung()
    stage.passes(5)


async def others_wait(stage: Stage) -> None:
    await the_model_thinks(stage)
    await stage.says_on("james", "@glassmind and what about me?")
    stage.passes(5)


async def it_was_told_to_stop(stage: Stage) -> None:
    await the_model_thinks(stage)
    await stage.says("ann", "@glassmind !stop")


async def three_people_at_once(stage: Stage) -> None:
    await the_model_thinks(stage)
    await stage.says_on("james", "@glassmind and what about me?")
    await stage.says_on("bo", "@glassmind and me?")
    stage.replied = stage.message_id("what about me?")
    stage.server.release()
    await stage.bot.app.settled()


async def it_ended_meanwhile(stage: Stage) -> None:
    await stage.says_on("ann", "@glassmind are you there?")
    await stage.server.hung()
    await stage.restart()
    await stage.settles()


async def ann_talks_before_an_answer(stage: Stage) -> None:
    await stage.says("james", "nothing for a bot here")
    await ann_asks(stage)


SCENARIOS = (
    Scenario("answered", HEALTHY, ann_asks, ("all is well", "was answered")),
    Scenario(
        "answered after a failure", HEALTHY, ann_asks, ("was answered",), script=(FAILURES["broken"], Says("yes"))
    ),
    Scenario("answered beside talk", HEALTHY, ann_talks_before_an_answer, ("was answered",)),
    Scenario("nothing was ever said", HEALTHY, nobody_asks, ("no message", "on record", "doctor")),
    Scenario(
        "answered by the other model",
        HEALTHY,
        ann_asks,
        ("was answered", "a model is on a break for another"),
        script=(FAILURES["unavailable"], FAILURES["unavailable"], Says("yes")),
        settings={"model": {"fallbacks": ["openai/second"]}},
    ),
    Scenario(
        "answered together with others",
        HEALTHY,
        three_people_at_once,
        ("was answered",),
        script=(Hangs(), Says("to all of you: yes")),
        why="/reply {replied} !cortex why",
    ),
    Scenario("answered after a restart", HEALTHY, it_ended_meanwhile, ("was answered",), script=(Hangs(), Says("yes"))),
    Scenario("stopped on request", HEALTHY, it_was_told_to_stop, ("stopped on request",), script=(Hangs(),)),
    Scenario("in progress", HEALTHY, the_model_thinks, ("in progress", "5 s"), script=(Hangs(),)),
    Scenario("waiting its turn", HEALTHY, others_wait, ("in progress", "behind a turn of 10 s"), script=(Hangs(),)),
)
