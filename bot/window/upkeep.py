"""What runs and what it costs, how every part is, and what was done by whom."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bot.cortex.commands.audit import audited_rows
from bot.cortex.doctor import examination
from bot.cortex.targets.tool_page import newest_work
from bot.cortex.words.audit_lines import audited_deed
from bot.domain.finding import AuditRow
from bot.domain.handles import HandleKind, handle
from bot.domain.health import ProbeResult
from bot.domain.process import StoredProcess
from bot.inspect.usage.usage import SpentTokens, is_priced, spent_by_kind, sum_usage
from bot.sentences import say
from bot.text.text import one_line_name
from bot.window.talk import named
from bot.window.visit import Visit

_MAX_AUDIT_ROWS = 100
_MAX_DAYS = 14


async def work(visit: Visit) -> dict[str, Any]:
    """List the branches and workers of a channel, the newest first."""
    target = (await visit.channel()).target
    found = await newest_work(visit.sources.store.processes, target, visit.caller.person)
    now = visit.sources.clock.now()
    return {"screen": "work", "channel": named(target), "work": [_process(one, now) for one in found]}


def _process(process: StoredProcess, now: int) -> dict[str, Any]:
    return {
        "handle": process.handle,
        "kind": process.body.kind.value,
        "name": one_line_name(process.body.name, 60, say("window.words-gone")),
        "state": process.state.value,
        "is_over": process.is_over,
        "begun_at": process.started_at,
        "took_ms": (process.ended_at or now) - process.started_at,
        "calls": process.calls,
        "by": one_line_name(process.body.by.name, 40),
        "private": bool(process.body.session),
        "progress": one_line_name(process.progress, 120) if process.progress and not process.is_over else "",
        "reason": one_line_name(process.reason, 200) if process.reason else "",
        "said": bool(process.relayed_at),
    }


async def cost(visit: Visit) -> dict[str, Any]:
    """Show what the models have used for a channel, and what it cost where a price is set."""
    target = (await visit.channel()).target
    usage = await visit.sources.store.meter.usage(target.key, 0)
    days = sum_usage(sorted(usage, key=lambda row: row.day, reverse=True), lambda row: row.day)
    models = sorted(sum_usage(usage, lambda row: one_line_name(row.model)).values(), key=lambda one: -one.input)
    return {
        "screen": "cost",
        "channel": named(target),
        "priced": is_priced(usage),
        "all": [_spent(one) for one in sum_usage(usage, lambda row: "all").values()],
        "by_process": [_spent(one) for one in spent_by_kind(usage)],
        "by_model": [_spent(one) for one in models],
        "by_day": [_spent(one) for one in [*days.values()][:_MAX_DAYS]],
        "days": len(days),
    }


def _spent(one: SpentTokens) -> dict[str, Any]:
    return {
        "name": one.name,
        "requests": one.requests,
        "input": one.input,
        "output": one.output,
        "cached": one.cached,
        # what has no price is stored as zero
        "cost_usd": round(one.cost_usd, 6) or None,
    }


async def doctor(visit: Visit) -> dict[str, Any]:
    """Probe every part, and a channel where one is named."""
    visit.check_admin()
    target = (await visit.channel()).target if visit.query.get("of") else None
    at, probes = await visit.sources.examine(*([target.key.channel] if target is not None else []))
    return {
        "screen": "doctor",
        "channel": named(target) if target is not None else None,
        "summary": examination.summary(probes),
        "checks": _checks(probes) if visit.is_read else examination.as_json(probes),
        "at": at,
    }


def _checks(probes: Sequence[ProbeResult]) -> list[dict[str, str]]:
    rows = examination.as_json(probes)
    return [{**row, "problem": examination.row_name(one)} for row, one in zip(rows, probes, strict=True)]


async def audit(visit: Visit) -> dict[str, Any]:
    """List what was done and looked at: by everybody for an owner, by themselves for others."""
    visit.check_admin()
    rows, everyone = await audited_rows(visit.sources.store.audit, visit.caller, _MAX_AUDIT_ROWS)
    mine = visit.caller.person
    return {
        "screen": "audit",
        "channel": None,
        "everybody": everyone,
        "entries": [_entry(row, own=(row.body.platform, row.body.actor) == mine) for row in rows],
    }


def _entry(row: AuditRow, *, own: bool) -> dict[str, Any]:
    body = row.body
    return {
        "handle": handle(HandleKind.AUDIT, row.id),
        "at": body.at,
        "action": one_line_name(body.action, 60),
        "detail": one_line_name(body.detail, 240) if body.detail else "",
        "did": one_line_name(audited_deed(body), 300),
        "target": str(body.target),
        "by": {"id": str(body.actor), "name": one_line_name(body.actor_name, 32), "platform": body.platform},
        "undone_by": handle(HandleKind.AUDIT, row.undone_by) if row.undone_by else None,
        "can_undo": own and body.undo is not None and not row.undone_by and not body.action.startswith("undo"),
    }
