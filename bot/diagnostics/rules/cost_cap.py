"""COST-CAP: the day's money is spent, and nothing that would cost any goes to a model."""

from __future__ import annotations

from collections.abc import Iterator

from bot.diagnostics.evidence.evidence import Evidence
from bot.diagnostics.evidence.evidence_reader import (
    GateName,
    GateStop,
    gate_ref,
    gate_stop,
    message_ref,
    place_name,
    stopped_line,
)
from bot.domain.channel import ProcessKind
from bot.domain.finding import Confidence, Finding, FunnelStage
from bot.text.figures import money, quantity
from bot.text.text import quote_line

_DAY_MS = 86_400_000
_MAX_KINDS = 2
_WORK = {
    ProcessKind.CHANNEL: "answers",
    ProcessKind.BRANCH: "branches",
    ProcessKind.WORKER: "workers",
    ProcessKind.COMPACTOR: "summaries",
    ProcessKind.CORTEX: "the cortex",
    ProcessKind.INSPECTION: "inspections",
    ProcessKind.REPLAY: "replays",
    ProcessKind.EMBEDDING: "searching memories by meaning",
}


def check(evidence: Evidence) -> Iterator[Finding]:
    """Say what was compared, and what the money of the last 24 hours went to."""
    stop = gate_stop(evidence)
    if stop is None or stop.gate != GateName.BUDGET:
        return
    cost, cap = (_money(stop.compared.get(name, "")) for name in ("cost_today_usd", "daily_cost_usd"))
    over = stop.at // _DAY_MS < evidence.now // _DAY_MS
    yield Finding(
        rule="COST-CAP",
        stage=FunnelStage.GATE,
        confidence=Confidence.CONFIRMED,
        verdict=f"{place_name(evidence)}: cost cap {'was ' if over else ''}reached",
        why=(
            *stopped_line(evidence, stop),
            f"Spent {'that day' if over else 'today'} {cost} of {cap}.",
            *_went_to(evidence),
        ),
        evidence=(*message_ref(evidence), *gate_ref(stop, "gate budget")),
        advice="Ask again: it is another day." if over else "It answers again tomorrow (UTC); tell the operator.",
        operator_advice=_fix(evidence, stop),
    )


def _money(told: str) -> str:
    try:
        return money(float(told))
    except ValueError:
        return f"${quote_line(told or '?', 12)}"


def _by_work(evidence: Evidence) -> dict[ProcessKind, tuple[float, int]]:
    """Return cost and tokens by the kind of process, the dearest first."""
    found: dict[ProcessKind, tuple[float, int]] = {}
    for row in evidence.spent:
        cost, tokens = found.get(row.kind, (0.0, 0))
        found[row.kind] = cost + row.cost_usd, tokens + row.input + row.output
    return dict(sorted(found.items(), key=lambda pair: pair[1], reverse=True))


def _went_to(evidence: Evidence) -> Iterator[str]:
    for kind, (cost, tokens) in list(_by_work(evidence).items())[:_MAX_KINDS]:
        yield f"24 h: {_WORK.get(kind, kind.value)} {money(cost)}, {quantity(tokens)} tokens."


def _fix(evidence: Evidence, stop: GateStop) -> str:
    work = next(iter(_by_work(evidence)), ProcessKind.CHANNEL)
    raised = "raise limits.daily_cost_usd (SIGHUP takes it over)"
    match work:
        case ProcessKind.COMPACTOR:
            return f"Choose a cheaper compaction.summarization_model, or {raised}."
        case ProcessKind.CORTEX | ProcessKind.INSPECTION:
            return f"Choose a cheaper cortex.model, or {raised}."
        case ProcessKind.REPLAY:
            return f"Prove less (each proof asks the model many times), or {raised}."
        case ProcessKind.WORKER | ProcessKind.BRANCH:
            return f"Look what the workers do (`work`), or {raised}."
        case _:
            return f"Choose a cheaper model, or {raised}."
