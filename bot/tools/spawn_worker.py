"""Let a worker do something."""

from __future__ import annotations

from pydantic import Field

from bot.domain.channel import ProcessKind
from bot.tools.runtime.effects import SuggestedWork
from bot.tools.runtime.tool import ToolArgs, ToolContext, tool
from bot.tools.runtime.work_port import DelegatedTask, WorkPort


class WorkerArgs(ToolArgs):
    """What is to be done."""

    task: str = Field(
        min_length=1,
        max_length=8000,
        description="What to do, with what, and what a good result is.",
    )
    name: str = Field("", max_length=60, description="The same in two to five words.")
    files: tuple[str, ...] = Field(
        (), max_length=10, description="Files of the workspace to begin with, like src/*.py."
    )


@tool(kinds={ProcessKind.CHANNEL, ProcessKind.BRANCH, ProcessKind.CORTEX}, no_background=True, on_demand=True)
async def spawn_worker(args: WorkerArgs, ctx: ToolContext, work: WorkPort) -> str:
    """Send a worker out, and say by what name it comes back."""
    if ctx.turn.kind is ProcessKind.CORTEX:
        # a talk about a channel sets nothing off before the admin has confirmed it
        ctx.effects.add(SuggestedWork(args.task, args.name, args.files))
        return (
            "It is proposed to the admin: they see it with a button, and nothing runs before they press it. "
            "The result goes to them, in this thread."
        )
    begun = await work.worker(ctx, DelegatedTask(args.task, args.name, args.files))
    if begun.is_over:
        return f"Worker {begun.handle} did this already; its result comes to the channel by itself."
    return f"Worker {begun.handle} is at work. Its result comes to the channel by itself; do not wait for it."
