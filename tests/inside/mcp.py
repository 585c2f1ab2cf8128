"""The servers behind foreign tools, one by one."""

from __future__ import annotations

from dataclasses import replace

from bot.ports.clock import Clock
from bot.ports.toolservers import ToolServer
from bot.tools.mcp.foreign_server import ForeignServer
from bot.tools.mcp.foreign_tools import ForeignTools


def servers_of(source: ForeignTools) -> list[ForeignServer]:
    return source._servers


def connection_of(server: ForeignServer) -> ToolServer:
    """What it is connected by now."""
    assert server._server is not None
    return server._server


def give_clock(server: ForeignServer, clock: Clock) -> None:
    """Let a server go by a clock of its own: where time stands still, nobody looks at its list again."""
    server._supplies = replace(server._supplies, clock=clock)
