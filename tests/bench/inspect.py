"""Measure looking at a channel of a real store, through the inspector: `python -m tests.bench.inspect` prints JSON."""

from __future__ import annotations

import asyncio
import gc
import json
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

from bot.domain.ids import MAIN, ChannelId, ChannelKey
from bot.domain.snapshot import CaptureKind
from tests.bench._bot import Setup, a_bot
from tests.bench._model import a_model, prose

TURNS = 100
WORDS = 152
PERSONA = prose(9_600, 3)
GENERAL = ChannelKey(MAIN, ChannelId("console:#general"))


async def median_ms(work: Callable[[], Awaitable[object]], times: int = 40) -> tuple[float, float]:
    """Return median wall and CPU milliseconds."""
    wall, cpu = [], []
    for _ in range(times):
        gc.collect()
        began, spent = time.perf_counter(), time.process_time()
        await work()
        wall.append((time.perf_counter() - began) * 1000)
        cpu.append((time.process_time() - spent) * 1000)
    return statistics.median(wall), statistics.median(cpu)


async def measure(url: str, data: Path) -> dict[str, float]:
    async with a_bot(Setup(data, url, persona=PERSONA)) as bot:
        for number in range(TURNS):
            await bot.says(prose(WORDS, number))
        inspector = bot.app.inspector
        await bot.app.edges.counter.warm(["load the table"])
        began = time.perf_counter()
        first = await inspector.inspect(GENERAL)
        first_ms = (time.perf_counter() - began) * 1000
        wall, cpu = await median_ms(lambda: inspector.inspect(GENERAL))
        sent_wall, sent_cpu = await median_ms(lambda: inspector.inspect(GENERAL, CaptureKind.SENT))
        again = await inspector.inspect(GENERAL)
        assert again.numbers.stats.history == first.numbers.stats.history
        return {
            "messages": len(first.request.messages),
            "total_tokens": first.numbers.stats.total,
            "inspect_next_first_ms": first_ms,
            "inspect_next_again_ms": wall,
            "inspect_next_again_cpu_ms": cpu,
            "inspect_sent_again_ms": sent_wall,
            "inspect_sent_again_cpu_ms": sent_cpu,
        }


def main() -> None:
    with a_model(WORDS) as url, tempfile.TemporaryDirectory() as directory:
        figures = asyncio.run(measure(url, Path(directory)))
    print(json.dumps({name: round(value, 3) for name, value in figures.items()}))


if __name__ == "__main__":
    main()
