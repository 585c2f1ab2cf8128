"""DEC-EMPTY and THOUGHT-ONLY: empty, cut or filtered output, rounds without an end; or thoughts and nothing else."""

from __future__ import annotations

from collections.abc import Iterator

from bot.diagnostics.evidence.culprit import find_culprit
from bot.diagnostics.evidence.evidence import Evidence
from bot.diagnostics.evidence.evidence_reader import fail_reason, last_request, message_ref, place_name, ref
from bot.diagnostics.evidence.failures import FailureCause, cause_of_failure, skip_before_nothing
from bot.domain.finding import Confidence, Finding, FunnelStage
from bot.domain.handles import HandleKind
from bot.domain.ledger import FailReason
from bot.domain.llm import FinishReason, LLMResponse, TokenUsage
from bot.sentences import say
from bot.text.text import excerpt

_WINDOW_FULL = frozenset({"model_context_window_exceeded"})
"""Words of services for an answer that ended where the model's window ends, and not where it was told to."""


def check(evidence: Evidence) -> Iterator[Finding]:
    """Say how the model stopped and what its tokens went into."""
    if cause_of_failure(evidence) is not FailureCause.EMPTY or find_culprit(evidence) is not None:
        return
    if skip_before_nothing(evidence) is not None:
        return
    request = last_request(evidence)
    yield Finding(
        rule="THOUGHT-ONLY" if _only_thought(evidence) else "DEC-EMPTY",
        stage=FunnelStage.DECISION,
        confidence=Confidence.CONFIRMED,
        verdict=say(_verdict(evidence), place=place_name(evidence)),
        why=_why(evidence),
        evidence=(
            *(ref(HandleKind.REQUEST, request.id, say("empty_answer.request")) if request else ()),
            *message_ref(evidence),
        ),
        advice=say("empty_answer.ask-again"),
        operator_advice=say(_operator_advice(evidence)),
    )


def _response(evidence: Evidence) -> LLMResponse | None:
    request = last_request(evidence)
    return request.response if request else None


def _verdict(evidence: Evidence) -> str:
    if fail_reason(evidence) is FailReason.ROUNDS:
        return "empty_answer.rounds"
    if fail_reason(evidence) is FailReason.MARKUP:
        return "empty_answer.markup"
    response = _response(evidence)
    if response is not None and response.finish is FinishReason.CONTENT_FILTER:
        return "empty_answer.filtered"
    return "empty_answer.only-thought" if _only_thought(evidence) else "empty_answer.empty"


def _only_thought(evidence: Evidence) -> bool:
    """Say whether what came back were thoughts, by their words or by the service's own count."""
    response = _response(evidence)
    if fail_reason(evidence) is not FailReason.EMPTY or response is None or response.text.strip():
        return False
    if response.finish is FinishReason.CONTENT_FILTER:
        return False
    return bool(response.reasoning) or bool(response.usage.reasoning)


def _why(evidence: Evidence) -> tuple[str, ...]:
    if fail_reason(evidence) is FailReason.ROUNDS:
        calls = len(evidence.turn.calls) if evidence.turn else 0
        return (say("empty_answer.kept-calling"), say("empty_answer.kept-calling-more", count=calls))
    if fail_reason(evidence) is FailReason.MARKUP:
        return (
            say("empty_answer.call-as-words"),
            say("empty_answer.call-as-words-more"),
            say("empty_answer.call-as-words-end"),
        )
    response = _response(evidence)
    if response is None:
        return (say("empty_answer.no-text"),)
    stopped = excerpt(response.stopped_with or response.finish, 60).replace("`", "'")
    return (say("empty_answer.stopped-with", reason=stopped), _spent(response.usage), *_thoughts(response))


def _spent(usage: TokenUsage) -> str:
    reasoning = usage.reasoning or 0
    counted = "no" if not reasoning else "about" if usage.estimated else "yes"
    if usage.output is None:
        return say("empty_answer.output-unknown", counted=counted, reasoning=reasoning)
    return say("empty_answer.output", output=usage.output, counted=counted, reasoning=reasoning)


def _thoughts(response: LLMResponse) -> tuple[str, ...]:
    return (say("empty_answer.read-thoughts"),) if response.reasoning else ()


def _operator_advice(evidence: Evidence) -> str:
    response = _response(evidence)
    if fail_reason(evidence) is FailReason.ROUNDS:
        return "empty_answer.raise-rounds"
    if fail_reason(evidence) is FailReason.MARKUP:
        return "empty_answer.start-parser"
    if response is not None and response.stopped_with in _WINDOW_FULL:
        return "empty_answer.lower-output"
    if response is not None and response.finish is FinishReason.LENGTH:
        return "empty_answer.raise-output"
    if response is not None and response.finish is FinishReason.CONTENT_FILTER:
        return "empty_answer.filter-took-it"
    return "empty_answer.other-model"
