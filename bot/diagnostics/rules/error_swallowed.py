"""OUT-SWALLOW: an error after which nobody got an answer: an exception, or an answer that was not delivered."""

from __future__ import annotations

from collections.abc import Iterator

from bot.diagnostics.evidence.adapter_facts import adapter_fault, channel_probe, platform_title
from bot.diagnostics.evidence.deliveries import (
    chunk_ref,
    declined_chunk,
    has_arrived,
    hindered_chunk,
    lost_chunks,
    refused_chunk,
    waiting_chunk,
)
from bot.diagnostics.evidence.evidence import Evidence
from bot.diagnostics.evidence.evidence_reader import last_request, message, message_ref, outcome, place_name, ref
from bot.diagnostics.evidence.failures import FailureCause, cause_of_failure, is_overdue
from bot.diagnostics.failure_words import fix_of_error
from bot.domain.delivery_failures import TOKEN, channel_fix_of, code_in, fix_of
from bot.domain.finding import Confidence, EvidenceRef, Finding, FunnelStage
from bot.domain.handles import HandleKind, handle
from bot.domain.ledger import Outcome, StageVerdict
from bot.domain.turn import OutboxState, StoredOutbox
from bot.sentences import say
from bot.text.text import quote_line
from bot.text.times import age

_ADVICE = {True: "error_swallowed.check-rights", False: "error_swallowed.ask-later"}
_OPERATOR_ADVICE = {True: "error_swallowed.words-say", False: "error_swallowed.status-page"}
"""By whether the platform refused at once; what it does not take again and again has another cause."""


def check(evidence: Evidence) -> Iterator[Finding]:
    """Tell apart: may have arrived, is not taken, was written but not delivered, was never written."""
    rows = lost_chunks(evidence)
    if (
        refused_chunk(evidence) is not None
        or hindered_chunk(evidence) is not None
        or declined_chunk(evidence) is not None
    ):
        return  # the platform said what it minds: see `refused`, `rights` and `declined`
    if (kept := waiting_chunk(evidence)) is not None:
        if not adapter_fault(evidence):  # which says so itself, and why
            yield _waits(evidence, kept)
    elif outcome(evidence) is Outcome.UNCERTAIN:
        if rows or not has_arrived(evidence):
            yield _uncertain(evidence, rows)
    elif is_overdue(evidence):
        yield _overdue(evidence, rows)
    elif cause_of_failure(evidence) is FailureCause.SWALLOWED or (outcome(evidence) is Outcome.REPLIED and rows):
        yield _undelivered(evidence, rows) if rows else _raised(evidence)


def _told(evidence: Evidence) -> tuple[str, ...]:
    rows = evidence.turn.outbox if evidence.turn else ()
    told = any(row.state is OutboxState.SENT and row.body.kind == "notice" for row in rows)
    return (say("error_swallowed.told" if told else "error_swallowed.not-told"),)


def _uncertain(evidence: Evidence, rows: tuple[StoredOutbox, ...]) -> Finding:
    broke = next((row.error for row in rows if row.error.startswith("internal")), "")
    why = (say("error_swallowed.unconfirmed"), say("error_swallowed.unconfirmed-more"))
    if broke:
        why = (say("error_swallowed.broke"), quote_line(broke, 60))
    return Finding(
        rule="OUT-SWALLOW",
        stage=FunnelStage.DELIVERY,
        confidence=Confidence.CANNOT_TELL,
        verdict=say("error_swallowed.uncertain", place=place_name(evidence)),
        why=why,
        evidence=(*_rows(rows), *message_ref(evidence))[:3],
        advice=say("error_swallowed.if-not-there"),
        operator_advice=say("error_swallowed.program-fault") if broke else "",
        settle=say("error_swallowed.look"),
    )


def _overdue(evidence: Evidence, rows: tuple[StoredOutbox, ...]) -> Finding:
    row = rows[0]
    written = "error_swallowed.written-new" if row.state is OutboxState.NEW else "error_swallowed.written-sending"
    return Finding(
        rule="OUT-SWALLOW",
        stage=FunnelStage.DELIVERY,
        confidence=Confidence.LIKELY,
        verdict=say("error_swallowed.overdue", place=place_name(evidence)),
        why=(say(written, age=age(evidence.now - row.created_at)), say("error_swallowed.no-word")),
        evidence=(*_rows(rows), *message_ref(evidence))[:3],
        advice=say("error_swallowed.connection-hangs"),
        operator_advice=say("error_swallowed.restart-reconnects"),
        settle=say("error_swallowed.look"),
    )


