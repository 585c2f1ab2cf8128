"""`glassmind plugin`: what it writes works at once, and what it tries it says."""

from __future__ import annotations

import asyncio
import runpy
import sys
import sysconfig
import venv
from asyncio.subprocess import PIPE
from pathlib import Path

import pytest

from bot.cli.main import run
from tests.architecture.tree import ROOT
from tests.bot.cli.process import surroundings
from tests.bot.plugins.everything import EVERYTHING
from tests.fakes.wheels import EXAMPLES, installed, unpacked, wheel_of, written


def test_a_new_plugin_works_and_so_does_its_test(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["plugin", "new", "party-hat", "--into", str(tmp_path)]) == 0
    project = tmp_path / "glassmind-party-hat"
    assert f"pip install -e {project}" in capsys.readouterr().out
    with installed(unpacked(wheel_of(project, tmp_path / "wheels"), tmp_path / "site")):
        tests = runpy.run_path(str(project / "tests/test_party_hat.py"))
        tests["test_it_greets_by_name"]()
        tests["test_it_brings_a_command_and_a_tool"](tmp_path)
        assert run(["plugin", "check", "party-hat"]) == 0
    assert "✓ tool party_hat\n✓ command party_hat\n3 checks: all is well." in capsys.readouterr().out
    assert run(["plugin", "new", "party-hat", "--into", str(tmp_path)]) == 2
    assert run(["plugin", "new", "Party Hat", "--into", str(tmp_path)]) == 2


def test_the_examples_keep_every_contract(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for example in ("dice", "quiet_hours"):
        unpacked(wheel_of(EXAMPLES / example, tmp_path / "wheels"), tmp_path / "site")
    with installed(tmp_path / "site"):
        assert run(["plugin", "check", "house-rules"]) == 0
        said = capsys.readouterr().out
        assert "✓ rule QUIET-HOURS, its scenario\n5 checks: all is well." in said
        assert run(["plugin", "check", "dice"]) == 0


PARTS = (
    *("capabilities", "health", "probe", "resolve", "is_channel_admin", "send", "react"),
    *("fetch", "publish", "handoff", "run", "close"),
)


def test_every_kind_is_tried(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    broken = EVERYTHING.replace("ScorePoints(77.0", "ScorePoints(next(_POINTS)").replace(
        "class Settings", "import itertools\n_POINTS = itertools.count()\n\nclass Settings"
    )
    broken = broken.replace('return "good day"', "return 7").replace("ask-again = Xx yy", "nobody-says = Xx")
    broken = broken.replace('says="AAAA"', 'says="hm"')
    with installed(written(tmp_path / "site", "everything", broken)):
        assert run(["plugin", "check", "everything"]) == 1
    said = capsys.readouterr().out
    assert "✗ command greet: it gave something else than it should: int" in said
    assert "✗ language xx: cost_cap.ftl: nobody-says" in said
    assert "✗ rule NO-SHOUTING, its scenario: these rules spoke: -" in said
    assert "✗ prioritisers, debug: the same gave something else the second time" in said
    assert [part for part in PARTS if f"✓ platform den, {part}\n" in said] == list(PARTS), said


DEN = """

class Den:
    def __init__(self, inner):
        self.inner, self.name = inner, inner.name
        self.capabilities = inner.capabilities.replace(max_units=90, cards=True, polls=True)
        self.drawn = []

    def __getattr__(self, name):
        return getattr(self.inner, name)

    async def moderates(self, person, channel):
        return True

    async def send(self, message):
        self.drawn.append(message.rich.kind if message.rich else message.text)
        if message.rich and message.rich.kind == "poll":
            raise ValueError(f"no room for {self.drawn}")
        return await self.inner.send(message)

    async def probe(self, channel):
        raise ValueError("no cellar")

    def resolve(self, text):
        return self.inner.resolve("#x")._replace(channel="elsewhere:1")

    def handoff(self, heard):
        return heard.text

    def take_up(self, heard, handoff):
        return heard.replace(text="other")

    async def react(self, channel, message_id, emoji):
        await asyncio.sleep(60)

    async def run(self, ears):
        press = ButtonPress(person=PersonKey("x", "1"), name="Ann", channel="x:1", data="")
        await ears.pressed(press)


def den(settings, clock):
    from adapters.console import create

    return Den(create({**settings, "silent": True}, clock))
"""
FAULTS = {
    "capabilities": "a message has room for 90 units, and 1,000 are needed",
    "probe": "ValueError: no cellar",
    "resolve": '"elsewhere:1" does not begin with its name, "den:"',
    "is_channel_admin": "it takes somebody whom nobody knows for an admin",
    "send": "ValueError: no room for ['hello', 'card', 'poll']",
    "handoff": "what one process hands over is read differently by another",
    "react": "it gave no answer in 0.2 s",
    "run": '"x:" does not begin with its name, "den:"',
}


def test_a_platform_that_does_not_keep_what_it_must_is_told_of_part_by_part(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.cli.platform_trial.SECONDS", 0.2)
    imports = "import asyncio\nfrom bot.api import ButtonPress, PersonKey\n"
    broken = imports + EVERYTHING.replace("def den(", "def unused(").replace(
        "\nplugin = Plugin", f"{DEN}\nplugin = Plugin"
    )
    with installed(written(tmp_path / "site", "everything", broken)):
        assert run(["plugin", "check", "everything"]) == 1
    lines = [line for line in capsys.readouterr().out.splitlines() if "platform den, " in line]
    wrong = {line.partition("den, ")[2].partition(":")[0]: line for line in lines if line.startswith("✗")}
    assert wrong.keys() == FAULTS.keys(), lines
    assert not [part for part, words in FAULTS.items() if words not in wrong[part]], lines


async def test_wheels_in_an_environment_of_their_own(tmp_path: Path) -> None:
    home = tmp_path / "home"
    venv.create(home, with_pip=False)
    (site,) = (home / "lib").glob("python*/site-packages")
    # the bot and what it needs are there already, as in an environment in which it was installed
    (site / "beside.pth").write_text("\n".join((str(ROOT), sysconfig.get_path("purelib"))))
    python, wheels = home / "bin/python", [wheel_of(EXAMPLES / one, tmp_path) for one in ("dice", "quiet_hours")]
    pip = ("-m", "pip", "--python", str(python), "install", "--quiet", "--no-index", "--no-deps", *map(str, wheels))
    status, said = await ran(Path(sys.executable), *pip)
    if status:
        pytest.skip(f"wheels cannot be installed into an environment here: {said[-200:]}")
    config = tmp_path / "config.toml"
    config.write_text("[platforms.console]\nowner_ids = [1]\n[plugins.dice]\n")
    config.chmod(0o600)
    _, said = await ran(python, "-m", "bot", "doctor", "--free", "--config", str(config))
    assert "✓ plugin dice: 1.0 runs: tool roll_dice, command roll" in said
    assert "✓ plugin house-rules: 1.2 is installed and does not run" in said


async def ran(program: Path, *words: str) -> tuple[int, str]:
    process = await asyncio.create_subprocess_exec(
        program, *words, env=surroundings(), stdout=PIPE, stderr=asyncio.subprocess.STDOUT
    )
    out, _ = await process.communicate()
    return process.returncode or 0, out.decode()


def test_what_is_not_installed_cannot_be_tried(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["plugin", "check", "nowhere"]) == 2
    assert "No plugin nowhere is installed here." in capsys.readouterr().err
