"""What is installed is named by digest: the lock files, constraints.txt and pyproject.toml say the same.

A version alone can be published again under other bytes, and a build that looks packages up by itself takes whatever
is newest. So the container and CI take only files whose digests were written down when somebody read the change.
"""

from __future__ import annotations

import importlib.util
import re
import tomllib
from importlib.metadata import requires

import pytest
from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.architecture.tree import ROOT

DEPLOY = ROOT / "deploy"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
MAIN, EXTRAS, BUILD, DEVELOPMENT, SERVER, EMBEDDINGS, SITE = (
    f"{kind}requirements.txt" for kind in ("", "extras-", "build-", "dev-", "postgres-tests-", "embeddings-", "docs-")
)  # fmt: skip
EXTRA = PROJECT["project"]["optional-dependencies"]
ASKED = {
    MAIN: PROJECT["project"]["dependencies"],
    EXTRAS: [one for extra in ("charts", "code", "mcp", "metrics", "otel", "postgres") for one in EXTRA[extra]],
    BUILD: PROJECT["build-system"]["requires"],
    DEVELOPMENT: EXTRA["dev"],
    SERVER: EXTRA["postgres-tests"],
    EMBEDDINGS: EXTRA["embeddings"],
    SITE: EXTRA["docs"],
}
ENTRY = re.compile(
    r"(?P<name>[a-z0-9-]+)==(?P<version>\S+)(?: ; (?P<condition>[^\\]+?))?(?P<hashes>(?: --hash=sha256:[0-9a-f]{64})+)"
)


def locked(name: str) -> dict[str, re.Match[str]]:
    """The packages of a lock file."""
    text = (DEPLOY / name).read_text().replace(" \\\n   ", "")
    found = [ENTRY.fullmatch(line) for line in text.splitlines() if not line.startswith("#")]
    assert found and all(found), f"{name}: not every line names a version and its digests"
    return {one["name"]: one for one in found}


def pinned() -> dict[str, str]:
    lines = (line.split("==") for line in (ROOT / "constraints.txt").read_text().split())
    return {canonicalize_name(name): version for name, version in lines}


def with_all_below(asked: list[str]) -> set[str]:
    """Everything that the named packages need on this machine, as their own descriptions say."""
    waiting, done = [(Requirement(one), "") for one in asked], set()
    while waiting:
        one, extra = waiting.pop()
        if one.marker is not None and not one.marker.evaluate({**default_environment(), "extra": extra}):
            continue
        name = canonicalize_name(one.name)
        for wanted in {"", *one.extras}:
            if (name, wanted) not in done:
                done.add((name, wanted))
                waiting += [(Requirement(line), wanted) for line in requires(name) or ()]
    return {name for name, _ in done}


@pytest.mark.parametrize("name", ASKED)
def test_a_lock_file_agrees_with_the_pinned_versions(name):
    pins = pinned()
    for package, entry in locked(name).items():
        assert pins[package] == entry["version"], f"{package}: run `make lock`"
        digests = entry["hashes"].split()
        assert len(digests) == len(set(digests))


@pytest.mark.parametrize("name", ASKED)
def test_what_the_project_asks_for_is_locked_with_all_that_it_needs(name):
    beside = {BUILD: (BUILD,), MAIN: (MAIN,), EXTRAS: (MAIN, EXTRAS)}.get(name, tuple(ASKED))
    there = {package for lock in beside for package in locked(lock)}
    if name not in (BUILD, EMBEDDINGS, SITE):  # what stands there is not installed where the tests run
        missing = with_all_below(ASKED[name]) - there
        assert not missing, f"{name} lacks {', '.join(sorted(missing))}: run `make lock`"
    pins = pinned()
    for line in ASKED[name]:
        one = Requirement(line)
        assert canonicalize_name(one.name) in there
        assert pins[canonicalize_name(one.name)] in one.specifier, f"{one.name}: constraints.txt leaves its range"


def test_a_package_is_locked_for_those_pythons_that_need_it():
    """discord.py needs a module that Python 3.13 has no more; who installs on 3.11 is not to be given it."""
    assert locked(MAIN)["audioop-lts"]["condition"] == 'python_version == "3.13" or python_version == "3.14"'


def test_the_lock_names_no_server():
    for name in ASKED:
        assert "://" not in (DEPLOY / name).read_text()


def test_the_container_and_ci_take_nothing_without_a_digest():
    file = (DEPLOY / "Containerfile").read_text().replace("\\\n", " ")
    installs = re.findall(r"pip (?:install|wheel) .*", file)
    assert len(installs) == 4
    for line in installs:
        assert "--require-hashes" in line or {"--no-deps", "."} <= set(line.split()) or "--no-index" in line
    assert file.count("FROM ${BASE}") == 2 and "@sha256:" in file
    version = PROJECT["project"]["version"]
    assert f'org.opencontainers.image.version="{version}"' in file
    rule = (ROOT / "Makefile").read_text().split("$(VENV)/.dev:", 1)[1].split("\n\n", 1)[0]
    ours = rule.split("ifeq ($(CI),true)", 1)[1].split("else", 1)[0]
    assert "--require-hashes" in ours and "--no-deps --no-build-isolation -e ." in ours


def audit():
    return script("audit")


def script(name):
    spec = importlib.util.spec_from_file_location(name, DEPLOY / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_an_audit_that_could_not_be_made_says_so_and_fails_nothing(capsys):
    asked = {"name": "a", "version": "1", "vulns": []}
    unknown = {"name": "b", "skip_reason": "not found"}
    known = {"name": "c", "version": "2", "vulns": [{"id": "CVE-1", "fix_versions": ["3"]}]}
    for packages, status, words in (
        ([asked], 0, "1 packages asked about, 0 known"),
        ([asked, unknown], 0, "not asked about b"),
        ([unknown], 0, "audit: SKIPPED, "),
        ([asked, known], 1, "c 2: CVE-1, fixed in 3"),
    ):
        assert audit().told(packages) == status
        assert words in capsys.readouterr().out


@pytest.mark.skipif(importlib.util.find_spec("pip_audit") is not None, reason="pip-audit is installed")
def test_an_audit_without_its_program_is_one_visible_line(capsys):
    assert audit().main() == 0
    (line,) = capsys.readouterr().out.splitlines()
    assert line == "audit: SKIPPED, pip-audit is not installed"


def test_the_sbom_names_every_locked_package_with_its_digests_and_is_the_same_each_time():
    made = [script("sbom").document(PROJECT["project"], DEPLOY, {"a.whl": "0" * 64}, 1_700_000_000) for _ in range(2)]
    assert made[0] == made[1] and made[0]["metadata"]["timestamp"] == "2023-11-14T22:13:20Z"
    listed = {one["name"]: one for one in made[0]["components"]}
    for name, scope in ((MAIN, "required"), (EXTRAS, "optional")):
        for package, entry in locked(name).items():
            one = listed[package]
            assert (one["version"], one["scope"]) == (entry["version"], scope)
            assert len(one["externalReferences"]) == len(entry["hashes"].split())
    assert listed.keys() == locked(MAIN).keys() | locked(EXTRAS).keys()
    (root,) = made[0]["dependencies"]
    assert f"pkg:pypi/pydantic@{pinned()['pydantic']}" in root["dependsOn"]
