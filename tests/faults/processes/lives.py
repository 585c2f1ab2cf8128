"""Starts bots through the nursery, watches them, and knows how each of them ended."""

from __future__ import annotations

import asyncio
import atexit
import os
import signal
import socket
import subprocess  # noqa: TID251 - the nursery is a process of its own, made once for all loops of this one
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import orjson

from tests.faults.processes.trapped import Call, Watcher

LONGEST = 1 << 12
STARTING = 150.0
"""Seconds of real time that the nursery may take to load everything."""
Decide = Callable[[Call], object]
"""What becomes of a call: `GO` (None), `KILL`, or the number of an error. It may look at the process meanwhile."""
GO = None
KILL = object()


@dataclass(frozen=True)
class Trap:
    """Which calls of a process wait, and who decides what becomes of them."""

    calls: Sequence[str]
    decide: Decide


@dataclass(frozen=True)
class Start:
    """How a bot is started: its arguments and environment, where, and its standard input, output and error.

    `ahead` is by how many seconds the clock of its machine is ahead of the right one.
    """

    arguments: Sequence[str]
    directory: Path
    environment: Mapping[str, str]
    files: tuple[int, int, int]
    trap: Trap | None = None
    ahead: float = 0.0


class Life:
    """One process from its start to its end. `status` is its exit status, negative for a signal, None while it lives.

    `counts` are the calls that went through its trap, by kind.
    """

    def __init__(self, process: int, trap: Trap | None, control: socket.socket | None) -> None:
        self.process = process
        self.status: int | None = None
        self.problem: BaseException | None = None
        self.ended = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self._trap, self._control = trap, control
        self._watcher: Watcher | None = None
        if control is not None:
            self._loop.add_reader(control.fileno(), self._watch)

    @property
    def counts(self) -> dict[str, int]:
        """How often each kind of call came."""
        return self._watcher.counts if self._watcher else {}

    def signal(self, number: int) -> None:
        """Send a signal, if there is anybody left to get it."""
        if self.status is None:
            with suppress(ProcessLookupError):
                os.kill(self.process, number)

    def end(self, status: int) -> None:
        """Note that it has ended."""
        self.status = status
        self._let_go()
        self.ended.set()

    def _watch(self) -> None:
        assert self._control is not None
        self._loop.remove_reader(self._control.fileno())
        control, self._control = self._control, None
        with control:
            try:
                self._watcher = Watcher(self.process, control.fileno())
            except OSError as error:  # it ended before it came so far
                self.problem = error
                return
        self._loop.add_reader(self._watcher.file, self._next)

    def _next(self) -> None:
        assert self._watcher is not None and self._trap is not None
        call = self._watcher.next()
        if call is None:
            return
        try:
            decided = self._trap.decide(call)
        except BaseException as error:  # noqa: BLE001 - shown by who looks at this life; the call must not hang
            self.problem, decided = error, KILL
        if decided is GO:
            self._watcher.let(call)
        elif isinstance(decided, int):
            self._watcher.fail(call, decided)
        else:
            # it waits in the call, and never comes out of it
            self._let_go(close=False)
            self.signal(signal.SIGKILL)

    def _let_go(self, *, close: bool = True) -> None:
        if self._control is not None:
            self._loop.remove_reader(self._control.fileno())
            self._control.close()
            self._control = None
        if self._watcher is not None:
            self._loop.remove_reader(self._watcher.file)
            if close:
                self._watcher.close()


class Nursery:
    """The warmed process, seen from here. One serves all loops of a process, one after the other."""

    def __init__(self) -> None:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        command = (sys.executable, "-m", "tests.faults.processes.nursery", str(theirs.fileno()))
        self._process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, pass_fds=[theirs.fileno()], cwd=Path(__file__).parents[3]
        )
        theirs.close()
        self._orders = ours
        self._lives: dict[int, Life] = {}
        self._dead: dict[int, int] = {}
        self._born: asyncio.Future[int] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._is_ready = False
        atexit.register(self.close)

    @property
    def is_there(self) -> bool:
        """Whether it can still be asked."""
        return self._process.poll() is None

    async def bear(self, start: Start) -> Life:
        """Start a bot."""
        await self._attend()
        loop = asyncio.get_running_loop()
        control, theirs = socket.socketpair() if start.trap else (None, None)
        files = [*start.files, *([theirs.fileno()] if theirs else [])]
        order = {
            "arguments": list(start.arguments),
            "directory": str(start.directory),
            "environment": dict(start.environment),
            "calls": list(start.trap.calls) if start.trap else [],
            "ahead": start.ahead,
        }
        self._born = loop.create_future()
        socket.send_fds(self._orders, [orjson.dumps(order)], files)
        process = await self._born
        if theirs is not None:
            theirs.close()
        life = self._lives[process] = Life(process, start.trap, control)
        if process in self._dead:
            self._end(process, self._dead.pop(process))
        return life

    def leave(self) -> None:
        """Let go of the running loop; whoever still lives is killed."""
        for life in list(self._lives.values()):
            life.signal(signal.SIGKILL)
        if self._loop is not None and not self._loop.is_closed():
            self._loop.remove_reader(self._orders.fileno())
        self._loop = None

    def close(self) -> None:
        """End it, and with it everything that it has started."""
        self._orders.close()
        self._process.kill()
        self._process.wait()

    async def _attend(self) -> None:
        loop = asyncio.get_running_loop()
        if not self._is_ready:
            self._orders.setblocking(False)
            async with asyncio.timeout(STARTING):
                ready = await loop.sock_recv(self._orders, LONGEST)
            assert b"ready" in ready, "the nursery did not start"
            self._is_ready = True
        if self._loop is not loop:
            self.leave()
            self._loop = loop
            loop.add_reader(self._orders.fileno(), self._hear)

    def _hear(self) -> None:
        said = self._orders.recv(LONGEST)
        if not said:
            assert self._loop is not None
            self._loop.remove_reader(self._orders.fileno())
            raise RuntimeError("the nursery has ended")
        word = orjson.loads(said)
        if "born" in word:
            assert self._born is not None
            self._born.set_result(word["born"])
        else:
            self._end(word["ended"], word["status"])

    def _end(self, process: int, status: int) -> None:
        life = self._lives.pop(process, None)
        if life is None:
            self._dead[process] = status
        elif life._loop is self._loop:
            life.end(status)


_nursery: list[Nursery] = []


def the_nursery() -> Nursery:
    """Return the one of this process; a new one where it fell."""
    if not _nursery or not _nursery[-1].is_there:
        _nursery[:] = [Nursery()]
    return _nursery[-1]
