"""Measure what a turn costs us as a chat grows, and how long the event loop stalls: `python -m tests.bench.turn`."""

from __future__ import annotations

import asyncio
import json
import statistics
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from bot.tasks import Tasks
from tests.bench._bot import Bench, Setup, a_bot
from tests.bench._model import a_model, prose

WINDOW = 25
LONG_CHAT = 400
STALL_TURNS = 200
TICK = 0.002


class Stalls:
    """How late a timer was at worst, in milliseconds."""

    def __init__(self) -> None:
        self.worst = 0.0

    async def watch(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            due = loop.time() + TICK
            await asyncio.sleep(TICK)
            self.worst = max(self.worst, (loop.time() - due) * 1000)


@asynccontextmanager
async def stalls() -> AsyncIterator[Stalls]:
    """Watch the event loop."""
    found = Stalls()
    tasks = Tasks()
    tasks.spawn("watch the loop", found.watch())
    yield found
    await tasks.close()


class Chat:
    """One chat, which remembers how many turns it had and what each cost."""

    def __init__(self, bot: Bench) -> None:
        self.bot = bot
        self.cpu: list[float] = []
        self.wall: list[float] = []

    async def go_on(self, turns: int) -> None:
        for _ in range(turns):
            cpu, wall = time.process_time(), time.perf_counter()
            await self.bot.says(prose(25, len(self.cpu)))
            self.cpu.append((time.process_time() - cpu) * 1000)
            self.wall.append((time.perf_counter() - wall) * 1000)

    def around(self, turn: int) -> tuple[float, float]:
        """Return the mean CPU and the median wall time of the turns around one."""
        window = slice(turn - WINDOW // 2 - 1, turn + WINDOW // 2)
        # the mean: what garbage collection and commits cost now and then is owed by every turn
        return statistics.mean(self.cpu[window]), statistics.median(self.wall[window])


async def measure(url: str, data: Path) -> dict[str, float]:
    figures: dict[str, float] = {}
    async with a_bot(Setup(data / "plain", url)) as bot:
        chat = Chat(bot)
        await chat.go_on(LONG_CHAT + WINDOW)
        figures |= compared("turn", chat)
        async with stalls() as found:
            await chat.go_on(STALL_TURNS)
        figures["loop_lag_in_200_turns_max_ms"] = found.worst
    async with a_bot(Setup(data / "counted", url)) as bot:
        async with stalls() as found:
            await bot.app.edges.counter.warm(["load the table"])
        figures["loop_lag_table_load_max_ms"] = found.worst
        chat = Chat(bot)
        await chat.go_on(LONG_CHAT + WINDOW)
        figures |= compared("turn_counted", chat)
    return {name: round(value, 3) for name, value in figures.items()}


def compared(name: str, chat: Chat) -> dict[str, float]:
    (early, early_wall), (late, late_wall) = chat.around(25), chat.around(LONG_CHAT)
    return {
        f"{name}_25_cpu_ms": early,
        f"{name}_400_cpu_ms": late,
        f"{name}_400_to_25_cpu_ratio": late / early,
        f"{name}_25_wall_ms": early_wall,
        f"{name}_400_wall_ms": late_wall,
    }


def main() -> None:
    with a_model(words=25) as url, tempfile.TemporaryDirectory() as directory:
        print(json.dumps(asyncio.run(measure(url, Path(directory)))))


if __name__ == "__main__":
    main()
