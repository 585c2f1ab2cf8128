"""Read a file that a worker handed over, by the name of the worker."""

from __future__ import annotations

import hashlib

from pydantic import Field

from bot.domain.channel import ProcessKind
from bot.domain.handles import parse_handle
from bot.domain.record_access import may_read, of_process
from bot.errors import ToolError
from bot.ports.processes import ProcessStore
from bot.ports.workspaces import Workspaces
from bot.text.text import quote_line
from bot.tools.file_read import as_text, numbered_page
from bot.tools.runtime.tool import ToolArgs, ToolContext, tool


class ArtifactArgs(ToolArgs):
    """Whose file, which, and which part of it."""

    worker: str = Field(min_length=1, max_length=16, description="The worker's name, like w27d4.")
    path: str = Field("", max_length=1000, description="One of its files; empty lists them.")
    start: int = Field(1, ge=1, description="The line to begin with.")
    lines: int = Field(500, ge=1, le=5000, description="How many lines at most.")


@tool(kinds={ProcessKind.CHANNEL, ProcessKind.BRANCH}, read_only=True, on_demand=True, shows_content=True)
async def artifact_read(args: ArtifactArgs, ctx: ToolContext, processes: ProcessStore, workspaces: Workspaces) -> str:
    """Return lines of a handed over file as they stand there now, and say where it has changed since.

    It belongs to the result, which the conversation reads as well; nothing else of the workspace can be named here.
    """
    parsed = parse_handle(args.worker)
    found = await processes.by_handle(parsed) if parsed else None
    if found is None or not may_read(ctx.reader, of_process(found)):
        raise ToolError(f"There is no worker {quote_line(args.worker, 16)} in this channel.")
    artifacts = {one.path: one for one in found.body.artifacts}
    listed = ", ".join(f"{path} ({one.size:,} bytes)" for path, one in artifacts.items()) or "none"
    if not args.path:
        return f"Files that {found.handle} handed over: {listed}."
    if args.path not in artifacts:
        raise ToolError(f"{found.handle} handed over no file of that name. Its files: {listed}.")
    content = await workspaces.read(found.key, args.path)
    same = hashlib.sha256(content).hexdigest() == artifacts[args.path].sha256
    page = numbered_page(as_text(content, args.path), args.start, args.lines)
    return page if same else f"{page}\n[the file has changed since {found.handle} handed it over]"
