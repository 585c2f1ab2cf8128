"""FALSE-SUCCESS: the answer claims an action that the calls of its turn did not do."""

from __future__ import annotations

from collections.abc import Iterator

from bot.diagnostics.evidence.evidence import Evidence, TurnEvidence
from bot.diagnostics.evidence.evidence_reader import (
    is_own_work,
    message,
    message_ref,
    outcome,
    place_name,
    ref,
)
from bot.domain.finding import Confidence, EvidenceQuote, EvidenceRef, Finding, FunnelStage
from bot.domain.handles import HandleKind, handle
from bot.domain.ledger import Outcome
from bot.domain.turn import OutboxState, StoredOutbox
from bot.mind.claim_check import CLAIM_WORDS, FULFILLING_TOOLS, FalseSuccess, RecordVerdict, false_successes
from bot.sentences import say
from bot.text.text import excerpt, quote_line

_ANSWER_KIND = "reply"
_MAX_QUOTE_CHARS = 120


def check(evidence: Evidence) -> Iterator[Finding]:
    """Name the claim, and the call that failed or was never made; quote the claim."""
    turn, asked = evidence.turn, message(evidence)
    if outcome(evidence) is not Outcome.REPLIED or turn is None or asked is None or is_own_work(evidence):
        return
    sent = [row for row in turn.outbox if row.body.kind == _ANSWER_KIND]
    if not sent:
        return
    answer = "\n".join(row.body.text for row in sent)
    found = false_successes(answer, turn.calls, _asked(evidence, turn), _earlier(turn))
    if found:
        yield _finding(evidence, turn, found[0], sent)


def _finding(evidence: Evidence, turn: TurnEvidence, found: FalseSuccess, sent: list[StoredOutbox]) -> Finding:
    is_failed = found.record is RecordVerdict.FAILED_CALL
    shown = next((row for row in sent if row.state is OutboxState.SENT), sent[0])
    return Finding(
        rule="FALSE-SUCCESS",
        stage=FunnelStage.DECISION,
        confidence=Confidence.CONFIRMED if found.claim.says_who and not is_failed else Confidence.LIKELY,
        verdict=say("false_success.verdict", place=place_name(evidence)),
        why=(say("false_success.says", claim=say(CLAIM_WORDS[found.claim.action])), _record(turn, found)),
        evidence=(
            *ref(HandleKind.DELIVERY, shown.row, say("false_success.answer")),
            *ref(HandleKind.TURN, turn.turn.id, say("false_success.turn")),
            *_call_ref(found),
            *message_ref(evidence),
        ),
        quotes=(
            EvidenceQuote(
                handle=handle(HandleKind.DELIVERY, shown.row), text=excerpt(found.claim.words, _MAX_QUOTE_CHARS)
            ),
        ),
        advice=say("false_success.do-again" if FULFILLING_TOOLS[found.claim.action] else "false_success.no-tool"),
        operator_advice=say(_operator_advice(found)),
        settle=_settle(found),
    )


def _record(turn: TurnEvidence, found: FalseSuccess) -> str:
    name = handle(HandleKind.TURN, turn.turn.id)
    if found.record is RecordVerdict.FAILED_CALL:
        return say("false_success.call-failed", tool=quote_line(found.calls[-1].tool_name, 30), turn=name)
    if found.record is RecordVerdict.NO_CALL:
        return say("false_success.no-call", turn=name)
    called = dict.fromkeys(call.tool_name for call in found.calls)
    first = quote_line(next(iter(called)), 30)
    return say("false_success.only-called", turn=name, tool=first, more=len(called) - 1)


def _call_ref(found: FalseSuccess) -> tuple[EvidenceRef, ...]:
    if found.record is not RecordVerdict.FAILED_CALL:
        return ()
    return ref(HandleKind.CALL, found.calls[-1].record_id, say("false_success.failed-call"))


def _settle(found: FalseSuccess) -> str:
    if found.record is RecordVerdict.FAILED_CALL:
        return say("false_success.settle-call")
    return "" if found.claim.says_who else say("false_success.settle-others")


def _operator_advice(found: FalseSuccess) -> str:
    if not FULFILLING_TOOLS[found.claim.action]:
        return "false_success.say-it-cannot"
    if found.record is RecordVerdict.FAILED_CALL:
        return "false_success.open-call"
    return "false_success.other-model"


def _asked(evidence: Evidence, turn: TurnEvidence) -> str:
    """Return what the answer answers: every message that the turn took, as far as they are known here."""
    asked = message(evidence)
    known = [trail.inbound for trail in evidence.recent if trail.inbound.turn == turn.turn.id]
    texts = [one.inbound.text for one in reversed(known)] or ([asked.inbound.text] if asked else [])
    return "\n".join(texts)


def _earlier(turn: TurnEvidence) -> frozenset[str]:
    """Name the tools whose calls stood in the conversation when the turn began."""
    first = turn.requests[0].record.request if turn.requests else None
    return frozenset(call.name for one in (first.messages if first else ()) for call in one.calls)
