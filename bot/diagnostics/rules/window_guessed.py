"""CTX-WINDOW: nobody knows what the model can hold, or it holds less than it was sent and says nothing."""

from __future__ import annotations

from collections.abc import Iterator

from bot.diagnostics.evidence.evidence import Evidence
from bot.diagnostics.evidence.evidence_reader import last_request, message_ref, outcome, place_name, ref
from bot.diagnostics.evidence.failures import FailureCause, cause_of_failure, window_is_guess
from bot.domain.finding import Confidence, EvidenceRef, Finding, FunnelStage
from bot.domain.handles import HandleKind
from bot.domain.ledger import Outcome
from bot.domain.partly_read import PartlyRead, partly_read
from bot.domain.turn import StoredRequest
from bot.sentences import say
from bot.text.text import quote_line


def check(evidence: Evidence) -> Iterator[Finding]:
    """Look at what the service counted; then at what our own guess left out or refused."""
    request, cut = last_request(evidence), _cut(evidence)
    if outcome(evidence) is Outcome.REPLIED and request is not None and cut is not None:
        yield _truncated(evidence, request, cut)
    elif cause_of_failure(evidence) is FailureCause.GUESS or (window_is_guess(evidence) and _left_out(evidence)):
        yield _guessed(evidence)


def _truncated(evidence: Evidence, request: StoredRequest, cut: PartlyRead) -> Finding:
    sign = (say("window_guessed.half", window=cut.halved),) if cut.halved else ()
    if not sign and cut.window:
        sign = (say("window_guessed.no-more", window=cut.window),)
    return Finding(
        rule="CTX-WINDOW",
        stage=FunnelStage.REQUEST,
        confidence=Confidence.CONFIRMED if cut.halved else Confidence.LIKELY,
        verdict=say("window_guessed.verdict-part", place=place_name(evidence)),
        why=(say("window_guessed.sent", sent=cut.sent), say("window_guessed.read", read=cut.read), *sign),
        evidence=(*ref(HandleKind.REQUEST, request.id, say("window_guessed.usage")), *message_ref(evidence)),
        advice=say("window_guessed.cuts-off"),
        operator_advice=say("window_guessed.more-room"),
        settle="" if cut.halved else say("window_guessed.settle"),
    )


def _guessed(evidence: Evidence) -> Finding:
    coming, request = evidence.next_context, last_request(evidence)
    limits = coming.inputs.limits if coming else None
    dropped = len(request.record.dropped_turns) if request and outcome(evidence) is Outcome.REPLIED else 0
    lost = say("window_guessed.left-out", count=dropped) if dropped else say("window_guessed.too-small")
    return Finding(
        rule="CTX-WINDOW",
        stage=FunnelStage.REQUEST,
        confidence=Confidence.CONFIRMED,
        verdict=say("window_guessed.verdict-guess", place=place_name(evidence)),
        why=(
            say("window_guessed.not-known", model=quote_line(str(limits.model), 30) if limits else "none"),
            say("window_guessed.assumed", window=limits.window if limits else 0),
            lost,
        ),
        evidence=(*_request(request), *message_ref(evidence)),
        advice=say("window_guessed.has-to-guess"),
        operator_advice=say("window_guessed.set-window"),
    )


def _cut(evidence: Evidence) -> PartlyRead | None:
    request = last_request(evidence)
    response = request.response if request else None
    if request is None or response is None:
        return None
    return partly_read(request.record.request, request.record.stats, response.usage.input)


def _left_out(evidence: Evidence) -> bool:
    request = last_request(evidence)
    return outcome(evidence) is Outcome.REPLIED and request is not None and bool(request.record.dropped_turns)


def _request(request: StoredRequest | None) -> tuple[EvidenceRef, ...]:
    return ref(HandleKind.REQUEST, request.id, say("window_guessed.request")) if request else ()
