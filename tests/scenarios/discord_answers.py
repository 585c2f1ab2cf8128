"""Answers that Discord does not take."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bot.domain.finding import Confidence
from tests.scenarios.discord_stage import Screens
from tests.scenarios.online_play import OnDiscord
from tests.scenarios.scenario import HEALTHY
from tests.servers.discord import Before, Flood, Refuses
from tests.servers.model import Says

NO_LOOT = Says("I can't help with the loot table, ask an officer.")
TOO_LONG = tuple(
    Refuses(400, 50035, "Invalid Form Body", more={"errors": {"content": {"_errors": [error]}}})
    for error in (
        {"code": "BASE_TYPE_MAX_LENGTH", "message": "Must be 2000 or fewer in length."},
        {"code": "BASE_TYPE_MAX_LENGTH", "message": "Must be 4000 or fewer in length."},
        {"code": "BASE_TYPE_BAD_LENGTH", "message": "Must be between 1 and 2000 in length."},
    )
)


def to(channel: int) -> Callable[[dict[str, Any]], bool]:
    return lambda body: str(body["path"].get("channel")) == str(channel)


async def ann_asks(stage: Screens) -> None:
    await stage.asks(stage.ann, "are you there?")


async def ann_asks_what_she_told(stage: Screens) -> None:
    await stage.asks(stage.ann, "my dog is called Rex")
    await stage.asks(stage.ann, "what is my dog's name?")


async def ann_asks_for_loot_twice(stage: Screens) -> None:
    await stage.asks(stage.ann, "who gets the loot?")
    await stage.asks(stage.ann, "and who gets the loot tomorrow?")


async def it_may_not_write(stage: Screens) -> None:
    stage.kitchen.deny(stage.me, "send_messages")
    await ann_asks(stage)


async def it_was_given_the_right_again(stage: Screens) -> None:
    await it_may_not_write(stage)
    stage.kitchen.allow(stage.me, "send_messages")
    await ann_asks(stage)


async def the_thread_is_locked_meanwhile(stage: Screens) -> None:
    lock = Before(lambda: stage.kitchen.archive(locked=True))
    opening = await stage.says(stage.ann, "let us talk here")
    stage.kitchen = await stage.ann.starts_thread(opening, "tea")
    stage.server.fault("create_message", lock, when=to(stage.kitchen.id))
    await ann_asks(stage)


async def it_is_too_long(stage: Screens) -> None:
    stage.server.fault("create_message", stage.setting.other(*TOO_LONG), when=to(stage.kitchen.id))
    await ann_asks(stage)


async def it_is_told_to_wait(stage: Screens) -> None:
    stage.server.fault("create_message", Flood(40), when=to(stage.kitchen.id))
    await stage.says(stage.ann, "are you there?", mentions=stage.me)
    await stage.is_told_to_wait()
    stage.passes(3)


SCENARIOS = (
    OnDiscord(
        "an answer denies what was said in the server",
        "DENIED-CONTEXT",
        ann_asks_what_she_told,
        ("denies what it was told", "a message (i"),
        script=(Says("Noted."), Says("I don't know your dog's name.")),
        sure=Confidence.LIKELY,
    ),
    OnDiscord(
        "its own refusal makes it refuse again in the server",
        "OWN-REFUSAL",
        ann_asks_for_loot_twice,
        ("repeats its own refusal",),
        script=(NO_LOOT, NO_LOOT),
        sure=Confidence.LIKELY,
    ),
    OnDiscord(
        "the bot may not write in a channel",
        "DC-PERMS",
        it_may_not_write,
        ("the bot lacks a permission", "Missing: Send Messages", "Denied to the bot itself", "switch Send Messages on"),
    ),
    OnDiscord("the bot was given the right again", HEALTHY, it_was_given_the_right_again, ("was answered",)),
    OnDiscord(
        "a thread is locked before the answer",
        "DC-PERMS",
        the_thread_is_locked_meanwhile,
        ("the thread is locked", "Unlock the thread"),
    ),
    OnDiscord(
        "an answer is too long for Discord",
        "OUT-LENGTH",
        it_is_too_long,
        ("the answer is too long", "refused it as too long", "report d"),
    ),
    OnDiscord(
        "Discord asks to wait",
        "RATE-OUT",
        it_is_told_to_wait,
        ("more slowly", "asked the bot to wait until", "tried once", "sends_per_second"),
    ),
)
