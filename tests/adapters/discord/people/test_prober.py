"""Looking says what is wrong, with evidence and what to do, and never raises or changes anything."""

from __future__ import annotations

import pytest

from adapters.discord.base.state import DiscordState
from adapters.discord.interactions import menus
from adapters.discord.people.prober import DiscordProber
from bot.domain.ids import ChannelId, ephemeral_id
from bot.ports.platform import CommandMenu, MenuEntry
from tests.adapters.discord.conversation import dm, here, speaking
from tests.servers.discord import Alters, Refuses
from tests.servers.discord.place import STAGE, VOICE


@pytest.fixture
async def on():
    async with speaking() as found:
        yield found


async def looked(on, channel=None, known=frozenset()):
    """Return what was found, by the names of probes; the gateway has told of the channels that are `known`."""
    state = DiscordState(on.clock, 90.0, wants_content=on.rest.settings.message_content)
    for name, value in on.notes.items():
        state.note(name, value)
    probes = await DiscordProber(on.desk, state, known.__contains__).probe(channel)
    assert all(probe.name and probe.evidence for probe in probes)
    assert all(probe.fix for probe in probes if probe.state == "failed" and probe.code != "chat_not_found")
    return {probe.name: probe for probe in probes}


async def rights(on, channel=None, known=frozenset()):
    channel = channel or here(on.support)
    return (await looked(on, channel, known))[f"rights in {channel}"]


async def test_all_is_well(on):
    await menus.publish(on.desk, CommandMenu(entries=(MenuEntry(name="why", help="why?"),)), on.notes.__setitem__)
    found = await looked(on, here(on.support))
    there = {name: (probe.state, probe.code) for name, probe in found.items()}
    assert there == {
        "discord account": ("ok", ""),
        "discord message content": ("ok", ""),
        "discord sessions": ("ok", ""),
        "discord gateway": ("unknown", ""),
        "discord slash commands": ("ok", ""),
        f"rights in {here(on.support)}": ("ok", ""),
        f"commands in {here(on.support)}": ("ok", ""),
    }
    assert found["discord sessions"].evidence.startswith("1,000 of 1,000 sessions")


async def test_a_token_that_was_revoked_is_named(on):
    on.world.revoke()
    account = (await looked(on))["discord account"]
    assert (account.state, account.code) == ("failed", "token") and "platforms.discord.token" in account.fix


async def test_a_platform_that_is_gone_is_named(on):
    await on.server.refuse()
    account = (await looked(on, here(on.support)))["discord account"]
    assert (account.state, account.code) == ("failed", "network")


async def test_the_portals_switch_is_read(on):
    on.me.granted.discard("message_content")
    content = (await looked(on))["discord message content"]
    assert (content.state, content.code) == ("failed", "content_intent") and "portal" in content.fix
    assert dict(content.facts) == {"message_content": "no", "requested_content": "yes"}


async def test_a_switch_that_nobody_asks_for_is_no_fault():
    async with speaking(message_content=False) as on:
        content = (await looked(on))["discord message content"]
        assert (content.state, dict(content.facts)["requested_content"]) == ("ok", "no")


@pytest.mark.parametrize(("left", "state"), [(500, "ok"), (50, "warning"), (0, "failed")])
async def test_sessions_that_run_out_are_named(on, left, state):
    on.me.identifies.extend([0.0] * (1000 - left))
    sessions = (await looked(on))["discord sessions"]
    assert (sessions.state, sessions.code) == (state, "" if state == "ok" else "session_limit")


async def test_commands_that_were_not_taken_are_named(on):
    on.notes["commands"] = "failed:commands_quota"
    commands = (await looked(on))["discord slash commands"]
    assert (commands.state, commands.code) == ("warning", "commands") and "commands_quota" in commands.evidence


async def test_a_guild_without_slash_commands_is_named(on):
    on.server.fault("get_commands", Refuses(403, 50001, "Missing Access"))
    scope = (await looked(on, here(on.support)))[f"commands in {here(on.support)}"]
    assert (scope.state, scope.code) == ("warning", "commands_scope") and "applications.commands" in scope.fix


