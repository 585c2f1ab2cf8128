"""Replace a piece of a text file of the workspace."""

from __future__ import annotations

from pydantic import Field

from bot.domain.channel import ProcessKind
from bot.errors import ToolError
from bot.ports.workspaces import Workspaces
from bot.tools.file_read import as_text
from bot.tools.file_write import written_text
from bot.tools.runtime.tool import ToolArgs, ToolContext, tool


class FileEditArgs(ToolArgs):
    """What stands there, and what is to stand there."""

    path: str = Field(min_length=1, max_length=1000, description="The file's path in the workspace.")
    old: str = Field(min_length=1, max_length=200_000, description="The text exactly as it stands in the file.")
    new: str = Field(max_length=200_000, description="What takes its place; empty to take it out.")
    every: bool = Field(False, description="Replace it wherever it stands; otherwise it must stand there once.")


@tool(kinds={ProcessKind.WORKER}, group="files")
async def file_edit(args: FileEditArgs, ctx: ToolContext, workspaces: Workspaces) -> str:
    """Replace one occurrence, or every one; change nothing when it is not clear which."""
    count = 0

    def how(content: bytes) -> bytes:
        nonlocal count
        text = as_text(content, args.path)
        count = text.count(args.old)
        if not count:
            raise ToolError("Not changed: the file does not hold that text. Read it, and copy the piece exactly.")
        if count > 1 and not args.every:
            raise ToolError(f"Not changed: the text stands there {count} times. Give more around it, or set `every`.")
        return text.replace(args.old, args.new).encode()

    written = await workspaces.change(ctx.origin.key, args.path, how)
    return f"{written_text(written)} Replaced {count} time{'s' * (count != 1)}."
