"""OUT-SWALLOW: an error after which nobody got an answer: an exception, or an answer that was not delivered."""

from __future__ import annotations

from collections.abc import Iterator

from bot.diagnostics.evidence.adapter_facts import adapter_fault, channel_probe, platform_title
from bot.diagnostics.evidence.deliveries import (
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
from bot.domain.delivery_failures import OF_THE_CHANNEL, TOKEN, code_in, fix_of
from bot.domain.finding import Confidence, EvidenceRef, Finding, FunnelStage
from bot.domain.handles import HandleKind, handle
from bot.domain.ledger import Outcome, StageVerdict
from bot.domain.turn import OutboxState, StoredOutbox
from bot.text.text import quote_line
from bot.text.times import age

_FAULT_FIX = "This is a fault of the program: the log has the error under this time; report it."
_WORDS = {
    OutboxState.NEW: "waiting",
    OutboxState.SENDING: "being sent",
    OutboxState.UNCERTAIN: "may have arrived",
    OutboxState.DEAD: "given up",
    OutboxState.SENT: "sent",
}


_ADVICE = {
    True: "Check what the bot may do in this channel (see, write, attach); then ask again.",
    False: "The platform failed each time: ask again later.",
}
_OPERATOR_ADVICE = {
    True: "The platform's words say what it minds; `doctor` checks what the bot may do there.",
    False: "Look at the platform's status page, and at `doctor`; then ask again.",
}
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
    return ("The channel was told that it failed.",) if told else ("Nobody in the channel was told.",)


def _uncertain(evidence: Evidence, rows: tuple[StoredOutbox, ...]) -> Finding:
    broke = next((row.error for row in rows if row.error.startswith("internal")), "")
    why = ("It was sent, but the platform did not", "confirm it; it is not sent twice.")
    if broke:
        why = ("The adapter broke while it sent the answer:", quote_line(broke, 60))
    return Finding(
        rule="OUT-SWALLOW",
        stage=FunnelStage.DELIVERY,
        confidence=Confidence.CANNOT_TELL,
        verdict=f"{place_name(evidence)}: answer may be lost",
        why=why,
        evidence=(*_rows(rows), *message_ref(evidence))[:3],
        advice="If the answer does not stand there, ask again.",
        operator_advice=_FAULT_FIX if broke else "",
        settle="look at the channel.",
    )


def _overdue(evidence: Evidence, rows: tuple[StoredOutbox, ...]) -> Finding:
    row = rows[0]
    return Finding(
        rule="OUT-SWALLOW",
        stage=FunnelStage.DELIVERY,
        confidence=Confidence.LIKELY,
        verdict=f"{place_name(evidence)}: answer does not go out",
        why=(
            f"Written {age(evidence.now - row.created_at)} ago, and still {_WORDS[row.state]}:",
            "the platform says neither yes nor no.",
        ),
        evidence=(*_rows(rows), *message_ref(evidence))[:3],
        advice="Tell the operator: the connection to the platform hangs.",
        operator_advice="Look at `doctor`; a restart opens the connection anew.",
        settle="look at the channel.",
    )


def _waits(evidence: Evidence, row: StoredOutbox) -> Finding:
    name, code = platform_title(evidence.target.channel), code_in(row.error)
    fault = f"{name} refuses the bot's token" if code == TOKEN else f"{name} cannot be reached"
    return Finding(
        rule="OUT-SWALLOW",
        stage=FunnelStage.DELIVERY,
        confidence=Confidence.CONFIRMED,
        verdict=f"{place_name(evidence)}: the answer waits",
        why=(
            f"Written {age(evidence.now - row.created_at)} ago, and kept:",
            f"{fault}.",
            f"{_attempts(row.attempts).capitalize()} so far; it goes out by itself.",
        ),
        evidence=(*_rows((row,)), *message_ref(evidence)),
        advice="Wait: it is sent once that is over, up to a day after it was written.",
        operator_advice=_fix(evidence, row),
    )


def _fix(evidence: Evidence, row: StoredOutbox) -> str:
    adapter, code = evidence.adapter, code_in(row.error)
    of_the_adapter = adapter.fix if adapter is not None and adapter.code else ""
    return of_the_adapter or fix_of(code, handle(HandleKind.DELIVERY, row.row))


def _undelivered(evidence: Evidence, rows: tuple[StoredOutbox, ...]) -> Finding:
    row = rows[0]
    is_refused = row.state is OutboxState.DEAD and row.attempts <= 1
    parts = f"{len(rows)} of {row.body.parts} parts not sent" if row.body.parts > 1 else "Written, not sent"
    error = (f"The platform said: {quote_line(row.error, 60)}",) if row.error else ()
    told = () if outcome(evidence) in {None, Outcome.REPLIED} else _told(evidence)
    probe = channel_probe(evidence)
    code = code_in(row.error)
    fix = probe.fix if is_refused and probe is not None and probe.state == "failed" else ""
    mends = fix or OF_THE_CHANNEL.get(code, "")
    return Finding(
        rule="OUT-SWALLOW",
        stage=FunnelStage.DELIVERY,
        confidence=Confidence.CONFIRMED,
        verdict=f"{place_name(evidence)}: answer was not delivered",
        why=(f"{parts}: {_WORDS[row.state]} after {_attempts(row.attempts)}.", *error, *told),
        evidence=(*_rows(rows), *message_ref(evidence))[:3],
        advice=mends or _ADVICE[is_refused],
        operator_advice=mends or fix_of(code, handle(HandleKind.DELIVERY, row.row)) or _OPERATOR_ADVICE[is_refused],
    )


def _attempts(count: int) -> str:
    return "1 attempt" if count == 1 else f"{count:,} attempts"


def _raised(evidence: Evidence) -> Finding:
    found, turn = message(evidence), evidence.turn
    about = evidence.target.about
    failed = [row.reason for row in about.stages if row.verdict is StageVerdict.FAILED] if about else []
    words = (found.outcome_reason if found else "") or (failed[-1] if failed else "")
    reason = (f"Recorded: {quote_line(words, 100)}",) if words else ()
    turned = ref(HandleKind.TURN, turn.turn.id, f"the turn, {turn.turn.status}") if turn else ()
    return Finding(
        rule="OUT-SWALLOW",
        stage=_stage(evidence),
        confidence=Confidence.CONFIRMED,
        verdict=f"{place_name(evidence)}: an error ended the turn",
        why=("The turn ended without an answer.", *reason, *_told(evidence)),
        evidence=(*turned, *message_ref(evidence)),
        advice="Tell the operator; ask again meanwhile.",
        operator_advice=fix_of_error(words) or _FAULT_FIX,
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
        for reference in ref(
            HandleKind.DELIVERY, row.row, f"part {row.body.part + 1} of {row.body.parts}, {_WORDS[row.state]}"
        )
    )