@pytest.mark.parametrize(
    ("denied", "missing", "state"),
    [
        (["send_messages"], "Send Messages", "failed"),
        (["read_message_history"], "Read Message History", "warning"),
        (["attach_files", "embed_links", "add_reactions"], "Add Reactions, Attach Files", "warning"),
        (["send_messages_in_threads"], "", "ok"),
    ],
)
async def test_rights_that_are_missing_are_named(on, denied, missing, state):
    on.support.deny(on.guild.everyone, *denied)
    probe = await rights(on)
    assert (probe.state, probe.code) == (state, "rights" if missing else "")
    assert dict(probe.facts)["missing"] == missing and (not missing or missing in probe.evidence)


def guest(on):
    return on.guild.role("guests", members=(on.me,))


def staff(on):
    category = on.guild.category("Staff")
    category.deny(on.guild.everyone, "view_channel")
    return on.guild.channel("desk", under=category)


@pytest.mark.parametrize(
    ("keeps_out", "denied", "fix"),
    [
        (lambda on: on.support.deny(on.me, "view_channel"), "denied to the bot itself in the channel", "Edit Channel"),
        (
            lambda on: on.support.deny(guest(on), "view_channel"),
            "denied to the role guests in the channel",
            "Edit Channel, Permissions, the bot's role: switch View Channel on.",
        ),
        (
            lambda on: on.support.deny(on.guild.everyone, "view_channel"),
            "denied to @everyone in the channel",
            "Edit Channel, Permissions",
        ),
        (
            lambda on: on.guild.permit(on.guild.everyone, "send_messages"),
            "no role of the bot grants it",
            "Server Settings, Roles, the bot's role: switch View Channel on",
        ),
    ],
)
async def test_who_keeps_the_bot_from_viewing_a_channel_is_named(on, keeps_out, denied, fix):
    keeps_out(on)
    probe = await rights(on)
    assert (probe.state, probe.code) == ("failed", "no_access")
    assert dict(probe.facts) == {"missing": "View Channel", "may_send": "no", "denied": denied}
    assert denied in probe.evidence and fix in probe.fix


async def test_a_category_that_keeps_the_bot_out_is_named_where_its_rights_are_changed(on):
    desk = staff(on)
    probe = await rights(on, here(desk))
    assert dict(probe.facts)["denied"] == "denied to @everyone in the category Staff"
    assert probe.fix == "Edit Category (Staff), Permissions, the bot's role: switch View Channel on."
    desk.deny(on.guild.everyone, "send_messages")  # from now on the channel has rights of its own
    assert dict((await rights(on, here(desk))).facts)["denied"] == "denied to @everyone in the channel"


async def test_a_channel_that_discord_hides_is_named_as_far_as_can_be_known(on):
    """Nobody tells a bot any more what keeps it out: known are its own roles, and that there is a channel."""
    on.world.switches.obfuscates = True
    on.support.deny(guest(on), "view_channel")
    probe = await rights(on, known={on.support.id})
    assert (probe.state, probe.code) == ("failed", "no_access")
    assert "Discord does not say by whom" in dict(probe.facts)["denied"]
    assert probe.fix.endswith("View Channel on for the bot's role; also look at @everyone, guests.")
    on.guild.permit(on.guild.everyone, "send_messages")
    assert dict((await rights(on, known={on.support.id})).facts)["denied"] == "no role of the bot grants it"
    assert (await rights(on)).code == "hidden"


async def test_a_role_that_allows_it_wins_over_one_that_does_not(on):
    helpers = on.guild.role("helpers", members=(on.me,))
    on.support.deny(on.guild.everyone, "view_channel")
    on.support.deny(guest(on), "view_channel")
    on.support.allow(helpers, "view_channel")
    assert (await rights(on)).state == "ok"


