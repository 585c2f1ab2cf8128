"""Answers that were written and did not arrive, and turns that broke."""

from __future__ import annotations

from bot.domain.finding import Confidence
from bot.domain.messages import OutgoingMessage
from bot.errors import DeliveryError
from tests.dialogs.bot import GENERAL
from tests.dialogs.plots import call
from tests.scenarios.holding import Hang
from tests.scenarios.scenario import HEALTHY, Scenario
from tests.scenarios.stage import Stage
from tests.servers.model import Calls, Empty, Says

RULE, SUPPRESSED, ASTRAY = "OUT-SWALLOW", "OUT-SUPPRESS", "ROUTE-WRONG"
REST = "And by the way: the pears are ripe, the plums are not, and the apples never were."
SIXTH = [call("reply", text=f"part {number} of what there is to say about pears and plums") for number in range(6)]


async def ann_asks(stage: Stage) -> None:
    await stage.says("ann", "@glassmind are you there?")


def refuses(stage: Stage, error: Exception, words: str = "") -> None:
    """Let #general take no message that holds these words."""

    def objects(message: OutgoingMessage) -> Exception | None:
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


async def the_platform_is_away(stage: Stage) -> None:
    refuses(stage, DeliveryError("sendMessage: no connection", code="unreachable"))
    await ann_asks(stage)
    stage.passes(60)


async def the_topic_is_closed(stage: Stage) -> None:
    refuses(stage, DeliveryError("Bad Request: TOPIC_CLOSED", code="topic_closed", permanent=True))
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
    await stage.bot.app.task_groups.messaging.idle()
    stage.passes(120)


async def the_answer_goes_astray(stage: Stage) -> None:
    """Be a program that takes one channel for another when it addresses an answer."""
    await stage.says("ann", "hello all", "#random")
    elsewhere = stage.address("#random")
    vars(stage.bot.app.sender)["home"] = lambda _: elsewhere
    await ann_asks(stage)


HELD_BACK = (
    Scenario(
        "more was written after a message was sent",
        SUPPRESSED,
        ann_asks,
        ("words were held back", f"{len(REST)} characters", "after a call of", "another model"),
        script=(Calls([call("reply", text="Yes, I am.")]), Says(REST)),
    ),
    Scenario(
        "more messages than one turn may send",
        SUPPRESSED,
        ann_asks,
        ("words were held back", "5 messages in one turn are the most"),
        script=(Calls(SIXTH[:5]), Calls(SIXTH[5:]), Empty()),
    ),
    Scenario(
        "a word to itself after a message was sent",
        HEALTHY,
        ann_asks,
        ("was answered",),
        script=(Calls([call("reply", text="Yes, I am.")]), Says("Done.")),
    ),
    Scenario(
        "the answer is addressed elsewhere",
        ASTRAY,
        the_answer_goes_astray,
        ("answered elsewhere", "console:#random", "report d"),
    ),
)
SCENARIOS = (
    *HELD_BACK,
    Scenario(
        "a part of the answer is refused",
        RULE,
        a_part_is_refused,
        ("1 of 2 parts not sent", "50035", "told the channel", "doctor"),
        script=(Says("so it is, " * 500 + "the end"),),
    ),
    Scenario(
        "the platform does not take what a tool sends",
        RULE,
        the_reply_tool_hangs,
        ("2 min", "being sent", "doctor"),
        sure=Confidence.LIKELY,
        script=(Calls([call("reply", text="hm")]),),
        settings={"model": {"turn_timeout": 4.0}},
    ),
    Scenario("the turn breaks", RULE, the_turn_breaks, ("told the channel", "KeyError", "bug in the program")),
    Scenario("the bot may not write there", RULE, the_channel_is_closed, ("50013", "not sent", "Nobody", "doctor")),
    Scenario("the platform fails again and again", RULE, the_platform_fails, ("503", "4 attempts", "doctor")),
    Scenario(
        "the platform cannot be reached",
        RULE,
        the_platform_is_away,
        ("the answer is waiting", "is unreachable", "4 attempts", "goes out by itself"),
    ),
    Scenario(
        "the topic is closed",
        RULE,
        the_topic_is_closed,
        ("not delivered", "TOPIC_CLOSED", "Reopen the topic"),
    ),
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
        ("KeyError", "look at the channel", "bug in the program"),
        sure=Confidence.CANNOT_TELL,
    ),
)
