"""Hand in what a worker did."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from bot.domain.channel import ProcessKind
from bot.tools.runtime.effects import ConcludedWork
from bot.tools.runtime.tool import ToolArgs, ToolContext, tool


class FinishArgs(ToolArgs):
    """How it went, and what came of it."""

    outcome: Literal["done", "partial", "failed"] = Field(description="How far the task was done.")
    result: str = Field(min_length=1, max_length=50_000, description="What came of it; it has to stand on its own.")


@tool(kinds={ProcessKind.WORKER}, no_background=True)
async def finish(args: FinishArgs, ctx: ToolContext) -> str:
    """Note the result; the worker ends with this round."""
    ctx.effects.add(ConcludedWork(args.outcome, args.result))
    return "Handed in."