@pytest.mark.parametrize("kind", [VOICE, STAGE], ids=["voice", "stage"])
async def test_the_chat_of_a_voice_channel_takes_connect(on, kind):
    lounge = on.guild.channel("lounge", kind=kind)
    assert (await rights(on, here(lounge))).state == "ok"
    lounge.deny(on.guild.everyone, "connect")
    probe = await rights(on, here(lounge))
    assert (probe.state, probe.code) == ("failed", "no_access")
    assert dict(probe.facts)["missing"] == "Connect" and "can't connect" in probe.evidence
    assert dict(probe.facts)["denied"] == "denied to @everyone in the channel"
    on.guild.channel("quiet").deny(on.guild.everyone, "connect")
    assert (await rights(on)).state == "ok"


async def test_who_denies_a_right_to_write_is_named_too(on):
    on.support.deny(guest(on), "send_messages")
    probe = await rights(on)
    assert probe.code == "rights" and "denied to the role guests in the channel" in probe.evidence


async def test_a_thread_that_is_not_shown_is_told_from_a_channel_that_is_gone(on):
    thread = await on.ann.starts_thread(on.support, "secret", private=True)
    probe = await rights(on, here(thread))
    assert (probe.state, probe.code) == ("failed", "hidden") and "private thread" in probe.evidence
    on.support.delete()
    assert (await rights(on)).code == "chat_not_found"


async def test_a_forum_is_named_for_what_it_is(on):
    forum = on.guild.forum("recipes")
    probe = await rights(on, here(forum))
    assert probe.state == "ok" and "posts" in probe.evidence
    forum.deny(on.guild.everyone, "send_messages_in_threads")
    assert dict((await rights(on, here(forum))).facts)["missing"] == "Send Messages in Threads"


@pytest.mark.parametrize(
    ("changes", "code"), [({"pending": True}, "pending"), ({"flags": 1 << 7}, "quarantined"), ({"flags": 1 << 2}, "")]
)
async def test_what_keeps_the_bots_own_account_out_is_named(on, changes, code):
    on.server.fault("get_member", Alters(lambda member: member | changes))
    probe = await rights(on)
    assert (probe.code, probe.state) == (code, "failed" if code else "ok")


async def test_what_holds_for_people_there_is_told_beside_it(on):
    found = await looked(on, here(on.support))
    assert f"limits in {here(on.support)}" not in found
    on.support.change(slow_mode=30, is_age_restricted=True)
    on.guild.verification_level = 4
    limits = (await looked(on, here(on.support)))[f"limits in {here(on.support)}"]
    assert limits.state == "ok" and "once in 30 s (bots are not held back)" in limits.evidence
    assert "confirmed their age" in limits.evidence and "verified phone" in limits.evidence


async def test_a_server_that_is_down_is_no_missing_right(on):
    state = DiscordState(on.clock, 90.0, wants_content=True)
    state.guild(on.guild.id, is_away=True)
    since = on.clock.now()
    found = {
        probe.name: probe for probe in await DiscordProber(on.desk, state, set().__contains__).probe(here(on.support))
    }
    probe = found[f"rights in {here(on.support)}"]
    assert (probe.state, probe.code) == ("failed", "outage") and dict(probe.facts) == {"since": str(since)}
    assert dict(state.health().facts)["guilds_away"] == f"{on.guild.id}:{since}"
    state.guild(on.guild.id, is_away=False)
    assert "guilds_away" not in dict(state.health().facts)


async def test_who_has_it_for_themselves_alone_has_not_added_it_to_the_server(on):
    on.guild.leave(on.me)
    assert "your own account" not in (await rights(on)).fix
    on.me.installs = ("0", "1")
    assert "your own account" in (await rights(on)).fix


async def test_a_server_that_the_bot_left_is_named(on):
    on.guild.leave(on.me)
    found = await looked(on, here(on.support))
    assert found[f"rights in {here(on.support)}"].code == "not_member"
    assert f"commands in {here(on.support)}" not in found


async def test_a_channel_that_is_gone_or_elsewhere_is_named(on):
    other = on.world.guild("Garden", on.ann, on.me)
    forged = ChannelId(f"discord:{other.id}:{on.support.id}")
    assert (await rights(on, forged)).code == "chat_not_found"
    on.support.delete()
    assert (await rights(on)).code == "chat_not_found"


