"""Hand in what a worker did."""

from __future__ import annotations

import hashlib
from typing import Literal

from pydantic import Field

from bot.domain.channel import ProcessKind
from bot.domain.process import ProcessArtifact
from bot.ports.workspaces import Workspaces
from bot.tools.runtime.effects import ConcludedWork
from bot.tools.runtime.tool import ToolArgs, ToolContext, tool


class FinishArgs(ToolArgs):
    """How it went, and what came of it."""

    outcome: Literal["done", "partial", "failed"] = Field(description="How far the task was done.")
    result: str = Field(min_length=1, max_length=50_000, description="What came of it; it has to stand on its own.")
    files: tuple[str, ...] = Field((), max_length=10, description="Files to hand over, like out/a.csv.")


@tool(kinds={ProcessKind.WORKER}, no_background=True)
async def finish(args: FinishArgs, ctx: ToolContext, workspaces: Workspaces) -> str:
    """Note the result; the worker ends with this round. A file that is not there is said before anything ends."""
    artifacts = tuple([await _artifact(path, ctx, workspaces) for path in dict.fromkeys(args.files)])
    ctx.effects.add(ConcludedWork(args.outcome, args.result, artifacts))
    return "Handed in."


async def _artifact(path: str, ctx: ToolContext, workspaces: Workspaces) -> ProcessArtifact:
    content = await workspaces.read(ctx.origin.key, path)
    return ProcessArtifact(path=path, size=len(content), sha256=hashlib.sha256(content).hexdigest())
