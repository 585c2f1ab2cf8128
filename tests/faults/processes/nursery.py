"""A warmed process that has loaded the whole program once, and forks a bot whenever one is to start.

`python -m tests.faults.processes.nursery FD` serves one Unix socket: an order comes in with open files, the process id
goes out, and later how that process ended. It has one thread and runs no loop, so that what it forks is what a fresh
`python -m bot run` would be: it has read the program, its templates and the token table, and has opened nothing.
"""

from __future__ import annotations

import ctypes
import gc
import importlib
import io
import os
import pkgutil
import random
import select
import signal
import socket
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import orjson

from bot.runtime.lean_imports import lean_imports
from tests.faults.processes import trapped

LONGEST = 1 << 16
"""Bytes of an order."""
FILES = 4
"""Most files that come with one: standard input, output and error, and the way to a trap."""
NEVER = (
    "bot.__main__",
    "bot.cli.",
    "adapters.mcp.",
    "adapters.browser.",
    "adapters.anthropic.",
    "adapters.bubblewrap.",
)
"""What no bot here loads."""
CONTROL = 900
"""Where a process that runs into a trap finds the way to who watches it; far from every number that is handed out."""
_DIE_WITH_PARENT = 1  # PR_SET_PDEATHSIG


def main() -> None:
    """Serve until nobody is at the other end any more."""
    _dies_with_its_parent()
    load()
    orders = socket.socket(fileno=int(sys.argv[1]))
    bell, rope = socket.socketpair()
    for end in (bell, rope):
        end.setblocking(False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(rope.fileno(), warn_on_full_buffer=False)
    orders.send(orjson.dumps({"ready": os.getpid()}))
    while True:
        ready, _, _ = select.select([orders, bell], [], [])
        if bell in ready:
            with suppress(BlockingIOError):
                bell.recv(4096)
            _tell_of_the_dead(orders)
        if orders in ready:
            order, files, _, _ = socket.recv_fds(orders, LONGEST, FILES)
            if not order:
                return
            orders.send(orjson.dumps({"born": _bear(orjson.loads(order), files)}))


def load() -> None:
    """Read everything that a bot reads of its own program before it is at work."""
    with lean_imports():
        for package in ("bot", "adapters"):
            found = importlib.import_module(package)
            for module in pkgutil.walk_packages(found.__path__, f"{package}."):
                if not module.name.startswith(NEVER):
                    with suppress(ImportError):  # an extra that is not installed here
                        importlib.import_module(module.name)
        for name in ("bot.__main__", "bot.cli.main", "bot.cli.run_bot"):
            importlib.import_module(name)
    from adapters import tiktoken
    from bot import prompts
    from bot.domain.base import complete_values

    complete_values()
    prompts.warm()
    core = tiktoken._load()
    tiktoken._load = lambda: core
    gc.collect()
    gc.freeze()  # else every collection of a child copies all of it


def _tell_of_the_dead(orders: socket.socket) -> None:
    with suppress(ChildProcessError):
        while True:
            process, status = os.waitpid(-1, os.WNOHANG)
            if not process:
                return
            orders.send(orjson.dumps({"ended": process, "status": os.waitstatus_to_exitcode(status)}))


def _bear(order: dict[str, Any], files: Sequence[int]) -> int:
    child = os.fork()
    if child:
        for file in files:
            os.close(file)
        return child
    try:
        status = _live(order, files)
    except SystemExit as leaving:
        status = leaving.code if isinstance(leaving.code, int) else 1
    except BaseException:  # noqa: BLE001 - what nobody caught ends a process as the interpreter ends it
        sys.excepthook(*sys.exc_info())
        status = 1
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(status)


def _live(order: dict[str, Any], files: Sequence[int]) -> int:
    """Become a process of its own, and run the command line."""
    _dies_with_its_parent()
    os.setsid()
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    for number, file in enumerate(files):
        os.dup2(file, number if number < 3 else CONTROL)
    os.closerange(3, CONTROL)
    if len(files) < FILES:
        with suppress(OSError):
            os.close(CONTROL)
    sys.stdin = io.TextIOWrapper(io.BufferedReader(io.FileIO(0, "r", closefd=False)), "utf-8")
    sys.stdout, sys.stderr = _writer(1), _writer(2)
    os.environ.clear()
    os.environ.update(order["environment"])
    os.chdir(order["directory"])
    random.seed()
    if order["ahead"]:
        _have_a_wrong_clock(order["ahead"])
    from bot.__main__ import main as glassmind

    if len(files) == FILES:
        trapped.enter(order["calls"], CONTROL)
    sys.argv = ["glassmind", *order["arguments"]]
    glassmind()
    return 0


def _have_a_wrong_clock(ahead: float) -> None:
    """Let every question what time it is be answered as on a machine whose clock is that wrong."""
    ask = time.time_ns
    time.time_ns = lambda: ask() + round(ahead * 1e9)


def _writer(file: int) -> io.TextIOWrapper:
    raw = io.BufferedWriter(io.FileIO(file, "w", closefd=False))
    return io.TextIOWrapper(raw, "utf-8", errors="backslashreplace", line_buffering=file == 2 or os.isatty(file))


def _dies_with_its_parent() -> None:
    ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGKILL, 0, 0, 0)


if __name__ == "__main__":
    main()
