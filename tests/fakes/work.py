"""Branches and workers in a list; nobody does their work."""

from __future__ import annotations

from collections.abc import Sequence

from bot.domain.channel import ProcessKind
from bot.domain.handles import SLOTS, Handle
from bot.domain.ids import ChannelKey
from bot.domain.ledger import StoredInbound
from bot.domain.process import NewProcess, ProcessEnd, ProcessOrigin, ProcessState, StoredProcess
from bot.domain.turn import NewOutbox, StoredOutbox
from bot.errors import ToolError
from bot.tools.runtime.tool import ToolContext
from bot.tools.runtime.work_port import DelegatedTask


class FakeProcesses:
    """Implements `bot.ports.processes.ProcessStore`."""

    def __init__(self) -> None:
        self.rows: list[StoredProcess] = []

    async def begin(self, new: NewProcess, at: int) -> StoredProcess:
        self.rows.append(StoredProcess(id=len(self.rows) + 1, body=new, state=ProcessState.RUNNING, started_at=at))
        return self.rows[-1]

    async def note(self, row: int, turn: int, segment: int, progress: str, calls: int) -> StoredProcess | None:
        return await self.get(row)

    async def end(self, end: ProcessEnd) -> tuple[StoredProcess, StoredInbound | None] | None:
        return None

    async def get(self, row: int) -> StoredProcess | None:
        return self.rows[row - 1] if 0 < row <= len(self.rows) else None

    async def by_handle(self, handle: Handle) -> StoredProcess | None:
        return next((one for one in reversed(self.rows) if one.id % SLOTS == handle.slot), None)

    async def of_channel(self, key: ChannelKey, limit: int, *, running_only: bool = False) -> Sequence[StoredProcess]:
        return [one for one in reversed(self.rows) if one.key == key][:limit]

    async def of_inbound(self, inbound: int) -> Sequence[StoredProcess]:
        return [one for one in self.rows if one.body.inbound == inbound]

    async def running(self) -> Sequence[StoredProcess]:
        return list(self.rows)

    async def unrelayed(self) -> Sequence[StoredProcess]:
        return []

    async def relayed(self, rows: Sequence[int], at: int) -> None: ...

    async def mark_told(self, row: int, outbox: Sequence[NewOutbox], at: int) -> Sequence[StoredOutbox] | None:
        return None

    async def put_back(self, rows: Sequence[int]) -> None: ...


class FakeWork:
    """Implements `bot.tools.runtime.work_port.WorkPort`; what is handed out runs for ever."""

    def __init__(self, processes: FakeProcesses) -> None:
        self.processes = processes

    async def branch(self, ctx: ToolContext, task: DelegatedTask) -> StoredProcess:
        return await self._begin(ctx, task, ProcessKind.BRANCH)

    async def worker(self, ctx: ToolContext, task: DelegatedTask) -> StoredProcess:
        return await self._begin(ctx, task, ProcessKind.WORKER)

    async def cancel(self, ctx: ToolContext, handle: str) -> StoredProcess:
        raise ToolError(f"{handle} does not run.")

    async def of(self, ctx: ToolContext) -> Sequence[StoredProcess]:
        return await self.processes.of_channel(ctx.origin.key, 20)

    async def _begin(self, ctx: ToolContext, task: DelegatedTask, kind: ProcessKind) -> StoredProcess:
        key, origin = ctx.origin.key, ctx.origin
        new = NewProcess(
            agent=key.agent,
            channel=key.channel,
            kind=kind,
            task=task.task,
            name=task.name,
            by=ctx.caller,
            parent_turn=ctx.turn.number,
            inbound=origin.inbound,
            origin=ProcessOrigin(platform=origin.platform, message_id=origin.message_id),
        )
        return await self.processes.begin(new, 0)
