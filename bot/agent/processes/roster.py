"""What is at work now, by channel, and how it is stopped."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from typing import Any

from bot.agent.processes.run import ProcessRun
from bot.agent.turn.limits import STOP_SECONDS
from bot.domain.channel import ProcessKind
from bot.domain.ids import ChannelId, ChannelKey, PersonKey
from bot.errors import ToolError
from bot.runtime.tasks import TaskSupervisor


class RunningProcesses:
    """The runs of this process. Nothing of one channel is seen by another."""

    def __init__(self, tasks: TaskSupervisor) -> None:
        self._tasks = tasks
        self._runs: dict[int, ProcessRun] = {}
        self._starting: Counter[tuple[ChannelKey, ProcessKind]] = Counter()

    def start(self, run: ProcessRun, work: Coroutine[Any, Any, None]) -> None:
        """Let a run begin; `work` ends with `left`."""
        self._runs[run.stored.id] = run
        run.task = self._tasks.spawn(f"{run.stored.body.kind.value} {run.stored.handle}", work)

    def left(self, run: ProcessRun) -> None:
        """Forget a run that is over."""
        self._runs.pop(run.stored.id, None)
        run.over.set()

    def of(self, key: ChannelKey) -> list[ProcessRun]:
        """Return what works for a channel; what an admin has done in private is not its business."""
        return [run for run in self._runs.values() if run.stored.key == key and not run.stored.body.session]

    @property
    def channels(self) -> set[ChannelId]:
        """The channels for which something works, also what an admin has done in private."""
        return {run.stored.key.channel for run in self._runs.values()}

    def is_live(self, turn: int) -> bool:
        """Say whether a turn in the journal is one of a run."""
        return any(run.segment is not None and run.segment.number == turn for run in self._runs.values())

    @contextmanager
    def place(self, key: ChannelKey, kind: ProcessKind, most: int) -> Iterator[None]:
        """Keep a place free while a run is prepared; raise ToolError when as many run as may."""
        every = [run for run in self._runs.values() if run.stored.key == key and run.stored.body.kind is kind]
        if len(every) + self._starting[key, kind] >= most:
            running = [run.stored.handle for run in every if not run.stored.body.session]
            raise ToolError(_full(kind, running, most))
        self._starting[key, kind] += 1
        try:
            yield
        finally:
            self._starting[key, kind] -= 1

    async def stop(self, number: int, why: str) -> None:
        """Tell a run to stop, give it half a second to do so by itself, then end it; return when it is over."""
        run = self._runs.get(number)
        if run is None or run.task is None:
            return
        run.stopped = run.stopped or why
        await asyncio.wait({run.task}, timeout=STOP_SECONDS)
        if not run.over.is_set():
            run.task.cancel()
            await asyncio.wait({run.task})

    async def stop_all(self, key: ChannelKey, why: str, whose: PersonKey | None = None) -> int:
        """Stop everything that works for a channel, or what one person asked for; return how much that was."""
        runs = [run for run in self.of(key) if whose in (None, run.stored.body.by.person)]
        await asyncio.gather(*(self.stop(run.stored.id, why) for run in runs))
        return len(runs)


def _full(kind: ProcessKind, running: list[str], most: int) -> str:
    what = f"{kind.value}{'s' if kind is ProcessKind.WORKER else 'es'}"
    names = f" ({', '.join(running)})" if running else ""
    return (
        f"Not started: as many {what} as may run for this channel, {most}, are running{names}. "
        "Wait until one comes back, stop one with `cancel`, or do without."
    )
