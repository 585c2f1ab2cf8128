"""MCP by the official SDK: other people's servers as sources of tools, and our own for engineers' editors.

The SDK takes 1.3 s of CPU to load, so nothing of it is imported before a server is needed.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any

from bot.domain.base import JsonText
from bot.errors import ToolServerError
from bot.ports.toolservers import OnServerChange, ServerAddress, ToolServer
from bot.runtime.lean_imports import lean_imports
from bot.sentences import later, say


class McpServers:
    """Implements `bot.ports.toolservers.ToolServers`."""

    def __init__(self) -> None:
        self._checking: ModuleType | None = None

    def missing(self) -> str:
        """Say what to install; empty when the SDK is there."""
        return "" if find_spec("mcp") is not None else say("mcp_servers.extra-missing")

    @asynccontextmanager
    async def connect(self, address: ServerAddress, stir: OnServerChange) -> AsyncIterator[ToolServer]:
        """Connect, and end what was started on the way out; raise ToolServerError."""
        if self.missing():
            raise ToolServerError(later("mcp_servers.extra-missing"))
        client = await asyncio.to_thread(_load_module, "adapters.mcp.client")
        async with client.connect_server(address, stir) as server:
            yield server

    async def misfits(self, schema: JsonText, arguments: Mapping[str, Any]) -> tuple[str, ...]:
        """Say what of the arguments does not fit a schema; raise ToolServerError when that takes too long."""
        if self._checking is None:
            self._checking = await asyncio.to_thread(_load_module, "adapters.mcp.argument_check")
        found: tuple[str, ...] = await self._checking.misfits(schema, arguments)
        return found


def _load_module(name: str) -> ModuleType:
    """Import a module as a start does: looking for garbage meanwhile would stall everybody, and there is none."""
    with lean_imports():
        return import_module(name)


def create(settings: Mapping[str, object]) -> McpServers:
    """Build the way to MCP servers; there is nothing to set."""
    return McpServers()
