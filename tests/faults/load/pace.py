"""A steady beat from a process of its own: a pipe becomes readable when something is due, as a socket does.

A timer of the loop itself would be late by up to a millisecond, because `epoll` counts in milliseconds, and that would
be taken for time that the bot needs. `python -m tests.faults.load.pace BEATS SECONDS` writes to its standard output.
"""

from __future__ import annotations

import asyncio
import os
import struct
import sys
import time
from collections.abc import Callable

_MOMENT = struct.Struct("d")
_AT_ONCE = 512 * _MOMENT.size


async def keep_pace(beats: int, apart: float, due: Callable[[float], object]) -> None:
    """Call `due` for each beat, `apart` by so many seconds, with the moment by `loop.time()`; return after the last."""
    loop, over = asyncio.get_running_loop(), asyncio.Event()
    readable, writable = os.pipe()

    def heard() -> None:
        said = os.read(readable, _AT_ONCE)
        for (moment,) in _MOMENT.iter_unpack(said):
            due(moment)
        if not said:
            loop.remove_reader(readable)
            over.set()

    command = (sys.executable, "-m", "tests.faults.load.pace", str(beats), str(apart))
    process = await asyncio.create_subprocess_exec(*command, stdout=writable)
    os.close(writable)
    loop.add_reader(readable, heard)
    try:
        await over.wait()
    finally:
        loop.remove_reader(readable)
        os.close(readable)
        await process.wait()


def _beat(beats: int, apart: float) -> None:
    # the clock of every loop on this machine
    begin = time.monotonic()
    for number in range(1, beats + 1):
        moment = begin + number * apart
        time.sleep(max(0.0, moment - time.monotonic()))
        os.write(sys.stdout.fileno(), _MOMENT.pack(moment))


if __name__ == "__main__":
    _beat(int(sys.argv[1]), float(sys.argv[2]))