def _waits(evidence: Evidence, row: StoredOutbox) -> Finding:
    name, code = platform_title(evidence.target.channel), code_in(row.error)
    fault = "error_swallowed.token-rejected" if code == TOKEN else "error_swallowed.unreachable"
    return Finding(
        rule="OUT-SWALLOW",
        stage=FunnelStage.DELIVERY,
        confidence=Confidence.CONFIRMED,
        verdict=say("error_swallowed.waits", place=place_name(evidence)),
        why=(
            say("error_swallowed.kept", age=age(evidence.now - row.created_at)),
            say(fault, name=name),
            say("error_swallowed.attempts", count=row.attempts),
        ),
        evidence=(*_rows((row,)), *message_ref(evidence)),
        advice=say("error_swallowed.wait"),
        operator_advice=_fix(evidence, row),
    )


def _fix(evidence: Evidence, row: StoredOutbox) -> str:
    adapter, code = evidence.adapter, code_in(row.error)
    of_the_adapter = adapter.fix if adapter is not None and adapter.code else ""
    return of_the_adapter or fix_of(code, handle(HandleKind.DELIVERY, row.row))


def _undelivered(evidence: Evidence, rows: tuple[StoredOutbox, ...]) -> Finding:
    row = rows[0]
    is_refused = row.state is OutboxState.DEAD and row.attempts <= 1
    error = (say("error_swallowed.platform-said", words=quote_line(row.error, 60)),) if row.error else ()
    told = () if outcome(evidence) in {None, Outcome.REPLIED} else _told(evidence)
    probe = channel_probe(evidence)
    code = code_in(row.error)
    fix = probe.fix if is_refused and probe is not None and probe.state == "failed" else ""
    mends = fix or channel_fix_of(code)
    return Finding(
        rule="OUT-SWALLOW",
        stage=FunnelStage.DELIVERY,
        confidence=Confidence.CONFIRMED,
        verdict=say("error_swallowed.undelivered", place=place_name(evidence)),
        why=(_lost(rows), *error, *told),
        evidence=(*_rows(rows), *message_ref(evidence))[:3],
        advice=mends or say(_ADVICE[is_refused]),
        operator_advice=mends
        or fix_of(code, handle(HandleKind.DELIVERY, row.row))
        or say(_OPERATOR_ADVICE[is_refused]),
    )


def _lost(rows: tuple[StoredOutbox, ...]) -> str:
    row = rows[0]
    state, parts = row.state.value, row.body.parts
    if parts > 1:
        return say("error_swallowed.parts-not-sent", lost=len(rows), parts=parts, state=state, count=row.attempts)
    return say("error_swallowed.whole-not-sent", state=state, count=row.attempts)


def _raised(evidence: Evidence) -> Finding:
    found, turn = message(evidence), evidence.turn
    about = evidence.target.about
    failed = [row.reason for row in about.stages if row.verdict is StageVerdict.FAILED] if about else []
    words = (found.outcome_reason if found else "") or (failed[-1] if failed else "")
    reason = (say("error_swallowed.recorded", words=quote_line(words, 100)),) if words else ()
    turned = ref(HandleKind.TURN, turn.turn.id, say("not_running.turn", status=turn.turn.status.value)) if turn else ()
    return Finding(
        rule="OUT-SWALLOW",
        stage=_stage(evidence),
        confidence=Confidence.CONFIRMED,
        verdict=say("error_swallowed.raised", place=place_name(evidence)),
        why=(say("error_swallowed.no-answer"), *reason, *_told(evidence)),
        evidence=(*turned, *message_ref(evidence)),
        advice=say("error_swallowed.ask-meanwhile"),
        operator_advice=fix_of_error(words) or say("error_swallowed.program-fault"),
    )


def _stage(evidence: Evidence) -> FunnelStage:
    """Place an exception where the turn had come to."""
    request = last_request(evidence)
    if request is None or request.response is None:
        return FunnelStage.REQUEST
    return FunnelStage.DELIVERY if evidence.turn and evidence.turn.outbox else FunnelStage.DECISION


def _rows(rows: tuple[StoredOutbox, ...]) -> tuple[EvidenceRef, ...]:
    return tuple(reference for row in rows[:2] for reference in chunk_ref(row, row.state.value))
