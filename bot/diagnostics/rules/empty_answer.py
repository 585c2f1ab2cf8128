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
from bot.domain.llm import FinishReason, LLMResponse
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
        verdict=f"{place_name(evidence)}: {_verdict(evidence)}",
        why=_why(evidence),
        evidence=(
            *(ref(HandleKind.REQUEST, request.id, "request as sent, and the answer") if request else ()),
            *message_ref(evidence),
        ),
        advice="Ask again, in other words or in smaller parts; tell the operator if it stays.",
        operator_advice=_operator_advice(evidence),
    )


def _response(evidence: Evidence) -> LLMResponse | None:
    request = last_request(evidence)
    return request.response if request else None


def _verdict(evidence: Evidence) -> str:
    if fail_reason(evidence) is FailReason.ROUNDS:
        return "it ran out of rounds"
    if fail_reason(evidence) is FailReason.MARKUP:
        return "a tool call came as text"
    response = _response(evidence)
    if response is not None and response.finish is FinishReason.CONTENT_FILTER:
        return "the answer was filtered"
    return "it thought and said nothing" if _only_thought(evidence) else "the answer was empty"


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
        return ("The model kept calling tools and never", f"answered; {calls:,} calls in all.")
    if fail_reason(evidence) is FailReason.MARKUP:
        return (
            "The model wrote a tool call into its",
            "words, twice. A server that has a parser",
            "for this model makes a call of it.",
        )
    response = _response(evidence)
    if response is None:
        return ("The model answered without any text.",)
    usage = response.usage
    spent = f"{usage.output:,} tokens of output" if usage.output is not None else "Output not counted"
    about = "about " if usage.estimated else ""
    thought = f", {about}{usage.reasoning:,} of them reasoning" if usage.reasoning else ""
    stopped = excerpt(response.stopped_with or response.finish, 60).replace("`", "'")
    return (f"The model stopped with `{stopped}`.", f"{spent}{thought}.", *_thoughts(response))


def _thoughts(response: LLMResponse) -> tuple[str, ...]:
    return ("Open the request to read its thoughts.",) if response.reasoning else ()


def _operator_advice(evidence: Evidence) -> str:
    response = _response(evidence)
    if fail_reason(evidence) is FailReason.ROUNDS:
        return "Raise model.rounds, or look at the tool calls: do they repeat themselves?"
    if fail_reason(evidence) is FailReason.MARKUP:
        return (
            "Start the model's server with its tool call parser (vLLM: --enable-auto-tool-choice --tool-call-parser; "
            "llama.cpp: --jinja), or use another model."
        )
    if response is not None and response.stopped_with in _WINDOW_FULL:
        return "Lower model.max_output_tokens or model.context_window: prompt and answer share the model's window."
    if response is not None and response.finish is FinishReason.LENGTH:
        return "Raise model.max_output_tokens, or lower the model's reasoning effort."
    if response is not None and response.finish is FinishReason.CONTENT_FILTER:
        return "The provider's filter took it; another model may answer."
    return "Try another model; it was asked twice and gave nothing."