@pytest.mark.parametrize(
    ("changes", "code", "state"),
    [
        ({"is_archived": True}, "archived", "warning"),
        ({"is_archived": True, "is_locked": True}, "locked", "failed"),
        ({"is_locked": True}, "locked", "failed"),
        ({}, "", "ok"),
    ],
)
async def test_a_thread_that_is_closed_is_named(on, changes, code, state):
    thread = await on.ann.starts_thread(await on.ann.says(on.support, "tea"), "Tea")
    thread.change(**changes)
    probe = await rights(on, here(thread))
    assert (probe.code, probe.state) == (code, state)
    on.support.deny(on.guild.everyone, "send_messages_in_threads")
    if not code:
        assert dict((await rights(on, here(thread))).facts)["missing"] == "Send Messages in Threads"


async def test_a_bot_that_is_timed_out_is_told_until_when(on):
    for until, code in ("2099-01-01T00:00:00+00:00", "timed_out"), ("2001-01-01T00:00:00+00:00", ""):
        on.server.fault("get_member", Alters(lambda member, at=until: member | {"communication_disabled_until": at}))
        probe = await rights(on)
        assert (probe.code, "until" in dict(probe.facts)) == (code, bool(code))


async def test_private_chats_and_what_was_opened_for_one_person(on):
    assert (await rights(on, dm(on.ann))).state == "ok"
    assert (await rights(on, ChannelId("discord:dm:999"))).code == "dm_closed"
    assert (await rights(on, ephemeral_id("discord", 5))).state == "ok"
    assert (await rights(on, ChannelId("discord:x:y"))).code == "chat_not_found"


async def test_nothing_is_changed_by_looking(on):
    await looked(on, here(on.support))
    assert all(call.method == "GET" for call in on.server.calls())


@pytest.mark.parametrize(
    "operation", ["get_application", "get_gateway_bot", "get_guild", "get_guild_channels", "get_commands"]
)
async def test_what_cannot_be_asked_is_unknown(on, operation):
    on.server.fault(operation, Refuses(503, 0, "?"), times=3)
    found = await looked(on, here(on.support))
    assert any(probe.state == "unknown" and probe.code == "network" for probe in found.values())


async def test_calls_that_go_slowly_because_so_much_was_refused_are_named(on):
    for _ in range(500):
        on.rest.invalid.note(403, {})
    probe = (await looked(on))["discord requests"]
    assert probe.state == "warning"
    assert "refused 500 requests within 10 minutes" in probe.evidence
    assert probe.fix


async def test_an_endpoint_of_the_portal_is_named_by_its_host_alone(on):
    on.me.endpoint = "https://user:hush@bots.example/hook?key=hush"
    await menus.publish(on.desk, CommandMenu(entries=(MenuEntry(name="why", help="why?"),)), on.notes.__setitem__)
    assert on.notes == {"interactions_host": "bots.example", "commands": "synced"}
    commands = (await looked(on))["discord slash commands"]
    assert (commands.state, commands.code) == ("failed", "endpoint")
    assert "to bots.example, not to this bot" in commands.evidence and "hush" not in str(commands)
    assert "empty Interactions Endpoint URL" in commands.fix
    on.me.endpoint = None
    assert (await looked(on))["discord slash commands"].state == "ok"


async def test_webhook_events_that_go_elsewhere_take_nothing_from_the_bot(on):
    on.me.webhooks = "https://events.example/hook"
    found = (await looked(on))["discord webhook events"]
    assert found.state == "ok" and "events.example; no message and no command" in found.evidence


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"integration_types_config": {"1": {}}}, "user_install"),
        ({"integration_types_config": {"0": {}, "1": {}}}, ""),
        ({"integration_types_config": {}}, ""),
        ({"bot_require_code_grant": True}, "code_grant"),
    ],
)
async def test_what_the_portal_lets_nobody_add_is_named(on, changes, code):
    on.server.fault("get_application", Alters(lambda application: application | changes))
    found = (await looked(on)).get("discord install")
    assert (found.code if found else "") == code
