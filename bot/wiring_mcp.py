"""MCP servers, wired only where some are configured."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from bot.config import Config
from bot.cortex.alerts import AdminAlerts
from bot.domain.redaction import Redactor
from bot.ports.edges import Edges

if TYPE_CHECKING:
    from bot.tools.mcp.source import ForeignTools


def foreign_tools(edges: Edges, config: Config, alerts: AdminAlerts, redactor: Redactor) -> ForeignTools | None:
    """Return the source of their tools; None where there are none, or where nobody may connect to any."""
    if not config.tools.mcp or edges.tool_servers is None:
        return None
    # imported here: a bot without such servers should not wait for it
    from bot.tools.mcp.approvals import Approvals
    from bot.tools.mcp.server import Supplies
    from bot.tools.mcp.source import ForeignTools

    supplies = Supplies(
        servers=edges.tool_servers,
        approvals=Approvals(Path(config.bot.data_dir)),
        clock=edges.clock,
        tell=alerts.tell,
        redact=lambda text: redactor.redact(text).text,
    )
    return ForeignTools(config.tools.mcp, supplies)
