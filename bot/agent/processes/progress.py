"""Follow how far branches and workers come: on record, and in the state of the channel that they work for."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from bot.agent.processes.run import ProcessRun
from bot.domain.channel import ChannelEvent, ProcessKind, ProcessStarted
from bot.domain.ids import ChannelKey
from bot.ports.processes import ProcessStore


@dataclass(frozen=True, slots=True)
class ProcessProgress:
    """Is told by those who work. `record` moves a live channel on."""

    processes: ProcessStore
    record: Callable[[ChannelKey, ChannelEvent], None]

    async def begun(self, run: ProcessRun, turn: int, segment: int) -> None:
        """Note the turn of a segment, before anything runs in it."""
        await self._note(run, turn, segment, run.stored.progress)

    async def moved(self, run: ProcessRun, progress: str) -> None:
        """Note how far a run has come, in one line."""
        if run.stored.body.kind is ProcessKind.WORKER:
            await self._note(run, 0, run.stored.segment, progress)
            return
        # a branch is over soon, and does not go on after a restart: memory is enough
        run.stored = run.stored.model_copy(update={"progress": progress, "calls": run.calls})
        self.show(run)

    def show(self, run: ProcessRun) -> None:
        """Let the channel of a process know that it runs, and how far it has come."""
        if (shown := run.stored.as_running) is not None:
            self.record(run.stored.key, ProcessStarted(process=shown))

    async def _note(self, run: ProcessRun, turn: int, segment: int, progress: str) -> None:
        stored = await self.processes.note(run.stored.id, turn, segment, progress, run.calls)
        if stored is None:
            # somebody ended it elsewhere: what it still does leads to nothing
            run.stopped = run.stopped or "it is over"
            raise asyncio.CancelledError
        run.stored = stored
        self.show(run)
