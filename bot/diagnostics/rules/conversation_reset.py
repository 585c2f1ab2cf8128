"""FRESH-CHAT: somebody had the conversation begin anew, so nothing said before is known."""

from __future__ import annotations

from collections.abc import Iterator

from bot.diagnostics.evidence.evidence import Evidence
from bot.diagnostics.evidence.evidence_reader import outcome, place_name, ref
from bot.domain.finding import Confidence, Finding, FunnelStage
from bot.domain.handles import HandleKind
from bot.domain.ledger import Outcome
from bot.text.text import one_line_name
from bot.text.times import clock_time

_ANSWERED_OUTCOMES = frozenset({Outcome.REPLIED, Outcome.SKIPPED})


def check(evidence: Evidence) -> Iterator[Finding]:
    """Say who started a fresh chat, and when."""
    fresh = evidence.fresh_chat
    if fresh is None or outcome(evidence) not in _ANSWERED_OUTCOMES:
        return
    who, at = one_line_name(fresh.name, 24, "Somebody"), clock_time(fresh.at)
    yield Finding(
        rule="FRESH-CHAT",
        stage=FunnelStage.DECISION,
        confidence=Confidence.CONFIRMED,
        verdict=f"{place_name(evidence)}: a fresh chat was started",
        why=(f"{who} started a fresh chat at {at}.", "Nothing said before that is told to the model."),
        evidence=ref(HandleKind.AUDIT, fresh.audit, "the fresh start, in the audit"),
        advice="`/new undo` brings the old chat back within 24 hours.",
    )
