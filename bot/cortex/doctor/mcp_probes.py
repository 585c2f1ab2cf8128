"""The doctor's rows about MCP servers: since when each is how it is, its tools, and what went wrong last."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.domain.health import AdapterHealth, AdapterState, ProbeResult
from bot.sentences import say
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
        state, since = one.state.value, age(now - one.since)
        if one.detail:
            evidence = say("doctor.mcp-state-detail", state=state, age=since, detail=one.detail)
        else:
            evidence = say("doctor.mcp-state", state=state, age=since)
        name = say("doctor.mcp-server", name=one.name)
        yield ProbeResult(name=name, state=_STATES.get(one.state, "failed"), evidence=evidence, fix=_fix(one))


def _fix(health: AdapterHealth) -> str:
    if health.state is AdapterState.DEGRADED:
        return say("doctor.mcp-degraded-fix", name=quote_line(health.name, 24))
    if health.state is AdapterState.DOWN:
        return say("doctor.mcp-down-fix", name=health.name)
    return ""
