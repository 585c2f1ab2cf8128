"""Kubernetes' own schemas and the specification of compose files have nothing against what is shipped."""

from __future__ import annotations

import asyncio
import shutil
import sys
from asyncio.subprocess import PIPE, STDOUT
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.architecture.tree import ROOT

DEPLOY = ROOT / "deploy"
KINDS = {
    "namespace": ["namespace", "serviceaccount"],
    "config": ["configmap"],
    "bot": ["service", "statefulset"],
    "policies": ["poddisruptionbudget", "networkpolicy"],
    "roles/workers": ["statefulset"],
}
VALIDATE = shutil.which("kubernetes-validate", path=str(Path(sys.executable).parent)) or ""
COMPOSE = "import sys, compose_spec; read = compose_spec.PyCompose.from_yaml(sys.stdin.read()); read.validate()"


async def said_by(*command: str, to: bytes = b"") -> tuple[int, str]:
    process = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE, stderr=STDOUT)
    said, _ = await process.communicate(to)
    return process.returncode or 0, said.decode()


@pytest.mark.skipif(not VALIDATE, reason="kubernetes-validate is not installed (make test-peers)")
async def test_kubernetes_takes_the_manifests():
    files = [DEPLOY / "kubernetes" / f"{name}.yaml" for name in KINDS]
    status, said = await said_by(VALIDATE, "--strict", *map(str, files))
    assert status == 0 and "WARN" not in said, said
    passed = [line.split(" passed for resource ")[1].split("/")[0] for line in said.splitlines()]
    assert passed == [kind for kinds in KINDS.values() for kind in kinds]


@pytest.mark.skipif(find_spec("compose_spec") is None, reason="compose-spec is not installed (make test-peers)")
@pytest.mark.parametrize("name", ["compose.yaml", "compose.roles.yaml"])
async def test_the_specification_of_compose_files_takes_ours(name: str):
    text = (DEPLOY / name).read_bytes()
    status, said = await said_by(sys.executable, "-c", COMPOSE, to=text)
    assert status == 0, said
    status, said = await said_by(
        sys.executable, "-c", COMPOSE, to=text.replace(b"networks: [inside]", b"networks: [nowhere]")
    )
    assert status != 0 and "nowhere" in said, "it would take anything"
