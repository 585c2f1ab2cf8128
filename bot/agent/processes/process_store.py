"""From a tool's call to a process that is to begin: what it goes back to, and whether it was begun before."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from bot.context.origin_tracer import WordOriginTracer
from bot.domain.channel import ProcessKind
from bot.domain.ids import ChannelKey
from bot.domain.process import NewProcess, ProcessOrigin, ProcessState, StoredProcess, process_of
from bot.domain.turn import TurnStatus
from bot.ports.journal import Journal
from bot.ports.ledger import Ledger
from bot.ports.processes import ProcessStore
from bot.text.text import excerpt
from bot.tools.runtime.tool import ToolContext
from bot.tools.runtime.work_port import DelegatedTask

_MAX_NAME_CHARS = 60


@dataclass(frozen=True, slots=True)
class ProcessRecords:
    """Takes orders down. `keeps` says whether the words of a channel may be kept."""

    processes: ProcessStore
    ledger: Ledger
    journal: Journal
    keeps: Callable[[ChannelKey], bool]
    tracer: WordOriginTracer = field(default_factory=WordOriginTracer)

    async def taken(self, ctx: ToolContext, task: DelegatedTask, kind: ProcessKind) -> NewProcess | StoredProcess:
        """Return what is to begin, or what an earlier run of this very turn began before it was cut off."""
        root, message_id = await self._root(ctx)
        if (known := await self._already(ctx, task, kind, root)) is not None:
            return known
        return NewProcess(
            agent=ctx.origin.key.agent,
            channel=ctx.origin.key.channel,
            kind=kind,
            task=task.task,
            name=excerpt(task.name.strip() or task.task, _MAX_NAME_CHARS),
            by=ctx.caller,
            parent_turn=ctx.turn.number,
            parent_process=ctx.turn.process,
            inbound=root,
            origin=ProcessOrigin(
                platform=ctx.origin.platform,
                guild_id=ctx.origin.guild_id,
                is_dm=ctx.origin.is_dm,
                message_id=message_id,
            ),
            needs=task.needs,
            wordless=not self.keeps(ctx.origin.key),
            origins=self.tracer.of_request(ctx.turn.snapshot),
        )

    async def was_cut_off(self, turn: int) -> bool:
        """Say whether a turn ended with its process."""
        found = await self.journal.turn(turn)
        return found is not None and found.status is TurnStatus.INTERRUPTED

    async def deaths(self, process: StoredProcess) -> int:
        """Count the turns of a process that were cut off."""
        return sum([await self.was_cut_off(number) for number in process.turns])

    async def may_have_acted(self, process: StoredProcess) -> bool:
        """Say whether a process came as far as a request; where no requests are on record, whether it began."""
        unseen = process.body.wordless or not self.keeps(process.key)
        return any([unseen or await self.journal.requests_of_turn(number) for number in process.turns])

    async def _root(self, ctx: ToolContext) -> tuple[int, str]:
        """Return the message that a call goes back to, also by way of results: its ledger row, and its id."""
        row, message_id = ctx.origin.inbound, ctx.origin.message_id
        stored = await self.ledger.inbound(row) if row else None
        number = process_of(stored.inbound) if stored is not None else 0
        process = await self.processes.get(number) if number else None
        return (process.body.inbound, process.body.origin.message_id) if process else (row, message_id)

    async def _already(
        self, ctx: ToolContext, task: DelegatedTask, kind: ProcessKind, root: int
    ) -> StoredProcess | None:
        for process in await self.processes.of_inbound(root):
            body = process.body
            same = body.kind is kind and body.task == task.task and body.parent_turn != ctx.turn.number
            if same and process.state is not ProcessState.CANCELLED and await self.was_cut_off(body.parent_turn):
                return process
        return None
