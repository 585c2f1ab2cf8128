"""Chats on Telegram in which the bot may do little, and refusals that are about no right at all."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from bot.domain.finding import Confidence
from tests.scenarios.online_play import OnTelegram
from tests.scenarios.scenario import HEALTHY
from tests.scenarios.telegram_answers import ann_asks, to
from tests.scenarios.telegram_stage import Phones
from tests.servers.telegram import Alters, Refuses

PERMS, REFUSED = "TG-PERMS", "OUT-REFUSED"


async def an_admin_restricts_it(stage: Phones) -> None:
    stage.world.restrict(stage.kitchen, stage.me, stage.root, can_send_messages=False)
    await ann_asks(stage)


async def an_admin_restricts_it_for_an_hour(stage: Phones) -> None:
    stage.world.restrict(stage.kitchen, stage.me, stage.root, can_send_messages=False)
    stage.kitchen.member(stage.me).until = stage.clock.now() // 1000 + 3600
    await ann_asks(stage)


async def members_may_not_write(stage: Phones) -> None:
    stage.kitchen.permissions["can_send_messages"] = False
    stage.world.say(stage.kitchen, stage.mod, "@glassmind_bot are you there?")
    await stage.quiet()


async def it_is_made_an_admin(stage: Phones) -> None:
    await an_admin_restricts_it(stage)
    stage.world.promote(stage.kitchen, stage.me, stage.root)
    await ann_asks(stage)


async def slow_mode_is_on(stage: Phones) -> None:
    stage.kitchen.slow_mode = 60
    await ann_asks(stage)
    stage.says(stage.ann, "@glassmind_bot and now?")
    await stage.is_told_to_wait()
    stage.passes(3)


async def slow_mode_does_not_hold_for_an_admin(stage: Phones) -> None:
    stage.world.promote(stage.kitchen, stage.me, stage.root)
    stage.kitchen.slow_mode = 60
    await ann_asks(stage)
    await ann_asks(stage)


def refused(code: int, words: str) -> Callable[[Phones], Awaitable[None]]:
    async def happens(stage: Phones) -> None:
        stage.server.fault("sendMessage", Refuses(code, words), when=to(stage.kitchen.id), times=100)
        await ann_asks(stage)

    return happens


async def it_is_said_to_be_out_but_has_just_answered(stage: Phones) -> None:
    await ann_asks(stage)
    gone = Alters(lambda member: {"user": member["user"], "status": "left"})
    stage.server.fault("getChatMember", gone, when=lambda asked: asked.get("user_id") == stage.me.id, times=100)


SCENARIOS = (
    OnTelegram(
        "said to be out of the group, and has just answered",
        HEALTHY,
        it_is_said_to_be_out_but_has_just_answered,
        ("was answered", "says now: the bot is not in there", "But a message came"),
    ),
    OnTelegram(
        "an admin restricts the bot",
        PERMS,
        an_admin_restricts_it,
        ("can't write there", "An admin restricted the bot.", "Exceptions", "make it an admin"),
    ),
    OnTelegram(
        "an admin restricts the bot for an hour",
        PERMS,
        an_admin_restricts_it_for_an_hour,
        ("can't write there", "An admin restricted the bot until 09:53", "Exceptions"),
    ),
    OnTelegram(
        "members may not write in a group",
        PERMS,
        members_may_not_write,
        ("can't write there", "Members can't send messages.", "let members send messages"),
    ),
    OnTelegram("the bot is made an admin", HEALTHY, it_is_made_an_admin, ("was answered",)),
    OnTelegram(
        "slow mode holds the bot back",
        "SLOW-MODE",
        slow_mode_is_on,
        ("asked the bot to wait until", "Slow mode: one message in 1 min", "turn slow mode off"),
        outside="RATE-OUT",
    ),
    OnTelegram(
        "slow mode does not hold for an admin", HEALTHY, slow_mode_does_not_hold_for_an_admin, ("was answered",)
    ),
    OnTelegram(
        "Telegram itself restricted the chat",
        REFUSED,
        refused(400, "Bad Request: CHAT_RESTRICTED"),
        ("Telegram restricted the chat", "CHAT_RESTRICTED", "Telegram's support"),
    ),
    OnTelegram(
        "only members of a discussion group may write",
        REFUSED,
        refused(403, "Forbidden: CHAT_GUEST_SEND_FORBIDDEN"),
        ("only members may write", "GUEST_SEND", "add the bot to that group"),
    ),
    OnTelegram(
        "Telegram forbids it for a reason that nobody knows",
        REFUSED,
        refused(403, "Forbidden: the moon is in the wrong house"),
        ("the platform refused it", "the moon is in the wrong house", "look up what it said"),
        sure=Confidence.CANNOT_TELL,
    ),
)
