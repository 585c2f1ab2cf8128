"""A process that has loaded the program once and forks for every command: a fresh start costs a second of CPU each.

What is forked has its own files, directory and environment, and leaves as the program does. Starts that are themselves
what is tested (terminals, the first and the last second of a bot) are made anew each time, see `process.py`.
"""

from __future__ import annotations

import asyncio
import atexit
import gc
import os
import runpy
import socket
import subprocess  # noqa: TID251 - it outlives every loop of these tests
import sys
import tempfile
import warnings
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import NamedTuple, NoReturn

import orjson

LOADED = (
    *("bot.cli.main", "bot.cli.run_bot", "bot.cli.init", "bot.cli.doctor", "bot.cli.config", "bot.cli.inspector_tools"),
    *("bot.cli.diff", "bot.cli.restore", "adapters.console", "adapters.discord", "adapters.telegram"),
    *("adapters.sqlite", "adapters.openai", "adapters.anthropic", "adapters.simulated"),
)
LONGEST = 1 << 20


class Typed(NamedTuple):
    """A command as it is typed: its words, where, and in which environment."""

    words: Sequence[str]
    home: Path
    environ: Mapping[str, str]


async def run(typed: Typed, stdin: bytes) -> tuple[int, bytes, bytes]:
    """Run a command to its end; return its exit status and what it wrote."""
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        given.write(stdin)
        given.seek(0)
        with socket.socket(socket.AF_UNIX) as line:
            line.connect(_server())
            socket.send_fds(line, [_asked(typed).encode()], [given.fileno(), out.fileno(), err.fileno()])
            line.setblocking(False)
            said = b""
            while piece := await asyncio.get_running_loop().sock_recv(line, 64):
                said += piece
        out.seek(0)
        err.seek(0)
        return int(said.split()[-1]) if said.count(b"\n") == 2 else -1, out.read(), err.read()


def stand_in(typed: Typed) -> tuple[str, ...]:
    """Return what to start instead of a command, so that it is forked: it ends, and is ended, with what is forked."""
    return (sys.executable, "-I", "-S", str(Path(__file__).with_name("stand_in.py")), _server(), _asked(typed))


def _asked(typed: Typed) -> str:
    return orjson.dumps({"words": typed.words, "home": str(typed.home), "environ": dict(typed.environ)}).decode()


@cache
def _server() -> str:
    """Start the process, once for each process of tests; return where it listens."""
    path = os.path.join(tempfile.mkdtemp(prefix="glassmind-warm-"), "socket")
    process = subprocess.Popen([sys.executable, "-m", __name__, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin is not None and process.stdout is not None
    atexit.register(process.kill)
    assert process.stdout.readline() == b"ready\n"
    return path


def main(path: str) -> None:
    for name in LOADED:
        import_module(name)
    gc.freeze()
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(path)
        server.listen()
        os.write(1, b"ready\n")
        while True:
            line, _ = server.accept()
            if os.fork() == 0:
                _answer(line)
            line.close()
            _reap()


def _reap() -> None:
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return


def _answer(line: socket.socket) -> NoReturn:
    """Run what is asked in a process of its own, and send its exit status back."""
    asked, files, _, _ = socket.recv_fds(line, LONGEST, 3)
    child = os.fork()
    if child == 0:
        _become(orjson.loads(asked), files)
    line.sendall(f"{child}\n".encode())
    line.sendall(f"{os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])}\n".encode())
    os._exit(0)


def _become(asked: dict[str, object], files: Sequence[int]) -> NoReturn:
    """Be the program, from its first line to its exit status."""
    status = 1
    try:
        for wanted, file in enumerate(files):
            os.dup2(file, wanted)
        os.chdir(str(asked["home"]))
        os.environ.clear()
        os.environ.update(asked["environ"])  # type: ignore[call-overload]
        warnings.simplefilter("error", ResourceWarning)
        sys.argv = ["glassmind", *asked["words"]]  # type: ignore[misc]
        try:
            runpy.run_module("bot", run_name="__main__")
        except SystemExit as leaving:
            status = leaving.code if isinstance(leaving.code, int) else 0 if leaving.code is None else 1
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
    finally:
        os._exit(status)


if __name__ == "__main__":
    main(sys.argv[1])
