"""Hand work out, see to it that each piece comes to its one end, and bring back what came of it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import structlog

from bot.agent.processes.branch_runner import fork_state
from bot.agent.processes.process_end import ProcessFinisher
from bot.agent.processes.process_store import ProcessRecords
from bot.agent.processes.progress import ProcessProgress
from bot.agent.processes.roster import RunningProcesses
from bot.agent.processes.run import ProcessOutcome, ProcessRun
from bot.diagnostics.failure_words import recorded_error
from bot.domain.channel import ChannelState, ProcessKind
from bot.domain.handles import parse_handle
from bot.domain.ledger import StoredInbound
from bot.domain.process import NewProcess, ProcessState, StoredProcess
from bot.domain.record_access import may_read, of_process
from bot.domain.turn import TurnStatus
from bot.errors import StoreError, ToolError, UserError, name_of
from bot.ports.clock import Clock
from bot.ports.processes import ProcessStore
from bot.text.text import excerpt
from bot.tools.runtime.background_tasks import BackgroundTasks, TaskOwner
from bot.tools.runtime.tool import ToolContext
from bot.tools.runtime.work_port import DelegatedTask

if TYPE_CHECKING:
    from bot.agent.processes.branch_runner import BranchRunner
    from bot.agent.processes.checkpoints import WorkerCheckpoints
    from bot.agent.processes.worker import WorkerRunner

log = structlog.get_logger(__name__)

_MAX_DEATHS = 3
"""A worker whose segments ended with the process this often is not taken up again: it may be what ends it."""
_CUT_OFF = "interrupted: the program was stopped while it ran"

_NOT_RESUMED = "not resumed: {why}. Nothing of it was run again. See what it did, and hand out what is left."
_NOTHING_KEPT = "nothing is kept of how far it had come"

Drive = Callable[[ProcessRun], Awaitable[ProcessOutcome]]


class ProcessRunners(NamedTuple):
    """Who does the work, and who keeps how far workers have come."""

    thinking: BranchRunner
    working: WorkerRunner
    keeping: WorkerCheckpoints


@dataclass(frozen=True, kw_only=True, eq=False)
class ProcessSupervisor:
    """Implements `bot.tools.runtime.work_port.WorkPort`.

    `make_crew` names who does the work: they are made when there is some. `returned` hands a result to its channel's
    queue, `told` to an admin's talk. `limits` says how many of a kind may run for one channel. `background` holds calls
    that outlast their turn.
    """

    processes: ProcessStore
    clock: Clock
    roster: RunningProcesses
    orders: ProcessRecords
    ends: ProcessFinisher
    following: ProcessProgress
    make_crew: Callable[[], ProcessRunners]
    returned: Callable[[StoredInbound], None]
    told: Callable[[StoredProcess], None]
    limits: Callable[[ProcessKind], int]
    background: BackgroundTasks

    async def branch(self, ctx: ToolContext, task: DelegatedTask) -> StoredProcess:
        """Let a copy of the conversation think about something."""
        return await self._hand_out(ctx, task, ProcessKind.BRANCH)

    async def worker(self, ctx: ToolContext, task: DelegatedTask) -> StoredProcess:
        """Let a worker do something."""
        return await self._hand_out(ctx, task, ProcessKind.WORKER)

    async def cancel(self, ctx: ToolContext, handle: str) -> StoredProcess:
        """Stop a branch or worker of the caller's channel."""
        parsed, key = parse_handle(handle), ctx.origin.key
        found = await self.processes.by_handle(parsed) if parsed else None
        if found is None or not may_read(ctx.reader, of_process(found)):
            running = ", ".join(run.stored.handle for run in self.roster.of(key)) or "nothing"
            raise ToolError(f'"{excerpt(handle, 20)}" is no branch or worker of this channel. Running here: {running}.')
        return await self.stop(found, "stopped by the channel")

    async def of(self, ctx: ToolContext) -> Sequence[StoredProcess]:
        """Return what runs for the caller's channel, and what ended and was not said yet."""
        key = ctx.origin.key
        waiting = [one for one in await self.processes.unrelayed() if may_read(ctx.reader, of_process(one))]
        return (*(run.stored for run in self.roster.of(key)), *waiting)

    async def send_out(self, new: NewProcess) -> StoredProcess:
        """Let a worker do what an admin confirmed in private; raise ToolError when as many run as may."""
        new = new.replace(wordless=not self.orders.keeps(new.key))
        with self.roster.place(new.key, new.kind, self.limits(new.kind)):
            stored = await self.processes.begin(new, self.clock.now())
            bare = _without_history(await self.ends.state_of(stored))
            self._start(ProcessRun(stored), lambda run: self._crew.working.work(run, bare))
        log.info("sent_out", process=stored.handle, channel=str(stored.key), session=new.session)
        return stored

    async def stop(self, process: StoredProcess, why: str) -> StoredProcess:
        """Tell a process to stop, give it half a second, then end it; return it as it ended."""
        run = next((run for run in self.roster.of(process.key) if run.stored.id == process.id), None)
        await self.roster.stop(process.id, why)
        if run is not None and run.stored.is_over:
            return run.stored
        return await self.processes.get(process.id) or process

    async def resume(self, left: Sequence[StoredProcess], again: Sequence[StoredInbound]) -> Sequence[StoredInbound]:
        """Take up what an earlier process `left`: workers go on or end, branches are reported as interrupted.

        `again` are the messages that are run again. A branch that one of them had sent out in a turn that was cut off
        is sent out anew, so that of the old one nobody is told. Return the results that are to be queued.
        """
        rerun = {stored.id for stored in again}
        returned: list[StoredInbound] = []
        for process in left:
            body = process.body
            if body.kind is ProcessKind.WORKER:
                self._start(ProcessRun(process), await self._resumed(process))
                continue
            orphan = body.kind is ProcessKind.BRANCH and not body.parent_process and body.inbound in rerun
            quiet = orphan and await self.orders.was_cut_off(body.parent_turn)
            state = ProcessState.CANCELLED if quiet else ProcessState.FAILED
            stored = await self.ends.commit(ProcessRun(process), ProcessOutcome(state, "", _CUT_OFF), None)
            returned += [stored] if stored is not None else []
        return returned

    @cached_property
    def _crew(self) -> ProcessRunners:
        return self.make_crew()

    async def _hand_out(self, ctx: ToolContext, task: DelegatedTask, kind: ProcessKind) -> StoredProcess:
        new = await self.orders.taken(ctx, task, kind)
        if isinstance(new, StoredProcess):
            return new
        with self.roster.place(new.key, kind, self.limits(kind)):
            stored = await self.processes.begin(new, self.clock.now())
            state = fork_state(ctx.turn)
            if kind is ProcessKind.BRANCH:
                self._start(ProcessRun(stored), lambda run: self._crew.thinking.think(run, state))
            else:
                bare = _without_history(state)
                self._start(ProcessRun(stored), lambda run: self._crew.working.work(run, bare))
        log.info("handed_out", process=stored.handle, channel=str(stored.key), inbound=new.inbound)
        return stored

    def _start(self, run: ProcessRun, drive: Drive) -> None:
        self.following.show(run)
        self.roster.start(run, self._run(run, drive))

    async def _run(self, run: ProcessRun, drive: Drive) -> None:
        try:
            outcome = await self._outcome(run, drive)
            end = run.segment.end() if run.segment else None
            if run.stopped and end is not None:
                stopped = {"status": TurnStatus.CANCELLED, "reason": run.stopped, "drops_staged": True}
                stopped |= {"memories": (), "retracted": ()}
                end = end.model_copy(update=stopped)
            stored = await self.ends.commit(run, outcome, end)
            if run.stored.body.kind is ProcessKind.WORKER and run.stored.is_over:
                await self._crew.keeping.over(run.stored)
            if stored is not None:
                self.returned(stored)
            if run.stored.body.session and run.stored.is_over:
                self.told(run.stored)
            # last, because it may take a moment, in which whoever stops the run ends this too
            await self.background.leave(TaskOwner(run.stored.key, run.stored.id, run.stored.body.session > 0))
        finally:
            self.roster.left(run)

    async def _outcome(self, run: ProcessRun, drive: Drive) -> ProcessOutcome:
        try:
            return await drive(run)
        except asyncio.CancelledError:
            # without a word it is the program that ends: the next start takes it up
            if not run.stopped:
                raise
            return ProcessOutcome(ProcessState.CANCELLED, run.partial, run.stopped)
        except StoreError:
            raise
        except Exception as error:
            log.error("process_broke", process=run.stored.handle, error_type=type(error).__name__, exc_info=error)
            return ProcessOutcome(ProcessState.FAILED, run.partial, f"something in me failed: {recorded_error(error)}")

    async def _resumed(self, process: StoredProcess) -> Drive:
        """Return how a worker goes on; one of which nobody can tell what it did ends, so that nothing is done twice."""
        orders = self.orders
        if await orders.deaths(process) >= _MAX_DEATHS:
            return _ends(_CUT_OFF)
        try:
            behind = await self._crew.keeping.find(process)
        except UserError as error:
            log.warning("not_resumed", process=process.handle, reason=name_of(error))
            return _ends(_NOT_RESUMED.format(why=error))
        if behind is None and await orders.may_have_acted(process):
            return _ends(_NOT_RESUMED.format(why=_NOTHING_KEPT))
        state = _without_history(await self.ends.state_of(process))
        return lambda run: self._crew.working.work(run, state, behind)


def _ends(reason: str) -> Drive:
    async def drive(_: ProcessRun) -> ProcessOutcome:
        return ProcessOutcome(ProcessState.FAILED, "", reason)

    return drive


def _without_history(state: ChannelState) -> ChannelState:
    return state.model_copy(update={"turns": (), "ambient": (), "running": (), "finished": (), "last": None})
