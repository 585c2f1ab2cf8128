"""Measure starting, memory, and what known idle channels cost: `python -m tests.bench.memory` prints JSON."""

from __future__ import annotations

import asyncio
import json
import subprocess  # noqa: TID251 - a start is only measured honestly in a process of its own
import sys
import tempfile
import time
from pathlib import Path

import orjson

from tests.bench._bot import Setup, a_bot
from tests.bench._model import a_model
from tests.bench.floor import environment

KNOWN = 10_000


def resident_mib() -> float:
    """Return what this process occupies."""
    line = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmRSS:"))
    return int(line.split()[1]) / 1024


async def start(data: Path, url: str, turns: int) -> dict[str, float]:
    """Start a bot, let it answer so many times, and say what that took."""
    async with a_bot(Setup(data, url)) as bot:
        figures = {"cpu_s": time.process_time(), "rss_mib": resident_mib()}
        for _ in range(turns):
            await bot.says("are you there?")
        return {**figures, "rss_after_turns_mib": resident_mib()}


async def populate(data: Path, channels: int) -> dict[str, float]:
    """Let a bot overhear something in many channels, and say what that took."""
    from tests.bench.inbound import inbound

    async with a_bot(Setup(data)) as bot:
        await bot.app.manager.receive([inbound(0, 0)], None)
        await bot.app.settled()
        before = resident_mib()
        for first in range(1, channels + 1, 100):
            await bot.app.manager.receive([inbound(number, 0) for number in range(first, first + 100)], None)
            await bot.app.settled()
        return {"grown_mib": resident_mib() - before}


def apart(*arguments: object) -> dict[str, float]:
    """Run one of the above in a fresh process."""
    command = [sys.executable, "-m", "tests.bench.memory", *map(str, arguments)]
    ran = subprocess.run(command, capture_output=True, check=True, env=environment())
    done: dict[str, float] = orjson.loads(ran.stdout)
    return done


def measure(directory: str) -> dict[str, float]:
    with a_model(words=25) as url:
        apart("start", f"{directory}/unmeasured", url, 1)  # so that every module is compiled
        fresh = apart("start", f"{directory}/empty", url, 20)
    grown = apart("populate", f"{directory}/many", KNOWN)
    again = apart("start", f"{directory}/many", "http://127.0.0.1:9/v1", 0)
    return {
        "start_cpu_s": fresh["cpu_s"],
        "rss_started_mib": fresh["rss_mib"],
        "rss_after_20_turns_mib": fresh["rss_after_turns_mib"],
        "rss_for_10000_channels_met_mib": grown["grown_mib"],
        "rss_for_10000_channels_known_at_start_mib": again["rss_mib"] - fresh["rss_mib"],
        "start_with_10000_channels_cpu_s": again["cpu_s"],
    }


def main() -> None:
    match sys.argv[1:]:
        case ["start", data, url, turns]:
            figures = asyncio.run(start(Path(data), url, int(turns)))
        case ["populate", data, channels]:
            figures = asyncio.run(populate(Path(data), int(channels)))
        case _:
            with tempfile.TemporaryDirectory() as directory:
                figures = measure(directory)
    print(json.dumps({name: round(value, 3) for name, value in figures.items()}))


if __name__ == "__main__":
    main()
