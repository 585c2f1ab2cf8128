"""The whole bot as `python -m bot run` runs it, with a look at its event loop.

`python -m tests.bench._telegram_bot CONFIG`. Each line on standard input asks how late the loop's timers were at worst
since the line before, or with "longest" only for the longest stalls, which takes no memory. Nothing is sampled before
the first line, so that it costs nothing where it is not asked for.
"""

from __future__ import annotations

import asyncio
import gc
import os
import sys
from pathlib import Path

from bot.runtime.lean_imports import lean_imports

with lean_imports():
    from bot.app.adapters import machine, open_edges
    from bot.app.bot import Bot
    from bot.cli.run_bot import keep_one_heap, loop_first
    from bot.config import load_config
    from bot.runtime.logs import configure_logs
    from bot.runtime.tasks import TaskSupervisor
    from bot.text.redaction import Redactor
    from tests.bench._stalls import LongestStall, Stalls


async def _look(tasks: TaskSupervisor, stop: asyncio.Event) -> None:
    found, loop = Stalls(), asyncio.get_running_loop()
    watching: asyncio.Task[None] | None = None
    longest: LongestStall | None = None
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        if line.strip() == "stop":
            break
        if line.strip() == "longest":
            longest = longest or _longest(tasks)
            print(*longest.taken(), flush=True)
            continue
        watching = watching or tasks.spawn("watch the loop", found.watch())
        print(found.worst, found.p99, found.own_p99, flush=True)
        found.forget()
    stop.set()


def _longest(tasks: TaskSupervisor) -> LongestStall:
    found = LongestStall()
    gc.callbacks.append(found.on_look)
    tasks.spawn("watch for long stalls", found.watch())
    return found


async def run(path: Path) -> None:
    loaded = load_config(path, os.environ)
    configure_logs(loaded.config.bot.log_level, Redactor.of(loaded.secrets))
    stop, tasks = asyncio.Event(), TaskSupervisor()
    keep_one_heap()
    async with open_edges(loaded, machine()) as edges:
        app = Bot(edges, loaded)
        tasks.spawn("look", _look(tasks, stop))
        async with loop_first(edges.clock):
            await app.run(stop)
        await tasks.close()


if __name__ == "__main__":
    asyncio.run(run(Path(sys.argv[1])))
