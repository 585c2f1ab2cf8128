"""Messages that were let in and wait."""

from __future__ import annotations

from bot.domain.finding import Confidence
from tests.scenarios.scenario import Scenario
from tests.scenarios.stage import Stage
from tests.servers.model import Hangs

RULE = "Q-STUCK"


async def the_model_hangs(stage: Stage) -> None:
    """The time limit of a turn is real seconds, and the clock of the bot is not: it runs past the limit."""
    await stage.says_on("ann", "@glassmind are you there?")
    await stage.server.hung()
    await stage.waits(300)


async def the_model_hangs_for_a_minute(stage: Stage) -> None:
    await stage.says_on("ann", "@glassmind are you there?")
    await stage.server.hung()
    await stage.waits(60)


async def others_wait(stage: Stage) -> None:
    await the_model_hangs(stage)
    await stage.says_on("james", "@glassmind and what about me?")
    await stage.says_on("bo", "@glassmind and me?")
    await stage.waits(60)


SCENARIOS = (
    Scenario(
        "the model hangs",
        RULE,
        the_model_hangs,
        ("5 min", "limit is 2 min", "waited for openai/test-model", "stop"),
        script=(Hangs(),),
    ),
    Scenario(
        "the model hangs for longer than a turn may take",
        RULE,
        the_model_hangs_for_a_minute,
        ("1 min", "limit is 40 s", "waited for openai/test-model", "stop"),
        script=(Hangs(),),
        settings={"model": {"turn_timeout": 40.0}},
    ),
    Scenario("messages wait behind it", RULE, others_wait, ("6 min", "2 waiting", "stop"), script=(Hangs(),)),
    Scenario(
        "the model hangs, seen from the machine",
        RULE,
        the_model_hangs,
        ("5 min", "not visible from here"),
        sure=Confidence.LIKELY,
        script=(Hangs(),),
        on_host=True,
    ),
)
