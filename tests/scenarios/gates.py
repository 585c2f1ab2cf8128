"""Messages that a gate stops: not addressed, from the wrong person, from the wrong place, by a program."""

from __future__ import annotations

from bot.domain.ids import MAIN, ChannelId, ChannelKey
from bot.domain.messages import AuthorKind
from tests.fakes.wheels import installed, written
from tests.scenarios.scenario import Scenario
from tests.scenarios.stage import Stage

SILENCE = """
from bot.api import Contributions, Plugin, PluginGate, PluginSettings, stopped

def build(setup):
    gate = PluginGate("quiet-hours", lambda facts: stopped("quiet-hours", "night", ("until", "07:00")))
    return Contributions(gates=[gate])

plugin = Plugin(build, PluginSettings)
"""

ANNS_DM = ChannelKey(MAIN, ChannelId("console:dm:101"))


async def ann_asks(stage: Stage) -> None:
    await stage.says("ann", "@glassmind are you there?")


async def ann_talks(stage: Stage) -> None:
    await stage.says("ann", "is anybody there?")
    await stage.says("ann", "hello?")


async def ann_talks_and_is_answered(stage: Stage) -> None:
    await ann_talks(stage)
    stage.replied = stage.message_id("is anybody there?")
    await ann_asks(stage)


async def ann_answers_james(stage: Stage) -> None:
    await stage.says("james", "who is there?")
    await stage.bot.types("/as ann", f"/reply {stage.message_id('who is there')} I am, and who are you?")


async def ann_talks_before_it_is_active(stage: Stage) -> None:
    await ann_talks(stage)
    await stage.says("mod", "@glassmind !active")


async def the_list_is_mended(stage: Stage) -> None:
    await ann_asks(stage)
    await stage.ends("stopped by a signal")
    stage.bot.set("console", allowed_users=["101", "102"])
    await stage.begins()


async def ann_asks_in_private(stage: Stage) -> None:
    await stage.says("ann", "are you there?", "dm")


async def a_program_asks(stage: Stage) -> None:
    stage.terminal.programs["bo"] = AuthorKind.BOT
    await stage.says("bo", "@glassmind are you there?")


async def a_webhook_asks(stage: Stage) -> None:
    stage.terminal.programs["bo"] = AuthorKind.WEBHOOK
    await stage.says("bo", "@glassmind the build has failed")


async def a_plugin_wants_silence(stage: Stage) -> None:
    site = stage.bot.data.parent / "site"
    with installed(written(site, "house-rules", SILENCE, version="1.2")):
        await stage.ends("stopped by a signal")
        stage.bot.set("plugins", **{"house-rules": {}})
        await stage.begins()
        await ann_asks(stage)


async def programs_go_on(stage: Stage) -> None:
    stage.terminal.programs["bo"] = AuthorKind.BOT
    for number in range(3):
        await stage.says("bo", f"@glassmind what is {number} and {number}?")


