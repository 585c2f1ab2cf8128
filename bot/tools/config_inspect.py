"""Let the cortex chat read the configuration, without a secret."""

from __future__ import annotations

from pydantic import Field

from bot.domain.access import Authority
from bot.domain.channel import ProcessKind
from bot.errors import ToolError
from bot.tools.runtime.admin_session import AdminSession
from bot.tools.runtime.tool import ToolArgs, tool

_MAX_KEYS = 60


class ConfigArgs(ToolArgs):
    prefix: str = Field("", max_length=200, description="What the keys begin with, such as model, limits or platforms.")


@tool(kinds={ProcessKind.CORTEX}, authority=Authority.ADMIN, read_only=True)
async def config_inspect(args: ConfigArgs, seat: AdminSession) -> str:
    """List keys with their values, where each comes from, and whether a change takes a reload or a restart."""
    lines = seat.config(args.prefix.strip())
    if not lines:
        raise ToolError(f'No key begins with "{args.prefix}". An empty prefix lists the first {_MAX_KEYS} keys.')
    more = (f"[{len(lines) - _MAX_KEYS} more keys: give a longer prefix]",) if len(lines) > _MAX_KEYS else ()
    return "\n".join((*lines[:_MAX_KEYS], *more))
