"""Look at a call that goes on in the background, without waiting for it."""

from __future__ import annotations

from pydantic import Field

from bot.domain.channel import ProcessKind
from bot.domain.handles import HandleKind, handle
from bot.domain.turn import CallQuery, ToolCallRecord
from bot.errors import ToolError
from bot.ports.clock import Clock
from bot.ports.journal import CallLog
from bot.tools.runtime.background_tasks import (
    BackgroundTask,
    BackgroundTasks,
    TaskOwner,
    readable_by,
    seconds_of,
    state_word,
)
from bot.tools.runtime.executor import cut_result
from bot.tools.runtime.tool import ToolArgs, ToolContext, tool
from bot.tools.runtime.tool_grants import ToolGrants

TASK_OWNERS = {ProcessKind.CHANNEL, ProcessKind.BRANCH, ProcessKind.WORKER}


class CheckArgs(ToolArgs):
    task: str = Field("", max_length=16, description="Its name, like x27d4; without one all tasks are listed.")


@tool(kinds=TASK_OWNERS, read_only=True, no_background=True, on_demand=True)
async def check_task(
    args: CheckArgs, ctx: ToolContext, background: BackgroundTasks, grants: ToolGrants, calls: CallLog, clock: Clock
) -> str:
    """Say where a task is, with what came of it once it is over; another's task is none."""
    owner = owner_of(ctx)
    if not args.task.strip():
        lines = [_line(task, clock.now()) for task in background.of(owner)]
        return "\n".join(lines) or "Nothing runs in the background, and nothing has ended there lately."
    task = background.get(owner, args.task)
    if task is None:
        return task_text(await recorded_task(ctx, args.task, calls), background.rules.result_chars, clock.now())
    must_be_readable(ctx, task, grants)
    task.was_read = task.over.is_set()
    return task_text(task.record, background.rules.result_chars, clock.now())


def owner_of(ctx: ToolContext) -> TaskOwner:
    """Return whose tasks somebody sees: those of the same conversation, or of the same branch or worker."""
    return TaskOwner(ctx.origin.key, ctx.turn.process, ctx.origin.is_private)


def must_be_readable(ctx: ToolContext, task: BackgroundTask, grants: ToolGrants) -> None:
    """Raise ToolError where the caller may not use the tool itself."""
    if not readable_by(ctx, task, grants):
        raise ToolError(f"{task.id} is a task of {task.tool.name}, which {ctx.caller.name} may not use.")


async def recorded_task(ctx: ToolContext, name: str, calls: CallLog) -> ToolCallRecord:
    """Return the record of a task that is not in memory any more; raise ToolError where there was none here."""
    query = CallQuery(key=ctx.origin.key, actor=ctx.reader.person, record=name.strip().lower(), limit=1)
    # what a branch or a worker began is theirs, and went with them
    found = await calls.logged(query) if ctx.turn.process == 0 else ()
    if not found:
        raise ToolError(
            f"There is no task {name.strip()!r} here. check_task without a name lists the tasks; what earlier calls "
            "gave is in retrieve_tool_call_log."
        )
    return found[0]


def task_text(record: ToolCallRecord, most: int, now: int) -> str:
    """Write where a task is."""
    name, state = handle(HandleKind.CALL, record.record_id), state_word(record.is_at)
    head = f"{name} ({record.tool_name}) is {state} after {seconds_of(record, now):.1f} s."
    if state == "RUNNING":
        return f"{head} Nothing is known of its result yet."
    return f"{head} What it gave:\n{cut_result(record.result_output, most)}"


def _line(task: BackgroundTask, now: int) -> str:
    return f"- {task.id} {task.tool.name}: {state_word(task.state)} after {seconds_of(task.record, now):.1f} s"
