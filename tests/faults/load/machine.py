"""What this machine takes by itself, seen by a process that does nothing else.

Where many machines share a disk, it stands still now and then for up to half a second, whoever writes and however
little; that is no figure of the bot's. `python -m tests.faults.load.machine DIRECTORY` watches until its standard input
ends.
"""

from __future__ import annotations

import asyncio
import os
import select
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import orjson

BEAT = 0.025
"""Seconds from page to page."""
STANDSTILL = 0.01
"""Seconds that one page takes, or the process is late for it, where the machine stands still."""
PAGE = 4096
PAGES = 256
"""How long the file is that they are written to again and again, as a write-ahead log is."""


class Machine:
    """Known when the watching is over: how soon a page is durable where nothing stood still, and when it did."""

    def __init__(self) -> None:
        self.page_p99_ms = 0.0
        self._stood: list[tuple[float, float]] = []

    def saw(self, page_p99_ms: float, stood: list[tuple[float, float]]) -> None:
        """Take what was seen; what came meanwhile has to be worked off, for as long again."""
        self.page_p99_ms = page_p99_ms
        self._stood = [(began, ended + ended - began) for began, ended in stood]

    def stood_still(self, began: float, ended: float) -> bool:
        """Say whether it stood still at any moment from one to another (`time.monotonic`)."""
        return any(since < ended and until > began for since, until in self._stood)


@asynccontextmanager
async def beside(directory: Path) -> AsyncIterator[Machine]:
    """Watch the machine and the disk of a directory meanwhile."""
    pipe, machine = asyncio.subprocess.PIPE, Machine()
    command = (sys.executable, "-m", "tests.faults.load.machine", str(directory))
    process = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe)
    assert process.stdout is not None
    await process.stdout.readline()
    try:
        yield machine
    finally:
        said, _ = await process.communicate(b"")
    machine.saw(**orjson.loads(said))


def _watch(directory: str) -> None:
    with tempfile.TemporaryFile(dir=directory) as file:
        file.write(bytes(PAGE * PAGES))
        file.flush()
        os.fsync(file.fileno())
        print("watching", flush=True)
        pages, stood = _seen(file.fileno())
    p99 = statistics.quantiles(pages, n=100, method="inclusive")[98] if len(pages) > 1 else 0.0
    print(orjson.dumps({"page_p99_ms": p99, "stood": stood}).decode())


def _seen(file: int) -> tuple[list[float], list[tuple[float, float]]]:
    """Return what pages took, in milliseconds, and from when to when one took too long."""
    pages: list[float] = []
    stood: list[tuple[float, float]] = []
    before = time.monotonic()
    number = 0
    while not select.select([sys.stdin], [], [], BEAT)[0]:
        began, number = time.monotonic(), number + 1
        os.pwrite(file, os.urandom(PAGE), number % PAGES * PAGE)
        os.fdatasync(file)
        done = time.monotonic()
        if done - before - BEAT > STANDSTILL:
            # it may have begun right behind the page before
            stood.append((before, done))
        else:
            pages.append((done - began) * 1000)
        before = done
    return pages, stood


if __name__ == "__main__":
    _watch(sys.argv[1])
