"""A browser ends with whoever started it, with all its children, also when nobody is left to end it."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path

import pytest

from adapters.browser import create
from adapters.browser.program import running_browser, why_missing
from bot.errors import ToolError

CHILD = f"sleep 98765{os.getpid()}"
"""No other process has it, also when these tests run side by side."""


def script(tmp_path: Path, body: str) -> str:
    """Something that is started like a browser; it finds its directory among its arguments."""
    path = tmp_path / "chromium"
    path.write_text(
        f'#!/bin/sh\nfor a in "$@"; do case "$a" in --user-data-dir=*) D="${{a#*=}}";; esac; done\n{body}\n'
    )
    path.chmod(0o700)
    return str(path)


UP = f'{CHILD} & printf "1234\\n/devtools/browser/x" > "$D/DevToolsActivePort"; env > "$D/../env.$$"; wait'


def alive(command: str) -> list[int]:
    words = command.encode().replace(b" ", b"\0")
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and (entry / "cmdline").read_bytes().rstrip(b"\0") == words:
                found.append(int(entry.name))
        except OSError:
            continue
    return found


def contents(directory: Path) -> dict[str, Path]:
    return {path.name.split(".")[0]: path for path in directory.iterdir()}


def profiles(directory: Path) -> list[Path]:
    return list(directory.glob("glassmind-browser-*"))


async def begun(command: str) -> bool:
    async with asyncio.timeout(5):
        while not alive(command):  # noqa: ASYNC110 - a shell has forked it, but it may not be itself yet
            await asyncio.sleep(0.01)
    return True


async def gone(command: str) -> bool:
    async with asyncio.timeout(5):
        while alive(command):  # noqa: ASYNC110 - nobody tells of the end of somebody else's process
            await asyncio.sleep(0.01)
    return True


async def test_it_ends_with_its_children_and_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("CANARY_TOKEN", "canary")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    async with running_browser(script(tmp_path, UP), sandbox=True) as address:
        assert address == "ws://127.0.0.1:1234/devtools/browser/x"
        assert await begun(CHILD)
    assert await gone(CHILD)
    left = contents(tmp_path)
    assert set(left) == {"chromium", "env"} and "canary" not in left["env"].read_text()


async def test_whoever_stops_waiting_ends_it(tmp_path: Path):
    up = asyncio.Event()

    async def hold() -> None:
        async with running_browser(script(tmp_path, UP), sandbox=True):
            up.set()
            await asyncio.Event().wait()

    task = asyncio.ensure_future(hold())  # noqa: TID251 - cancelled below
    await up.wait()
    assert await begun(CHILD)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await gone(CHILD)


async def test_it_ends_when_we_are_killed(tmp_path: Path):
    code = (
        "import asyncio, sys\n"
        "from adapters.browser.program import running_browser\n"
        "async def main():\n"
        "    async with running_browser(sys.argv[1], sandbox=True):\n"
        "        print('up', flush=True)\n"
        "        await asyncio.sleep(60)\n"
        "asyncio.run(main())\n"
    )
    us = await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        code,
        script(tmp_path, UP),
        stdout=asyncio.subprocess.PIPE,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )
    assert us.stdout is not None and await us.stdout.readline() == b"up\n"
    assert await begun(CHILD)
    us.send_signal(signal.SIGKILL)
    await us.wait()
    assert await gone(CHILD)
    async with asyncio.timeout(5):
        while profiles(tmp_path):  # noqa: ASYNC110 - as above
            await asyncio.sleep(0.01)


async def test_one_that_ends_at_once_leaves_its_last_words(tmp_path: Path):
    with pytest.raises(ToolError, match="ended at once: no sandbox for you"):
        async with running_browser(script(tmp_path, "echo no sandbox for you >&2; exit 1"), sandbox=True):
            pass


def test_what_is_missing_is_said_with_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    there = script(tmp_path, "")
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    assert why_missing(there, sandbox=True) == ""
    assert "there is no program /no/such (tools.browser.program)" in why_missing("/no/such", sandbox=True)
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    assert "apt install chromium" in why_missing("", sandbox=True)
    monkeypatch.setattr("os.geteuid", lambda: 0)
    assert "other than root" in why_missing(there, sandbox=True) and why_missing(there, sandbox=False) == ""


async def test_without_a_browser_nothing_is_drawn():
    with pytest.raises(ToolError, match="There is no browser here: there is no program /no/such"):
        await create({"program": "/no/such"}).draw("https://example.org/", picture=False)
    assert "goes through no proxy" in create({"proxy": "http://proxy.example:1"}).missing()