NOT_ADDRESSED = (
    Scenario("nobody mentions the bot", "GATE-MENTION", ann_talks, ("2 such messages", "mention-only", "active")),
    Scenario(
        "nobody mentioned the bot, and all are answered since",
        "GATE-MENTION",
        ann_talks_before_it_is_active,
        ("changed since", "answers every message here now"),
    ),
    Scenario(
        "an older message is meant",
        "GATE-MENTION",
        ann_talks_and_is_answered,
        ("the message you replied to", "active"),
        why="/reply {replied} !cortex why",
    ),
    Scenario("it answers somebody else", "GATE-MENTION", ann_answers_james, ("replies to somebody else", "active")),
)
SENDERS = (
    Scenario(
        "the sender is not on the list",
        "GATE-USER",
        ann_asks,
        ("101", "allowed_users (102)", "Add the id"),
        settings={"console": {"allowed_users": ["102"]}},
    ),
    Scenario(
        "the sender is on the list since",
        "GATE-USER",
        the_list_is_mended,
        ("the sender was not allowed", "changed since", "Ask again"),
        settings={"console": {"allowed_users": ["102"]}},
    ),
    Scenario(
        "the list of senders is empty",
        "GATE-USER",
        ann_asks,
        ("101", "allowed_users (empty: none)", "remove allowed_users"),
        settings={"console": {"allowed_users": []}},
    ),
    Scenario(
        "the list of senders is empty, seen from the machine",
        "GATE-USER",
        ann_asks,
        ("101", "allowed_users (empty: none)", "remove allowed_users"),
        settings={"console": {"allowed_users": []}},
        on_host=True,
    ),
    Scenario(
        "the sender is blocked",
        "GATE-USER",
        ann_asks,
        ("is blocked", "blocked_users", "101", "remove the id from"),
        settings={"console": {"blocked_users": ["101"]}},
    ),
)
PLACES = (
    Scenario(
        "the channel is not on the list",
        "GATE-CHANNEL",
        ann_asks,
        ("console:#general", "allowed_channels (#other)", "Add the id"),
        settings={"console": {"allowed_channels": ["#other"]}},
    ),
    Scenario(
        "the channel is not on the list, asked from elsewhere",
        "GATE-CHANNEL",
        ann_asks,
        ("console:#general", "allowed_channels (#other)"),
        settings={"console": {"allowed_channels": ["#other"]}},
        place="dm",
        why="!cortex why #general",
    ),
    Scenario(
        "the channel is blocked",
        "GATE-CHANNEL",
        ann_asks,
        ("is blocked", "blocked_channels", "#general", "remove the id from"),
        settings={"console": {"blocked_channels": ["#general"]}},
    ),
    Scenario(
        "the server is not on the list",
        "GATE-CHANNEL",
        ann_asks,
        ("terminal", "allowed_guilds (7)", "Add the id"),
        settings={"console": {"allowed_guilds": ["7"]}},
    ),
    Scenario(
        "direct messages are off",
        "GATE-CHANNEL",
        ann_asks_in_private,
        ("direct messages are off", "allow_dms = true"),
        settings={"console": {"allow_dms": False}, "cortex": {"inspect_dms": True}},
        target=ANNS_DM,
        why=f"!cortex why {ANNS_DM.channel}",
    ),
)
KINDS = (
    Scenario(
        "a channel among the users",
        "AUTH-KIND",
        ann_asks,
        ("allowed_users", "channel's id", "#general", "sender's id"),
        settings={"console": {"allowed_users": ["102", "#general"]}},
    ),
    Scenario(
        "a server among the channels",
        "AUTH-KIND",
        ann_asks,
        ("allowed_channels", "server's id", "terminal", "channel's id"),
        settings={"console": {"allowed_channels": ["terminal"]}},
    ),
    Scenario(
        "a name among the users",
        "AUTH-KIND",
        ann_asks,
        ("allowed_users", "sender's name", "101"),
        settings={"console": {"allowed_users": ["@Ann"]}},
    ),
    Scenario(
        "a user among the channels",
        "AUTH-KIND",
        ann_asks,
        ("allowed_channels", "sender's id", "101", "channel's id"),
        settings={"console": {"allowed_channels": ["101"]}},
    ),
)
AUTHORS = (
    Scenario("another bot asks", "BOT-AUTHOR", a_program_asks, ("Another bot", "allow_bots = true")),
    Scenario("a webhook asks", "BOT-AUTHOR", a_webhook_asks, ("A webhook", "allow_bots = true")),
    Scenario(
        "bots answer each other",
        "BOT-AUTHOR",
        programs_go_on,
        ("2 messages by bots in a row, the limit is 2", "loop_guard_messages"),
        settings={"console": {"allow_bots": True}, "limits": {"loop_guard_messages": 2}},
    ),
)
PLUGINS = (
    Scenario(
        "a plugin wants silence",
        "GATE-PLUGIN",
        a_plugin_wants_silence,
        ("Stopped by plugin house-rules 1.2, gate quiet-hours.", "Its reason: night.", "until: 07:00", "[plugins."),
    ),
)
SCENARIOS = (*NOT_ADDRESSED, *SENDERS, *PLACES, *KINDS, *AUTHORS, *PLUGINS)
