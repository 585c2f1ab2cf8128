"""Measure how soon `why` answers about a channel whose process stands still or is dead: prints JSON.

A gateway and a worker, processes of their own, share a bot on a PostgreSQL server; whoever asks is a third one that
reads the database. It asks 100 times while the worker lives, while it is stopped, and after it was killed; the floor is
one look at a single row. `_cpu_ms` is what the asking itself takes, whoever else is at work on the machine.
"""

from __future__ import annotations

import asyncio
import json
import signal
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from bot.app.adapters import machine
from bot.cli.host_queries import HostQueries
from bot.config import load_config
from tests.faults.processes.house import TOKEN
from tests.faults.processes.machines import on_server
from tests.servers.postgres import postgres_server

TRIES = 100
MAX_MS = 1000
ROLES = ("gateway", "worker")


async def times(asked: Callable[[], Awaitable[Any]]) -> tuple[list[float], list[float]]:
    """Return the milliseconds of each of so many tries, and those of the processor, both in order of size."""
    found, own = [], []
    for _ in range(TRIES):
        began, at_work = time.perf_counter(), time.process_time()
        await asked()
        found.append((time.perf_counter() - began) * 1000)
        own.append((time.process_time() - at_work) * 1000)
    return sorted(found), sorted(own)


async def measured(directory: Path) -> dict[str, float]:
    figures: dict[str, float] = {}
    async with on_server("telegram", directory, postgres_server(), len(ROLES), roles=ROLES) as house:
        await house.start()
        await house.ask("one")
        await house.settled()
        loaded = load_config(house.home(0) / "config.toml", {TOKEN: house.token})
        store = await house.opened()
        asking, worker = HostQueries(store, loaded.config, machine().clock), house.lives[1]

        async def why() -> str:
            return (await asking.why(None, everywhere=False)).text

        async def note(name: str, asked: Callable[[], Awaitable[Any]]) -> None:
            found, own = await times(asked)
            figures[f"{name}_cpu_ms"] = statistics.median(own)
            figures[f"{name}_p50_ms"], figures[f"{name}_p99_ms"] = statistics.median(found), found[98]
            figures[f"{name}_in_time"] = sum(one <= MAX_MS for one in found)

        try:
            await note("floor", store.last_sign)
            await why()
            await note("living", why)
            worker.signal(signal.SIGSTOP)
            await house.speak("ann", house.addressed("and now?"), 0)
            while "waits to be taken up" not in await why():  # noqa: ASYNC110 - a silence is seen by looking
                await asyncio.sleep(0.5)
            await note("stopped", why)
            worker.signal(signal.SIGKILL)
            await house.gone(worker)
            await note("dead", why)
            figures["stopped_to_living"] = figures["stopped_cpu_ms"] / figures["living_cpu_ms"]
        finally:
            worker.signal(signal.SIGCONT)
            await store.close()
    return figures


def main() -> None:
    with tempfile.TemporaryDirectory() as directory:
        print(json.dumps(asyncio.run(measured(Path(directory)))))


if __name__ == "__main__":
    main()
