"""A bot that Discord does not hear, or that does not hear Discord, or hears people without their words."""

from __future__ import annotations

from bot.domain.finding import Confidence
from tests.scenarios.discord_stage import Screens
from tests.scenarios.online_play import OnDiscord
from tests.scenarios.scenario import HEALTHY
from tests.servers.discord import Refuses

ACTIVE = {"discord": {"default_mode": "active"}}


async def it_answered(stage: Screens) -> None:
    await stage.asks(stage.ann, "are you there?")


async def the_portal_switch_is_off(stage: Screens) -> None:
    await stage.ends("stopped by a signal")
    stage.me.granted.discard("message_content")
    await stage.begins()
    await stage.connects()


async def nobodys_words_come(stage: Screens) -> None:
    await it_answered(stage)
    await the_portal_switch_is_off(stage)
    await stage.says(stage.ann, "are you there?")
    await stage.quiet()


async def mentions_come_all_the_same(stage: Screens) -> None:
    await the_portal_switch_is_off(stage)
    await it_answered(stage)


async def nobodys_words_are_asked_for(stage: Screens) -> None:
    await it_answered(stage)
    await stage.says(stage.ann, "are you there?")
    await stage.quiet()


async def no_heartbeat_is_answered(stage: Screens) -> None:
    await it_answered(stage)
    stage.server.gateway.zombie()
    stage.passes(100)
    await stage.fails_with("stalled")
    stage.passes(300)


async def the_token_is_revoked(stage: Screens) -> None:
    await it_answered(stage)
    token = stage.me.token
    stage.world.revoke()
    stage.server.gateway.close(4004)
    await stage.fails_with("token")
    stage.me.token = token  # what the configuration still says
    stage.passes(600)


async def nobody_listens_there(stage: Screens) -> None:
    await it_answered(stage)
    await stage.server.refuse()
    await stage.fails_with("network")
    stage.passes(60)
    await stage.until(lambda: "connect:" in stage.adapter.health().detail)


async def the_line_breaks_once(stage: Screens) -> None:
    await it_answered(stage)
    stage.server.gateway.drop()
    await stage.in_time(lambda: ("reconnects_1h", "1") in stage.adapter.health().facts)
    await stage.connects()
    await it_answered(stage)


async def it_has_to_be_sharded(stage: Screens) -> None:
    await it_answered(stage)
    stage.server.gateway.requires_shards = True
    stage.server.gateway.forget()
    stage.server.gateway.close(4011)
    await stage.fails_with("shards")
    stage.passes(60)


async def the_quota_of_commands_is_used_up(stage: Screens) -> None:
    await stage.ends("stopped by a signal")
    stage.me.commands.clear()
    stage.server.fault("put_commands", Refuses(400, 30034, "Max number of daily application command creates"))
    await stage.begins()
    await stage.in_time(lambda: ("commands", "failed:commands_quota") in stage.adapter.health().facts)
    await it_answered(stage)


SCENARIOS = (
    OnDiscord(
        "the message content intent is off",
        "DC-INTENT",
        nobodys_words_come,
        ("messages arrive empty", "The message content intent is off", "mentions", "Developer Portal"),
        settings=ACTIVE,
    ),
    OnDiscord(
        "the message content intent is off, but people mention it",
        HEALTHY,
        mentions_come_all_the_same,
        ("was answered",),
    ),
    OnDiscord(
        "the bot does not ask for message content",
        "DC-INTENT",
        nobodys_words_are_asked_for,
        ("do not ask for message content", "message_content = true"),
        settings={"discord": {"default_mode": "active", "message_content": False}},
    ),
    OnDiscord(
        "no heartbeat is answered",
        "DC-ZOMBIE",
        no_heartbeat_is_answered,
        ("Nothing arrives from Discord", "no heartbeat is answered", "Sending may work"),
        on_host=True,
    ),
    OnDiscord(
        "the token is revoked",
        "TOKEN",
        the_token_is_revoked,
        ("rejects the bot's token", "Until that is fixed nothing works"),
        on_host=True,
    ),
    OnDiscord(
        "nobody listens at Discord's address",
        "NET",
        nobody_listens_there,
        ("is unreachable", "firewall"),
        on_host=True,
    ),
    OnDiscord("the line breaks once", HEALTHY, the_line_breaks_once, ("was answered",)),
    OnDiscord(
        "it has to be sharded",
        "DC-ZOMBIE",
        it_has_to_be_sharded,
        ("rejects the shards", "shard_count in [platforms.discord]"),
        on_host=True,
    ),
    OnDiscord(
        "the quota of commands is used up",
        "SLASH",
        the_quota_of_commands_is_used_up,
        ("slash commands are outdated", "quota", "Typed commands and mentions work"),
        sure=Confidence.LIKELY,
    ),
)
