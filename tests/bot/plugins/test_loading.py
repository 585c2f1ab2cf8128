"""What can be wrong with a plugin before it does anything: it is left out with its reason, and the others run."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.config.schema import PluginConfig
from bot.plugins import guard as guarding
from bot.plugins.loading import load_plugins
from bot.plugins.plugins import PluginRecord, PluginState
from bot.plugins.probes import plugin_row
from tests.fakes.wheels import installed, written

WELL = """
from bot.api import *

def build(setup):
    return Contributions(commands=[ChatCommand("greet", Authority.EVERYONE, "say good day", greet)])

async def greet(call, desk):
    return "good day"

plugin = Plugin(build, PluginSettings)
"""
BRINGS = """
from bot.api import *

class Args(ToolArgs):
    word: str

async def run(*values):
    return ""

def check(facts):
    return passed("x")

async def later(facts):
    return passed("x")

@tool(kinds=[ProcessKind.CHANNEL], description="x")
async def reply(args: Args) -> str:
    return ""

@tool(kinds=[ProcessKind.CHANNEL])
async def wordless(args: Args) -> str:
    return ""

class Note:
    name, stability, priority = "identity", SectionStability.STATIC, 1

SCENE = PluginScenario(says="x")
plugin = Plugin(lambda setup: Contributions(BROUGHT), PluginSettings)
"""


def load(tmp_path: Path, source: str, *more: Path) -> PluginRecord:
    """Load a plugin beside one that is well."""
    well = written(tmp_path / "site", "well", WELL)
    site = written(tmp_path / "site", "odd", source)
    with installed(well, site, *more):
        plugins = load_plugins({"odd": PluginConfig(), "well": PluginConfig()}, tmp_path / "data")
    odd, fine = plugins.records
    assert fine.state is PluginState.RUNS and "greet" in [one.name for one in plugins.commands]
    return odd


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("raise ValueError('no')", "it broke (ValueError: no)"),
        ("import sys; sys.exit(3)", "it broke (SystemExit: 3)"),
        ("from bot.api import NotYetThere", "cannot import name 'NotYetThere'"),
        ("plugin = (", "it broke (SyntaxError"),
        ("while True: pass", "everybody waited 0.2 s for it"),
        ("import time; time.sleep(9)", "everybody waited 0.2 s for it"),
        ("x = 1", "it broke (AttributeError"),
        ("plugin = 7", "a plugin was expected, and it brings int"),
        (
            "from bot.api import *\nplugin = Plugin(lambda s: 1/0, PluginSettings)",
            "it broke (ZeroDivisionError: division by zero)",
        ),
        ("from bot.api import *\nplugin = Plugin(lambda s: [], PluginSettings)", "it brings list"),
        (
            "from bot.api import *\nplugin = Plugin(lambda s: 0, PluginSettings, api=(1, 9))",
            "it needs version 1.9 of the plugin interface; this bot has 1.0",
        ),
        ("from bot.api import *\nplugin = Plugin(lambda s: 0, PluginSettings, api=(2, 0))", "it needs version 2.0"),
        ("from bot.api import *\nplugin = Plugin(lambda s: 0, PluginSettings, api='new')", "it broke (ValueError"),
        ("open('/tmp/outside', 'w')", "it tried to write outside its folder (/tmp/outside)"),
    ],
)
def test_what_cannot_be_loaded_is_left_out(
    tmp_path: Path, source: str, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guarding, "STEP_SECONDS", 0.2)
    record = load(tmp_path, source)
    assert record.state is PluginState.REFUSED and why in record.why[0]
    row = plugin_row(record)
    assert row.state == "failed" and row.evidence.startswith("1.0 was left out: ")
    assert row.fix == "Update or remove the package glassmind-odd; then restart the bot."


@pytest.mark.parametrize(
    ("brought", "why"),
    [
        ("tools=[reply]", "tool reply has a name of the bot's own"),
        ("tools=[wordless]", "tool wordless needs a description, and no group"),
        ("tools=[run]", "a tool was expected, and it brings function"),
        ("gates=[PluginGate('pause', check)]", "gate pause has a name of the bot's own"),
        ("gates=[PluginGate('x', later)]", "a check was expected, and it brings function"),
        ("gates=[check]", "a gate was expected, and it brings function"),
        ("rules=[PluginRule('PAUSED', check, SCENE)]", "rule PAUSED has a name of the bot's own"),
        ("commands=[ChatCommand('pause', Authority.EVERYONE, 'x', run)]", "command pause has a name of the bot's own"),
        ("commands=[ChatCommand('Roll It', Authority.EVERYONE, 'x', run)]", 'command "Roll It" has a name that cannot'),
        ("commands=[ChatCommand('greet', Authority.EVERYONE, 'x', run)] * 2", "command greet comes from another"),
        ("pages=[CortexCommand('', PageCommand('why', no_arguments, 'x', run))]", "page why has a name of the bot's"),
        ("sections=[PluginSection(Note(), [ProcessKind.CHANNEL])]", "section identity has a name of the bot's own"),
        ("providers=[PluginAdapter('openai', run)]", "provider openai has a name of the bot's own"),
        ("platforms=[PluginAdapter('discord', run)]", "platform discord has a name of the bot's own"),
        ("languages=[PluginLanguage('de', None)]", "language de has a name of the bot's own"),
        ("tools=None", "tools: it broke (TypeError"),
        ("hooks=(1 / 0 for _ in 'x')", "hooks: it broke (ZeroDivisionError"),
    ],
)
def test_a_part_that_is_not_what_it_says_is_left_out(tmp_path: Path, brought: str, why: str) -> None:
    record = load(tmp_path, BRINGS.replace("BROUGHT", brought))
    assert record.state is PluginState.RUNS and why in record.why[0]
    assert plugin_row(record).state == "warning"


def test_two_versions_at_once_are_none(tmp_path: Path) -> None:
    older = written(tmp_path / "older", "odd", WELL, version="0.9")
    record = load(tmp_path, WELL, older)
    assert record.why == (
        "it is installed more than once: glassmind-odd 1.0, glassmind-odd 0.9. Uninstall all but one",
    )


def test_what_is_named_and_not_installed_is_missing(tmp_path: Path) -> None:
    (record,) = load_plugins({"nowhere": PluginConfig()}, tmp_path).records
    row = plugin_row(record)
    assert (row.state, row.evidence) == ("failed", "the configuration names it, and it is not installed")


def test_what_is_switched_off_is_not_even_imported(tmp_path: Path) -> None:
    with installed(written(tmp_path / "site", "odd", "raise ValueError")):
        (record,) = load_plugins({"odd": PluginConfig(enabled=False)}, tmp_path).records
    assert plugin_row(record).evidence == "1.0 is installed and switched off (enabled = false)"
