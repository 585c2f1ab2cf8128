"""FRESH-CHAT: somebody had the conversation begin anew, so nothing said before is known."""

from __future__ import annotations

from collections.abc import Iterator

from bot.diagnostics.evidence.evidence import Evidence, MissingEvidence
from bot.diagnostics.evidence.evidence_reader import outcome, place_name, ref
from bot.diagnostics.evidence.told_facts import find_lost
from bot.domain.finding import Confidence, Finding, FunnelStage
from bot.domain.handles import HandleKind
from bot.domain.ledger import Outcome
from bot.text.text import one_line_name
from bot.text.times import clock_time

_ANSWERED_OUTCOMES = frozenset({Outcome.REPLIED, Outcome.SKIPPED})


def check(evidence: Evidence) -> Iterator[Finding]:
    """Say who started a fresh chat, and when."""
    fresh = evidence.fresh_chat
    if fresh is None or outcome(evidence) not in _ANSWERED_OUTCOMES or _names_what_is_lost(evidence):
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


def _names_what_is_lost(evidence: Evidence) -> bool:
    """Say whether another rule names the very message that the fresh start put away."""
    try:
        lost = find_lost(evidence)
    except MissingEvidence:
        return False
    return lost is not None and bool(lost.dropped.audit) and bool(evidence.question)
