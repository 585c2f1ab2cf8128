"""Plugins as people meet them: installed from wheels, named in the configuration, and named in what is said of them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.app.adapters import adapter_problems
from bot.app.named_plugins import plugins_of
from bot.config import parse_config
from bot.domain.ledger import LedgerStage
from bot.errors import ConfigError
from tests.dialogs.bot import GENERAL, Bot, a_bot
from tests.fakes.provider import ScriptedProvider, calls, says
from tests.fakes.wheels import EXAMPLES, installed, unpacked, wheel_of, written

NIGHT = """
[plugins.house-rules]
begin = 08:00:00
end = 10:00:00
"""
DICE = """
[model]
name = "scripted/m"
[providers.scripted]
kind = "openai"
[plugins.dice]
seed = 7
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Both examples, built as wheels and installed."""
    place = tmp_path_factory.mktemp("site")
    for example in ("dice", "quiet_hours"):
        unpacked(wheel_of(EXAMPLES / example, place / "wheels"), place)
    return place


@pytest.fixture(autouse=True)
def are_installed(site: Path) -> Iterator[None]:
    with installed(site):
        yield


async def test_a_gate_of_a_plugin_stops_a_message_and_its_rule_says_so(tmp_path: Path):
    async with a_bot(tmp_path / "data", more=NIGHT) as bot:
        assert await bot.says("ann", "@glassmind are you there?") == []
        report = await asked(bot, "!cortex why")
        assert "✗ #general: quiet hours" in report
        assert "Quiet is 08:00 to 10:00 UTC." in report
        assert "Plugin house-rules 1.2 says so." in report
        assert "✗ gate quiet-hours · not reached: queue, model, delivery" in report

        page = await asked(bot, "!cortex quiet")
        assert "Stopped there in 24 h: 1." in page

        assert "1 by gate quiet-hours" in "\n".join(await bot.says("ann", "/status"))
        assert "gate quiet-hours, rule QUIET-HOURS, page quiet" in await asked(bot, "!cortex doctor")


async def test_a_gate_whose_plugin_is_gone_is_still_named_with_its_version(tmp_path: Path):
    async with a_bot(tmp_path / "data", more=NIGHT) as bot:
        await bot.says("ann", "@glassmind are you there?")
        bot.more = ""
        await bot.restart()
        report = await asked(bot, "!cortex why")
        assert "Stopped by plugin house-rules 1.2, gate quiet-hours." in report
        assert "quiet: 08:00 to 10:00 UTC" in report
        assert "See [plugins.house-rules]." in report


async def test_a_command_and_a_tool_of_a_plugin_are_named_where_they_are_recorded(tmp_path: Path):
    model = ScriptedProvider(calls(("roll_dice", {"dice": "2d6"})), says("It fell."))
    async with a_bot(tmp_path / "data", providers={"scripted": model}, more=DICE) as bot:
        assert await bot.says("ann", "/roll 2d6") == ["[#general] glassmind< ann rolls 2d6: 3 + 2 = 5"]
        assert "Say how many dice of how many sides" in (await bot.says("ann", "/roll a hundred"))[0]
        assert "/roll  [2d6] roll dice" in "\n".join(await bot.says("ann", "/help"))
        # without its slash it is talk
        assert await bot.says("bo", "roll 2d6") == []

        await bot.says("ann", "@glassmind roll two dice for me")
        offered = {tool.name: tool.description for tool in model.requests[0].tools}
        assert offered["roll_dice"].endswith("(From the plugin dice 1.0.)")
        origins = {
            (row.stage, dict(row.detail).get("plugin"))
            for stored in await bot.store.ledger.recent(GENERAL, 20)
            for row in (await bot.store.ledger.trail(stored.id)).stages
        }
        assert {(LedgerStage.TOOL, "dice 1.0"), (LedgerStage.DECIDED, "dice 1.0")} <= origins
        assert "roll_dice (plugin dice 1.0)" in await asked(bot, "!cortex tools")


async def test_what_is_not_named_does_not_run_and_the_doctor_says_that_it_is_there(tmp_path: Path):
    async with a_bot(tmp_path / "data") as bot:
        assert await bot.says("ann", "/roll 2d6") == []
        assert "glassmind_dice" not in sys.modules
        told = await asked(bot, "!cortex doctor")
        assert "✓ plugin dice: 1.0 is installed and does not run: the configuration has no [plugins.dice]" in told
        assert "glassmind_dice" not in sys.modules


RUDE = """
from bot.api import *

async def crash(call, desk):
    raise SystemExit("gone")

def grumpy(facts):
    return {}["mood"]

def silent(evidence):
    yield 7

class Args(ToolArgs):
    word: str

@tool(kinds=[ProcessKind.CHANNEL], description="x")
async def bytes_only(args: Args) -> str:
    return args.word.encode()

def build(setup):
    return Contributions(
        tools=[bytes_only],
        gates=[PluginGate("grumpy", grumpy)],
        rules=[PluginRule("GRUMPY", silent, PluginScenario(says="x"))],
        commands=[ChatCommand("crash", Authority.EVERYONE, "x", crash)],
    )

plugin = Plugin(build, PluginSettings)
"""


async def test_a_rude_plugin_is_named_and_switched_off_and_everybody_else_is_answered(tmp_path: Path):
    model = ScriptedProvider(calls(("bytes_only", {"word": "a"})), says("I did without it."), says("Yes."))
    more = DICE + "[plugins.rude]"
    with installed(written(tmp_path / "site", "rude", RUDE)):
        async with a_bot(tmp_path / "data", providers={"scripted": model}, more=more) as bot:
            assert "I did without it." in (await bot.says("ann", "@glassmind hello"))[0]
            told = str(model.requests[1].messages[-1])
            assert "bytes_only of plugin rude 1.0 did not work: it gave something else than it should: bytes" in told
            for _ in range(3):
                assert "Something went wrong inside me." in "\n".join(await bot.says("ann", "/crash"))
            said = (await bot.says("ann", "/crash"))[0]
            assert "This command of plugin rude 1.0 broke too often and is switched off." in said
            assert "Plugin rude 1.0: command crash is switched off after 3 faults." in "\n".join(bot.private())

            for asks in ("are you there?", "and now?"):
                assert "[#general] glassmind< Yes." in await bot.says("bo", f"@glassmind {asks}")
            assert await bot.says("ann", "/roll 2d6")
            assert "was answered" in await asked(bot, "!cortex why")
            doctor = await asked(bot, "!cortex doctor")
            assert "✗ plugin rude: 1.0 runs: tool bytes_only, rule GRUMPY" in doctor
            assert "gate grumpy is switched off after 3 faults: it broke (KeyError: 'mood')" in doctor


async def test_wrong_settings_of_a_plugin_are_named_by_their_key(tmp_path: Path):
    with pytest.raises(ConfigError) as refused:
        plugins_of(parse_config(f'[bot]\ndata_dir = "{tmp_path}"\n[plugins.dice]\nmost_dice = 0\nsides = 6', {}))
    wrong = ["plugins.dice.most_dice", "plugins.dice.sides"]
    assert [one.partition(":")[0] for one in refused.value.problems] == wrong
    # and where a file is only checked, together with all else that is wrong in it
    found = adapter_problems(
        {"plugins": {"dice": {"most_dice": 0, "sides": 6}}, "providers": {"x": {"kind": "no_such"}}}
    )
    assert [one.partition(":")[0] for one in found] == [*wrong, "providers.x.kind"]


async def asked(bot: Bot, words: str) -> str:
    return "\n".join(await bot.says("root", words))
