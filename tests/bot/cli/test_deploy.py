"""What is deployed names commands that exist, and is as closed as it says."""

from __future__ import annotations

import asyncio
import configparser
import re
import shlex
import shutil
import sys
import tomllib
from asyncio.subprocess import PIPE, STDOUT

import orjson
import pytest

from bot.cli.command_line import build_parser
from tests.architecture.tree import ROOT
from tests.bot.cli.process import surroundings

UNIT = ROOT / "deploy/glassmind.service"
FILE = (ROOT / "deploy/Containerfile").read_text()


def unit() -> configparser.ConfigParser:
    # a filter of system calls may have several lines; the last one counts here
    parser = configparser.ConfigParser(interpolation=None, strict=False)
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
    for name in ("MemoryDenyWriteExecute", "PrivateUsers", "RestrictNamespaces", "RestrictSUIDSGID", "PrivateMounts"):
        assert service[name] == "yes"
    assert service["SystemCallFilter"] == "~@privileged @resources" and service["LimitCORE"] == "0"
    assert (
        service["ProtectSystem"] == "strict" and service["CapabilityBoundingSet"] == "" and service["UMask"] == "0077"
    )


NO_MACHINE_CODE = """
import ctypes, mmap, sys

if ctypes.CDLL(None, use_errno=True).prctl(65, 1, 0, 0, 0):  # PR_SET_MDWE
    sys.exit(77)
try:
    mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
except PermissionError:
    import aiohttp, aiosqlite, discord, mcp, orjson, PIL.Image, pydantic_core, telegram
    import tree_sitter, tree_sitter_c
    from adapters.tiktoken import create

    assert create({}).count("a few words") > 1
    parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_c.language()))
    assert parser.parse(b"int x;").root_node.type == "translation_unit"
else:
    sys.exit("memory that can be written and run was given out")
"""
"""What MemoryDenyWriteExecute does, by the kernel's own means (since Linux 6.3)."""


async def test_no_library_writes_machine_code(tmp_path):
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", NO_MACHINE_CODE, cwd=tmp_path, env=surroundings(), stdout=PIPE, stderr=STDOUT
    )
    said, _ = await process.communicate()
    if process.returncode == 77:
        pytest.skip("this kernel cannot forbid memory that is written and run")
    assert process.returncode == 0, said.decode()


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
