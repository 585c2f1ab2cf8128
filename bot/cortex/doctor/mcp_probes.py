"""The doctor's rows about MCP servers: since when each is how it is, its tools, and what went wrong last."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.domain.health import AdapterHealth, AdapterState, ProbeResult
from bot.text.text import quote_line
from bot.text.times import age

_STATES = {
    AdapterState.UP: "ok",
    AdapterState.STARTING: "ok",
    AdapterState.DISABLED: "ok",
    AdapterState.DEGRADED: "warning",
}


def server_rows(health: Sequence[AdapterHealth], now: int) -> Iterator[ProbeResult]:
    """Write a row for each server that is switched on; `now` is UTC ms."""
    for one in health:
        if one.state is AdapterState.DISABLED:
            continue
        since = f"{one.state.value} for {age(now - one.since)}"
        yield ProbeResult(
            name=f"MCP server {one.name}",
            state=_STATES.get(one.state, "failed"),
            evidence=f"{since}: {one.detail}" if one.detail else since,
            fix=_fix(one),
        )


def _fix(health: AdapterHealth) -> str:
    if health.state is AdapterState.DEGRADED:
        return f"Look at its tools: glassmind mcp tools {quote_line(health.name, 24)}; then approve or deny them."
    if health.state is AdapterState.DOWN:
        return f"Its tools are not offered meanwhile. See [tools.mcp.{health.name}], and try its command by hand."
    return ""
