"""Answers that were written and did not arrive, and turns that broke."""

from __future__ import annotations

from bot.domain.finding import Confidence
from bot.domain.messages import Outgoing
from bot.errors import DeliveryError
from tests.dialogs.bot import GENERAL
from tests.dialogs.plots import call
from tests.scenarios.scenario import Scenario
from tests.scenarios.stage import Hang, Stage
from tests.servers.model import Calls, Says

RULE = "OUT-SWALLOW"


async def ann_asks(stage: Stage) -> None:
    await stage.says("ann", "@glassmind are you there?")


def refuses(stage: Stage, error: Exception, words: str = "") -> None:
    """Let #general take no message that holds these words."""

    def objects(message: Outgoing) -> Exception | None:
        return error if message.to.channel == GENERAL.channel and words in message.text else None

    stage.terminal.objects = objects


async def the_channel_is_closed(stage: Stage) -> None:
    refuses(stage, DeliveryError("Missing Permissions", code="50013", permanent=True))
    await ann_asks(stage)


async def a_part_is_refused(stage: Stage) -> None:
    refuses(stage, DeliveryError("Invalid Form Body", code="50035", permanent=True), "the end")
    await ann_asks(stage)


async def the_platform_fails(stage: Stage) -> None:
    refuses(stage, DeliveryError("Service Unavailable", code="503"))
    await ann_asks(stage)


async def the_connection_breaks(stage: Stage) -> None:
    stage.terminal.forget_nonces()
    refuses(stage, DeliveryError("the line broke", code="cut", uncertain=True))
    await ann_asks(stage)


async def the_adapter_is_broken(stage: Stage) -> None:
    stage.terminal.forget_nonces()
    refuses(stage, KeyError("channel"))
    await ann_asks(stage)


async def the_platform_does_not_answer(stage: Stage) -> None:
    hang = stage.terminal.hanging[GENERAL.channel] = Hang()
    await stage.says_on("ann", "@glassmind are you there?")
    await hang.begun.wait()
    stage.passes(600)


async def the_turn_breaks(stage: Stage) -> None:
    stage.simulation.fault = KeyError("choices")
    await ann_asks(stage)


async def the_reply_tool_hangs(stage: Stage) -> None:
    hang = stage.terminal.hanging[GENERAL.channel] = Hang()
    await stage.says_on("ann", "@glassmind are you there?")
    await hang.begun.wait()
    await stage.bot.app.circles.messaging.idle()
    stage.passes(120)


SCENARIOS = (
    Scenario(
        "a part of the answer is refused",
        RULE,
        a_part_is_refused,
        ("1 of 2 parts not sent", "50035", "channel was told", "doctor"),
        script=(Says("so it is, " * 500 + "the end"),),
    ),
    Scenario(
        "the platform does not take what a tool sends",
        RULE,
        the_reply_tool_hangs,
        ("2 min", "being sent", "doctor"),
        sure=Confidence.LIKELY,
        script=(Calls([call("reply", text="hm")]),),
        settings={"model": {"turn_timeout": 0.2}},
    ),
    Scenario("the turn breaks", RULE, the_turn_breaks, ("channel was told", "KeyError", "fault of the program")),
    Scenario("the bot may not write there", RULE, the_channel_is_closed, ("50013", "not sent", "Nobody", "doctor")),
    Scenario("the platform fails again and again", RULE, the_platform_fails, ("503", "4 attempts", "doctor")),
    Scenario(
        "the platform takes it and says nothing",
        RULE,
        the_platform_does_not_answer,
        ("10 min", "being sent", "neither yes nor no", "doctor"),
        sure=Confidence.LIKELY,
    ),
    Scenario(
        "it may have arrived",
        RULE,
        the_connection_breaks,
        ("did not", "look at the channel"),
        sure=Confidence.CANNOT_TELL,
    ),
    Scenario(
        "the adapter is broken",
        RULE,
        the_adapter_is_broken,
        ("KeyError", "look at the channel", "fault of the program"),
        sure=Confidence.CANNOT_TELL,
    ),
)
