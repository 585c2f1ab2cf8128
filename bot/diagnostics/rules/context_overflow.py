"""CTX-OVERFLOW: the request does not fit into the model's window."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

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
from bot.sentences import say

_TOOLS, _HISTORY, _SECTION = "tools", "history", "section"
"""The kinds of blocks that fill a window."""


def check(evidence: Evidence) -> Iterator[Finding]:
    """Say how much was to go where, and which block is the largest."""
    if cause_of_failure(evidence) is not FailureCause.WINDOW:
        return
    request, alone = last_request(evidence), _is_too_long_alone(evidence)
    yield Finding(
        rule="CTX-OVERFLOW",
        stage=FunnelStage.REQUEST,
        confidence=_confidence(evidence),
        verdict=say(
            "context_overflow.verdict",
            place=place_name(evidence),
            what=message_word(evidence) if alone else "context",
        ),
        why=_why(evidence),
        evidence=(
            *(ref(HandleKind.REQUEST, request.id, say("context_overflow.request")) if request else ()),
            *message_ref(evidence),
        ),
        advice=say(_advice(evidence)),
        operator_advice=_operator_advice(evidence),
        settle="" if _confidence(evidence) is Confidence.CONFIRMED else say("context_overflow.settle"),
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
        return "context_overflow.ask-for-less"
    if request is not None and not is_full(request):
        return "context_overflow.window-is-smaller"
    if _is_too_long_alone(evidence):
        return "context_overflow.ask-in-parts" if is_own_work(evidence) else "context_overflow.send-in-parts"
    if not _is_history(evidence):
        return "context_overflow.not-the-channel"
    return "context_overflow.say-new"


def _is_history(evidence: Evidence) -> bool:
    """Say whether the history is the largest block, as far as is known."""
    request, coming = last_request(evidence), evidence.next_context
    shown = request.record if request is not None else coming
    return shown is None or _largest_block(shown.stats, shown.sections).kind == _HISTORY


def _operator_advice(evidence: Evidence) -> str:
    request = last_request(evidence)
    if _grew(evidence):
        return say("context_overflow.larger-window")
    failure = last_failure(evidence)
    if request is not None and not is_full(request) and failure is not None and failure.attempt.limit:
        return say("context_overflow.set-window-to", limit=str(failure.attempt.limit))
    if request is not None and not is_full(request):
        return say("context_overflow.set-window")
    if _is_too_long_alone(evidence):
        own = is_own_work(evidence)
        return say("context_overflow.ask-in-parts-fix" if own else "context_overflow.send-in-parts-fix")
    return say("context_overflow.shorten")


def _confidence(evidence: Evidence) -> Confidence:
    failure = last_failure(evidence)
    said = failure is not None and failure.attempt.fault == ProviderFault.CONTEXT_LENGTH
    ours = fail_reason(evidence) is FailReason.TOO_LARGE
    return Confidence.CONFIRMED if said or ours else Confidence.LIKELY


def _why(evidence: Evidence) -> tuple[str, ...]:
    request, coming = last_request(evidence), evidence.next_context
    if request is not None and _grew(evidence):
        return (
            say("context_overflow.tools-brought"),
            *_numbers(
                request.record.stats, request.record.request.max_output_tokens, "context_overflow.numbers-before"
            ),
        )
    if request is not None:
        record = request.record
        return (
            *_numbers(record.stats, record.request.max_output_tokens),
            _largest(record.stats, record.sections),
            *(() if is_full(request) else (say("context_overflow.window-is-wrong"),)),
        )
    if coming is not None and not coming.overflow:
        return _alone(evidence, coming.stats)
    if coming is not None:
        over = say("context_overflow.over", rough=_rough(coming.stats), count=coming.overflow)
        return (
            *_numbers(coming.stats, coming.request.max_output_tokens),
            over,
            _largest(coming.stats, coming.sections),
        )
    return (say("context_overflow.left-out"), say("context_overflow.left-out-more"))


def _alone(evidence: Evidence, stats: ContextStats) -> tuple[str, ...]:
    found = message(evidence)
    length = len(found.inbound.text) if found else 0
    counted = (say("context_overflow.characters", count=length),) if length else ()
    return (
        *counted,
        say("context_overflow.window", window=stats.window),
        say("context_overflow.taken", rough=_rough(stats), count=stats.total),
    )


def _numbers(stats: ContextStats, answer: int, name: str = "context_overflow.numbers") -> tuple[str, ...]:
    about = "no" if stats.tokenizer.method is CountMethod.EXACT else "yes"
    return (
        say(name, about=about, total=stats.total, answer=answer),
        say("context_overflow.numbers-window", window=stats.window),
    )


def _rough(stats: ContextStats) -> str:
    """Mark a number that rests on bytes alone, because the tokenizer's table is not loaded yet."""
    return "yes" if stats.tokenizer.method is CountMethod.BYTES else "no"


def _largest(stats: ContextStats, sections: tuple[SectionTrace, ...]) -> str:
    largest = _largest_block(stats, sections)
    return say("context_overflow.largest", block=largest.kind, name=largest.section, tokens=largest.tokens)


class _Block(NamedTuple):
    tokens: int
    section: str
    kind: str


def _largest_block(stats: ContextStats, sections: tuple[SectionTrace, ...]) -> _Block:
    blocks = [_Block(section.tokens, section.name, _SECTION) for section in sections]
    return max([*blocks, _Block(stats.tools, "", _TOOLS), _Block(stats.history, "", _HISTORY)])
