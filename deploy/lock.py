"""Write the lock files: which files an installation may consist of, by their digests.

`constraints.txt` says which version of each package is taken; pip is asked what these versions' wheels are for every
machine and Python named below. Nothing is downloaded but descriptions. Run `make lock` after a change of
constraints.txt or of the dependencies in pyproject.toml, and read the diff: a digest that changes while its version
stays is a file that somebody replaced.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import tomllib
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
MACHINES = ("x86_64", "aarch64")
GLIBCS = (28, 41)
"""Which 2.x of the C library: a project may have one wheel for old systems and another for new ones."""
RUNTIME, EXTRAS = "deploy/requirements.txt", "deploy/extras-requirements.txt"
BUILD, DEVELOPMENT = "deploy/build-requirements.txt", "deploy/dev-requirements.txt"
SERVER = "deploy/postgres-tests-requirements.txt"
EMBEDDINGS, SITE = "deploy/embeddings-requirements.txt", "deploy/docs-requirements.txt"
HOLDS = {
    RUNTIME: "What the bot needs",
    EXTRAS: "What the extras charts, code, mcp, metrics, otel and postgres need beside requirements.txt",
    BUILD: "What builds the bot's wheel",
    DEVELOPMENT: "What the checks and the tests need beside the other three",
    SERVER: "What the tests of the store on PostgreSQL need beside these: a server",
    EMBEDDINGS: "What the extra embeddings needs, to be taken with requirements.txt",
    SITE: "What the documentation as a site needs",
}


class Target(NamedTuple):
    """A kind of machine that somebody installs on."""

    python: str
    machine: str

    def environment(self) -> dict[str, str]:
        """Return what the conditions of dependencies are about, as it would be there."""
        here = {key: str(value) for key, value in default_environment().items()}
        there = {"python_version": self.python, "python_full_version": f"{self.python}.0"}
        system = {"sys_platform": "linux", "platform_system": "Linux", "os_name": "posix"}
        return here | there | system | {"platform_machine": self.machine, "implementation_name": "cpython"}


TARGETS = tuple(Target(python, machine) for python in PYTHONS for machine in MACHINES)


@dataclass(frozen=True)
class Wheel:
    """What pip would install for one pinned version on one target."""

    name: str
    sha256: str
    requires: tuple[Requirement, ...]


def roots() -> dict[str, list[Requirement]]:
    """Return what pyproject.toml asks for, by the lock file that holds it."""
    said = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    extras = said["project"]["optional-dependencies"]
    asked = {
        RUNTIME: said["project"]["dependencies"],
        EXTRAS: [one for extra in ("charts", "code", "mcp", "metrics", "otel", "postgres") for one in extras[extra]],
        BUILD: said["build-system"]["requires"],
        DEVELOPMENT: extras["dev"],
        SERVER: extras["postgres-tests"],
        EMBEDDINGS: extras["embeddings"],
        SITE: extras["docs"],
    }
    return {lock: [Requirement(one) for one in ones] for lock, ones in asked.items()}


@cache
def pins() -> Mapping[str, str]:
    """Return the version of every package in constraints.txt."""
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    found = (line.partition("==") for line in lines if line.strip() and not line.startswith("#"))
    return {canonicalize_name(name): version.strip() for name, _, version in found}


def needed(requirements: Iterable[Requirement], target: Target, extra: str = "") -> Iterator[Requirement]:
    """Leave out what is only asked for on other machines, or with another extra."""
    environment = target.environment() | {"extra": extra}
    for one in requirements:
        if one.marker is None or one.marker.evaluate(environment):
            yield one


def wheels(names: Collection[str], target: Target, glibc: int) -> list[Wheel]:
    """Ask pip what it would install of the pinned versions of these packages."""
    if missing := sorted(name for name in names if name not in pins()):
        sys.exit(f"constraints.txt pins no version of: {', '.join(missing)}. Add a line for each.")
    platforms = [f"manylinux_2_{minor}_{target.machine}" for minor in range(glibc, 4, -1)]
    old = [f"manylinux2014_{target.machine}", f"linux_{target.machine}"]
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--dry-run"]
        command += ["--report", str(report), "--ignore-installed", "--target", folder, "--no-deps"]
        # pip compares with the Python that it runs on itself
        command += ["--ignore-requires-python", "--only-binary=:all:", "--implementation", "cp"]
        command += ["--python-version", target.python]
        command += [f"--platform={platform}" for platform in (*platforms, *old)]
        command += [f"{name}=={pins()[name]}" for name in sorted(names)]
        ran = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
        if ran.returncode:
            sys.exit(f"pip found no wheels for Python {target.python} on {target.machine}:\n{ran.stderr}")
        return [_wheel(item) for item in json.loads(report.read_bytes())["install"]]


def _wheel(item: dict[str, Any]) -> Wheel:
    metadata = item["metadata"]
    name = canonicalize_name(metadata["name"])
    if (version := metadata["version"]) != pins()[name]:
        sys.exit(f"pip gave {name} {version} where {pins()[name]} was asked for.")
    requires = tuple(Requirement(line) for line in metadata.get("requires_dist", ()))
    return Wheel(name, item["download_info"]["archive_info"]["hashes"]["sha256"], requires)


@cache
def requires() -> Mapping[str, tuple[Requirement, ...]]:
    """Return what each package requires that anything here may need, on whatever target."""
    known: dict[str, tuple[Requirement, ...]] = {}
    unknown = {canonicalize_name(one.name) for asked in roots().values() for one in asked}
    while unknown:
        known |= {wheel.name: wheel.requires for wheel in wheels(unknown, TARGETS[-1], GLIBCS[-1])}
        named = (closure(asked, target, known) for asked in roots().values() for target in TARGETS)
        unknown = set[str]().union(*named) - known.keys()
    return known


def closure(asked: Iterable[Requirement], target: Target, known: Mapping[str, Sequence[Requirement]]) -> set[str]:
    """Follow dependencies as far as they are known."""
    waiting, done = list(needed(asked, target)), set[tuple[str, str]]()
    while waiting:
        one = waiting.pop()
        name = canonicalize_name(one.name)
        for extra in {"", *one.extras}:
            if (name, extra) not in done:
                done.add((name, extra))
                waiting += needed(known.get(name, ()), target, extra)
    return {name for name, _ in done}


def digests() -> dict[tuple[Target, str], set[str]]:
    """Return the digests of all wheels, by target and package."""
    everything = [one for asked in roots().values() for one in asked]
    wanted = [(closure(everything, target, requires()), target, glibc) for target in TARGETS for glibc in GLIBCS]
    found = defaultdict[tuple[Target, str], set[str]](set)
    with ThreadPoolExecutor(4) as pool:
        for (_, target, _), its in zip(wanted, pool.map(lambda want: wheels(*want), wanted), strict=True):
            for wheel in its:
                found[target, wheel.name].add(wheel.sha256)
    return found


def entry(name: str, pythons: set[str], digests: set[str]) -> str:
    """Return what a lock file says of one package."""
    only = " or ".join(f'python_version == "{python}"' for python in PYTHONS if python in pythons)
    condition = "" if len(pythons) == len(PYTHONS) else f" ; {only}"
    hashes = "".join(f" \\\n    --hash=sha256:{digest}" for digest in sorted(digests))
    return f"{name}=={pins()[name]}{condition}{hashes}\n"


def main() -> None:
    """Write all of them."""
    of, above = digests(), set[str]()
    for path, asked in roots().items():
        # the build stands alone; the extras and the tools come beside what is there already
        without = above if path in (EXTRAS, DEVELOPMENT, SERVER) else set()
        on = {target: closure(asked, target, requires()) - without for target in TARGETS}
        names = set[str]().union(*on.values())
        above |= names
        lines = ""
        for name in sorted(names):
            its = [target for target in TARGETS if name in on[target]]
            lines += entry(name, {target.python for target in its}, set[str]().union(*(of[one, name] for one in its)))
        head = (
            f"# {HOLDS[path]}, with the digests of its wheels for Linux (glibc) on {' and '.join(MACHINES)},\n"
            f"# Python {PYTHONS[0]} to {PYTHONS[-1]}. Written by `make lock` from constraints.txt: do not edit.\n"
        )
        (ROOT / path).write_text(head + lines, encoding="utf-8")
        sys.stdout.write(f"{path}: {len(names)} packages, {lines.count('--hash=')} wheels\n")


if __name__ == "__main__":
    main()
