"""Calls that take longer than a turn waits: they go on as tasks, and whoever began them can look, wait and cancel."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Collection, Coroutine
from typing import Any, NamedTuple, Protocol, TypeVar

import structlog

from bot.config.schema import CallsConfig
from bot.context.section import LongCall
from bot.domain.handles import HandleKind, handle
from bot.domain.ids import ChannelKey
from bot.domain.turn import CallState, ToolCallRecord
from bot.runtime.tasks import TaskSupervisor
from bot.tools.runtime.tool import Tool, ToolContext
from bot.tools.runtime.tool_grants import ToolGrants

T = TypeVar("T")
log = structlog.get_logger(__name__)

STOP_SECONDS = 0.5
"""Seconds in which a call that is told to stop must have stopped; then it is left behind."""
_MAX_LISTED_TASKS = 10
_MAX_FINISHED_TASKS = 64
"""How many finished tasks are remembered with what came of them; of older ones the record tells."""


class TaskOwner(NamedTuple):
    """Whose a task is: a conversation's, or that of one branch or worker (`process`) in it. Nobody else sees it.

    `is_private`: an admin's alone, so that what is stopped with the conversation neither ends nor counts it.
    """

    key: ChannelKey
    process: int = 0
    is_private: bool = False


class CallRecorder(Protocol):
    """Who puts the record of a call in store while its turn goes on, and after it."""

    async def keep(self, record: ToolCallRecord) -> int:
        """Keep the record of a call that goes on; return its row."""

    async def amend(self, record: ToolCallRecord) -> None:
        """Put what came of it in its place, by `record_id`."""


class BackgroundTask:
    """A call that goes on, or went on. `record` is what is known of it now; `was_read`: its owner has seen its end."""

    def __init__(self, owner: TaskOwner, tool: Tool, record: ToolCallRecord, work: asyncio.Task[None]) -> None:
        self.owner = owner
        self.tool = tool
        self.record = record
        self.work = work
        self.over = asyncio.Event()
        self.was_read = False

    @property
    def id(self) -> str:
        """What the model calls it: the handle of its record."""
        return handle(HandleKind.CALL, self.record.record_id)

    @property
    def state(self) -> CallState:
        return self.record.is_at

    @property
    def shown(self) -> LongCall:
        """How the status block tells of it."""
        ended = state_word(self.state) if self.over.is_set() else ""
        return LongCall(self.id, self.tool.name, self.record.execution_start, ended)

    def ends(self, record: ToolCallRecord) -> None:
        """Take what came of it, and wake whoever waits."""
        self.record = record
        self.over.set()


class BackgroundTasks:
    """The tasks of all channels. `tasks` owns what runs, inline or not, and ends it when the bot stops."""

    def __init__(self, tasks: TaskSupervisor | None = None, rules: CallsConfig | None = None) -> None:
        self.rules = rules or CallsConfig()
        self._tasks = tasks or TaskSupervisor()
        self._known: OrderedDict[str, BackgroundTask] = OrderedDict()

    def start(self, name: str, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Begin a call; who began it takes what comes of it."""
        return self._tasks.start(name, work)

    async def report(self, name: str, error: Exception) -> None:
        """Say that what came of a task could not be kept."""
        await self._tasks.report(name, error)

    def has_room(self, owner: TaskOwner) -> bool:
        """Say whether one more call of a conversation may go on."""
        return sum(not task.over.is_set() for task in self.of(owner)) < self.rules.background_tasks

    def adopt(self, task: BackgroundTask) -> None:
        """Take a call over from its round."""
        self._known[task.id] = task
        over = [name for name, one in self._known.items() if one.over.is_set()]
        for name in over[: max(0, len(over) - _MAX_FINISHED_TASKS)]:
            del self._known[name]

    def get(self, owner: TaskOwner, name: str) -> BackgroundTask | None:
        """Return a task of this owner; None for another's as for none at all."""
        found = self._known.get(name.strip().lower())
        return found if found is not None and found.owner == owner else None

    def of(self, owner: TaskOwner) -> tuple[BackgroundTask, ...]:
        """Return the tasks of an owner that are known, oldest first."""
        return tuple(task for task in self._known.values() if task.owner == owner)

    def running(self, key: ChannelKey) -> tuple[BackgroundTask, ...]:
        """Return what goes on for a conversation, and for the branches and workers of it."""
        known = (task for task in self._known.values() if task.owner.key == key and not task.owner.is_private)
        return tuple(task for task in known if not task.over.is_set())

    def going_on(self, key: ChannelKey) -> tuple[LongCall, ...]:
        """Return what a conversation itself began that goes on, or is over and was not looked at: the newest ten."""
        found = (task for task in self.of(TaskOwner(key)) if not task.was_read) if self._known else ()
        return tuple(task.shown for task in found)[-_MAX_LISTED_TASKS:]

    async def leave(self, owner: TaskOwner) -> None:
        """End what somebody began who is over: nobody else may see what comes of it."""
        tasks = self.of(owner) if self._known else ()
        await self.cancel(tasks)
        for task in tasks:
            self._known.pop(task.id, None)

    async def cancel(self, tasks: Collection[BackgroundTask]) -> None:
        """Stop tasks, and return when they have stopped, or were left behind."""
        await stop_tasks([task.work for task in tasks if not task.over.is_set()])


async def stop_tasks(works: Collection[asyncio.Task[Any]]) -> None:
    """Cancel what runs and give it a moment; what will not end by then is left behind, and the log says so."""
    running = [work for work in works if not work.done()]
    for work in running:
        work.cancel()
    if not running:
        return
    _, left = await asyncio.wait(running, timeout=STOP_SECONDS)
    for work in left:
        log.error("tool_does_not_stop", task=work.get_name())


_STATE_WORDS = {
    CallState.OK: "COMPLETED",
    CallState.FAILED: "FAILED",
    CallState.CANCELLED: "CANCELLED",
    CallState.UNKNOWN: "UNKNOWN",
}


def state_word(state: CallState) -> str:
    """Return a state as the model reads it of a task."""
    return _STATE_WORDS.get(state, "RUNNING")


def seconds_of(record: ToolCallRecord, now: int) -> float:
    """Return how long a call has gone on, or went on."""
    if state_word(record.is_at) == "RUNNING":
        return max(0, now - record.execution_start) / 1000
    return record.duration_ms / 1000


def readable_by(ctx: ToolContext, task: BackgroundTask, grants: ToolGrants) -> bool:
    """Say whether somebody may read what a task gives: only who may use its tool, here and now."""
    spec, authority = task.tool.spec, ctx.caller.authority
    is_allowed = task.tool.allows(ctx.turn.kind, authority)
    return is_allowed and grants.allows(spec.group, ctx.origin.key, authority)
