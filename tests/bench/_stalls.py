"""How late a timer of the event loop is at worst, and in a process that does nothing else, which is the floor."""

from __future__ import annotations

import asyncio
import statistics
import sys
import threading
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from bot.runtime.tasks import TaskSupervisor

TICK = 0.002


class Stalls:
    """How late timers were, in milliseconds; `floor` is how late one was at worst meanwhile in an idle process.

    `own` is what the loop's thread was at work meanwhile: what other programs take from it is not in it.
    """

    def __init__(self) -> None:
        self.late: list[float] = []
        self.own: list[float] = []
        self.floor = 0.0

    @property
    def worst(self) -> float:
        """How late a timer was at worst."""
        return max(self.late, default=0.0)

    @property
    def p99(self) -> float:
        """What 99 of 100 moments stay below."""
        return felt(self.late)

    @property
    def own_p99(self) -> float:
        """What 99 of 100 moments stay below, of the loop's own work."""
        return felt(self.own)

    def forget(self) -> None:
        """Begin anew."""
        self.late.clear()
        self.own.clear()

    async def watch(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            due, spent = loop.time() + TICK, time.thread_time()
            await asyncio.sleep(TICK)
            self.late.append((loop.time() - due) * 1000)
            self.own.append((time.thread_time() - spent) * 1000)

    def figures(self, name: str) -> dict[str, float]:
        """Return both under a name."""
        return {f"{name}_max_ms": self.worst, f"{name}_floor_ms": self.floor}


class LongestStall:
    """The longest stall in milliseconds, the longest that was the loop's own work, and its longest look for garbage.

    For runs of an hour: what `StallDetector` keeps would be most of what such a process grows by.
    """

    def __init__(self) -> None:
        self.late = self.own = self.garbage = 0.0
        self._looks_since = 0.0

    def taken(self) -> tuple[float, float, float]:
        """Return them since they were asked for before."""
        found = self.late, self.own, self.garbage
        self.late = self.own = self.garbage = 0.0
        return found

    def on_look(self, phase: str, info: dict[str, int]) -> None:
        """Hear of a look for garbage; one of `gc.callbacks`."""
        if threading.current_thread() is threading.main_thread():
            if phase == "start":
                self._looks_since = time.thread_time()
            else:
                self.garbage = max(self.garbage, (time.thread_time() - self._looks_since) * 1000)

    async def watch(self, tick: float = 5 * TICK) -> None:
        loop = asyncio.get_running_loop()
        while True:
            due, spent = loop.time() + tick, time.thread_time()
            await asyncio.sleep(tick)
            self.late = max(self.late, (loop.time() - due) * 1000)
            self.own = max(self.own, (time.thread_time() - spent) * 1000)


def felt(late: Sequence[float]) -> float:
    """Return the p99 of moments: a late timer stands for all the timers that were due while it was late."""
    moments = [one - TICK * 1000 * n for one in late for n in range(1 + int(one / (TICK * 1000)))]
    return statistics.quantiles(moments, n=100, method="inclusive")[98] if len(moments) > 1 else 0.0


@asynccontextmanager
async def stalls() -> AsyncIterator[Stalls]:
    """Watch the event loop."""
    command = (sys.executable, "-m", "tests.bench._stalls")
    idle = await asyncio.create_subprocess_exec(*command, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE)
    assert idle.stdout is not None
    await idle.stdout.readline()
    found = Stalls()
    tasks = TaskSupervisor()
    tasks.spawn("watch the loop", found.watch())
    yield found
    await tasks.close()
    # with an input, if an empty one: without, Python 3.11 never closes the pipe
    said, _ = await idle.communicate(b"")
    found.floor = float(said)


async def _idle() -> None:
    found = Stalls()
    tasks = TaskSupervisor()
    print("watching", flush=True)
    tasks.spawn("watch the loop", found.watch())
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    await tasks.close()
    print(found.worst)


if __name__ == "__main__":
    asyncio.run(_idle())
