"""Build a release into `dist/`, and try it the way a stranger would: `make release`.

What is built is the newest commit, not what lies around: wheel, source archive, SBOM, the lock file that goes with
them, and their digests. Everything is built twice, in two folders, and has to come out the same. Then the wheel is
installed in fresh environments, for each Python that this machine has, and started without a network.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from sbom import document

ROOT = Path(__file__).parents[1]
DIST = ROOT / "dist"
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
ANSWER = "glassmind< Hello, ann!"
"""What the simulated model says to a first greeting."""
SECONDS = 600


class Failure(Exception):
    """Something that a release must not have."""


class Tried(NamedTuple):
    """What became of one way to install it; `seconds` from the first command to the first answer, 0: not tried."""

    way: str
    said: str
    seconds: float = 0.0


def main() -> int:
    """Build, compare, check; say what was done."""
    try:
        with tempfile.TemporaryDirectory(prefix="glassmind-release-") as folder:
            _release(Path(folder), is_tried="--only-build" not in sys.argv[1:])
    except Failure as failure:
        tell(f"✗ {failure}")
        return 1
    return 0


def _release(folder: Path, *, is_tried: bool) -> None:
    commit, epoch = newest_commit()
    first, second = (built(folder / name, epoch, umask) for name, umask in (("one", 0o022), ("two", 0o077)))
    differing = [name for name in first if first[name] != second.get(name)]
    if differing or first.keys() != second.keys():
        raise Failure(f"built twice, these differ: {', '.join(differing) or 'the names of the files'}.")
    before = {path.name: path.read_bytes() for path in DIST.iterdir()} if DIST.is_dir() else {}
    shutil.rmtree(DIST, ignore_errors=True)
    DIST.mkdir()
    for name, content in first.items():
        (DIST / name).write_bytes(content)
    tell(f"✓ dist/ holds commit {commit[:12]}, built twice, the same bytes both times:")
    for name, content in first.items():
        same = "" if name not in before else " (as before)" if before[name] == content else " (CHANGED since before)"
        tell(f"    {sha256(content)}  {name}, {len(content):,} bytes{same}")
    check_sbom(next(DIST.glob("*.cdx.json")))
    wheel = next(DIST.glob("*.whl"))
    if not is_tried:
        return tell("! It was only built, and tried nowhere.")
    tried = [*on_each_python(folder, wheel), *as_newcomers(folder, wheel)]
    if not any(one.seconds for one in tried):
        raise Failure("the wheel was tried nowhere.")


# what is built


def newest_commit() -> tuple[str, int]:
    """Return the commit and its time; say so where something is not in it."""
    commit = git("rev-parse", "HEAD").decode().strip()
    if changed := git("status", "--porcelain").decode().splitlines():
        tell(f"! {len(changed)} files are changed or new and not committed: they are not in the release.")
    return commit, int(git("log", "-1", "--format=%ct").decode())


def git(*words: str) -> bytes:
    """Ask git about this checkout."""
    ran = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, check=False)
    if ran.returncode:
        raise Failure(f"a release is made of a commit, and git says: {ran.stderr.decode().strip()}")
    return ran.stdout


def built(folder: Path, epoch: int, umask: int) -> dict[str, bytes]:
    """Return the files of a release by name, built from the newest commit in a folder of their own."""
    os.umask(umask)
    source, out = folder / "source", folder / "dist"
    with tarfile.open(fileobj=io.BytesIO(git("archive", "HEAD"))) as archive:
        archive.extractall(source, filter="data")
    environ = {**os.environ, "SOURCE_DATE_EPOCH": str(epoch), "PYTHONHASHSEED": str(umask)}
    run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-t", "sdist", "-d", str(out)], source, environ)
    os.umask(0o022)
    files = {path.name: path.read_bytes() for path in sorted(out.iterdir())}
    project = tomllib.loads((source / "pyproject.toml").read_text("utf-8"))["project"]
    stem = f"{project['name']}-{project['version']}"
    bom = document(project, source / "deploy", {name: sha256(content) for name, content in files.items()}, epoch)
    files[f"{stem}.cdx.json"] = (json.dumps(bom, indent=1, sort_keys=True) + "\n").encode()
    files[f"{stem}-requirements.txt"] = (source / "deploy/requirements.txt").read_bytes()
    sums = "".join(f"{sha256(content)}  {name}\n" for name, content in sorted(files.items()))
    return {**files, "SHA256SUMS": sums.encode()}


def check_sbom(path: Path) -> None:
    """Hold the SBOM against the schema of CycloneDX, where a library that brings it is installed."""
    try:
        from cyclonedx.schema import SchemaVersion
        from cyclonedx.validation.json import JsonStrictValidator
    except ImportError:
        tell("! The SBOM was NOT held against its schema: cyclonedx-python-lib is not installed.")
        return
    if problem := JsonStrictValidator(SchemaVersion.V1_6).validate_str(path.read_text("utf-8")):
        raise Failure(f"{path.name} is no CycloneDX document: {problem}")
    tell(f"✓ {path.name} is a valid CycloneDX 1.6 document.")


# how it is tried


def on_each_python(folder: Path, wheel: Path) -> Iterator[Tried]:
    """Install it with every digest checked, on each Python, and start it."""
    for version in PYTHONS:
        python = interpreter(version)
        if python is None:
            yield told(Tried(f"Python {version}", "SKIPPED, there is none on this machine"))
            continue
        home = folder / version
        began = time.monotonic()
        run([python, "-m", "venv", str(home / "env")], folder)
        pip = [str(home / "env/bin/python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        locked = ["--require-hashes", "--only-binary=:all:", "-r", str(DIST / f"{stem(wheel)}-requirements.txt")]
        try:
            run([*pip, *locked], folder)
        except Failure as failure:
            if version in (ROOT / "deploy/requirements.txt").read_text("utf-8").split("\n", 2)[1]:
                raise
            yield told(Tried(f"Python {version}", f"SKIPPED, the lock files are not for it: {failure}"[:160]))
            continue
        run([*pip, "--no-index", "--no-deps", str(wheel)], folder)
        run([str(home / "env/bin/python"), "-m", "pip", "check"], folder)
        said = started(home, [str(home / "env/bin/glassmind")])
        yield told(Tried(f"Python {version}, by the lock file", said, time.monotonic() - began))


def as_newcomers(folder: Path, wheel: Path) -> Iterator[Tried]:
    """Install it as somebody would who reads the first lines of the README: a new home, nothing else on the PATH."""
    for way, tool in (("python -m venv", "python3"), ("pipx install", "pipx"), ("uv tool install", "uv")):
        beside = Path(sys.executable).parent / tool
        program = beside if beside.exists() else Path(shutil.which(tool) or "")
        if not program.is_file():
            yield told(Tried(way, f"SKIPPED, {tool} is not installed here"))
            continue
        home = folder / f"new-{tool}"
        home.mkdir()
        environ = newcomer(home)
        began = time.monotonic()
        if tool == "python3":
            run([str(program), "-m", "venv", str(home / "env")], home, environ)
            pip = [str(home / "env/bin/pip"), "install", "--quiet", "--disable-pip-version-check", str(wheel)]
            run(pip, home, environ)
            command = str(home / "env/bin/glassmind")
        else:
            run([str(program), *({"pipx": ["install"], "uv": ["tool", "install"]}[tool]), str(wheel)], home, environ)
            command = str(home / ".local/bin/glassmind")
        said = started(home, [command], environ)
        yield told(Tried(f"newcomer, {way}", said, time.monotonic() - began))


def started(home: Path, command: Sequence[str], environ: Mapping[str, str] | None = None) -> str:
    """Play the demo, make a configuration for the console, get a first answer; without a network where that works."""
    environ = environ or newcomer(home)
    shut = ["unshare", "--map-root-user", "--net"]
    is_shut = shutil.which("unshare") is not None and subprocess.run([*shut, "true"], check=False).returncode == 0
    apart = shut if is_shut else []
    if "All 10 steps happened." not in run([*apart, *command, "demo"], home, environ):
        raise Failure("the demo did not play to its end.")
    made = ["init", "--platform", "console", "--provider", "simulated"]
    run([*apart, *command, *made], home, environ)
    heard = run([*apart, *command, "run"], home, environ, "[#general] ann> @glassmind hello\n")
    if ANSWER not in heard:
        raise Failure(f"there was no first answer:\n{heard}")
    return f"demo, init, first answer{', all without a network' if is_shut else ' (the network could not be shut off)'}"


def newcomer(home: Path) -> dict[str, str]:
    """Return the environment of somebody who has nothing yet; where packages come from stays as this machine has it."""
    kept = {name: value for name, value in os.environ.items() if name.startswith(("PIP_", "UV_", "SSL_CERT_"))}
    return {**kept, "HOME": str(home), "PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8"}


def interpreter(version: str) -> str | None:
    """Return a Python of this version that can be started: on the PATH, or where pyenv and uv keep theirs."""
    kept = (Path.home() / ".pyenv/versions", Path.home() / ".local/share/uv/python")
    found = [shutil.which(f"python{version}") or ""]
    found += [str(one) for folder in kept for one in sorted(folder.glob(f"*{version}.*/bin/python{version}"))]
    for one in filter(None, found):
        # pyenv has a stand-in on the PATH for each version, which starts none but the chosen one
        ran = subprocess.run([one, "-c", "import ensurepip, venv"], capture_output=True, check=False)
        if ran.returncode == 0:
            return one
    return None


def run(
    command: Sequence[str], folder: Path, environ: Mapping[str, str] | None = None, typed: str | None = None
) -> str:
    """Run a program to its end, with what is typed into it, and return what it said."""
    said = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    ran = subprocess.run(command, cwd=folder, env=environ, input=typed or "", timeout=SECONDS, check=False, **said)  # type: ignore[call-overload]
    if ran.returncode:
        raise Failure(f"{' '.join(command)}:\n{ran.stdout[-2000:]}")
    return str(ran.stdout)


def stem(wheel: Path) -> str:
    return wheel.name.partition("-py3")[0]


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def told(tried: Tried) -> Tried:
    """Say at once what became of one way; the next takes a while."""
    mark = "✓" if tried.seconds else "!"
    tell(f"{mark} {tried.way}: {tried.said}{f', {tried.seconds:.0f} s' if tried.seconds else ''}")
    return tried


def tell(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
