"""All MCP servers together: one source of tools, the tasks that keep them connected, and how they are."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from bot.config.tool_groups import MCP, McpConfig
from bot.domain.health import AdapterHealth
from bot.runtime.tasks import TaskSupervisor
from bot.tools.mcp.foreign_server import ForeignServer, ForeignServerContext
from bot.tools.mcp.server_offer import BrokenTool
from bot.tools.runtime.tool import Tool


class ForeignTools:
    """Implements `bot.tools.runtime.toolbox.ToolSource`. Nothing is connected before `start`."""

    def __init__(self, tables: Mapping[str, McpConfig], supplies: ForeignServerContext) -> None:
        self._servers = [ForeignServer(name, table, supplies) for name, table in tables.items()]

    def tools(self) -> tuple[Tool, ...]:
        """Return what the servers that are there offer, in the order of the configuration."""
        return tuple(tool for server in self._servers for tool in server.tools)

    def broken(self) -> Mapping[str, tuple[BrokenTool, ...]]:
        """Return the tools that cannot be offered, by the name of the group they would be in."""
        return {f"{MCP}:{server.name}": server.offer.broken for server in self._servers if server.offer.broken}

    def start(self, tasks: TaskSupervisor) -> None:
        """Keep the servers connected from now on."""
        for server in self._servers:
            tasks.spawn(f"mcp server {server.name}", server.run())

    def reloaded(self) -> None:
        """Take in what the configuration, and whoever approves of tools, say now."""
        for server in self._servers:
            server.stir()

    async def reload(self) -> None:
        """Ask every server anew, side by side; returns when each has answered, or its time to start is over."""
        await asyncio.gather(*(server.reload() for server in self._servers))

    def health(self) -> tuple[AdapterHealth, ...]:
        """Say how each server is."""
        return tuple(server.health() for server in self._servers)
