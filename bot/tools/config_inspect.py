"""Let the cortex chat read the configuration, without a secret."""

from __future__ import annotations

from pydantic import Field

from bot.domain.access import Authority
from bot.domain.channel import ProcessKind
from bot.errors import ToolError
from bot.tools.runtime.admin_seat import Seat
from bot.tools.runtime.tool import Args, tool

_MOST = 60


class ConfigArgs(Args):
    prefix: str = Field("", max_length=200, description="What the keys begin with, such as model, limits or platforms.")


@tool(kinds={ProcessKind.CORTEX}, authority=Authority.ADMIN, read_only=True)
async def config_inspect(args: ConfigArgs, seat: Seat) -> str:
    """List keys with their values, where each comes from, and whether a change takes a reload or a restart."""
    lines = seat.config(args.prefix.strip())
    if not lines:
        raise ToolError(f'No key begins with "{args.prefix}". An empty prefix lists the first {_MOST} keys.')
    more = (f"[{len(lines) - _MOST} more keys: give a longer prefix]",) if len(lines) > _MOST else ()
    return "\n".join((*lines[:_MOST], *more))
