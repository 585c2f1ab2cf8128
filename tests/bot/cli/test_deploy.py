"""What is deployed names commands that exist, and is as closed as it says."""

from __future__ import annotations

import asyncio
import configparser
import re
import shlex
import shutil
import tomllib
from asyncio.subprocess import PIPE, STDOUT

import orjson
import pytest

from bot.cli.parser import build_parser
from tests.architecture.tree import ROOT

UNIT = ROOT / "deploy/glassmind.service"
FILE = (ROOT / "deploy/Containerfile").read_text()


def unit() -> configparser.ConfigParser:
    parser = configparser.ConfigParser(interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read(UNIT)
    return parser


def command(words: list[str]) -> str:
    """The command of a line that calls our program with what it takes; SystemExit for anything else."""
    program = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"]
    assert words[0].rsplit("/", 1)[-1] in program
    return str(build_parser().parse_args(words[1:]).command)


def test_the_unit_runs_a_command_that_exists():
    service = unit()["Service"]
    assert command(shlex.split(service["ExecStart"])) == "run"
    assert service["ExecReload"] == "/bin/kill -HUP $MAINPID"
    assert (service["Restart"], service["RestartPreventExitStatus"]) == ("on-failure", "2")
    assert service["StateDirectory"] in service["ExecStart"]
    # what only counts if the program reports that it is ready, which it does not
    assert service["Type"] == "exec" and "WatchdogSec" not in service


def test_the_unit_is_closed():
    service = unit()["Service"]
    for name in ("NoNewPrivileges", "DynamicUser", "ProtectHome", "PrivateTmp", "PrivateDevices", "LockPersonality"):
        assert service[name] == "yes"
    assert (
        service["ProtectSystem"] == "strict" and service["CapabilityBoundingSet"] == "" and service["UMask"] == "0077"
    )


async def test_systemd_itself_takes_the_unit(tmp_path):
    analyze = shutil.which("systemd-analyze")
    if analyze is None:
        pytest.skip("systemd-analyze is not installed")
    # its own path is not here to be checked; everything else is
    copy = tmp_path / UNIT.name
    copy.write_text(UNIT.read_text().replace("/opt/glassmind/.venv/bin/glassmind", "/bin/true"))
    process = await asyncio.create_subprocess_exec(analyze, "verify", str(copy), stdout=PIPE, stderr=STDOUT)
    said, _ = await process.communicate()
    assert UNIT.name not in said.decode(), said.decode()


def test_the_container_runs_commands_that_exist_as_nobody_in_particular():
    entry = orjson.loads(re.search(r"^ENTRYPOINT (.*)$", FILE, re.M)[1])
    assert command(entry + orjson.loads(re.search(r"^CMD (.*)$", FILE, re.M)[1])) == "run"
    assert command(orjson.loads(re.search(r"^HEALTHCHECK .* CMD (.*)$", FILE, re.M)[1])) == "status"
    assert re.search(r"^USER [1-9]", FILE, re.M)
    copied = [word for line in re.findall(r"^COPY (.*) \S+$", FILE, re.M) for word in line.split()]
    assert copied and all((ROOT / name).exists() for name in copied)
    kept = (ROOT / "deploy/Containerfile.dockerignore").read_text().split()
    assert {f"!{name}" for name in copied} <= set(kept)
