"""OUT-SWALLOW: an error after which nobody got an answer: an exception, or an answer that was not delivered."""

from __future__ import annotations

from collections.abc import Iterator

from bot.diagnostics.evidence import Evidence
from bot.diagnostics.failures import Cause, cause_of_failure
from bot.diagnostics.reading import last_request, message, message_ref, outcome, place, ref
from bot.domain.finding import Confidence, EvidenceRef, Finding, FunnelStage
from bot.domain.handles import HandleKind
from bot.domain.ledger import Outcome, Verdict
from bot.domain.text import defang, excerpt
from bot.domain.turn import OutboxState, StoredOutbox

_ANSWERS = {"reply", "command"}


def check(evidence: Evidence) -> Iterator[Finding]:
    """Tell apart: may have arrived, was written but not delivered, was never written."""
    lost = _lost(evidence)
    if outcome(evidence) is Outcome.UNCERTAIN:
        yield _uncertain(evidence, lost)
    elif cause_of_failure(evidence) is Cause.SWALLOWED or (outcome(evidence) is Outcome.REPLIED and lost):
        yield _undelivered(evidence, lost) if lost else _raised(evidence)


def _lost(evidence: Evidence) -> tuple[StoredOutbox, ...]:
    rows = evidence.turn.outbox if evidence.turn else ()
    return tuple(row for row in rows if row.body.kind in _ANSWERS and row.state is not OutboxState.SENT)


def _told(evidence: Evidence) -> tuple[str, ...]:
    rows = evidence.turn.outbox if evidence.turn else ()
    told = any(row.state is OutboxState.SENT and row.body.kind == "notice" for row in rows)
    return ("The channel was told that it failed.",) if told else ("Nobody in the channel was told.",)


def _uncertain(evidence: Evidence, lost: tuple[StoredOutbox, ...]) -> Finding:
    return Finding(
        rule="OUT-SWALLOW",
        stage=FunnelStage.DELIVERY,
        confidence=Confidence.CANNOT_TELL,
        verdict=f"{place(evidence)}: answer may be lost",
        why=("It was sent, but the platform did not", "confirm it; it is not sent twice."),
        evidence=(*_rows(lost), *message_ref(evidence))[:3],
        advice="Look whether the answer stands in the channel; if not, ask again.",
        settle="look at the channel.",
    )


def _undelivered(evidence: Evidence, lost: tuple[StoredOutbox, ...]) -> Finding:
    row = lost[0]
    parts = f"{len(lost)} of {row.body.parts} parts are" if row.body.parts > 1 else "The answer is"
    error = (f"The platform said: {defang(excerpt(row.error, 60))}",) if row.error else ()
    told = () if outcome(evidence) in {None, Outcome.REPLIED} else _told(evidence)
    return Finding(
        rule="OUT-SWALLOW",
        stage=FunnelStage.DELIVERY,
        confidence=Confidence.CONFIRMED,
        verdict=f"{place(evidence)}: answer was not delivered",
        why=(f"{parts} written, not sent", f"({row.state}, attempts: {row.attempts}).", *error, *told),
        evidence=(*_rows(lost), *message_ref(evidence))[:3],
        advice="Check what the bot may do in this channel (see, write, attach).",
        operator_advice="The delivery row has the platform's code; `doctor` checks permissions.",
    )


def _raised(evidence: Evidence) -> Finding:
    found, turn = message(evidence), evidence.turn
    about = evidence.target.about
    failed = [row.reason for row in about.stages if row.verdict is Verdict.FAILED] if about else []
    words = (found.outcome_reason if found else "") or (failed[-1] if failed else "")
    reason = (f"Recorded: {defang(excerpt(words, 60))}",) if words else ()
    turned = ref(HandleKind.TURN, turn.turn.id, f"the turn, {turn.turn.status}") if turn else ()
    return Finding(
        rule="OUT-SWALLOW",
        stage=_stage(evidence),
        confidence=Confidence.CONFIRMED,
        verdict=f"{place(evidence)}: an error ended the turn",
        why=("The turn ended without an answer.", *_told(evidence), *reason),
        evidence=(*turned, *message_ref(evidence)),
        advice="Tell the operator; ask again meanwhile.",
        operator_advice="This is a fault of the program: the log has the error under this time; report it.",
    )


def _stage(evidence: Evidence) -> FunnelStage:
    """Place an exception where the turn had come to."""
    request = last_request(evidence)
    if request is None or request.response is None:
        return FunnelStage.REQUEST
    return FunnelStage.DELIVERY if evidence.turn and evidence.turn.outbox else FunnelStage.DECISION


def _rows(rows: tuple[StoredOutbox, ...]) -> tuple[EvidenceRef, ...]:
    return tuple(
        reference
        for row in rows[:2]
        for reference in ref(HandleKind.DELIVERY, row.row, f"part {row.body.part + 1}, {row.state}")
    )
