"""What this machine takes by itself: how late a page is durable for a process that does nothing else.

Where many machines share one, a process stands still now and then for tens of milliseconds, and so does the disk; that
is no figure of the bot's. `python -m tests.faults.load.machine DIRECTORY` measures until its standard input ends.
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

BEAT = 0.02
"""Seconds from page to page; one that is late does not put off when the next is due."""
PAGE = 4096
PAGES = 256
"""How long the file is that they are written to again and again, as a write-ahead log is."""


class Machine:
    """`p99_ms` is known when the measuring is over."""

    p99_ms = 0.0


@asynccontextmanager
async def beside(directory: Path) -> AsyncIterator[Machine]:
    """Measure the machine and the disk of a directory meanwhile."""
    pipe, machine = asyncio.subprocess.PIPE, Machine()
    command = (sys.executable, "-m", "tests.faults.load.machine", str(directory))
    process = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe)
    assert process.stdout is not None
    await process.stdout.readline()
    try:
        yield machine
    finally:
        said, _ = await process.communicate(b"")
    machine.p99_ms = float(said)


def _measure(directory: str) -> None:
    with tempfile.TemporaryFile(dir=directory) as file:
        file.write(bytes(PAGE * PAGES))
        file.flush()
        os.fsync(file.fileno())
        print("measuring", flush=True)
        print(statistics.quantiles(_took(file.fileno()), n=100, method="inclusive")[98])


def _took(file: int) -> list[float]:
    """Return how long after it was due each page was durable, in milliseconds."""
    took, begin = [0.0, 0.0], time.monotonic()
    while True:
        due = begin + len(took) * BEAT
        if select.select([sys.stdin], [], [], max(0.0, due - time.monotonic()))[0]:
            return took
        os.pwrite(file, os.urandom(PAGE), len(took) % PAGES * PAGE)
        os.fdatasync(file)
        took.append((time.monotonic() - due) * 1000)


if __name__ == "__main__":
    _measure(sys.argv[1])
