"""Measure what a turn costs us as a chat grows, and how long the event loop stalls: `python -m tests.bench.turn`."""

from __future__ import annotations

import asyncio
import json
import statistics
import tempfile
import time
from pathlib import Path

from tests.bench._bot import Bench, Setup, a_bot
from tests.bench._model import a_model, prose
from tests.bench._stalls import stalls

WINDOW = 25
LONG_CHAT = 400
STALL_TURNS = 200


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
        figures |= found.figures("loop_lag_in_200_turns")
    async with a_bot(Setup(data / "counted", url)) as bot:
        async with stalls() as found:
            await bot.app.edges.counter.warm(["load the table"])
        figures |= found.figures("loop_lag_table_load")
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
