"""Run a command line in the sandbox."""

from __future__ import annotations

from pydantic import Field

from bot.domain.channel import ProcessKind
from bot.errors import ToolError
from bot.ports.sandbox import ProgramOutput, ProgramResult, Sandbox, SandboxCommand
from bot.ports.workspaces import Workspaces
from bot.tools.runtime.tool import ToolArgs, ToolContext, tool

MAX_RUN_SECONDS = 3600
CALL_TIMEOUT_SECONDS = MAX_RUN_SECONDS + 60.0
"""Seconds after which a call is given up; the sandbox ends a program long before."""

_STOP_WORDS = {
    "time": "It was stopped, because its time was over ({seconds:.1f} s).",
    "output": "It was stopped, because it wrote without end ({size:,} bytes).",
    "memory": "It was stopped, because it took more memory than a program may.",
    "disk": "It was stopped, because the workspace or the disk is full. Remove files before you go on.",
}


class ShellArgs(ToolArgs):
    """What to run, and for how long at most."""

    command: str = Field(min_length=1, max_length=20_000, description="A command line, as /bin/sh reads it.")
    folder: str = Field("", max_length=1000, description="The folder to start in; empty: the workspace itself.")
    seconds: float | None = Field(None, gt=0, le=MAX_RUN_SECONDS, description="After how long it is stopped.")


@tool(kinds={ProcessKind.WORKER}, group="shell", timeout=CALL_TIMEOUT_SECONDS)
async def shell(args: ShellArgs, ctx: ToolContext, sandbox: Sandbox, workspaces: Workspaces) -> str:
    """Run it, and return how it ended and what it wrote."""
    workspace = await workspaces.folder(ctx.origin.key)
    argv = ("/bin/sh", "-c", args.command)
    return run_text(await sandbox.run(SandboxCommand(argv, workspace, args.folder, args.seconds or 0.0)))


def run_text(ran: ProgramResult) -> str:
    """Say how a program ended; raise ToolError, with what it wrote until then, for one that a limit ended."""
    written = _written("output", ran.out) + _written("errors", ran.err)
    if ran.stopped:
        why = _STOP_WORDS[ran.stopped].format(seconds=ran.seconds, size=ran.out.size + ran.err.size)
        raise ToolError(f"{why}{written}")
    return f"Exit status {ran.status}{_signal(ran.status)}, {ran.seconds:.1f} s.{written or ' It wrote nothing.'}"


def _signal(status: int) -> str:
    if status == 128 + 9:
        return " (killed: it may have passed a limit)"
    if status == 128 + 25:
        return " (a file became larger than files may be)"
    return f" (ended by signal {status - 128})" if 128 < status < 192 else ""


def _written(name: str, output: ProgramOutput) -> str:
    return f"\n--- {name} ---\n{output.text.rstrip()}" if output.size else ""
