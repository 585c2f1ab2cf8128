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


async def ann_talks_before_an_answer(stage: Stage) -> None:
    await stage.says("james", "nothing for a bot here")
    await ann_asks(stage)


SCENARIOS = (
    Scenario("answered", HEALTHY, ann_asks, ("all is well", "was answered")),
    Scenario(
        "answered after a failure", HEALTHY, ann_asks, ("was answered",), script=(FAILURES["broken"], Says("yes"))
    ),
    Scenario("answered beside talk", HEALTHY, ann_talks_before_an_answer, ("was answered",)),
    Scenario("nothing was ever said", HEALTHY, nobody_asks, ("no message",)),
    Scenario("in progress", HEALTHY, the_model_thinks, ("in progress", "5 s"), script=(Hangs(),)),
    Scenario("waiting its turn", HEALTHY, others_wait, ("in progress", "behind a turn of 10 s"), script=(Hangs(),)),
)
