"""OTHER-PROCESS and DUP: a second process spoke with the bot's account, or one process sent an answer twice.

An answer that the other process gave other words is the second process's, too.
"""

from __future__ import annotations

from collections.abc import Iterator

from bot.diagnostics.answer_changes import ChangedAnswer, changed_answer
from bot.diagnostics.evidence.evidence import Evidence
from bot.diagnostics.evidence.evidence_reader import message, message_ref, outcome, place_name, ref
from bot.diagnostics.evidence.failures import ANSWERS
from bot.domain.finding import Confidence, EvidenceRef, Finding, FunnelStage
from bot.domain.handles import HandleKind
from bot.domain.ledger import LedgerStage, Outcome, StageRow
from bot.domain.turn import OutboxState, StoredOutbox
from bot.sentences import say
from bot.text.times import clock_time

_OTHER_PROCESS = "OTHER-PROCESS"
_ELSEWHERE_NOTE = ("note", "elsewhere")


def check(evidence: Evidence) -> Iterator[Finding]:
    """Look for another voice of the same account, then for one answer in two deliveries."""
    if outcome(evidence) is not Outcome.REPLIED:
        return
    if (first := _was_first(evidence)) is not None:
        yield _other_was_first(evidence, first)
    elif (changed := changed_answer(evidence)) is not None:
        yield _changed(evidence, changed)
    elif evidence.strangers:
        yield _second_program(evidence)
    elif pair := _twice(evidence):
        yield _sent_twice(evidence, *pair)


def _was_first(evidence: Evidence) -> StageRow | None:
    """Return the delivery in the place of which the platform names another program's message."""
    rows = evidence.target.about.stages if evidence.target.about else ()
    return next((row for row in rows if row.stage is LedgerStage.DELIVERED and _ELSEWHERE_NOTE in row.detail), None)


def _other_was_first(evidence: Evidence, row: StageRow) -> Finding:
    return Finding(
        rule=_OTHER_PROCESS,
        stage=FunnelStage.DELIVERY,
        confidence=Confidence.CONFIRMED,
        verdict=say("answered_twice.verdict-first", place=place_name(evidence)),
        why=(say("answered_twice.was-first"), say("answered_twice.was-first-more", time=clock_time(row.at))),
        evidence=(
            EvidenceRef(handle=dict(row.detail)["delivery"], what=say("answered_twice.own-answer")),
            *message_ref(evidence),
        ),
        advice=say("answered_twice.second-program"),
        operator_advice=say("answered_twice.one-process"),
    )


def _changed(evidence: Evidence, changed: ChangedAnswer) -> Finding:
    return Finding(
        rule=_OTHER_PROCESS,
        stage=FunnelStage.DELIVERY,
        confidence=Confidence.CONFIRMED,
        verdict=say("answered_twice.verdict-changed", place=place_name(evidence)),
        why=(say("answered_twice.was-changed", time=clock_time(changed.at)), say("answered_twice.was-changed-more")),
        evidence=(
            EvidenceRef(handle=changed.delivery, what=say("answered_twice.as-sent")),
            *message_ref(evidence),
        ),
        advice=say("answered_twice.second-program"),
        operator_advice=say("answered_twice.one-process"),
    )


def _second_program(evidence: Evidence) -> Finding:
    strangers, ours, about = evidence.strangers, _sent(evidence), message(evidence)
    # what replies to the very message is an answer to it; what only came after it may be something else
    sure = about is not None and any(one.inbound.replies_to == about.inbound.message_id for one in strangers)
    beat = evidence.heartbeat
    here = (say("answered_twice.you-ask", pid=str(beat.pid), instance=beat.instance),) if beat else ()
    return Finding(
        rule=_OTHER_PROCESS,
        stage=FunnelStage.DELIVERY,
        confidence=Confidence.CONFIRMED if sure else Confidence.LIKELY,
        verdict=say("answered_twice.verdict-two", place=place_name(evidence)),
        why=(
            say("answered_twice.spoke", count=len(strangers)),
            say("answered_twice.spoke-first", time=clock_time(strangers[0].arrived_at)),
            *here,
        ),
        evidence=(
            *ref(HandleKind.INBOUND, strangers[0].id, say("answered_twice.not-by-us")),
            *_delivery(ours),
            *message_ref(evidence),
        )[:3],
        advice=say("answered_twice.second-program"),
        operator_advice=say("answered_twice.one-process"),
        settle="" if sure else say("answered_twice.settle"),
    )


def _sent_twice(evidence: Evidence, first: StoredOutbox, second: StoredOutbox) -> Finding:
    at = second.receipt.at if second.receipt else second.created_at
    return Finding(
        rule="DUP",
        stage=FunnelStage.DELIVERY,
        confidence=Confidence.CONFIRMED,
        verdict=say("answered_twice.verdict-twice", place=place_name(evidence)),
        why=(say("answered_twice.same-words"), say("answered_twice.second-at", time=clock_time(at))),
        evidence=(
            *ref(HandleKind.DELIVERY, first.row, say("answered_twice.the-first")),
            *ref(HandleKind.DELIVERY, second.row, say("answered_twice.the-second")),
            *message_ref(evidence),
        ),
        advice=say("answered_twice.delete-one"),
        operator_advice=say("answered_twice.open-turn"),
    )


def _sent(evidence: Evidence) -> list[StoredOutbox]:
    rows = evidence.turn.outbox if evidence.turn else ()
    return [row for row in rows if row.state is OutboxState.SENT and row.body.kind in ANSWERS]


def _twice(evidence: Evidence) -> tuple[StoredOutbox, StoredOutbox] | None:
    seen: dict[tuple[object, ...], StoredOutbox] = {}
    for row in _sent(evidence):
        key = row.body.turn, row.body.text, row.body.part, row.body.parts
        if row.body.text.strip() and key in seen and row.body.file is None:
            return seen[key], row
        seen[key] = row
    return None


def _delivery(rows: list[StoredOutbox]) -> tuple[EvidenceRef, ...]:
    return ref(HandleKind.DELIVERY, rows[-1].row, say("answered_twice.own-answer")) if rows else ()
