"""The inspection branch's eyes: one capture, made before the branch existed."""

from __future__ import annotations

from pydantic import Field

from bot.context.inspected import InspectedContext
from bot.context.parts import PARTS, read
from bot.domain.channel import ProcessKind
from bot.errors import ToolError
from bot.tools.tool import Args, tool

_ROOM = 16_000
"""Characters of one page; less than what the executor lets a model see of a result."""


class ReadContextArgs(Args):
    """Which channel, and which part of it."""

    channel_id: str = Field(description="The id of the captured channel; no other can be read.")
    part: str = Field("outline", max_length=300, description=f"One of: {', '.join(PARTS)}.")


@tool(kinds={ProcessKind.INSPECTION}, read_only=True)
async def read_channel_context(args: ReadContextArgs, captured: InspectedContext) -> str:
    """Read a part of the captured context, exactly as its model was told it."""
    asked = args.channel_id.strip()
    if asked not in {captured.key.channel, str(captured.key)}:
        raise ToolError(f"Only the captured channel can be read here: {captured.key.channel}.")
    return read(args.part, captured, _ROOM)
