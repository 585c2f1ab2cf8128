"""Groups of which Telegram tells the bot only a part, and messages that came late or never."""

from __future__ import annotations

from bot.domain.finding import Confidence
from bot.domain.ids import MAIN, ChannelId, ChannelKey
from tests.scenarios.online_play import OnTelegram
from tests.scenarios.scenario import HEALTHY
from tests.scenarios.telegram_stage import Phones
from tests.servers.telegram import Chat, Hangs
from tests.servers.telegram.state import FIRST_GROUP, FIRST_SUPERGROUP

PRIVACY, DROPPED = "TG-PRIVACY", "BOOT-DROP"
HOUR = 3600
PANTRY = ChannelKey(MAIN, ChannelId(f"telegram:{FIRST_SUPERGROUP - 1}"))
GROUP = ChannelKey(MAIN, ChannelId(f"telegram:{FIRST_GROUP}"))
LISTED = {"telegram": {"allowed_channels": [str(FIRST_GROUP)]}}
STILL = "Slash commands, replies to the bot and DMs arrive"


async def active_and_private(stage: Phones) -> None:
    stage.world.privacy(True)
    await stage.asks(stage.mod, "/active")
    await stage.asks(stage.ann, "is anybody there?")


async def mentions_are_held_back(stage: Phones) -> None:
    stage.world.privacy(True)
    stage.world.switches.mentions_pass_privacy = False
    await stage.asks(stage.mod, "/help")
    await stage.asks(stage.ann, "@glassmind_bot are you there?")


async def active_private_and_answering_replies(stage: Phones) -> None:
    await active_and_private(stage)
    await stage.asks(stage.ann, "are you there?", reply_to=stage.world.messages(stage.kitchen)[-2])


async def the_platform_does_not_say(stage: Phones) -> None:
    await active_and_private(stage)
    stage.server.fault("getChat", Hangs(), times=100)


async def private_but_only_mentions_count(stage: Phones) -> None:
    stage.world.privacy(True)
    await stage.asks(stage.ann, "@glassmind_bot are you there?")


async def private_but_the_bot_is_an_admin(stage: Phones) -> None:
    stage.world.privacy(True)
    stage.world.admit(stage.kitchen, stage.me, status="administrator")
    await stage.asks(stage.mod, "/active")
    await stage.asks(stage.ann, "is anybody there?")


async def active_and_all_is_delivered(stage: Phones) -> None:
    await stage.asks(stage.mod, "/active")
    await stage.asks(stage.ann, "is anybody there?")


async def it_was_down_meanwhile(stage: Phones) -> None:
    await stage.asks(stage.ann, "@glassmind_bot are you there?")
    await stage.ends("stopped by a signal")
    stage.passes(HOUR)
    stage.says(stage.ann, "@glassmind_bot are you still there?")
    stage.passes(2 * HOUR)
    await stage.begins()
    await stage.quiet()


async def it_was_down_for_days(stage: Phones) -> None:
    await stage.asks(stage.ann, "@glassmind_bot are you there?")
    await stage.ends("stopped by a signal")
    stage.passes(HOUR)
    stage.says(stage.ann, "@glassmind_bot are you still there?")
    stage.passes(50 * HOUR)
    await stage.begins()
    await stage.quiet()


async def it_was_down_for_days_and_answers_again(stage: Phones) -> None:
    await it_was_down_for_days(stage)
    await stage.asks(stage.ann, "@glassmind_bot and now?")


async def it_was_thrown_out(stage: Phones) -> None:
    stage.world.kick(await a_pantry(stage), stage.me, stage.root)
    await stage.quiet()


async def it_was_thrown_out_and_is_back(stage: Phones) -> None:
    pantry = await a_pantry(stage)
    stage.world.kick(pantry, stage.me, stage.root)
    await stage.quiet()
    stage.world.add_bot(pantry, stage.me, stage.root)
    await stage.asks(stage.ann, "@glassmind_bot are you there again?", pantry)


async def it_became_a_supergroup_unheard(stage: Phones) -> None:
    pantry = await a_pantry(stage)
    await stage.ends("stopped by a signal")
    new = stage.world.migrate(pantry)
    stage.passes(50 * HOUR)
    await stage.begins()
    await stage.asks(stage.ann, "@glassmind_bot are you still there?", new)


async def it_became_a_supergroup(stage: Phones) -> None:
    pantry = await a_pantry(stage)
    new = stage.world.migrate(pantry)
    await stage.quiet()
    await stage.asks(stage.ann, "@glassmind_bot are you still there?", new)


async def a_pantry(stage: Phones) -> Chat:
    """A basic group, which is all that the bot may be in."""
    pantry = stage.world.group("pantry", stage.root, stage.ann, stage.me)
    await stage.asks(stage.ann, "@glassmind_bot are you there?", pantry)
    return pantry


SCENARIOS = (
    OnTelegram(
        "group privacy in a group where all is to be answered",
        PRIVACY,
        active_and_private,
        ("Group privacy is on", "not an admin", STILL, "/setprivacy", "add it again"),
    ),
    OnTelegram(
        "group privacy, and replies are answered",
        PRIVACY,
        active_private_and_answering_replies,
        ("messages was plain talk", STILL, "/setprivacy"),
    ),
    OnTelegram(
        "group privacy holds a mention back",
        PRIVACY,
        mentions_are_held_back,
        ("The last message was not plain talk", STILL, "/setprivacy"),
        sure=Confidence.CANNOT_TELL,
    ),
    OnTelegram(
        "group privacy, and Telegram hangs when it is asked",
        PRIVACY,
        the_platform_does_not_say,
        ("Group privacy is on for this bot", STILL, "no answer to a probe"),
        sure=Confidence.LIKELY,
    ),
    OnTelegram("group privacy where only mentions count", HEALTHY, private_but_only_mentions_count, ("was answered",)),
    OnTelegram("group privacy and a bot that is an admin", HEALTHY, private_but_the_bot_is_an_admin, ("was answered",)),
    OnTelegram(
        "no group privacy", HEALTHY, active_and_all_is_delivered, ("was answered",), place="kitchen", why="/why"
    ),
    OnTelegram(
        "the bot was thrown out of the group",
        "REMOVED",
        it_was_thrown_out,
        ("the bot is not a member", "A person removed it at", "Add the bot to the group again"),
        target=GROUP,
    ),
    OnTelegram(
        "the bot was thrown out, and is back", HEALTHY, it_was_thrown_out_and_is_back, ("was answered",), target=GROUP
    ),
    OnTelegram(
        "written while it was down",
        DROPPED,
        it_was_down_meanwhile,
        ("Written 09:53", "2 h later", "answered 11:53", "stopped by a signal"),
    ),
    OnTelegram(
        "down for longer than Telegram keeps messages",
        DROPPED,
        it_was_down_for_days,
        ("Down for 51 h", "for 24 h", "first 27 h are lost", "stopped by a signal"),
        sure=Confidence.CANNOT_TELL,
    ),
    OnTelegram(
        "down for days, and answering again", HEALTHY, it_was_down_for_days_and_answers_again, ("was answered",)
    ),
    OnTelegram(
        "a group became a supergroup while the bot was down",
        "SUPERGROUP",
        it_became_a_supergroup_unheard,
        ("The list holds -4000001", "Write -1002000000002 for -4000001"),
        sure=Confidence.LIKELY,
        settings=LISTED,
        target=PANTRY,
    ),
    OnTelegram(
        "a group became a supergroup",
        HEALTHY,
        it_became_a_supergroup,
        ("was answered",),
        settings=LISTED,
        target=PANTRY,
    ),
)
