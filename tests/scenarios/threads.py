"""Threads: conversations of their own beside the channel that they lie in."""

from __future__ import annotations

from bot.domain.finding import Confidence
from tests.scenarios.discord_stage import Screens
from tests.scenarios.online_play import OnDiscord
from tests.scenarios.scenario import HEALTHY

RULE = "SESS-KEY"


async def opens_a_thread(stage: Screens, name: str) -> None:
    """Let Ann open a thread in the house's kitchen and ask there; it is what the question will be about."""
    kitchen = next(iter(stage.house.channels.values()))
    opening = await stage.says(stage.ann, f"about {name}", kitchen)
    stage.kitchen = await stage.ann.starts_thread(opening, name)
    await stage.asks(stage.ann, "what did I just say?")


async def ann_goes_on_in_a_thread(stage: Screens) -> None:
    await stage.asks(stage.ann, "my cat is called Pear")
    await opens_a_thread(stage, "cats")


async def a_thread_for_each_question(stage: Screens) -> None:
    for name in ("cats", "dogs", "pears"):
        await opens_a_thread(stage, name)


async def ann_begins_in_a_thread(stage: Screens) -> None:
    await opens_a_thread(stage, "cats")


async def ann_goes_on_in_the_thread(stage: Screens) -> None:
    await ann_goes_on_in_a_thread(stage)
    await stage.asks(stage.ann, "and what now?")


SCENARIOS = (
    OnDiscord(
        "a thread beside the channel where it was said",
        RULE,
        ann_goes_on_in_a_thread,
        ("begins without history", "which this thread belongs to", "Continue where it was said"),
        sure=Confidence.LIKELY,
    ),
    OnDiscord(
        "a new thread for each question",
        RULE,
        a_thread_for_each_question,
        ("begins without history", "This is thread 3", "in one thread"),
        sure=Confidence.LIKELY,
    ),
    OnDiscord("a thread of its own", HEALTHY, ann_begins_in_a_thread, ("was answered",)),
    OnDiscord("a thread that goes on", HEALTHY, ann_goes_on_in_the_thread, ("was answered",)),
)
