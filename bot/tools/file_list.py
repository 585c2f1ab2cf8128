"""List what stands in the workspace."""

from __future__ import annotations

from pydantic import Field

from bot.context.transcript import utc
from bot.domain.base import canonical_json
from bot.domain.channel import ProcessKind
from bot.ports.workspaces import FileEntry, Workspaces
from bot.text.text import excerpt, visible
from bot.tools.runtime.tool import ToolArgs, ToolContext, tool


class FileListArgs(ToolArgs):
    """Which folder, and how deep."""

    path: str = Field("", max_length=1000, description="A folder of the workspace; empty for all of it.")
    depth: int = Field(3, ge=1, le=32, description="How many folders deep.")


@tool(kinds={ProcessKind.WORKER}, group="files", read_only=True)
async def file_list(args: FileListArgs, ctx: ToolContext, workspaces: Workspaces) -> str:
    """Return one line for each name, with size and time; links are named and not followed."""
    found = await workspaces.listing(ctx.origin.key, args.path, args.depth)
    if not found.entries:
        return "[nothing is there]"
    more = ["[there is more; list a folder of its own]"] if found.more else []
    return "\n".join([*(_line(entry) for entry in found.entries), *more])


def _line(entry: FileEntry) -> str:
    match entry.kind:
        case "folder":
            return f"{shown_path(entry.path)}/"
        case "link":
            return f"{shown_path(entry.path)} (a link to {canonical_json(excerpt(entry.target, 120))}; not followed)"
        case "file":
            return f"{shown_path(entry.path)} {entry.size:,} bytes {utc(entry.modified)}"
        case _:
            return f"{shown_path(entry.path)} (a device, pipe or socket)"


def shown_path(path: str) -> str:
    """Return a path as it can be typed; one with odd characters as JSON, so that it forges no line."""
    plain = path.isprintable() and visible(path) == path and '"' not in path
    return path if plain else canonical_json(visible(path.encode(errors="replace").decode()))
