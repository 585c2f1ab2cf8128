"""Read a text file of the workspace, part by part if it is long."""

from __future__ import annotations

from pydantic import Field

from bot.domain.channel import ProcessKind
from bot.errors import ToolError
from bot.ports.workspaces import Workspaces
from bot.tools.runtime.tool import ToolArgs, ToolContext, tool

MAX_PAGE_CHARS = 16_000
_MAX_LINE_CHARS = 4000


class FileReadArgs(ToolArgs):
    """Which file, and which part of it."""

    path: str = Field(min_length=1, max_length=1000, description="The file's path in the workspace, like notes/a.md.")
    start: int = Field(1, ge=1, description="The line to begin with.")
    lines: int = Field(500, ge=1, le=5000, description="How many lines at most.")


@tool(kinds={ProcessKind.WORKER}, group="files", read_only=True)
async def file_read(args: FileReadArgs, ctx: ToolContext, workspaces: Workspaces) -> str:
    """Return lines as they stand in the file, and say which they are."""
    return numbered_page(as_text(await workspaces.read(ctx.origin.key, args.path), args.path), args.start, args.lines)


def numbered_page(text: str, start: int, most: int) -> str:
    """Return at most so many lines of a text from one on, and say which they are; raise ToolError for no such line."""
    *whole, rest = text.split("\n")
    lines = [*(f"{line}\n" for line in whole), *([rest] if rest else [])]
    if not lines:
        return "[the file is empty]"
    if start > len(lines):
        raise ToolError(f"The file has {len(lines):,} lines; there is none with the number {start:,}.")
    taken: list[str] = []
    size = 0
    for line in lines[start - 1 : start - 1 + most]:
        shown = line if len(line) <= _MAX_LINE_CHARS else f"{line[:_MAX_LINE_CHARS]}[... {len(line):,} characters]\n"
        if taken and size + len(shown) > MAX_PAGE_CHARS:
            break
        taken.append(shown)
        size += len(shown)
    last = start + len(taken) - 1
    more = f"; read on with start={last + 1}" if last < len(lines) else ""
    end = "" if taken[-1].endswith("\n") else "\n"
    return f"{''.join(taken)}{end}[lines {start:,} to {last:,} of {len(lines):,}{more}]"


def as_text(content: bytes, path: str) -> str:
    """Return what a file says; raise ToolError for one that is no text."""
    try:
        if b"\0" not in content:
            return content.decode()
    except UnicodeDecodeError:
        pass
    raise ToolError(f'"{path}" is no text in UTF-8 ({len(content):,} bytes). Look at it with a program.')
