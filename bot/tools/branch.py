"""Think about something apart from the conversation."""

from __future__ import annotations

from pydantic import Field

from bot.domain.channel import ProcessKind
from bot.tools.runtime.tool import ToolArgs, ToolContext, tool
from bot.tools.runtime.work_port import DelegatedTask, WorkPort


class BranchArgs(ToolArgs):
    task: str = Field(min_length=1, max_length=4000, description="What to work out.")
    name: str = Field("", max_length=60, description="The same in two to five words.")


@tool(kinds={ProcessKind.CHANNEL}, no_background=True, on_demand=True)
async def branch(args: BranchArgs, ctx: ToolContext, work: WorkPort) -> str:
    """Send a branch out, and say by what name it comes back."""
    begun = await work.branch(ctx, DelegatedTask(args.task, args.name))
    if begun.is_over:
        return f"Branch {begun.handle} did this already; what it found comes to you by itself."
    return f"Branch {begun.handle} is thinking about it. Its conclusion comes to you by itself; answer meanwhile."
