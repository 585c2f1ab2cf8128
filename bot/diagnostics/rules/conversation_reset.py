"""FRESH-CHAT: somebody had the conversation begin anew, so nothing said before is known."""

from __future__ import annotations

from collections.abc import Iterator

from bot.diagnostics.evidence.evidence import Evidence, MissingEvidence
from bot.diagnostics.evidence.evidence_reader import outcome, place_name, ref
from bot.diagnostics.evidence.told_facts import find_lost
from bot.domain.finding import Confidence, EvidenceRef, Finding, FunnelStage
from bot.domain.handles import HandleKind
from bot.domain.ledger import Outcome
from bot.sentences import say
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
    who, at = one_line_name(fresh.name, 24, "none"), clock_time(fresh.at)
    yield Finding(
        rule="FRESH-CHAT",
        stage=FunnelStage.DECISION,
        confidence=Confidence.CONFIRMED,
        verdict=say("conversation_reset.verdict", place=place_name(evidence)),
        why=(
            say("conversation_reset.started", who=who, time=at),
            say("conversation_reset.nothing-before"),
            *((say("conversation_reset.said-before", handle=lost),) if lost else ()),
        ),
        evidence=(
            *ref(HandleKind.AUDIT, fresh.audit, say("conversation_reset.record")),
            *((EvidenceRef(handle=lost, what=say("conversation_reset.before-it")),) if lost else ()),
        ),
        advice=say("conversation_reset.undo"),
    )


def _said_before(evidence: Evidence) -> str:
    """Return the handle of the very message that the fresh start put away and that was asked for; empty: none known."""
    try:
        lost = find_lost(evidence)
    except MissingEvidence:
        return ""
    return lost.held.told.line.source.handle if lost is not None and lost.dropped.audit and lost.held else ""
