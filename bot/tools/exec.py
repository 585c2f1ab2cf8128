"""Run a program in the sandbox, with arguments that no shell reads."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from pydantic import Field

from bot.domain.channel import ProcessKind
from bot.ports.sandbox import Sandbox, SandboxCommand
from bot.ports.workspaces import Workspaces
from bot.tools.runtime.tool import ToolArgs, ToolContext, tool
from bot.tools.shell import CALL_TIMEOUT_SECONDS, MAX_RUN_SECONDS, run_text

Word = Annotated[str, Field(max_length=20_000)]


class ExecArgs(ToolArgs):
    """What to run, and for how long at most."""

    argv: tuple[Word, ...] = Field(min_length=1, max_length=200, description="The program, and its arguments.")
    folder: str = Field("", max_length=1000, description="The folder to start in; empty: the workspace itself.")
    seconds: float | None = Field(None, gt=0, le=MAX_RUN_SECONDS, description="After how long it is stopped.")


@tool(kinds={ProcessKind.WORKER}, group="shell", timeout=CALL_TIMEOUT_SECONDS)
async def run_program(args: ExecArgs, ctx: ToolContext, sandbox: Sandbox, workspaces: Workspaces) -> str:
    """Run it, and return how it ended and what it wrote."""
    workspace = await workspaces.folder(ctx.origin.key)
    return run_text(await sandbox.run(SandboxCommand(args.argv, workspace, args.folder, args.seconds or 0.0)))


exec_program = replace(run_program, name="exec")
"""Under the name that models know; a function of that name would hide Python's own."""
