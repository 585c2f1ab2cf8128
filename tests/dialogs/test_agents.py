"""Several agents in one bot: who answers where, with what, and what stays apart."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.cli.command_line import build_parser
from bot.cli.host_queries import HostQueries
from bot.config import parse_config
from bot.domain.access import Authority
from bot.domain.ids import MAIN, AgentId, ChannelId, ChannelKey
from bot.errors import ConfigError, UserError
from bot.tools.runtime.tool_grants import ToolGrants
from tests.dialogs.bot import GENERAL, Bot, a_bot
from tests.dialogs.telegram import AT, a_telegram_bot
from tests.fakes.provider import ScriptedProvider, calls, says
from tests.fakes.skills import write_skill

MODELS = """
[providers.scripted]
kind = "simulated"
[providers.other]
kind = "simulated"
[model]
name = "scripted/scripted-1"
context_window = 128000
"""
HELPER = """
[agents.helper]
name = "Helper"
persona = "You help."
model = "other/other-1"
fallbacks = []
skills = ["tea"]
channels = ["console:#help"]
"""
HELP = ChannelKey(AgentId("helper"), ChannelId("console:#help"))


class Two:
    """A bot with the agents `main` and `helper`, each on a model of its own."""

    def __init__(self, bot: Bot, main: ScriptedProvider, helper: ScriptedProvider) -> None:
        self.bot, self.main, self.helper = bot, main, helper


@pytest.fixture
async def two(tmp_path: Path) -> AsyncIterator[Two]:
    main, helper = ScriptedProvider(says("main here")), ScriptedProvider(says("helper here"), name="other")
    for name in ("tea", "coffee"):
        write_skill(tmp_path / "data" / "skills", name)
    providers = {"scripted": main, "other": helper}
    async with a_bot(tmp_path / "data", providers=providers, more=MODELS + HELPER) as bot:
        yield Two(bot, main, helper)


async def test_each_answers_in_its_channels_with_its_own(two):
    bot = two.bot
    assert "main here" in "".join(await bot.says("ann", "@glassmind hello"))
    assert "helper here" in "".join(await bot.says("ann", "Helper, hello", "#help"))
    (mine,), (theirs,) = two.main.requests, two.helper.requests
    assert "You are Glassmind" in mine.system_text and "- coffee:" in mine.system_text
    assert "You are Helper.\n\nYou help." in theirs.system_text
    assert "- tea:" in theirs.system_text and "coffee" not in theirs.system_text
    assert set(bot.app.registry.keys()) == {GENERAL, HELP}
    counts = {name: len(await bot.store.ledger.recent(key, 9)) for name, key in (("main", GENERAL), ("helper", HELP))}
    assert counts == {"main": 1, "helper": 1}
    assert await bot.store.ledger.recent(ChannelKey(MAIN, HELP.channel), 9) == []


async def test_memories_histories_and_settings_stay_apart(two):
    bot = two.bot
    saved = {"content": "Ann likes oolong.", "type": "preference", "importance": 0.5}
    two.helper.script = [calls(("memory_save", saved)), says("noted"), says("as you like it")]
    await bot.says("ann", "Helper, I like oolong", "#help")
    await bot.says("ann", "@glassmind hello")
    assert "oolong" not in two.main.requests[-1].system_text
    await bot.says("ann", "Helper, tea please", "#help")
    assert "oolong" in two.helper.requests[-1].system_text
    await bot.says("root", "/skills disable tea", "#help")
    assert bot.app.registry.get(HELP).settings.switches == {"tea": False}
    assert bot.app.registry.get(GENERAL).settings.switches == {}


async def test_the_cortex_says_which_agent(two):
    bot = two.bot
    await bot.says("ann", "Helper, hello", "#help")
    assert "agent helper" in "\n".join(await bot.says("root", "!cortex why #help"))
    assert "#help (helper): 1 of 1 skills on" in "\n".join(await bot.says("root", "!cortex skills #help"))
    assert "agent helper" in "\n".join(await bot.says("root", "/status", "#help"))
    assert "agent" not in "\n".join(await bot.says("root", "!cortex why #general"))


async def test_a_bot_with_one_agent_says_nothing_of_agents(tmp_path):
    async with a_bot(tmp_path) as bot:
        await bot.says("ann", "@glassmind hello")
        told = [*await bot.says("root", "/status"), *await bot.says("root", "/whoami"), *await bot.says("root", "!why")]
        assert "agent" not in "\n".join(told)


async def test_a_channel_that_changes_hands_begins_anew_and_says_so_once(tmp_path):
    main, helper = ScriptedProvider(says("main here")), ScriptedProvider(says("helper here"), name="other")
    providers = {"scripted": main, "other": helper}
    async with a_bot(tmp_path / "data", providers=providers, more=MODELS) as bot:
        await bot.says("ann", "@glassmind my secret is oolong", "#help")
        bot.more = MODELS + HELPER
        await bot.restart()
        said = await bot.says("ann", "Helper, hello", "#help")
        told = "From now on Helper answers here, and our conversation begins anew: what was said before stays with"
        assert told in said[0] and "helper here" in said[1]
        assert "oolong" not in str(helper.requests[-1].messages)
        assert len(await bot.says("ann", "Helper, again", "#help")) == 1
        await bot.restart()
        assert len(await bot.says("ann", "Helper, and again", "#help")) == 1
        # the host reads both, by name
        host = HostQueries(bot.store, bot.config.config, bot.clock)
        assert (await host.meant("#help"))[0].key == HELP
        old = HostQueries(bot.store, bot.config.config, bot.clock, "main")
        assert (await old.meant("console:#help"))[0].key == ChannelKey(MAIN, HELP.channel)
        assert (await host.meant("main/console:#help"))[0].agent == "main"
        with pytest.raises(UserError, match=r"nobody has no channel here. These agents have some: helper, main"):
            await HostQueries(bot.store, bot.config.config, bot.clock, "nobody").meant("#help")
        # and back: what main knew is not taken up again
        bot.more = MODELS
        await bot.restart()
        said = await bot.says("ann", "@glassmind hello", "#help")
        assert "From now on Glassmind" in said[0] and "stays with" in said[0]
        assert "oolong" not in str(main.requests[-1].messages) and "main here" in said[1]
        host = HostQueries(bot.store, bot.config.config, bot.clock)
        assert (await host.meant("helper/console:#help"))[0].agent == "helper"


async def test_what_people_decided_of_a_channel_goes_along(tmp_path):
    async with a_bot(tmp_path / "data", more="") as bot:
        await bot.says("ann", "@glassmind hello", "#help")
        await bot.says("root", "/active", "#help")
        await bot.says("root", "/model simulated/other", "#help")
        await bot.says("root", "/pause", "#help")
        bot.more = '[agents.helper]\nplatforms = ["console"]\n'
        await bot.restart()
        settings = bot.app.manager.book.of(HELP)
        assert settings.pause is not None and settings.mode == "active" and settings.model == ""
        assert settings.came_from == "main" and await bot.says("ann", "@glassmind hello", "#help") == []
        await bot.says("root", "/resume", "#help")
        assert len(await bot.says("ann", "hello", "#help")) == 2
        assert bot.app.manager.book.of(HELP).came_from == ""


async def test_on_telegram_a_platform_may_belong_to_an_agent(tmp_path):
    model = ScriptedProvider(says("hi"))
    more = '[agents.phone]\nname = "Phone"\nplatforms = ["telegram"]\n'
    async with a_telegram_bot(tmp_path / "data", model=model, more=more) as bot:
        await bot.hears(bot.ann, "Phone, are you there?")
        assert "You are Phone." in model.requests[0].system_text
        (key,) = bot.app.registry.keys()
        assert key.agent == "phone"


async def test_the_cortex_is_one_wherever_its_admin_writes(tmp_path):
    model = ScriptedProvider(says("hi"))
    more = '[agents.phone]\nname = "Phone"\nplatforms = ["telegram"]\n'
    async with a_telegram_bot(tmp_path / "data", model=model, more=more) as bot:
        await bot.hears(bot.ann, "Phone, are you there?")
        *_, report = await bot.hears(bot.root, f"{AT} !cortex why")
        said = await bot.hears(bot.root, "doctor", bot.dm(bot.root), reply_to=report)
        assert "store schema" in said[-1].text
        assert len(model.requests) == 1


def test_the_host_takes_the_name_of_an_agent():
    for command in ("why", "context", "ledger", "export"):
        assert build_parser().parse_args([command, "#help", "--agent", "helper"]).agent == "helper"
    assert build_parser().parse_args(["diff", "--agent", "helper"]).agent == "helper"


async def test_groups_of_tools_may_be_closed_to_an_agent():
    config = parse_config(
        """
        [platforms.console]
        [tools.web]
        enabled = true
        authority = "everyone"
        [agents.helper]
        channels = ["console:#help"]
        tools = ["files"]
        """,
        {},
    ).config
    grants = ToolGrants(config.tools, agents=config.agents)
    assert grants.allows("web", GENERAL, Authority.EVERYONE) and grants.allows("", HELP, Authority.EVERYONE)
    assert grants.refusal("web", HELP, Authority.OWNER) == "it is not open to the agent helper (agents.helper.tools)"
    assert grants.refusal("files", HELP, Authority.OWNER) == "it is off (tools.files.enabled)"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('[agents.a]\nchannels = ["console:#x"]\n[agents.b]\nchannels = ["#x"]\n', "agents.a.channels has it too"),
        ('[agents.a]\nplatforms = ["console"]\n[agents.b]\nplatforms = ["console"]\n', "in agents.a.platforms, too"),
        ('[agents.a]\nplatforms = ["irc"]\n', r"there is no \[platforms.irc\]"),
        ('[agents.a]\nchannels = ["x:y"]\ntools = ["hammer"]\n', 'no group of tools "hammer"'),
        ('[agents.a]\nchannels = ["x:y"]\nmodel = "nowhere/x"\n', "agents.a.model: no provider named 'nowhere'"),
        ('[agents.a]\nchannels = ["x:y"]\nfallbacks = ["x"]\n', r"agents.a.fallbacks\[0\]: 'x' is not"),
        ("[agents.a]\n", "nobody could talk to it"),
        ('[agents.main]\nchannels = ["x:y"]\n', "main is the agent for all other channels"),
        ('[agents.Big]\nchannels = ["x:y"]\n', "agents.Big"),
    ],
)
def test_what_does_not_fit_is_named(text, problem):
    with pytest.raises(ConfigError, match=problem):
        parse_config(f"[platforms.console]\n{text}", {})
