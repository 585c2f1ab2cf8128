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
        verdict=f"{place_name(evidence)}: it claims what it did not do",
        why=(f"The answer says {CLAIM_WORDS[found.claim.action]};", _record(turn, found)),
        evidence=(
            *ref(HandleKind.DELIVERY, shown.row, "the answer, with its claim"),
            *ref(HandleKind.TURN, turn.turn.id, "the turn, with its calls"),
            *_call_ref(found),
            *message_ref(evidence),
        ),
        quotes=(
            EvidenceQuote(
                handle=handle(HandleKind.DELIVERY, shown.row), text=excerpt(found.claim.words, _MAX_QUOTE_CHARS)
            ),
        ),
        advice=_advice(found),
        operator_advice=_operator_advice(found),
        settle=_settle(found),
    )


def _record(turn: TurnEvidence, found: FalseSuccess) -> str:
    name = handle(HandleKind.TURN, turn.turn.id)
    if found.record is RecordVerdict.FAILED_CALL:
        return f"its call of {quote_line(found.calls[-1].tool_name, 30)} failed in turn {name}."
    if found.record is RecordVerdict.NO_CALL:
        return f"no tool was called in turn {name}."
    called = dict.fromkeys(call.tool_name for call in found.calls)
    more = f" and {len(called) - 1} more" if len(called) > 1 else ""
    return f"turn {name} only called {quote_line(next(iter(called)), 30)}{more}."


def _call_ref(found: FalseSuccess) -> tuple[EvidenceRef, ...]:
    if found.record is not RecordVerdict.FAILED_CALL:
        return ()
    return ref(HandleKind.CALL, found.calls[-1].record_id, "the call that failed")


def _settle(found: FalseSuccess) -> str:
    if found.record is RecordVerdict.FAILED_CALL:
        return "what that call came back with."
    return "" if found.claim.says_who else "whether somebody else did it, or an earlier turn."


def _advice(found: FalseSuccess) -> str:
    if not FULFILLING_TOOLS[found.claim.action]:
        return "It has no tool for that: do not rely on it."
    return "Ask it to do it again, and do not rely on what it said."


def _operator_advice(found: FalseSuccess) -> str:
    if not FULFILLING_TOOLS[found.claim.action]:
        return "The bot has no tool for that; say in bot.persona that it cannot."
    if found.record is RecordVerdict.FAILED_CALL:
        return "Open the call to read why it failed, then ask the bot to do it again."
    return "Ask it to do it again; a model that does this often does not suit."


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
