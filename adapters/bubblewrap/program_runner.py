"""Run one program behind the walls: take what it writes, watch it, end it with all that it has begun."""

from __future__ import annotations

import asyncio
import os
import re
import signal
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import NamedTuple

from adapters.bubblewrap.resource_watcher import ResourceWatcher, descendants
from bot.ports.sandbox import ProgramOutput, ProgramResult

_LOOK_SECONDS = 0.1
_LAST_WORDS_SECONDS = 2.0
_OUT, _ERR = 1, 2
_FIRST = re.compile(rb'"child-pid": (\d+)')


class OutputBuffer:
    """One stream. What is in the middle of a long one is counted and forgotten."""

    def __init__(self, limit: int) -> None:
        self._half = max(1, limit // 2)
        self._start = bytearray()
        self._end: deque[bytes] = deque()
        self._end_size = 0
        self.size = 0

    def take(self, data: bytes) -> None:
        """Take what came."""
        self.size += len(data)
        room = self._half - len(self._start)
        if room > 0:
            self._start += data[:room]
            data = data[room:]
        if not data:
            return
        self._end.append(data[-self._half :])
        self._end_size += len(self._end[-1])
        while self._end_size - len(self._end[0]) >= self._half:
            self._end_size -= len(self._end.popleft())

    def output(self) -> ProgramOutput:
        """Return what is kept, with a note where something is left out."""
        end = b"".join(self._end)[-self._half :]
        left_out = self.size - len(self._start) - len(end)
        if not left_out:
            return ProgramOutput((bytes(self._start) + end).decode(errors="replace"), self.size)
        note = f"\n[... {left_out:,} of {self.size:,} bytes are left out here ...]\n"
        text = self._start.decode(errors="replace") + note + end.decode(errors="replace")
        return ProgramOutput(text, self.size)


class ProgramLaunch(NamedTuple):
    """What to begin: the command line, handles that it inherits, and limits for it. Bytes and seconds.

    `told` is where bubblewrap's word can be read.
    """

    line: Sequence[str]
    handles: tuple[int, ...]
    told: int
    seconds: float
    kept: int
    written: int


class _OutputProtocol(asyncio.SubprocessProtocol):
    """Hears what a program writes. `over`: it has ended; `silent`: nobody holds its streams any more.

    `settled`: it has ended, or must be ended because it is `flooded`, writing more than anybody wants.
    """

    def __init__(self, begin: ProgramLaunch) -> None:
        # of what is kept two thirds are for the output, and one for the errors
        self.streams = {_OUT: OutputBuffer(begin.kept * 2 // 3), _ERR: OutputBuffer(begin.kept // 3)}
        self.over = asyncio.Event()
        self.silent = asyncio.Event()
        self.settled = asyncio.Event()
        self.flooded = False
        self._open = 2
        self._most = begin.written

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        """Take what came; who writes without end is told apart."""
        self.streams[fd].take(data)
        if sum(stream.size for stream in self.streams.values()) > self._most:
            self.flooded = True
            self.settled.set()

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        """Note that a stream has ended."""
        self._open -= 1
        if not self._open:
            self.silent.set()

    def process_exited(self) -> None:
        """Note that the program has ended."""
        self.over.set()
        self.settled.set()


async def run_program(begin: ProgramLaunch, watch: Callable[[int], ResourceWatcher]) -> ProgramResult:
    """Run it to its end, or to the end of a limit; raise OSError when it cannot be begun.

    However this ends, also by cancelling: nothing of the program is left afterwards.
    """
    began = asyncio.get_running_loop().time()
    ears = _OutputProtocol(begin)
    starting = _start_program(begin, ears)
    try:
        transport = await asyncio.shield(starting)
        stopped = await _wait_for_end(ears, watch(transport.get_pid()), begin.seconds)
    finally:
        # whoever is cancelled while it starts waits until it has: only then everything that it began can be found
        await asyncio.shield(_put_away(starting, ears, begin.told))
    status = transport.get_returncode() or 0
    code = 128 - status if status < 0 else status
    seconds = asyncio.get_running_loop().time() - began
    return ProgramResult(code, ears.streams[_OUT].output(), ears.streams[_ERR].output(), seconds, stopped)


def _start_program(begin: ProgramLaunch, ears: _OutputProtocol) -> asyncio.Task[asyncio.SubprocessTransport]:
    async def start() -> asyncio.SubprocessTransport:
        transport, _ = await asyncio.get_running_loop().subprocess_exec(
            lambda: ears,
            *begin.line,
            stdin=asyncio.subprocess.DEVNULL,
            pass_fds=begin.handles,
            # what bubblewrap is begun with can be read inside, whatever it clears later
            env={"PATH": "/usr/bin:/bin"},
            cwd="/",
            start_new_session=True,
        )
        return transport

    return asyncio.get_running_loop().create_task(start(), name="sandbox start")


async def _put_away(starting: asyncio.Task[asyncio.SubprocessTransport], ears: _OutputProtocol, told: int) -> None:
    await asyncio.wait([starting])
    if starting.exception() is not None:
        return
    transport = starting.result()
    _kill(transport.get_pid(), ears)
    # processes die one after the other; only when the last is gone it is over
    with suppress(TimeoutError):
        async with asyncio.timeout(_LAST_WORDS_SECONDS):
            await ears.over.wait()
            await _wait_until_empty(told)
            await ears.silent.wait()
    transport.close()


async def _wait_until_empty(told: int) -> None:
    """Wait for the first process of the sandbox to be gone, which the kernel lets happen after all others."""
    with suppress(OSError):
        if (named := _FIRST.search(os.read(told, 4096))) is None:
            return
        handle, gone = os.pidfd_open(int(named[1])), asyncio.Event()
        asyncio.get_running_loop().add_reader(handle, gone.set)
        try:
            await gone.wait()
        finally:
            asyncio.get_running_loop().remove_reader(handle)
            os.close(handle)


async def _wait_for_end(ears: _OutputProtocol, watch: ResourceWatcher, seconds: float) -> str:
    """Wait until the program has ended, and return which limit did it."""
    until = asyncio.get_running_loop().time() + seconds
    while True:
        left = until - asyncio.get_running_loop().time()
        if left <= 0:
            return "time"
        with suppress(TimeoutError):
            async with asyncio.timeout(min(left, _LOOK_SECONDS)):
                await ears.settled.wait()
                return "output" if ears.flooded else ""
        if passed := await asyncio.to_thread(watch.look):
            return passed


def _kill(pid: int, ears: _OutputProtocol) -> None:
    """End everything: the inner processes first, so that none is left without the outer one that takes it along."""
    if ears.over.is_set():
        return
    for one in reversed(list(descendants(pid))):
        with suppress(ProcessLookupError, PermissionError):
            os.kill(one, signal.SIGKILL)
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)
