"""Measure the sandbox: how long a program waits for its walls, what they cost, and whether the loop stays free.

`start_ms` is the time from the call until the program itself looks at the clock; `whole_ms` until its end is known.
`bare_ms` is the same program without walls. CPU is that of a whole run: the helpers' and the program's, and our own.
Without bubblewrap there are no figures.
"""

from __future__ import annotations

import asyncio
import json
import resource
import statistics
import subprocess  # noqa: TID251 - what the sandbox is compared with
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

from adapters.workspaces import Settings, create
from bot.ports.sandbox import SandboxCommand
from bot.ports.workspaces import FileSearch
from tests.adapters.bubblewrap.stage import Stage, a_stage, forms, why_not
from tests.fakes.values import KEY

RUNS = 60
DATE = ("/bin/date", "+%s.%N")


def cpu_ms(who: int) -> float:
    used = resource.getrusage(who)
    return (used.ru_utime + used.ru_stime) * 1000


async def runs(stage: Stage) -> dict[str, float]:
    sandbox = stage.sandbox()
    await sandbox.run(SandboxCommand(DATE, stage.workspace))
    starts, wholes, bares = [], [], []
    children, own = cpu_ms(resource.RUSAGE_CHILDREN), cpu_ms(resource.RUSAGE_SELF)
    for _ in range(RUNS):
        began = time.time()  # noqa: TID251 - compared with the clock of another process
        ran = await sandbox.run(SandboxCommand(DATE, stage.workspace))
        wholes.append((time.time() - began) * 1000)  # noqa: TID251 - compared with the clock of another process
        starts.append((float(ran.out.text) - began) * 1000)
    used = cpu_ms(resource.RUSAGE_CHILDREN) - children, cpu_ms(resource.RUSAGE_SELF) - own
    for _ in range(RUNS):
        began = time.time()  # noqa: TID251 - compared with the clock of another process
        bare = subprocess.run(DATE, capture_output=True, check=True)  # noqa: ASYNC221 - nothing else runs
        bares.append((float(bare.stdout) - began) * 1000)
    return {
        "start_ms": statistics.median(starts),
        "start_least_ms": min(starts),
        "whole_ms": statistics.median(wholes),
        "bare_ms": statistics.median(bares),
        "cpu_ms": used[0] / RUNS,
        "own_cpu_ms": used[1] / RUNS,
    }


async def longest_stall(work: Callable[[], Awaitable[object]]) -> float:
    """Return how long the loop's own thread was busy at most, in CPU, so that neighbours do not count."""
    longest, over = 0.0, asyncio.Event()

    async def look() -> None:
        nonlocal longest
        while not over.is_set():
            began = time.thread_time()
            await asyncio.sleep(0)
            longest = max(longest, time.thread_time() - began)
            await asyncio.sleep(0.0005)

    async with asyncio.TaskGroup() as group:
        group.create_task(look())
        await work()
        over.set()
    return longest * 1000


async def files(folder: Path) -> dict[str, float]:
    workspaces = create(folder, Settings())
    for number in range(200):
        await workspaces.write(KEY, f"d{number % 10}/f{number}.txt", b"some words on a line\n" * 500)

    async def took(work: Callable[[], Awaitable[object]]) -> float:
        spent = []
        for _ in range(20):
            began = time.perf_counter()
            await work()
            spent.append((time.perf_counter() - began) * 1000)
        return statistics.median(spent)

    return {
        "read_10kb_ms": await took(lambda: workspaces.read(KEY, "d1/f1.txt")),
        "write_10kb_of_200_files_ms": await took(lambda: workspaces.write(KEY, "d1/f1.txt", b"x" * 10_000)),
        "search_200_files_2mb_ms": await took(lambda: workspaces.search(KEY, FileSearch("nothing"))),
        "files_loop_stall_ms": await longest_stall(lambda: workspaces.search(KEY, FileSearch("nothing"))),
    }


async def figures() -> dict[str, float]:
    if why_not():
        return {}
    with a_stage(forms()[0]) as stage, tempfile.TemporaryDirectory() as folder:
        found = await runs(stage)
        flood = SandboxCommand(("/bin/sh", "-c", "yes | head -c 12000000"), stage.workspace)
        found["flood_12mb_loop_stall_ms"] = await longest_stall(lambda: stage.sandbox().run(flood))
        return {**found, **await files(Path(folder))}


if __name__ == "__main__":
    print(json.dumps({name: round(value, 3) for name, value in asyncio.run(figures()).items()}))
