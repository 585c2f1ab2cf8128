"""Look for a text in the files of the workspace."""

from __future__ import annotations

from pydantic import Field

from bot.domain.channel import ProcessKind
from bot.ports.workspaces import FileSearch, Workspaces
from bot.tools.file_list import shown_path
from bot.tools.runtime.tool import ToolArgs, ToolContext, tool


class FileSearchArgs(ToolArgs):
    """What is looked for, and where."""

    text: str = Field(min_length=1, max_length=500, description="The text, as it stands on one line. No pattern.")
    path: str = Field("", max_length=1000, description="A folder of the workspace; empty for all of it.")
    names: str = Field("*", max_length=100, description="Which files, such as *.py.")
    any_case: bool = Field(False, description="Whether A and a are the same.")
    limit: int = Field(50, ge=1, le=200, description="How many lines at most.")


@tool(kinds={ProcessKind.WORKER}, group="files", read_only=True)
async def file_search(args: FileSearchArgs, ctx: ToolContext, workspaces: Workspaces) -> str:
    """Return the lines that hold the text, each with its file and number."""
    sought = FileSearch(args.text, args.path, args.names, args.any_case, args.limit)
    found = await workspaces.search(ctx.origin.key, sought)
    looked = f"{found.files:,} files were read"
    unread = f", {found.unread:,} were too large or no text" if found.unread else ""
    if not found.hits:
        cut = "; the search ended early, name a folder" if found.more else ""
        return f"[no line holds it; {looked}{unread}{cut}]"
    more = "; there is more, name a folder or files" if found.more else ""
    lines = [f"{shown_path(hit.path)}:{hit.line}: {hit.text}" for hit in found.hits]
    return "\n".join([*lines, f"[{looked}{unread}{more}]"])
