"""What is deployed names commands that exist, and is as closed as it says."""

from __future__ import annotations

import asyncio
import configparser
import re
import shlex
import shutil
import sys
import textwrap
import tomllib
from asyncio.subprocess import PIPE, STDOUT

import orjson
import pytest

from bot.cli.command_line import build_parser
from bot.config import parse_config
from tests.architecture.tree import ROOT
from tests.bot.cli.process import surroundings

UNIT = ROOT / "deploy/glassmind.service"
KUBERNETES = {path.stem: path.read_text() for path in (ROOT / "deploy/kubernetes").glob("*.yaml")}
COMPOSE = (ROOT / "deploy/compose.yaml").read_text()
ROLES = (ROOT / "deploy/compose.roles.yaml").read_text()
CLOSED = (
    "runAsNonRoot: true", "readOnlyRootFilesystem: true", "allowPrivilegeEscalation: false", "drop: [ALL]",
    "type: RuntimeDefault", "automountServiceAccountToken: false",
)  # fmt: skip
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


def cluster_config() -> str:
    return textwrap.dedent(KUBERNETES["config"].split("config.toml: |\n")[1])


def test_a_pod_is_closed_and_asked_how_it_is_by_a_command_that_exists():
    pod = KUBERNETES["bot"]
    assert not [rule for rule in CLOSED if rule not in pod]
    assert command(["glassmind", *re.search(r"args: \[(.*)\]", pod)[1].split(", ")]) == "run"
    probes = re.findall(r"(\w+)Probe:\n            exec: \{command: \[(.*)\]\}", pod)
    assert [name for name, _ in probes] == ["startup", "liveness", "readiness"]
    assert {command(asked.split(", ")) for _, asked in probes} == {"status"}


def test_the_configuration_of_the_cluster_is_one_and_its_secrets_are_made():
    config = parse_config(cluster_config(), None).config
    port = re.search(r"name: monitor, containerPort: (\d+)", KUBERNETES["bot"])[1]
    assert config.metrics.listen == f"0.0.0.0:{port}" and f"port: {port}" in KUBERNETES["policies"]
    guide = (ROOT / "deploy/kubernetes/README.md").read_text()
    secrets = set(re.findall(r"file:/run/secrets/glassmind/(\w+)", cluster_config()))
    assert secrets == set(re.findall(r"--from-file=(\w+)(?=\s)", guide))
    listed = re.findall(r"  - (\w+)\.yaml", KUBERNETES["kustomization"])
    assert {*listed, "kustomization"} == set(KUBERNETES)


def test_the_manifest_of_workers_is_that_of_the_bot_but_for_its_role():
    """What is closed there is closed here; and the overlay changes of the other one what is there to be changed."""
    bot = KUBERNETES["bot"].split("---\n")[1]
    workers = (ROOT / "deploy/kubernetes/roles/workers.yaml").read_text().split("made them.\n")[1]
    workers = re.sub(r"\n +app.kubernetes.io/component: worker", "", workers)
    for now, was in (("glassmind-worker", "glassmind"), ("[run, --role, worker]", "[run]"), ("cas: 3", "cas: 2")):
        assert now in workers
        workers = workers.replace(now, was)
    assert workers == bot
    overlay = (ROOT / "deploy/kubernetes/roles/kustomization.yaml").read_text()
    assert command(["glassmind", "run", "--role", "gateway"]) == "run" and "value: [run, --role, gateway]" in overlay


def test_the_compose_file_is_closed_and_runs_commands_that_exist():
    bot = COMPOSE.split("  glassmind:\n")[1].split("\nnetworks:")[0]
    for rule in ("read_only: true", "cap_drop: [ALL]", "no-new-privileges:true", 'user: "10001:10001"'):
        assert rule in bot
    assert command(["glassmind", *re.search(r"command: \[(.*)\]", bot)[1].split(", ")]) == "run"
    assert command(re.search(r"test: \[CMD, (.*)\]", bot)[1].split(", ")) == "status"
    assert "condition: service_healthy" in bot and "pg_isready" in COMPOSE and "PASSWORD_FILE" in COMPOSE
    named = set(re.findall(r"^  (\w+):\n    file: ", COMPOSE, re.M))
    assert named == set(re.findall(r"secrets/(\w+) ", COMPOSE.split("name: glassmind")[0]))


def test_the_compose_file_of_roles_is_as_closed_as_the_other_and_runs_each_role():
    worker = ROLES.split("  worker:\n")[1].split("\n  gateway:")[0]
    for rule in ("read_only: true", "cap_drop: [ALL]", "no-new-privileges:true", 'user: "10001:10001"'):
        assert rule in worker
    begun = re.findall(r"command: \[run, --role, (\w+)\]", ROLES)
    assert begun == ["worker", "gateway", "looker"] and ROLES.count("extends: {service: worker}") == 2
    assert {command(["glassmind", "run", "--role", role]) for role in begun} == {"run"}
    assert 'exec glassmind "$$@"' in worker and "/data/secret.key" in worker
    # the server is the same, and so is what has to lie beside the file, but for the key that all need
    server = [text.split("  postgres:\n")[1].split("\n\n")[0] for text in (COMPOSE, ROLES)]
    assert server[0] == server[1]
    named = [set(re.findall(r"^  (\w+):\n    file: ", text, re.M)) for text in (COMPOSE, ROLES)]
    assert named[1] - named[0] == {"secret_key"} and not named[0] - named[1]
    assert 'ports: ["127.0.0.1:' in ROLES and ROLES.count("ports:") == 1
