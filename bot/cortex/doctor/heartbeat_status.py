"""What the last sign of life says of the process and of its platforms, for whoever looks from outside."""

from __future__ import annotations

from bot.cortex.doctor.mcp_probes import server_rows
from bot.diagnostics.collect.collector import FRESH_HEARTBEAT_MS
from bot.domain.health import KILLED, AdapterHealth, AdapterState, Heartbeat, ProbeResult
from bot.text.text import quote_line
from bot.text.times import age

_START_FIX = "Start it: glassmind run."
_STATES = {
    AdapterState.STARTING: "ok",
    AdapterState.UP: "ok",
    AdapterState.DISABLED: "ok",
    AdapterState.DEGRADED: "warning",
}


def is_alive(beat: Heartbeat | None, now: int) -> bool:
    """Say whether a process left a sign of life just now, and no word that it ended."""
    return beat is not None and not beat.exit_reason and now - beat.at <= FRESH_HEARTBEAT_MS


def pulse(beat: Heartbeat | None, now: int) -> tuple[ProbeResult, ...]:
    """Return a row for the process and, while it lives, one for each platform; `now` is UTC ms.

    A bot that ended with a word about it wants a look; one that vanished is broken.
    """
    if beat is None:
        return (
            ProbeResult(name="process", state="warning", evidence="no bot has run on this directory", fix=_START_FIX),
        )
    servers = server_rows(beat.servers, now)
    seen = f"pid {beat.pid}, last sign of life {age(now - beat.at)} ago"
    if is_alive(beat, now):
        return (
            ProbeResult(name="process", state="ok", evidence=f"running: {seen}"),
            *map(_platform, beat.adapters),
            *servers,
        )
    if beat.exit_reason and beat.exit_reason != KILLED:
        evidence = f"not running: {quote_line(beat.exit_reason, 120)}; {seen}"
        return (ProbeResult(name="process", state="warning", evidence=evidence, fix=_START_FIX),)
    fix = f"{_START_FIX} Its log and the service manager say why it ended."
    return (ProbeResult(name="process", state="failed", evidence=f"not running: {KILLED}; {seen}", fix=fix),)


def _platform(health: AdapterHealth) -> ProbeResult:
    said = f"{health.state}: {quote_line(health.detail, 120)}" if health.detail else health.state.value
    return ProbeResult(
        name=f"platform {health.name}",
        state=_STATES.get(health.state, "failed"),
        evidence=said,
        fix=health.fix,
        code=health.code,
        facts=health.facts,
    )
