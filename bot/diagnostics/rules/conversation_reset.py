"""FRESH-CHAT: somebody had the conversation begin anew, so nothing said before is known."""

from __future__ import annotations

from collections.abc import Iterator

from bot.diagnostics.evidence.evidence import Evidence, MissingEvidence
from bot.diagnostics.evidence.evidence_reader import outcome, place_name, ref
from bot.diagnostics.evidence.told_facts import find_lost
from bot.domain.finding import Confidence, EvidenceRef, Finding, FunnelStage
from bot.domain.handles import HandleKind
from bot.domain.ledger import Outcome
from bot.text.text import one_line_name
from bot.text.times import clock_time

_ANSWERED_OUTCOMES = frozenset({Outcome.REPLIED, Outcome.SKIPPED})


def check(evidence: Evidence) -> Iterator[Finding]:
    """Say who started a fresh chat, and when; and what was asked for and had been said before, where that is known."""
    fresh = evidence.fresh_chat
    if fresh is None or outcome(evidence) not in _ANSWERED_OUTCOMES:
        return
    lost = _said_before(evidence)
    if lost and evidence.question:
        return  # who asks for a fact is told of that
    who, at = one_line_name(fresh.name, 24, "Somebody"), clock_time(fresh.at)
    yield Finding(
        rule="FRESH-CHAT",
        stage=FunnelStage.DECISION,
        confidence=Confidence.CONFIRMED,
        verdict=f"{place_name(evidence)}: a fresh chat was started",
        why=(
            f"{who} started a fresh chat at {at}.",
            "Nothing said before that is told to the model.",
            *((f"What was asked for was said before, in {lost}.",) if lost else ()),
        ),
        evidence=(
            *ref(HandleKind.AUDIT, fresh.audit, "the fresh start, in the audit"),
            *((EvidenceRef(handle=lost, what="what was said before it"),) if lost else ()),
        ),
        advice="`/new undo` brings the old chat back within 24 hours.",
    )


def _said_before(evidence: Evidence) -> str:
    """Return the handle of the very message that the fresh start put away and that was asked for; empty: none known."""
    try:
        lost = find_lost(evidence)
    except MissingEvidence:
        return ""
    return lost.held.told.line.source.handle if lost is not None and lost.dropped.audit and lost.held else ""
