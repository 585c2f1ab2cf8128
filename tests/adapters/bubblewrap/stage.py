"""A sandbox that is really there, in each form that can be had here, and a host around it with things to lose."""

from __future__ import annotations

import os
import shutil
import socket
import stat
import subprocess  # noqa: TID251 - somebody has to be there to be killed
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from adapters.bubblewrap import BubblewrapSandbox, Settings, requirements
from adapters.bubblewrap.sandbox_arguments import SandboxMode

CANARY = "canary-4711-nobody-may-see-this"
NOBODY = 64321
"""Who runs the sandbox in the form for ordinary users where the tests are root's."""
SMALL: dict[str, Any] = {"file_mb": 4, "tmp_mb": 8, "memory_mb": 700, "workspace_mb": 20, "at_once": 4}
PYTHON = "/usr/bin/python3" if Path("/usr/bin/python3").exists() else os.path.realpath(sys.executable)


def forms() -> list[SandboxMode]:
    return [SandboxMode.ROOT, SandboxMode.USER] if os.geteuid() == 0 else [SandboxMode.USER]


def why_not() -> str:
    """Say what is missing for these tests; empty when nothing is."""
    return requirements.missing_program(
        requirements.sandbox_mode(), requirements.find_helpers(requirements.sandbox_mode()), 65521
    )


class Stage:
    """Where a sandbox runs: `workspace` is its own, everything else in `root` is not."""

    def __init__(self, form: SandboxMode, root: Path) -> None:
        self.form = form
        self.root = root
        self.workspace = root / "data" / "workspaces" / "main" / "mine"
        self.neighbour = root / "data" / "workspaces" / "main" / "other" / "secret.txt"
        for folder in (self.workspace, self.neighbour.parent):
            folder.mkdir(parents=True)
        for path in (self.neighbour, *(root / "data" / name for name in ("secret.key", "glassmind.db"))):
            path.write_text(CANARY)
        (root / "config.toml").write_text(CANARY)
        uid = {SandboxMode.ROOT: 65521, SandboxMode.USER: NOBODY}[form] if os.geteuid() == 0 else -1
        if uid >= 0:
            os.chown(self.workspace, uid, uid)

    def settings(self, **changes: Any) -> Settings:
        readable = () if PYTHON.startswith("/usr/") else (str(Path(sys.base_prefix).resolve()),)
        return Settings.model_validate({**SMALL, "readable": readable, **changes})

    def sandbox(self, **changes: Any) -> BubblewrapSandbox:
        helpers = dict(requirements.find_helpers(self.form))
        if os.geteuid() == 0 and self.form is SandboxMode.USER:
            helpers["bwrap"] = str(self._as_somebody(helpers["bwrap"]))
        return BubblewrapSandbox(self.settings(**changes), self.form, helpers)

    def put(self, name: str, text: str) -> None:
        path = self.workspace / name
        path.write_text(text)
        path.chmod(0o644)

    def _as_somebody(self, program: str) -> Path:
        path = self.root / "as-somebody"
        words = f"--reuid {NOBODY} --regid {NOBODY} --clear-groups"
        path.write_text(f'#!/bin/sh\nexec {shutil.which("setpriv")} {words} -- {program} "$@"\n')
        path.chmod(0o755)
        return path


@contextmanager
def a_stage(form: SandboxMode) -> Iterator[Stage]:
    """Set one up where the sandbox's user can get to, below a folder that nobody can list."""
    root = Path(tempfile.mkdtemp(prefix="stage-", dir="/var/tmp"))
    try:
        root.chmod(0o711 if form is SandboxMode.USER else 0o700)
        yield Stage(form, root)
    finally:
        shutil.rmtree(root)


@contextmanager
def a_host(stage: Stage) -> Iterator[dict[str, Any]]:
    """Let somebody listen, and somebody live; yield what an attacker would like to know."""
    with ExitStack() as stack:
        victim = stack.enter_context(subprocess.Popen(["sleep", "60"], env={"victim": CANARY}))
        stack.callback(victim.kill)
        tcp, udp, abstract, unix = (
            stack.enter_context(closing(socket.socket(family, kind)))
            for family, kind in (
                (socket.AF_INET, socket.SOCK_STREAM),
                (socket.AF_INET, socket.SOCK_DGRAM),
                (socket.AF_UNIX, socket.SOCK_STREAM),
                (socket.AF_UNIX, socket.SOCK_STREAM),
            )
        )
        tcp.bind(("0.0.0.0", 0))
        udp.bind(("0.0.0.0", 0))
        name = f"glassmind-{os.getpid()}"
        abstract.bind(f"\0{name}")
        unix.bind(str(stage.root / "socket"))
        for one in (tcp, abstract, unix):
            one.listen()
        for one in (tcp, udp, abstract, unix):
            one.setblocking(False)
        outside = stage.root / "outside.txt"
        outside.write_text(CANARY)
        readable = stage.settings().readable
        stage.sandbox()  # what a sandbox needs beside its workspace is made with the first
        before = _tree(stage.root)
        yield {
            "canary": CANARY,
            "data": str(stage.root / "data"),
            "config": str(stage.root / "config.toml"),
            "secret_key": str(stage.root / "data" / "secret.key"),
            "database": str(stage.root / "data" / "glassmind.db"),
            "outside_file": str(outside),
            "neighbour": str(stage.neighbour),
            "victim": victim.pid,
            "tcp": tcp.getsockname()[1],
            "udp": udp.getsockname()[1],
            "abstract": name,
            "unix": str(stage.root / "socket"),
            "address": _address(),
            "shown": [part for place in readable for part in Path(place).parts[1:]],
            "file_bytes": 4_000_000,
            "tmp_bytes": 8_000_000,
            "memory_bytes": 700_000_000,
        }
        assert victim.poll() is None, "the victim was killed"
        for one in (tcp, abstract, unix):
            with pytest.raises(BlockingIOError):
                one.accept()
        with pytest.raises(BlockingIOError):
            udp.recv(100)
        assert _tree(stage.root) == before, "something outside of the workspace has changed"


def _address() -> str:
    with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as asked:
        try:
            asked.connect(("192.0.2.1", 53))
        except OSError:
            return "127.0.0.1"
        return str(asked.getsockname()[0])


def _tree(root: Path) -> dict[str, tuple[int, int, bytes]]:
    found = {}
    for folder, folders, files in os.walk(root):
        if folder.endswith("/mine"):
            folders.clear()
            continue
        for name in files:
            path = Path(folder, name)
            status = path.lstat()
            content = path.read_bytes() if stat.S_ISREG(status.st_mode) else b""
            found[str(path)] = (status.st_mode, status.st_uid, content)
    return found
