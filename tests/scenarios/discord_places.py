"""Places on Discord that the bot is kept out of, and refusals that are about no right at all."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from bot.domain.finding import Confidence
from tests.scenarios.discord_answers import ann_asks, to
from tests.scenarios.discord_stage import Screens
from tests.scenarios.online_play import OnDiscord
from tests.scenarios.scenario import HEALTHY
from tests.servers.discord import Alters, Channel, Refuses
from tests.servers.discord.place import STAGE, VOICE

PERMS, REFUSED = "DC-PERMS", "OUT-REFUSED"
VIEW, CONNECT = "DC-VIEW", "DC-CONNECT"
LATER = 75
"""Seconds after which what came before says nothing of now, and a silent gateway nothing either."""
_HIDES = {"deny": str(1 << 10), "allow": "0", "type": 0}


async def a_desk(stage: Screens) -> Channel:
    """Let Ann be answered in a channel that has its rights from its category."""
    category = stage.house.category("Staff")
    stage.kitchen = stage.house.channel("desk", under=category)
    await ann_asks(stage)
    stage.passes(LATER)
    return category


async def its_category_is_closed(stage: Screens) -> None:
    category = await a_desk(stage)
    for place in (category, stage.kitchen):
        place.deny(stage.house.everyone, "view_channel")
    await stage.quiet()


async def a_role_keeps_it_out(stage: Screens) -> None:
    await ann_asks(stage)
    stage.passes(LATER)
    stage.kitchen.deny(stage.house.role("new members", members=(stage.me,)), "view_channel")
    await stage.quiet()


async def nobody_lets_it_in(stage: Screens) -> None:
    await ann_asks(stage)
    stage.passes(LATER)
    stage.house.permit(stage.house.everyone, "send_messages", "read_message_history", "use_application_commands")
    await stage.quiet()


async def discord_hides_what_keeps_it_out(stage: Screens) -> None:
    stage.world.switches.obfuscates = True
    await a_role_keeps_it_out(stage)


async def it_is_said_to_be_kept_out_but_has_just_answered(stage: Screens) -> None:
    await ann_asks(stage)

    def hidden(channels: list[dict[str, Any]]) -> list[dict[str, Any]]:
        everybody = {"id": str(stage.house.id), **_HIDES}
        return [channel | {"permission_overwrites": [everybody]} for channel in channels]

    stage.server.fault("get_guild_channels", Alters(hidden), times=100)


async def it_was_let_in_again(stage: Screens) -> None:
    await a_role_keeps_it_out(stage)
    stage.kitchen.allow(next(one for one in stage.house.roles.values() if one.name == "new members"), "view_channel")
    await ann_asks(stage)


def may_not_connect(kind: int) -> Callable[[Screens], Awaitable[None]]:
    async def happens(stage: Screens) -> None:
        stage.kitchen = stage.house.channel("lounge", kind=kind)
        stage.kitchen.deny(stage.house.everyone, "connect")
        await ann_asks(stage)

    return happens


async def it_is_thrown_out_of_a_private_thread(stage: Screens) -> None:
    stage.kitchen = await stage.ann.starts_thread(stage.kitchen, "secret", private=True)
    stage.kitchen.admit(stage.me)
    await ann_asks(stage)
    del stage.kitchen.joined[stage.me.id]
    stage.passes(LATER)


async def it_is_in_quarantine(stage: Screens) -> None:
    stage.server.fault("get_member", Alters(lambda member: member | {"flags": 1 << 7}), times=100)
    stage.server.fault("create_message", Refuses(403, 50013, "Missing Permissions"), when=to(stage.kitchen.id))
    await ann_asks(stage)


async def its_commands_go_elsewhere(stage: Screens) -> None:
    await stage.ends("stopped by a signal")
    host = stage.setting.other("bots.example", "hooks.example", "discord.workers.example")
    stage.me.endpoint = f"https://{host}/interactions"
    stage.me.commands.clear()
    await stage.begins()
    await stage.in_time(lambda: ("commands", "synced") in stage.adapter.health().facts)
    await ann_asks(stage)


async def the_house_has_an_outage(stage: Screens) -> None:
    await ann_asks(stage)
    stage.house.go_down()
    await stage.until(lambda: "guilds_away" in dict(stage.adapter.health().facts))
    stage.passes(LATER)


async def the_house_is_back(stage: Screens) -> None:
    await the_house_has_an_outage(stage)
    stage.house.come_back()
    await stage.until(lambda: "guilds_away" not in dict(stage.adapter.health().facts))
    await ann_asks(stage)


def refused(status: int, code: int, words: str) -> Callable[[Screens], Awaitable[None]]:
    async def happens(stage: Screens) -> None:
        stage.server.fault("create_message", Refuses(status, code, words), when=to(stage.kitchen.id), times=100)
        await ann_asks(stage)

    return happens


async def a_firewall_blocks_it(stage: Screens) -> None:
    blocked = Refuses(403, 40333, "internal network error")
    stage.server.fault("create_message", blocked, when=to(stage.kitchen.id), times=100)
    await stage.says(stage.ann, "are you there?", mentions=stage.me)
    await stage.gives_up(stage.kitchen, 3)


async def it_is_timed_out(stage: Screens) -> None:
    stage.house.members[stage.me.id].timed_out = stage.clock.now() / 1000 + 3600
    await ann_asks(stage)


SCENARIOS = (
    OnDiscord(
        "the bot is timed out",
        PERMS,
        it_is_timed_out,
        ("the bot lacks a permission", "Somebody gave it a timeout", "It ends at", "Lift the timeout"),
    ),
    OnDiscord(
        "a category is closed to the bot",
        VIEW,
        its_category_is_closed,
        ("can't view it", "Missing: View Channel", "everyone in the category Staff.", "Edit Category (Staff)"),
        live_only=True,
    ),
    OnDiscord(
        "a role keeps the bot out of a channel",
        VIEW,
        a_role_keeps_it_out,
        ("can't view it", "Denied to the role new members in the channel", "Edit Channel, Permissions"),
        live_only=True,
    ),
    OnDiscord(
        "no role lets the bot view a channel",
        VIEW,
        nobody_lets_it_in,
        ("can't view it", "No role of the bot grants it", "Server Settings, Roles"),
        live_only=True,
    ),
    OnDiscord(
        "Discord hides the channel together with what keeps the bot out",
        VIEW,
        discord_hides_what_keeps_it_out,
        (
            "can't view it",
            "Missing: View Channel",
            "Denied in the channel or its category",
            "everyone, new members.",
        ),
        live_only=True,
    ),
    OnDiscord(
        "said to be kept out, and has just answered",
        HEALTHY,
        it_is_said_to_be_kept_out_but_has_just_answered,
        ("was answered", "says now: the bot can't view", "But a message came", "ask again in a minute"),
    ),
    OnDiscord("let into the channel again", HEALTHY, it_was_let_in_again, ("was answered",)),
    OnDiscord(
        "the chat of a voice channel takes Connect",
        CONNECT,
        may_not_connect(VOICE),
        ("has no access", "needs the Connect permission", "Missing: Connect", "everyone in the channel.", "Connect on"),
        outside=PERMS,
    ),
    OnDiscord(
        "the chat of a stage channel takes Connect",
        CONNECT,
        may_not_connect(STAGE),
        ("the bot has no access", "needs the Connect permission", "Missing: Connect", "switch Connect on"),
        outside=PERMS,
    ),
    OnDiscord(
        "a private thread is not shown to the bot",
        PERMS,
        it_is_thrown_out_of_a_private_thread,
        ("cannot see it", "private thread", "mentioning it"),
        sure=Confidence.CANNOT_TELL,
        live_only=True,
    ),
    OnDiscord(
        "AutoMod keeps the bot in quarantine",
        PERMS,
        it_is_in_quarantine,
        ("the bot lacks a permission", "AutoMod blocks the bot because of its name", "another name or nickname"),
    ),
    OnDiscord(
        "an endpoint of the portal gets the slash commands",
        "DC-ENDPOINT",
        its_commands_go_elsewhere,
        ("slash commands go elsewhere", "bots.example", "Typed commands and mentions work", "empty Interactions"),
        on_host=True,
    ),
    OnDiscord(
        "the server has an outage",
        "DC-OUTAGE",
        the_house_has_an_outage,
        ("has an outage there", "calls this server unavailable", "It comes back by itself"),
        on_host=True,
    ),
    OnDiscord("the server is back after an outage", HEALTHY, the_house_is_back, ("was answered",)),
    OnDiscord(
        "the bot is flagged as a spammer",
        REFUSED,
        refused(403, 20026, "Your bot has been flagged by our anti-spam system for abusive behavior."),
        ("flagged as a spammer", "code 20026", "anti-spam system", "appeal"),
    ),
    OnDiscord(
        "the bot's account is not verified",
        REFUSED,
        refused(403, 40002, "You need to verify your account in order to perform this action."),
        ("account is unverified", "code 40002", "You need to verify", "Verify email and phone"),
    ),
    OnDiscord(
        "a server asks for two-factor login",
        REFUSED,
        refused(403, 60003, "Two factor is required for this operation"),
        ("two-factor login is missing", "Two factor is required", "Switch two-factor login on"),
    ),
    OnDiscord(
        "a firewall before Discord blocks the host",
        REFUSED,
        a_firewall_blocks_it,
        ("firewall blocks the host", "code 40333", "internal network error", "proxy"),
    ),
    OnDiscord(
        "Discord refuses for a reason that nobody knows",
        REFUSED,
        refused(403, 777001, "The tide is out for this guild"),
        ("the platform refused it", "code 777001", "The tide is out", "look up what it said"),
        sure=Confidence.CANNOT_TELL,
    ),
)
