"""The inspection branch's eyes: one capture, made before the branch existed."""

from __future__ import annotations

from typing import Protocol

from pydantic import Field

from bot.domain.channel import ProcessKind
from bot.domain.ids import ChannelKey
from bot.domain.snapshot import ContextSnapshot
from bot.errors import ToolError
from bot.inspect.capture.part_names import PARTS
from bot.tools.runtime.tool import ToolArgs, ToolContext, tool


class ReadContextArgs(ToolArgs):
    """Which channel, and which part of it."""

    channel_id: str = Field(description="The id of the captured channel; no other can be read.")
    part: str = Field("outline", max_length=300, description=f"One of: {', '.join(PARTS)}.")


class CapturePages(Protocol):
    """A capture that is read in pages, from a channel."""

    @property
    def key(self) -> ChannelKey:
        """The channel whose context is read."""

    async def read(self, part: str, snapshot: ContextSnapshot) -> str:
        """Return a part for the process that was sent this; raise ToolError for no such part, or no room."""


@tool(kinds={ProcessKind.INSPECTION}, read_only=True)
async def read_channel_context(args: ReadContextArgs, pages: CapturePages, ctx: ToolContext) -> str:
    """Read a part of the captured context, exactly as its model was told it, or what fits of it."""
    asked, key = args.channel_id.strip(), pages.key
    if asked not in {key.channel, str(key)}:
        raise ToolError(f"Only the captured channel can be read here: {key.channel}.")
    return await pages.read(args.part, ctx.turn.snapshot)
