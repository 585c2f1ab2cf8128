"""What other people, other work and other programs did, and the bot is asked about."""

from __future__ import annotations

from typing import Any

from bot.domain.finding import Confidence
from tests.scenarios.decisions import ONLY_THOUGHTS, THOUGHT
from tests.scenarios.discord_stage import Screens
from tests.scenarios.online_play import OnDiscord, OnTelegram
from tests.scenarios.ported import ported
from tests.scenarios.refusals import TOO_LARGE
from tests.scenarios.scenario import HEALTHY, Scenario
from tests.scenarios.stage import Stage
from tests.scenarios.telegram_stage import Phones
from tests.servers.discord import posting
from tests.servers.model import FAILURES, Fails, Reply, Says
from tests.servers.telegram.state import FIRST_PERSON

OTHER, ANONYMOUS = "OTHER-PROCESS", "ANON-ADMIN"
MARK = "xyzzy"
FILTERED = Fails(400, "content_filter", "The response was filtered due to the content management policy.")
ANN_IS_LISTED = {"telegram": {"allowed_users": [str(FIRST_PERSON + 2)]}}


def filtering(request: dict[str, Any]) -> Reply:
    return FILTERED if MARK in str(request["messages"]) else Says("Hello")


async def ann_asks(stage: Stage) -> None:
    await stage.says("ann", "@glassmind are you there?")


async def mod_begins_anew(stage: Stage) -> None:
    await stage.says("ann", "@glassmind my cat is called Pear")
    stage.passes(60)
    await stage.says("mod", "@glassmind !new")
    stage.passes(60)
    await stage.says("ann", "@glassmind what is my cat called?")


async def mod_takes_it_back(stage: Stage) -> None:
    await stage.says("ann", "@glassmind my cat is called Pear")
    await stage.says("mod", "@glassmind !new")
    await stage.says("mod", "@glassmind !new undo")
    await stage.says("ann", "@glassmind what is my cat called?")


async def it_failed_elsewhere(stage: Stage) -> None:
    await stage.says("james", "@glassmind what is new?", "#random")
    await ann_asks(stage)


async def james_says_what_the_filter_minds(stage: Stage) -> None:
    await ann_asks(stage)
    stage.server.answer = filtering
    await stage.says("james", f"they call it {MARK} over there")
    await stage.says("ann", "@glassmind what did I miss?")


async def another_program_replies(stage: Screens) -> None:
    asked = await stage.asks(stage.ann, "are you there?")
    posting.post(stage.kitchen, stage.me, "who wants to know?", **posting.reply_fields(asked))
    await stage.quiet()


async def another_program_speaks(stage: Screens) -> None:
    await stage.asks(stage.ann, "are you there?")
    stage.passes(5)
    posting.post(stage.kitchen, stage.me, "who wants to know?")
    await stage.quiet()


async def an_anonymous_admin_asks(stage: Phones) -> None:
    await stage.asks(stage.mod, "@glassmind_bot are you there?", anonymous=True)


async def an_anonymous_admin_pauses_it(stage: Phones) -> None:
    stage.replied = stage.says(stage.mod, "/pause@glassmind_bot", anonymous=True)
    await stage.quiet()


async def another_bot_asks(stage: Phones) -> None:
    other = {"id": 7_000_000_009, "is_bot": True, "first_name": "Other", "username": "other_bot"}
    await stage.asks(stage.ann, "@glassmind_bot are you there?", extra={"from": other})


async def a_webhook_asks(stage: Screens) -> None:
    said = stage.setting.words("the build has failed")
    await stage.world.speaks_through_webhook(stage.kitchen, "News", f"{stage.me.mention} {said}")
    await stage.quiet()


AT_THE_TERMINAL = (
    Scenario(
        "somebody has it begin anew",
        "FRESH-CHAT",
        mod_begins_anew,
        ("a fresh chat was started", "no longer sees what was said before", "new undo"),
        script=(Says("Nice name."), Says("I do not know.")),
    ),
    Scenario(
        "somebody has it begin anew and takes it back",
        HEALTHY,
        mod_takes_it_back,
        ("was answered",),
        script=(Says("Nice name."), Says("Pear.")),
    ),
    Scenario(
        "the model is left alone since it failed elsewhere",
        "BREAKER",
        it_failed_elsewhere,
        ("failing model", "Next try from", "in another channel: overloaded"),
        script=(FAILURES["unavailable"],) * 2,
        outside="LLM-AUTH",
    ),
    Scenario(
        "the filter minds what somebody else said",
        "FLAG-OVERHEARD",
        james_says_what_the_filter_minds,
        ("answered without some words", "said before, not the message itself", "Left out of requests: i", "undo i"),
        script=(Says("Yes."),),
    ),
)
TOO_MUCH = Scenario(
    "more than the service takes at a time",
    "SERVICE-LIMIT",
    ann_asks,
    ("the request is over the limit", "6,000 tokens at most", "account's limit"),
    script=(TOO_LARGE,),
)
THINKS = Scenario(
    "it only thinks", THOUGHT, ann_asks, ("1,000 of them reasoning",), script=(ONLY_THOUGHTS, ONLY_THOUGHTS)
)
SCENARIOS = (
    *AT_THE_TERMINAL,
    TOO_MUCH,
    *(ported(one, kind) for one in (*AT_THE_TERMINAL, THINKS) for kind in (OnTelegram, OnDiscord)),
    OnDiscord(
        "another program replies with the bot's account",
        OTHER,
        another_program_replies,
        ("two programs answer as the bot", "spoke once", "one process for each token"),
    ),
    OnDiscord(
        "another program speaks with the bot's account",
        OTHER,
        another_program_speaks,
        ("two programs answer as the bot",),
        sure=Confidence.LIKELY,
    ),
    OnTelegram("another bot asks on Telegram", "BOT-AUTHOR", another_bot_asks, ("Another bot", "allow_bots = true")),
    OnDiscord("a webhook asks on Discord", "BOT-AUTHOR", a_webhook_asks, ("A webhook", "allow_bots = true")),
    OnTelegram(
        "an anonymous admin, where only some are answered",
        ANONYMOUS,
        an_anonymous_admin_asks,
        ("an anonymous admin wrote it", "does not say which admin", "Remain Anonymous"),
        settings=ANN_IS_LISTED,
    ),
    OnTelegram(
        "an anonymous admin gives a command",
        ANONYMOUS,
        an_anonymous_admin_pauses_it,
        ("an anonymous admin wrote it", "obeys nobody it cannot identify"),
        live_only=True,
    ),
)
