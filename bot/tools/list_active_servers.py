"""Let the cortex chat say where the bot is active."""

from __future__ import annotations

from bot.domain.access import Authority
from bot.domain.channel import ProcessKind
from bot.tools.runtime.admin_session import AdminSession
from bot.tools.runtime.tool import ToolArgs, tool


class ServersArgs(ToolArgs):
    """No arguments."""


@tool(kinds={ProcessKind.CORTEX}, authority=Authority.ADMIN, read_only=True)
async def list_active_servers(args: ServersArgs, seat: AdminSession) -> str:
    """List every platform, what this admin may look into there, and the MCP servers."""
    return await seat.servers()
