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
from bot.text.times import clock_time

_OTHER_PROCESS = "OTHER-PROCESS"
_ELSEWHERE_NOTE = ("note", "elsewhere")
_ONE_PROCESS_FIX = "Stop the other program: one process for each token. If you know of none, revoke the token."


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
        verdict=f"{place_name(evidence)}: another answered as the bot",
        why=(
            "A second program with the bot's account was first",
            f"with its answer; ours was not posted at {clock_time(row.at)}.",
        ),
        evidence=(EvidenceRef(handle=dict(row.detail)["delivery"], what="our own answer"), *message_ref(evidence)),
        advice="Tell the operator: a second program uses the bot's account.",
        operator_advice=_ONE_PROCESS_FIX,
    )


def _changed(evidence: Evidence, changed: ChangedAnswer) -> Finding:
    return Finding(
        rule=_OTHER_PROCESS,
        stage=FunnelStage.DELIVERY,
        confidence=Confidence.CONFIRMED,
        verdict=f"{place_name(evidence)}: the answer was changed",
        why=(
            f"At {clock_time(changed.at)} it was given other words with the",
            "bot's own account; it was not changed from here.",
        ),
        evidence=(EvidenceRef(handle=changed.delivery, what="the answer as it was sent"), *message_ref(evidence)),
        advice="Tell the operator: a second program uses the bot's account.",
        operator_advice=_ONE_PROCESS_FIX,
    )


def _second_program(evidence: Evidence) -> Finding:
    strangers, ours, about = evidence.strangers, _sent(evidence), message(evidence)
    # what replies to the very message is an answer to it; what only came after it may be something else
    sure = about is not None and any(one.inbound.replies_to == about.inbound.message_id for one in strangers)
    count = "once" if len(strangers) == 1 else f"{len(strangers):,} times"
    beat = evidence.heartbeat
    here = (f"You ask process {beat.pid}, of instance {beat.instance}.",) if beat else ()
    return Finding(
        rule=_OTHER_PROCESS,
        stage=FunnelStage.DELIVERY,
        confidence=Confidence.CONFIRMED if sure else Confidence.LIKELY,
        verdict=f"{place_name(evidence)}: two answer as the bot",
        why=(
            f"The bot's account spoke {count} after the message,",
            f"first at {clock_time(strangers[0].arrived_at)}; nothing of that was sent from here.",
            *here,
        ),
        evidence=(
            *ref(HandleKind.INBOUND, strangers[0].id, "said with the bot's account, not by us"),
            *_delivery(ours),
            *message_ref(evidence),
        )[:3],
        advice="Tell the operator: a second program uses the bot's account.",
        operator_advice=_ONE_PROCESS_FIX,
        settle="" if sure else "compare the two messages in the channel.",
    )


def _sent_twice(evidence: Evidence, first: StoredOutbox, second: StoredOutbox) -> Finding:
    at = second.receipt.at if second.receipt else second.created_at
    return Finding(
        rule="DUP",
        stage=FunnelStage.DELIVERY,
        confidence=Confidence.CONFIRMED,
        verdict=f"{place_name(evidence)}: the answer was sent twice",
        why=(
            "Two deliveries for one message hold the same words;",
            f"the second went out at {clock_time(at)}.",
        ),
        evidence=(
            *ref(HandleKind.DELIVERY, first.row, "the first"),
            *ref(HandleKind.DELIVERY, second.row, "the second"),
            *message_ref(evidence),
        ),
        advice="Delete one of the two; tell the operator if it happens again.",
        operator_advice="Open the turn: a tool that says what the answer says again, or a model that repeats itself.",
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
    return ref(HandleKind.DELIVERY, rows[-1].row, "our own answer") if rows else ()
