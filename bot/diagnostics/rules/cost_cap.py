"""COST-CAP: the day's money is spent, and nothing that would cost any goes to a model."""

from __future__ import annotations

from collections.abc import Iterator

from bot.diagnostics.evidence.evidence import Evidence
from bot.diagnostics.evidence.evidence_reader import (
    GateName,
    gate_ref,
    gate_stop,
    message_ref,
    place_name,
    stopped_line,
)
from bot.domain.channel import ProcessKind
from bot.domain.finding import Confidence, Finding, FunnelStage
from bot.sentences import say
from bot.text.figures import money, quantity
from bot.text.text import quote_line

_DAY_MS = 86_400_000
_MAX_KINDS = 2


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
        verdict=say("cost_cap.verdict-over" if over else "cost_cap.verdict", place=place_name(evidence)),
        why=(
            *stopped_line(evidence, stop),
            say("cost_cap.spent-that-day" if over else "cost_cap.spent-today", cost=cost, cap=cap),
            *_went_to(evidence),
        ),
        evidence=(*message_ref(evidence), *gate_ref(stop, say("cost_cap.record"))),
        advice=say("cost_cap.ask-again" if over else "cost_cap.tomorrow"),
        operator_advice=_fix(evidence),
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
        yield say("cost_cap.went-to", work=kind.value, cost=money(cost), tokens=quantity(tokens))


def _fix(evidence: Evidence) -> str:
    work = next(iter(_by_work(evidence)), ProcessKind.CHANNEL)
    match work:
        case ProcessKind.COMPACTOR:
            return say("cost_cap.cheaper-summaries")
        case ProcessKind.CORTEX | ProcessKind.INSPECTION:
            return say("cost_cap.cheaper-cortex")
        case ProcessKind.REPLAY:
            return say("cost_cap.prove-less")
        case ProcessKind.WORKER | ProcessKind.BRANCH:
            return say("cost_cap.look-at-work")
        case _:
            return say("cost_cap.cheaper-model")
