"""What the last sign of life says of the process and of its platforms, for whoever looks from outside."""

from __future__ import annotations

from typing import Literal

from bot.cortex.doctor.mcp_probes import server_rows
from bot.diagnostics.collect.collector import FRESH_HEARTBEAT_MS
from bot.domain.health import KILLED, AdapterHealth, AdapterState, Heartbeat, ProbeResult
from bot.sentences import say
from bot.text.text import quote_line
from bot.text.times import age

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
        return (_process("warning", say("doctor.never-ran"), say("doctor.start-fix")),)
    servers = server_rows(beat.servers, now)
    pid, ago = str(beat.pid), age(now - beat.at)
    if is_alive(beat, now):
        return (_process("ok", say("doctor.running", pid=pid, age=ago)), *map(platform_row, beat.adapters), *servers)
    if beat.exit_reason and beat.exit_reason != KILLED:
        evidence = say("doctor.not-running", why=quote_line(beat.exit_reason, 120), pid=pid, age=ago)
        return (_process("warning", evidence, say("doctor.start-fix")),)
    evidence = say("doctor.not-running", why=KILLED, pid=pid, age=ago)
    return (_process("failed", evidence, say("doctor.start-fix-log")),)


def _process(state: Literal["ok", "warning", "failed"], evidence: str, fix: str = "") -> ProbeResult:
    return ProbeResult(name="process", state=state, evidence=evidence, fix=fix)


def platform_row(health: AdapterHealth) -> ProbeResult:
    """Say how a platform is, as another process said it."""
    said = f"{health.state}: {quote_line(health.detail, 120)}" if health.detail else health.state.value
    return ProbeResult(
        name=say("doctor.platform", name=health.name),
        state=_STATES.get(health.state, "failed"),
        evidence=said,
        fix=health.fix,
        code=health.code,
        facts=health.facts,
    )
