"""How late a timer of the event loop is at worst, and in a process that does nothing else, which is the floor."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from bot.tasks import Tasks

TICK = 0.002


class Stalls:
    """How late a timer was at worst, in milliseconds: here, and meanwhile in an idle process."""

    def __init__(self) -> None:
        self.worst = 0.0
        self.floor = 0.0

    async def watch(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            due = loop.time() + TICK
            await asyncio.sleep(TICK)
            self.worst = max(self.worst, (loop.time() - due) * 1000)

    def figures(self, name: str) -> dict[str, float]:
        """Return both under a name."""
        return {f"{name}_max_ms": self.worst, f"{name}_floor_ms": self.floor}


@asynccontextmanager
async def stalls() -> AsyncIterator[Stalls]:
    """Watch the event loop."""
    command = (sys.executable, "-m", "tests.bench._stalls")
    idle = await asyncio.create_subprocess_exec(*command, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE)
    assert idle.stdout is not None
    await idle.stdout.readline()
    found = Stalls()
    tasks = Tasks()
    tasks.spawn("watch the loop", found.watch())
    yield found
    await tasks.close()
    # with an input, if an empty one: without, Python 3.11 never closes the pipe
    said, _ = await idle.communicate(b"")
    found.floor = float(said)


async def _idle() -> None:
    found = Stalls()
    tasks = Tasks()
    print("watching", flush=True)
    tasks.spawn("watch the loop", found.watch())
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    await tasks.close()
    print(found.worst)


if __name__ == "__main__":
    asyncio.run(_idle())
