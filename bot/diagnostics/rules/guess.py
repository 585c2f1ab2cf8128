"""CTX-WINDOW: nobody knows what the model can hold, or it holds less than it was sent and says nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from bot.diagnostics.evidence import Evidence
from bot.diagnostics.failures import Cause, cause_of_failure, window_is_guess
from bot.diagnostics.reading import last_request, message_ref, outcome, place, ref
from bot.domain.finding import Confidence, EvidenceRef, Finding, FunnelStage
from bot.domain.handles import HandleKind
from bot.domain.ledger import Outcome
from bot.domain.messages import IMAGE_TOKENS
from bot.domain.text import quote_line
from bot.domain.turn import StoredRequest

_FAR_LESS = 0.6
"""Tokenizers differ, but not that much: the catalogue of counts has none that makes this of the same text."""
_WORTH = 1_000
_LEAST = 500
"""No server reads less than that; who counts less does not count."""
_SET = "Set model.context_window to what the model really holds, and restart."
_OLLAMA = "Give the server more room (Ollama: num_ctx, or OLLAMA_CONTEXT_LENGTH), or set model.context_window to less."


class Cut(NamedTuple):
    """How much the service says that it read, of what we counted; `whole` is what it may be cut to, 0 if no sign."""

    request: StoredRequest
    read: int
    sent: int
    whole: int


def check(evidence: Evidence) -> Iterator[Finding]:
    """Look at what the service counted; then at what our own guess left out or refused."""
    if outcome(evidence) is Outcome.REPLIED and (cut := _cut(evidence)) is not None:
        yield _truncated(evidence, cut)
    elif cause_of_failure(evidence) is Cause.GUESS or (window_is_guess(evidence) and _left_out(evidence)):
        yield _guessed(evidence)


def _truncated(evidence: Evidence, cut: Cut) -> Finding:
    sign = (f"Half of a window of {cut.whole:,}, as Ollama cuts.",) if cut.whole else ()
    return Finding(
        rule="CTX-WINDOW",
        stage=FunnelStage.REQUEST,
        confidence=Confidence.CONFIRMED if cut.whole else Confidence.LIKELY,
        verdict=f"{place(evidence)}: it read only a part",
        why=(
            f"≈ {cut.sent:,} tokens were sent; the service",
            f"says that it read {cut.read:,}, without an error.",
            *sign,
        ),
        evidence=(*ref(HandleKind.REQUEST, cut.request.id, "request as sent, and the usage"), *message_ref(evidence)),
        advice="Tell the operator: the model's server cuts off what is too long for it, and the oldest goes first.",
        operator_advice=_OLLAMA,
        settle="" if cut.whole else "does its log say `truncating input prompt`?",
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
        verdict=f"{place(evidence)}: the window is a guess",
        why=(
            f"What {quote_line(str(limits.model), 30) if limits else 'it'} holds is not known;",
            f"{limits.window if limits else 0:,} tokens are assumed.",
            lost,
        ),
        evidence=(*_request(request), *message_ref(evidence)),
        advice="Tell the operator: the bot has to guess how much this model can read.",
        operator_advice=_SET,
    )


def _cut(evidence: Evidence) -> Cut | None:
    """Compare what was read with what was sent; pictures are left out, whose price nobody knows beforehand."""
    request = last_request(evidence)
    response = request.response if request else None
    if request is None or response is None or not response.usage.input:
        return None
    stats, read = request.record.stats, response.usage.input
    pictures = sum(len(message.images) for message in request.record.request.messages)
    # a ratio that was learned from answers like this one would hide it
    sent = round((stats.total - IMAGE_TOKENS * pictures) / min(stats.tokenizer.ratio, 1.0))
    if read < _LEAST or read >= sent * _FAR_LESS or sent - read < _WORTH:
        return None
    return Cut(request, read, sent, _window_of(read))


def _window_of(read: int) -> int:
    """Return the window of which this is the half that Ollama keeps, and two; 0 when it is no such number.

    https://github.com/ollama/ollama/issues/17427
    """
    half = read - 2
    return half * 2 if half >= 512 and half & (half - 1) == 0 else 0


def _left_out(evidence: Evidence) -> bool:
    request = last_request(evidence)
    return outcome(evidence) is Outcome.REPLIED and request is not None and bool(request.record.dropped_turns)


def _request(request: StoredRequest | None) -> tuple[EvidenceRef, ...]:
    return ref(HandleKind.REQUEST, request.id, "request as sent, and what was left out") if request else ()
