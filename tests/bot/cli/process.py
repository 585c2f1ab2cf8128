"""The real program in a process of its own: what is typed, what it writes, what it leaves with."""

from __future__ import annotations

import asyncio
import os
import pty
import signal
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from tests.architecture.tree import ROOT
from tests.bot.cli import warm

_KEPT = ("PATH", "LANG", "SYSTEMROOT")


class Ran(NamedTuple):
    """How a process ended."""

    status: int
    out: str
    err: str


def surroundings(environ: Mapping[str, str] | None = None) -> dict[str, str]:
    """An environment without anything of whoever runs the tests."""
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    return {**kept, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "error::ResourceWarning", **(environ or {})}


async def glassmind(home: Path, *words: str, typed: str = "", environ: Mapping[str, str] | None = None) -> Ran:
    """Run one command in a directory to its end; without a terminal."""
    status, out, err = await warm.run(warm.Typed(words, home, surroundings(environ)), typed.encode())
    return Ran(status, out.decode(), err.decode())


class Terminal:
    """A process on a terminal of its own, as a person has it; `seen` is everything on the screen."""

    def __init__(self, process: asyncio.subprocess.Process, screen: int) -> None:
        self.process = process
        self.seen = ""
        self._screen = screen
        self._mark = 0
        self._news = asyncio.Event()
        self._ended = False
        asyncio.get_running_loop().add_reader(screen, self._read)

    async def until(self, words: str) -> str:
        """Wait until these words stand on the screen, after those that were waited for before; return what is new."""
        while words not in self.seen[self._mark :]:
            assert not self._ended, f"{words!r} never came; the screen:\n{self.seen}"
            self._news.clear()
            await self._news.wait()
        start = self._mark
        self._mark = self.seen.index(words, start) + len(words)
        return self.seen[start : self._mark]

    def type(self, line: str) -> None:
        """Type a line; `^C` presses Ctrl-C."""
        os.write(self._screen, b"\x03" if line == "^C" else f"{line}\n".encode())

    async def interrupted(self) -> int:
        """Press Ctrl-C, and again where nothing comes of it in seconds; return the exit status.

        What comes between Python's last look for signals and its reading of the terminal is seen behind the reading.
        """
        while True:
            self.type("^C")
            with suppress(TimeoutError):
                async with asyncio.timeout(5):
                    return await self.ended()

    async def ended(self) -> int:
        """Wait for the end; return the exit status."""
        status = await self.process.wait()
        while not self._ended:
            self._news.clear()
            await self._news.wait()
        return status

    def close(self) -> None:
        """Close the window."""
        self._end()

    def _end(self) -> None:
        asyncio.get_running_loop().remove_reader(self._screen)
        os.close(self._screen)
        self._ended = True

    def _read(self) -> None:
        try:
            piece = os.read(self._screen, 65536)
        except OSError:
            piece = b""
        if not piece:
            self._end()
        self.seen += piece.decode("utf-8", "replace").replace("\r\n", "\n")
        self._news.set()


async def at_terminal(home: Path, *words: str, environ: Mapping[str, str] | None = None) -> Terminal:
    """Start a command on a terminal."""
    screen, theirs = pty.openpty()
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        # a terminal belongs to a session, and Ctrl-C and getpass go by it; tests in the background ignore Ctrl-C
        "import os,sys,fcntl,signal,termios; os.setsid(); fcntl.ioctl(0, termios.TIOCSCTTY, 0); "
        "signal.signal(signal.SIGINT, signal.SIG_DFL); "
        "os.execv(sys.executable, [sys.executable, '-m', 'bot', *sys.argv[1:]])",
        *words,
        cwd=home,
        env=surroundings({"TERM": "xterm", "COLUMNS": "120", **(environ or {})}),
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
    )
    os.close(theirs)
    return Terminal(process, screen)


class Running:
    """A bot that runs until it is told to stop; `log` is what it has written so far, as values."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.log: list[dict[str, Any]] = []
        self.words: list[str] = []
        self._mark = 0

    async def logged(self, event: str) -> dict[str, Any]:
        """Wait until something is logged, after what was waited for before."""
        while True:
            for number, line in enumerate(self.log[self._mark :], self._mark + 1):
                if line.get("event") == event:
                    self._mark = number
                    return line
            assert await self._read(), f"{event} was never logged: {self.log} {self.words}"

    def reload(self) -> None:
        """Tell it to read its configuration again."""
        self.process.send_signal(signal.SIGHUP)

    async def stop(self) -> int:
        """Stop it as a service manager does; return its exit status."""
        if self.process.returncode is None:
            self.process.send_signal(signal.SIGTERM)
        while await self._read():
            pass
        return await self.process.wait()

    async def _read(self) -> bool:
        assert self.process.stderr is not None
        line = (await self.process.stderr.readline()).decode()
        if line.startswith("{"):
            self.log.append(orjson.loads(line))
        else:
            self.words += [line] if line else []
        return bool(line)


@asynccontextmanager
async def running(home: Path, *words: str, environ: Mapping[str, str] | None = None) -> AsyncIterator[Running]:
    """Run the bot; it is there when the block begins, and gone when it ends."""
    command = warm.stand_in(warm.Typed(("run", *words), home, surroundings(environ)))
    bot = Running(await asyncio.create_subprocess_exec(*command, cwd=home, stdin=PIPE, stderr=PIPE))
    try:
        await bot.logged("started")
        yield bot
    finally:
        await bot.stop()
