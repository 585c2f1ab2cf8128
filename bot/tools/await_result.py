"""Wait for a call that goes on in the background."""

from __future__ import annotations

import asyncio

from pydantic import Field

from bot.ports.clock import Clock
from bot.ports.journal import CallLog
from bot.tools.check_task import WORKING, must_be_readable, owner_of, remembered, told
from bot.tools.runtime.background import Background
from bot.tools.runtime.grants import Grants
from bot.tools.runtime.tool import Args, ToolContext, tool

LONGEST = 300.0
_KEPT_BACK = 10.0
"""Seconds of a turn that are left for the answer; of a short one a quarter."""


class AwaitArgs(Args):
    """For what, and how long."""

    task: str = Field(min_length=1, max_length=16, description="The name of the task, like x27d4.")
    seconds: float = Field(LONGEST, gt=0, le=LONGEST, description="How long at most; never longer than the turn has.")


@tool(kinds=WORKING, read_only=True, no_background=True, allow_repeat=True, timeout=LONGEST + 15, on_demand=True)
async def await_result(
    args: AwaitArgs, ctx: ToolContext, background: Background, grants: Grants, calls: CallLog, clock: Clock
) -> str:
    """Return what came of a task as soon as it is over, or that it is not yet."""
    task, most = background.get(owner_of(ctx), args.task), background.rules.result_chars
    if task is None:
        return told(await remembered(ctx, args.task, calls), most, clock.now())
    must_be_readable(ctx, task, grants)
    left = max(0.0, ctx.turn.deadline - clock.monotonic())
    waits = min(args.seconds, left - min(_KEPT_BACK, left / 4))
    if not task.over.is_set() and waits > 0:
        try:
            async with asyncio.timeout(waits):
                await task.over.wait()
        except TimeoutError:
            pass
    if task.over.is_set():
        task.was_read = True
        return told(task.record, most, clock.now())
    rest = "" if waits >= args.seconds else " This turn has no more time: answer now, and look again in the next one."
    return f"{told(task.record, most, clock.now())} It was waited for {max(0.0, waits):.1f} s.{rest}"
