"""Answers that Telegram objects to: too long, badly marked, too fast, to somebody who closed the door."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bot.domain.finding import Confidence
from bot.domain.ids import MAIN, ChannelId, ChannelKey
from tests.scenarios.online_play import OnTelegram
from tests.scenarios.scenario import HEALTHY
from tests.scenarios.telegram_stage import Phones
from tests.servers.model import Says
from tests.servers.telegram import Before, Flood, Refuses
from tests.servers.telegram.state import FIRST_PERSON

ANNS_DM = ChannelKey(MAIN, ChannelId(f"telegram:{FIRST_PERSON + 2}"))
MODS_DM = ChannelKey(MAIN, ChannelId(f"telegram:{FIRST_PERSON + 1}"))
LOOKS_INTO_DMS = {"cortex": {"inspect_dms": True}}
TOO_LONG = (Refuses(400, "Bad Request: message is too long"), Refuses(400, "Bad Request: MESSAGE_TOO_LONG"))
BAD_MARKS = tuple(
    Refuses(400, f"Bad Request: can't parse entities: {why}")
    for why in (
        "Can't find end of the entity starting at byte offset 3",
        'Unsupported start tag "br" at byte offset 12',
        "Character '-' is reserved and must be escaped with the preceding '\\'",
    )
)
NO_LOOT = Says("I can't help with the loot table, ask an officer.")
MARKED = "so it is: **yes**, `quite`"


def to(chat_id: int) -> Callable[[dict[str, Any]], bool]:
    return lambda params: str(params.get("chat_id")) == str(chat_id)


async def ann_asks(stage: Phones) -> None:
    await stage.asks(stage.ann, "@glassmind_bot are you there?")


async def ann_asks_what_she_told(stage: Phones) -> None:
    await stage.asks(stage.ann, "@glassmind_bot my dog is called Rex")
    await stage.asks(stage.ann, "@glassmind_bot what is my dog's name?")


async def ann_asks_for_loot_twice(stage: Phones) -> None:
    await stage.asks(stage.ann, "@glassmind_bot who gets the loot?")
    await stage.asks(stage.ann, "@glassmind_bot and who gets the loot tomorrow?")


async def it_is_too_long(stage: Phones) -> None:
    stage.server.fault("sendMessage", stage.setting.other(*TOO_LONG), when=to(stage.kitchen.id))
    await ann_asks(stage)


async def its_marks_are_refused(stage: Phones) -> None:
    stage.server.fault("sendMessage", stage.setting.other(*BAD_MARKS), when=lambda params: bool(params.get("entities")))
    await ann_asks(stage)


async def it_is_refused_without_marks_too(stage: Phones) -> None:
    stage.server.fault("sendMessage", stage.setting.other(*BAD_MARKS), when=to(stage.kitchen.id), times=2)
    await ann_asks(stage)


async def it_is_told_to_wait(stage: Phones) -> None:
    stage.server.fault("sendMessage", Flood(40), when=to(stage.kitchen.id))
    stage.says(stage.ann, "@glassmind_bot are you there?")
    await stage.is_told_to_wait()
    stage.passes(3)


async def it_waited_as_it_was_told(stage: Phones) -> None:
    await it_is_told_to_wait(stage)
    stage.passes(60)
    await stage.quiet()
    await stage.polls()


async def it_is_told_to_wait_for_ever(stage: Phones) -> None:
    stage.server.fault("sendMessage", Flood(40), when=to(stage.kitchen.id), times=29)
    stage.says(stage.ann, "@glassmind_bot are you there?")
    await stage.is_told_to_wait()
    await stage.gives_up(stage.kitchen, 41)
    await stage.polls()


async def ann_blocks_it_meanwhile(stage: Phones) -> None:
    dm = stage.world.dm(stage.ann)
    stage.world.start(stage.ann)
    await stage.quiet()
    block = Before(lambda: stage.world.block(stage.ann))
    stage.server.fault("sendMessage", block, when=to(dm.id))
    stage.says(stage.ann, "are you there?", dm)
    await stage.quiet()


async def mod_blocks_it_while_it_looks(stage: Phones) -> None:
    """The thread is open already when the report comes."""
    dm = stage.world.dm(stage.mod)
    stage.server.fault("sendMessage", Before(lambda: stage.world.block(stage.mod)), when=to(dm.id), nth=2)
    stage.says(stage.mod, f"!cortex why telegram:{stage.kitchen.id}", dm)
    await stage.quiet()


SCENARIOS = (
    OnTelegram(
        "an answer denies what was said there",
        "DENIED-CONTEXT",
        ann_asks_what_she_told,
        ("denies what it was told", "a message (i"),
        script=(Says("Noted."), Says("I don't know your dog's name.")),
        sure=Confidence.LIKELY,
    ),
    OnTelegram(
        "its own refusal makes it refuse again there",
        "OWN-REFUSAL",
        ann_asks_for_loot_twice,
        ("repeats its own refusal",),
        script=(NO_LOOT, NO_LOOT),
        sure=Confidence.LIKELY,
    ),
    OnTelegram(
        "an answer is too long",
        "OUT-LENGTH",
        it_is_too_long,
        ("the answer is too long", "refused it as too long", "report d"),
    ),
    OnTelegram(
        "the marks of an answer are refused",
        "OUT-PARSE",
        its_marks_are_refused,
        ("lost its formatting", "plain text", "No word is missing", "report d"),
        script=(Says(MARKED),),
    ),
    OnTelegram(
        "an answer is refused without marks too",
        "OUT-PARSE",
        it_is_refused_without_marks_too,
        ("its formatting is refused", "and the plain text too", "report d"),
        script=(Says(MARKED),),
    ),
    OnTelegram(
        "Telegram asks to wait",
        "RATE-OUT",
        it_is_told_to_wait,
        ("more slowly", "asked the bot to wait until 08:54:01 (37 s)", "tried once", "sends_per_second"),
    ),
    OnTelegram(
        "Telegram asks to wait for ever",
        "RATE-OUT",
        it_is_told_to_wait_for_ever,
        ("asked the bot to wait again and again", "gave up after 29 attempts", "sends_per_second"),
    ),
    OnTelegram("it waited as it was told", HEALTHY, it_waited_as_it_was_told, ("was answered",)),
    OnTelegram(
        "somebody blocks the bot before it answers",
        "DM-CLOSED",
        ann_blocks_it_meanwhile,
        ("closed to the bot", "never opened, blocked", "open the chat"),
        target=ANNS_DM,
        settings=LOOKS_INTO_DMS,
    ),
    OnTelegram(
        "an admin blocks the bot before they read the report",
        "DM-CLOSED",
        mod_blocks_it_while_it_looks,
        ("closed to the bot", "Lost: an answer of the cortex", "open the chat"),
        target=MODS_DM,
        settings=LOOKS_INTO_DMS,
        closed=True,
    ),
    OnTelegram("an answer with marks", HEALTHY, ann_asks, ("was answered",), script=(Says(MARKED),)),
)
