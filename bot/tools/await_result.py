"""Wait for a call that goes on in the background."""

from __future__ import annotations

import asyncio

from pydantic import Field

from bot.ports.clock import Clock
from bot.ports.journal import CallLog
from bot.tools.check_task import TASK_OWNERS, must_be_readable, owner_of, recorded_task, task_text
from bot.tools.runtime.background_tasks import BackgroundTasks
from bot.tools.runtime.tool import ToolArgs, ToolContext, tool
from bot.tools.runtime.tool_grants import ToolGrants

MAX_WAIT_SECONDS = 300.0
_RESERVED_SECONDS = 10.0
"""Seconds of a turn that are left for the answer; of a short one a quarter."""


class AwaitArgs(ToolArgs):
    """For what, and how long."""

    task: str = Field(min_length=1, max_length=16, description="The name of the task, like x27d4.")
    seconds: float = Field(
        MAX_WAIT_SECONDS, gt=0, le=MAX_WAIT_SECONDS, description="How long at most; never longer than the turn has."
    )


@tool(
    kinds=TASK_OWNERS,
    read_only=True,
    no_background=True,
    allow_repeat=True,
    timeout=MAX_WAIT_SECONDS + 15,
    on_demand=True,
)
async def await_result(
    args: AwaitArgs, ctx: ToolContext, background: BackgroundTasks, grants: ToolGrants, calls: CallLog, clock: Clock
) -> str:
    """Return what came of a task as soon as it is over, or that it is not yet."""
    task, most = background.get(owner_of(ctx), args.task), background.rules.result_chars
    if task is None:
        return task_text(await recorded_task(ctx, args.task, calls), most, clock.now())
    must_be_readable(ctx, task, grants)
    left = max(0.0, ctx.turn.deadline - clock.monotonic())
    waits = min(args.seconds, left - min(_RESERVED_SECONDS, left / 4))
    if not task.over.is_set() and waits > 0:
        try:
            async with asyncio.timeout(waits):
                await task.over.wait()
        except TimeoutError:
            pass
    if task.over.is_set():
        task.was_read = True
        return task_text(task.record, most, clock.now())
    rest = "" if waits >= args.seconds else " This turn has no more time: answer now, and look again in the next one."
    return f"{task_text(task.record, most, clock.now())} It was waited for {max(0.0, waits):.1f} s.{rest}"
