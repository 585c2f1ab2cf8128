"""Answers that were written and did not arrive, and turns that broke."""

from __future__ import annotations

from bot.domain.finding import Confidence
from bot.errors import DeliveryError
from tests.dialogs.bot import GENERAL
from tests.scenarios.scenario import Scenario
from tests.scenarios.stage import Hang, Stage

RULE = "OUT-SWALLOW"


async def ann_asks(stage: Stage) -> None:
    await stage.says("ann", "@glassmind are you there?")


async def the_channel_is_closed(stage: Stage) -> None:
    error = DeliveryError("Missing Permissions", code="50013", permanent=True)
    stage.terminal.refusing[GENERAL.channel] = error
    await ann_asks(stage)


async def the_platform_fails(stage: Stage) -> None:
    stage.terminal.refusing[GENERAL.channel] = DeliveryError("Service Unavailable", code="503")
    await ann_asks(stage)


async def the_connection_breaks(stage: Stage) -> None:
    stage.terminal.forget_nonces()
    stage.terminal.refusing[GENERAL.channel] = DeliveryError("the line broke", code="cut", uncertain=True)
    await ann_asks(stage)


async def the_adapter_is_broken(stage: Stage) -> None:
    stage.terminal.forget_nonces()
    stage.terminal.refusing[GENERAL.channel] = KeyError("channel")
    await ann_asks(stage)


async def the_platform_does_not_answer(stage: Stage) -> None:
    hang = stage.terminal.hanging[GENERAL.channel] = Hang()
    await stage.says_on("ann", "@glassmind are you there?")
    await hang.begun.wait()
    stage.passes(600)


async def the_turn_breaks(stage: Stage) -> None:
    stage.simulation.fault = KeyError("choices")
    await ann_asks(stage)


SCENARIOS = (
    Scenario("the turn breaks", RULE, the_turn_breaks, ("channel was told", "KeyError", "fault of the program")),
    Scenario("the bot may not write there", RULE, the_channel_is_closed, ("50013", "not sent", "Nobody", "doctor")),
    Scenario("the platform fails again and again", RULE, the_platform_fails, ("503", "4 attempts", "doctor")),
    Scenario(
        "it may have arrived",
        RULE,
        the_connection_breaks,
        ("did not", "look at the channel"),
        sure=Confidence.CANNOT_TELL,
    ),
    Scenario(
        "the adapter is broken", RULE, the_adapter_is_broken, ("look at the channel",), sure=Confidence.CANNOT_TELL
    ),
)
