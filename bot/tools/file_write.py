"""Write a file of the workspace."""

from __future__ import annotations

from pydantic import Field

from bot.domain.channel import ProcessKind
from bot.ports.workspaces import Workspaces, WrittenFile
from bot.tools.runtime.tool import ToolArgs, ToolContext, tool


class FileWriteArgs(ToolArgs):
    """Which file, and what is to stand in it."""

    path: str = Field(min_length=1, max_length=1000, description="The file's path in the workspace, like notes/a.md.")
    content: str = Field(max_length=2_000_000, description="The whole text of the file.")


@tool(kinds={ProcessKind.WORKER}, group="files")
async def file_write(args: FileWriteArgs, ctx: ToolContext, workspaces: Workspaces) -> str:
    """Put a text in the place of what the file held, or make the file."""
    return written_text(await workspaces.write(ctx.origin.key, args.path, args.content.encode()))


def written_text(written: WrittenFile) -> str:
    """Say how large a file is now, and whether it is new."""
    return f"{written.path} has {written.size:,} bytes now{' (it is new)' if written.is_new else ''}."
