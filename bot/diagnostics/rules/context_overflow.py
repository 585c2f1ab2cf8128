"""CTX-OVERFLOW: the request does not fit into the model's window."""

from __future__ import annotations

from collections.abc import Iterator

from bot.diagnostics.evidence.evidence import Evidence
from bot.diagnostics.evidence.evidence_reader import (
    fail_reason,
    is_own_work,
    last_failure,
    last_request,
    message,
    message_ref,
    message_word,
    place_name,
    ref,
)
from bot.diagnostics.evidence.failures import FailureCause, cause_of_failure, is_full
from bot.domain.finding import Confidence, Finding, FunnelStage
from bot.domain.handles import HandleKind
from bot.domain.ledger import FailReason
from bot.domain.snapshot import ContextStats, CountMethod, SectionTrace
from bot.errors import ProviderFault

_HISTORY = "the history"
_ASK_FOR_LESS = "Ask for it again, in smaller parts."


def check(evidence: Evidence) -> Iterator[Finding]:
    """Say how much was to go where, and which block is the largest."""
    if cause_of_failure(evidence) is not FailureCause.WINDOW:
        return
    request, alone = last_request(evidence), _is_too_long_alone(evidence)
    yield Finding(
        rule="CTX-OVERFLOW",
        stage=FunnelStage.REQUEST,
        confidence=_confidence(evidence),
        verdict=f"{place_name(evidence)}: {f'the {message_word(evidence)}' if alone else 'context'} is too long",
        why=_why(evidence),
        evidence=(
            *(ref(HandleKind.REQUEST, request.id, "request as sent, with every block") if request else ()),
            *message_ref(evidence),
        ),
        advice=_advice(evidence),
        operator_advice=_operator_advice(evidence),
        settle="" if _confidence(evidence) is Confidence.CONFIRMED else "the provider's own words, in the request.",
    )


def _is_too_long_alone(evidence: Evidence) -> bool:
    """Say whether the message itself was too much: nothing was sent, and without it the next request fits."""
    coming = evidence.next_context
    return last_request(evidence) is None and coming is not None and not coming.overflow


def _grew(evidence: Evidence) -> bool:
    """Say whether the last request fitted and was answered: what was too much came after it, from the model's tools."""
    request = last_request(evidence)
    return request is not None and last_failure(evidence) is None and not is_full(request)


def _advice(evidence: Evidence) -> str:
    request = last_request(evidence)
    if _grew(evidence):
        return "Ask for less at once."
    if request is not None and not is_full(request):
        return "Tell the operator: the model's window is smaller than it is configured to be."
    if _is_too_long_alone(evidence):
        return _ASK_FOR_LESS if is_own_work(evidence) else "Send it in smaller parts."
    if not _is_history(evidence):
        return "Tell the operator: it is not what was said in this channel that fills the window."
    return "Say `new` to the bot in the channel; what was said stays in the store."


def _is_history(evidence: Evidence) -> bool:
    """Say whether the history is the largest block, as far as is known."""
    request, coming = last_request(evidence), evidence.next_context
    shown = request.record if request is not None else coming
    return shown is None or _largest_block(shown.stats, shown.sections)[1] == _HISTORY


def _operator_advice(evidence: Evidence) -> str:
    request = last_request(evidence)
    if _grew(evidence):
        return "Have it asked for less at once, or use a model with a larger window."
    failure = last_failure(evidence)
    if request is not None and not is_full(request) and failure is not None and failure.attempt.limit:
        return f"Set model.context_window = {failure.attempt.limit} (the provider says so), and restart."
    if request is not None and not is_full(request):
        return "Set model.context_window to what the provider says (open the request), and restart."
    if _is_too_long_alone(evidence):
        less = "Ask for it" if is_own_work(evidence) else "Have it sent"
        return f"{less} in smaller parts, or use a model with a larger window."
    return "Shorten the largest block, lower max_output_tokens, or use a model with a larger window."


def _confidence(evidence: Evidence) -> Confidence:
    failure = last_failure(evidence)
    said = failure is not None and failure.attempt.fault == ProviderFault.CONTEXT_LENGTH
    ours = fail_reason(evidence) is FailReason.TOO_LARGE
    return Confidence.CONFIRMED if said or ours else Confidence.LIKELY


def _why(evidence: Evidence) -> tuple[str, ...]:
    request, coming = last_request(evidence), evidence.next_context
    if request is not None and _grew(evidence):
        return (
            "What the model's tools brought back did not fit.",
            *_numbers(request.record.stats, request.record.request.max_output_tokens, "Before it: "),
        )
    if request is not None:
        record = request.record
        return (
            *_numbers(record.stats, record.request.max_output_tokens),
            _largest(record.stats, record.sections),
            *(() if is_full(request) else ("By our count it fits: our window is wrong.",)),
        )
    if coming is not None and not coming.overflow:
        return _alone(evidence, coming.stats)
    if coming is not None:
        over = f"The next request is {_rough(coming.stats)}{coming.overflow:,} tokens too long."
        return (
            *_numbers(coming.stats, coming.request.max_output_tokens),
            over,
            _largest(coming.stats, coming.sections),
        )
    return ("It did not fit even after everything", "that may be left out was left out.")


def _alone(evidence: Evidence, stats: ContextStats) -> tuple[str, ...]:
    found = message(evidence)
    length = len(found.inbound.text) if found else 0
    counted = (f"It has {length:,} characters.",) if length else ()
    return (
        *counted,
        f"The model's window is {stats.window:,} tokens,",
        f"{_rough(stats)}{stats.total:,} of them taken without it.",
    )


def _numbers(stats: ContextStats, answer: int, when: str = "") -> tuple[str, ...]:
    about = "" if stats.tokenizer.method is CountMethod.EXACT else "≈ "
    return (f"{when}{about}{stats.total:,} tokens and {answer:,} for the", f"answer, of a window of {stats.window:,}.")


def _rough(stats: ContextStats) -> str:
    """Mark a number that rests on bytes alone, because the tokenizer's table is not loaded yet."""
    return "≈ " if stats.tokenizer.method is CountMethod.BYTES else ""


def _largest(stats: ContextStats, sections: tuple[SectionTrace, ...]) -> str:
    tokens, name = _largest_block(stats, sections)
    return f"Largest: {name}, {tokens:,} tokens."


def _largest_block(stats: ContextStats, sections: tuple[SectionTrace, ...]) -> tuple[int, str]:
    blocks = [(section.tokens, f"section {section.name}") for section in sections]
    return max([*blocks, (stats.tools, "the tools"), (stats.history, _HISTORY)])
