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
from bot.text.text import quote_line

_WINDOW_FIX = "Set model.context_window to what the model really holds, and restart."
MORE_ROOM_FIX = (
    "Give the server more room (Ollama: num_ctx, or OLLAMA_CONTEXT_LENGTH), or set model.context_window to less."
)


def check(evidence: Evidence) -> Iterator[Finding]:
    """Look at what the service counted; then at what our own guess left out or refused."""
    request, cut = last_request(evidence), _cut(evidence)
    if outcome(evidence) is Outcome.REPLIED and request is not None and cut is not None:
        yield _truncated(evidence, request, cut)
    elif cause_of_failure(evidence) is FailureCause.GUESS or (window_is_guess(evidence) and _left_out(evidence)):
        yield _guessed(evidence)


def _truncated(evidence: Evidence, request: StoredRequest, cut: PartlyRead) -> Finding:
    sign = (f"Half of a window of {cut.halved:,}, as Ollama cuts.",) if cut.halved else ()
    if not sign and cut.window:
        sign = (f"That is a window of {cut.window:,}, and no more.",)
    return Finding(
        rule="CTX-WINDOW",
        stage=FunnelStage.REQUEST,
        confidence=Confidence.CONFIRMED if cut.halved else Confidence.LIKELY,
        verdict=f"{place_name(evidence)}: it read only a part",
        why=(
            f"≈ {cut.sent:,} tokens were sent; the service",
            f"says that it read {cut.read:,}, without an error.",
            *sign,
        ),
        evidence=(*ref(HandleKind.REQUEST, request.id, "request as sent, and the usage"), *message_ref(evidence)),
        advice="Tell the operator: the model's server cuts off what is too long for it, and the oldest goes first.",
        operator_advice=MORE_ROOM_FIX,
        settle="" if cut.halved else "does its log say `truncating input prompt`?",
    )


def _guessed(evidence: Evidence) -> Finding:
    coming, request = evidence.next_context, last_request(evidence)
    limits = coming.inputs.limits if coming else None
    dropped = len(request.record.dropped_turns) if request and outcome(evidence) is Outcome.REPLIED else 0
    lost = f"{dropped} old turns were left out for it." if dropped else "It was too small for what was to be sent."
    return Finding(
        rule="CTX-WINDOW",
        stage=FunnelStage.REQUEST,
        confidence=Confidence.CONFIRMED,
        verdict=f"{place_name(evidence)}: the window is a guess",
        why=(
            f"What {quote_line(str(limits.model), 30) if limits else 'it'} holds is not known;",
            f"{limits.window if limits else 0:,} tokens are assumed.",
            lost,
        ),
        evidence=(*_request(request), *message_ref(evidence)),
        advice="Tell the operator: the bot has to guess how much this model can read.",
        operator_advice=_WINDOW_FIX,
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
    return ref(HandleKind.REQUEST, request.id, "request as sent, and what was left out") if request else ()
