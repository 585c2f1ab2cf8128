"""Look at what MCP servers offer, and approve of it: `glassmind mcp tools`, `glassmind mcp approve`."""

from __future__ import annotations

import asyncio
import os
from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from bot.app.adapters import machine, tool_servers
from bot.cli.run_bot import with_data
from bot.cli.tables import is_terminal, write_json, write_table
from bot.config import LoadedConfig, load_config
from bot.config.tool_groups import McpConfig
from bot.cortex.doctor.examination import Check
from bot.domain.base import Digest
from bot.domain.health import ProbeResult
from bot.errors import ToolServerError, UserError
from bot.ports.toolservers import ServedTool, ToolServers
from bot.runtime.logs import configure_logs
from bot.runtime.terminal import print_text
from bot.sentences import say
from bot.text.redaction import Redactor
from bot.text.text import excerpt
from bot.tools.mcp.approvals import ApprovedTools, ServerApprovals, differences, digests
from bot.tools.mcp.foreign_server import address_digest, address_of
from bot.tools.mcp.server_offer import offer

EXIT_OK, EXIT_FOUND = 0, 1
_MAX_DESCRIPTION_CHARS = 160
_STATES = {
    "approved": "mcp_servers.state-approved",
    "denied": "mcp_servers.state-denied",
    "new": "mcp_servers.state-new",
    "changed": "mcp_servers.state-changed",
    "unusable": "mcp_servers.state-unusable",
    "unreachable": "mcp_servers.state-unreachable",
}
"""What people are told for each state; programs read the states themselves."""


class _Row(NamedTuple):
    server: str
    tool: str
    state: str
    says: str


def foreign_command(args: Namespace, path: Path) -> int:
    """List or approve; return 0 when everything may be offered, 1 when something waits or cannot be reached."""
    loaded = with_data(load_config(path, os.environ), args.data)
    configure_logs("error", Redactor.of(loaded.secrets))
    tables = _chosen(loaded, args.server, approving=args.action == "approve")
    rows = asyncio.run(_rows(loaded, tables, approving=args.action == "approve"))
    _write(rows, as_json=args.json)
    return EXIT_FOUND if any(row.state not in {"approved", "denied"} for row in rows) else EXIT_OK


def _chosen(loaded: LoadedConfig, name: str, *, approving: bool) -> Mapping[str, McpConfig]:
    tables = loaded.config.tools.mcp
    listed = ", ".join(tables) or say("mcp_servers.no-servers")
    if name and name not in tables:
        raise UserError(say("mcp_servers.no-such-server", name=excerpt(name, 40), names=listed))
    if approving and not name:
        raise UserError(say("mcp_servers.name-one-to-approve", names=listed))
    return {name: tables[name]} if name else tables


async def _rows(loaded: LoadedConfig, tables: Mapping[str, McpConfig], *, approving: bool) -> list[_Row]:
    servers, redact = tool_servers(loaded), Redactor.of(loaded.secrets).redact
    book, rows = ServerApprovals(Path(loaded.config.bot.data_dir)), list[_Row]()
    for name, table in tables.items() if servers is not None else ():
        assert servers is not None
        try:
            served = await _served(servers, table)
        except ToolServerError as error:
            rows.append(_Row(name, "", "unreachable", redact(excerpt(str(error), 300)).text))
            continue
        if approving:
            approved = ApprovedTools(address=address_digest(table), at=machine().clock.now(), tools=digests(served))
            await asyncio.to_thread(book.keep, name, approved)
        known = await asyncio.to_thread(book.of, name)
        agreed = known.tools if known is not None and known.address == address_digest(table) else None
        rows += _of(name, table, served, agreed)
    return rows


def server_checks(loaded: LoadedConfig) -> Mapping[str, Check]:
    """Return a look of the doctor at each server that is switched on: started, asked for its tools, and ended."""
    tables = {name: table for name, table in loaded.config.tools.mcp.items() if table.enabled}
    return {
        say("doctor.mcp-server", name=name): partial(_probed, loaded, name, table) for name, table in tables.items()
    }


async def _probed(loaded: LoadedConfig, name: str, table: McpConfig) -> Sequence[ProbeResult]:
    rows = await _rows(loaded, {name: table}, approving=False)
    row, called = rows[0] if rows else None, say("doctor.mcp-server", name=name)
    if row is None or row.state == "unreachable":
        fix = say("mcp_servers.see-its-table", name=name)
        words = row.says if row else say("mcp_servers.no-tools")
        return [ProbeResult(name=called, state="failed", evidence=words, fix=fix)]
    waiting = [one.tool for one in rows if one.state not in {"approved", "denied"}]
    if waiting:
        fix = say("doctor.mcp-degraded-fix", name=name)
        words = say("mcp_servers.not-offered", names=", ".join(waiting[:5]))
        return [ProbeResult(name=called, state="warning", evidence=words, fix=fix)]
    return [ProbeResult(name=called, state="ok", evidence=say("mcp_servers.answers", count=len(rows)))]


async def _served(servers: ToolServers, table: McpConfig) -> tuple[ServedTool, ...]:
    async with servers.connect(address_of(table), lambda: None) as server:
        return await server.tools()


def _of(
    name: str, table: McpConfig, served: Sequence[ServedTool], agreed: Mapping[str, Digest] | None
) -> Iterator[_Row]:
    now = digests(served)
    # what nobody has seen yet is agreed to when the bot first connects
    waits = differences(now if agreed is None else agreed, now)
    made = offer(name, table, served, now)
    offered = {one.name for one in made.tools}
    first = {tool.name: tool for tool in reversed(served)}
    for tool in (first[name] for name in now):
        denied = tool.name in table.deny or (table.allow is not None and tool.name not in table.allow)
        state = "denied" if denied else waits.get(tool.name, "approved" if tool.name in offered else "unusable")
        called, says = excerpt(tool.name, 60), excerpt(tool.description, _MAX_DESCRIPTION_CHARS)
        if state == "unusable":
            says = next((one.why() for one in made.broken if one.name == called), "")
        yield _Row(name, called, state, says)


def _write(rows: Sequence[_Row], *, as_json: bool) -> None:
    if as_json:
        found: list[dict[str, Any]] = [row._asdict() for row in rows]
        return write_json(found)
    told = [row._replace(state=say(_STATES[row.state])) for row in rows]
    if is_terminal():
        head = (
            say("mcp_servers.column-server"),
            say("mcp_servers.column-tool"),
            say("mcp_servers.column-state"),
            say("mcp_servers.column-says"),
        )
        return write_table(head, told)
    print_text("\n".join(" · ".join(filter(None, row)) for row in told))
    return None
