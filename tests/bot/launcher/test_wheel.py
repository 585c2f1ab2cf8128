"""A wheel beside another distribution with a package `bot` of its own: both go on working."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess  # noqa: TID251 - what is installed runs in an environment of its own
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.architecture.tree import ROOT
from tests.bot.cli.process import surroundings
from tests.fakes.lengths import whole_or

pytestmark = pytest.mark.skipif(importlib.util.find_spec("hatchling") is None, reason="hatchling is not installed")
THEIRS = {
    "bot/__init__.py": "NAME = 'their bot'\n",
    "bot/__main__.py": "print('their program')\n",
    "adapters.py": "NAME = 'their adapters'\n",
    "early.pth": "import bot\n",
}
"""A distribution of somebody else, whose `bot` is loaded at the start of every Python there."""


SCRIPT = """
from importlib.metadata import entry_points

(command,) = entry_points(group="console_scripts", name="glassmind")
command.load()()
"""


PLAYED, SEEN = whole_or((("demo",), "All 10 steps happened."), (("config", "explain"), "bot.data_dir = "))
"""The demo takes five seconds; the part loads the configuration with its adapters."""


class Installed(NamedTuple):
    """An environment with the wheel, and with what others have put there."""

    wheel: Path
    home: Path

    @property
    def packages(self) -> Path:
        return next((self.home / "lib").glob("python*/site-packages"))

    def runs(self, *words: str) -> tuple[int, str]:
        """Run a program of this environment, away from the checkout."""
        environ = {
            name: value for name, value in surroundings().items() if name not in {"PYTHONPATH", "PYTHONWARNINGS"}
        }
        program, *rest = words
        ran = subprocess.run(
            [self.home / "bin" / program, *rest],
            cwd=self.home, env=environ, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, check=False,
        )  # fmt: skip
        return ran.returncode, ran.stdout


def test_a_wheel_beside_a_distribution_with_a_package_bot_of_its_own(tmp_path):
    place = installed(tmp_path)
    holds_one_package_and_nothing_that_others_have(place.wheel)
    (place.packages / "bot").mkdir()
    for name, text in THEIRS.items():
        (place.packages / name).write_text(text)
    status, said = place.runs("python", "-c", SCRIPT, *PLAYED)
    assert status == 0 and SEEN in said, said
    assert place.runs("python", "-m", "glassmind", "--version") == (0, "glassmind 0.1.0\n")
    assert place.runs("python", "-m", "bot") == (0, "their program\n")
    assert {name: (place.packages / name).read_text() for name in THEIRS} == THEIRS
    # they go: a plugin's tests and its type checker find ours
    for name in THEIRS:
        (place.packages / name).unlink()
    status, said = place.runs("python", "-c", "import bot.errors, adapters.sqlite, prompts; print(bot.__path__[0])")
    assert (status, said) == (0, f"{place.packages}/glassmind/bot\n")


def holds_one_package_and_nothing_that_others_have(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    top = {name.partition("/")[0] for name in names}
    assert {name for name in top if not name.endswith(".dist-info")} == {"glassmind", "glassmind.pth"}
    assert {"glassmind/bot/__main__.py", "glassmind/prompts/de/sentences/people.ftl"} <= set(names)
    assert not [name for name in names if "launcher" in name or name.endswith(".pyc")]


def installed(home: Path) -> Installed:
    wheel, again = (built(home / name, umask) for name, umask in (("dist", 0o022), ("again", 0o077)))
    assert wheel.read_bytes() == again.read_bytes(), "built twice, it is not the same"
    venv.create(home / "env", symlinks=True)
    place = Installed(wheel, home / "env")
    # what the bot needs comes from the environment of these tests, named last and without its .pth files
    (place.packages / "zz_libraries.pth").write_text(sysconfig.get_path("purelib") + "\n")
    # as an installer does; `make release` has pip, pipx and uv do it
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(place.packages)
    bring_what_is_compiled(place.packages / "glassmind")
    (place.home / "config.toml").write_text("[platforms.console]\n")
    return place


def built(folder: Path, umask: int) -> Path:
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    environ = {**os.environ, "SOURCE_DATE_EPOCH": "1700000000", "PYTHONHASHSEED": str(umask)}
    subprocess.run(command, cwd=ROOT, env=environ, umask=umask, check=True, capture_output=True)
    (wheel,) = folder.iterdir()
    return wheel


def bring_what_is_compiled(package: Path) -> None:
    """Save the ten seconds in which Python would compile the same sources again; it goes by their times and sizes."""
    for path in package.rglob("*.py"):
        ours = ROOT / path.relative_to(package)
        compiled = Path(importlib.util.cache_from_source(str(ours)))
        if compiled.exists():
            os.utime(path, ns=(ours.stat().st_atime_ns, ours.stat().st_mtime_ns))
            target = Path(importlib.util.cache_from_source(str(path)))
            target.parent.mkdir(exist_ok=True)
            shutil.copyfile(compiled, target)
