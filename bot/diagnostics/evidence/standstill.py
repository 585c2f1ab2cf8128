"""Say how much of a message's time the whole process stood still, once for all rules."""

from __future__ import annotations

from bot.diagnostics.evidence.evidence import Evidence
from bot.diagnostics.evidence.evidence_reader import message
from bot.domain.health import LoopLag

MIN_STANDSTILL_MS = 2_000
"""How long it must have stood still for somebody to notice."""


def standstill(evidence: Evidence) -> tuple[LoopLag, ...]:
    """Return when the loop stood still between a message and its outcome, where that explains most of the wait."""
    found = message(evidence)
    if found is None:
        return ()
    until = found.outcome_at if found.outcome else evidence.now
    inside = tuple(lag for lag in evidence.vitals.lags if lag.at >= found.arrived_at and lag.at - lag.ms <= until)
    lost = sum(lag.ms for lag in inside)
    return inside if lost >= MIN_STANDSTILL_MS and lost >= (until - found.arrived_at) / 2 else ()
