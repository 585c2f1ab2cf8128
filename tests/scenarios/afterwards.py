"""What others do with an answer, and messages that nobody could read."""

from __future__ import annotations

from tests.scenarios.discord_stage import Screens
from tests.scenarios.online_play import OnDiscord, OnTelegram
from tests.scenarios.scenario import HEALTHY
from tests.scenarios.telegram_stage import Phones
from tests.servers.discord import Message, Rewritten


async def it_answered(stage: Screens) -> Message:
    await stage.asks(stage.ann, "are you there?")
    return next(said for said in stage.kitchen.messages.values() if said.author is stage.me)


async def a_moderation_bot_deletes_it(stage: Screens) -> None:
    await stage.world.sweeps(stage.root, await it_answered(stage))
    await stage.quiet()


async def a_moderator_deletes_it(stage: Screens) -> None:
    stage.house.role("readers", "view_audit_log", members=(stage.me,))
    await stage.mod.deletes(await it_answered(stage))
    await stage.quiet()


async def people_like_it(stage: Screens) -> None:
    await stage.ann.reacts(await it_answered(stage), "👍")
    await stage.quiet()


async def its_form_is_new(stage: Screens) -> None:
    broken = stage.setting.other({"embeds": 5}, {"attachments": "none"}, {"mentions": 3})
    stage.server.fault_event("MESSAGE_CREATE", Rewritten(lambda data: data | broken))
    await stage.asks(stage.ann, "are you there?")


async def its_form_is_new_there_too(stage: Phones) -> None:
    said = stage.says(stage.ann, "@glassmind_bot are you there?")
    stage.me.inlet.clear()
    broken = stage.setting.other({"sticker": 5}, {"photo": "none"}, {"entities": 3})
    stage.world.push({"message": said.json | broken})
    await stage.quiet()


async def it_is_of_an_unknown_kind(stage: Phones) -> None:
    said = stage.says(stage.ann, "@glassmind_bot are you there?")
    stage.me.inlet.clear()
    kind = stage.setting.other("shouted_message", "whispered_message", "message_v2")
    stage.world.push({kind: said.json})
    await stage.quiet()


SCENARIOS = (
    OnDiscord(
        "a moderation bot deletes the answer",
        "OUT-GONE",
        a_moderation_bot_deletes_it,
        ("answered, then deleted", "s later", "does not say who did it"),
    ),
    OnDiscord(
        "a moderator deletes the answer",
        "OUT-GONE",
        a_moderator_deletes_it,
        ("answered, then deleted", "audit log names", "moderat"),
    ),
    OnDiscord("people like the answer", HEALTHY, people_like_it, ("was answered", "👍")),
    OnDiscord(
        "a message of a new form on Discord",
        "UNREADABLE",
        its_form_is_new,
        ("could not read it", "cannot read", "Update the bot"),
    ),
    OnTelegram(
        "a message of a new form on Telegram",
        "UNREADABLE",
        its_form_is_new_there_too,
        ("could not read it", "cannot read", "Update the bot"),
    ),
    OnTelegram(
        "a message of a new kind on Telegram",
        "UNREADABLE",
        it_is_of_an_unknown_kind,
        ("could not read it", "shouted_message"),
    ),
)
