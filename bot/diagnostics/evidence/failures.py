"""Say which cause a failed turn belongs to, once for all rules, so that no two of them claim it."""

from __future__ import annotations

import re
from enum import StrEnum

from bot.diagnostics.evidence.evidence import Evidence
from bot.diagnostics.evidence.evidence_reader import FailedAttempt, fail_reason, is_pending, last_failure, last_request
from bot.domain.ledger import FailReason
from bot.domain.llm import LLMRequest
from bot.domain.turn import AttemptRecord, OutboxState, StoredRequest, ToolCallRecord, TurnStatus
from bot.errors import ProviderFault
from bot.mind.skip_refusal import refused_skip

ANSWERS = frozenset({"reply", "command"})
"""The kinds of messages that somebody waits for."""
_FULL_WINDOW_SHARE = 0.98
_OVERDUE_DELIVERY_MS = 150_000
"""How long a platform may take a message without a word: more than a start, and more than the longest pacing."""


class FailureCause(StrEnum):
    """The rule that a failure belongs to."""

    PROVIDER = "LLM-AUTH"
    NETWORK = "NET"
    WINDOW = "CTX-OVERFLOW"
    GUESS = "CTX-WINDOW"
    TOOLS = "MODEL-TOOLS"
    IMAGE = "IMG-POISON"
    FLAGGED = "FLAGGED"
    ORPHAN = "CTX-ORPHAN"
    EMPTY = "DEC-EMPTY"
    STUCK = "Q-STUCK"
    SWALLOWED = "OUT-SWALLOW"


_REASON_CAUSES = {
    FailReason.EMPTY: FailureCause.EMPTY,
    FailReason.ROUNDS: FailureCause.EMPTY,
    FailReason.MARKUP: FailureCause.EMPTY,
    FailReason.TOO_LARGE: FailureCause.WINDOW,
    FailReason.SEND: FailureCause.SWALLOWED,
    FailReason.INTERNAL: FailureCause.SWALLOWED,
}


# as Ollama, OpenRouter and vLLM say it, in this order
_NO_TOOLS = re.compile(
    r"does not support (?:tools|function calling)|support (?:tool use|the provided 'tool_choice')"
    r"|tool choice requires --enable"
    r"|(?:tools?|tool_choice|function calling)\W{0,2} (?:is|are) not (?:supported|enabled)",
    re.IGNORECASE,
)
_FAULT_CAUSES = {
    ProviderFault.CONTEXT_LENGTH: FailureCause.WINDOW,
    ProviderFault.TOOL_PAIRING: FailureCause.ORPHAN,
    ProviderFault.UNREACHABLE: FailureCause.NETWORK,
    ProviderFault.FLAGGED: FailureCause.FLAGGED,
}
_ABOUT_IMAGES = re.compile(r"\bimages?\b|image_url|multi-?modal|mmproj|\bvision\b", re.IGNORECASE)
_UNFIT_FAULTS = frozenset({ProviderFault.BAD_REQUEST, ProviderFault.NOT_FOUND})
"""Faults by which a service says that a model does not take what was sent; OpenRouter finds nobody who does (404)."""


def cause_of_failure(evidence: Evidence) -> FailureCause | None:
    """Return the rule that a failure belongs to; None when nothing failed (yet)."""
    if is_pending(evidence):
        return _so_far(evidence)
    reason = fail_reason(evidence)
    if reason is None or was_cut_off(evidence):
        return None
    if reason is FailReason.TIMEOUT:
        return _of_timeout(evidence)
    if reason is FailReason.TOO_LARGE and last_failure(evidence) is None and window_is_guess(evidence):
        return FailureCause.GUESS
    return _REASON_CAUSES.get(reason) or _of_fault(evidence)


def skip_before_nothing(evidence: Evidence) -> ToolCallRecord | None:
    """Return the skip that was refused in a turn from which then nothing came; None where it was otherwise."""
    if fail_reason(evidence) is not FailReason.EMPTY or evidence.turn is None:
        return None
    return refused_skip(evidence.turn.calls)


def window_is_guess(evidence: Evidence) -> bool:
    """Say whether nobody knows what the model that answers here can hold, so that a small window is assumed."""
    coming = evidence.next_context
    return coming is not None and not coming.inputs.limits.window_known


def orphans(request: LLMRequest) -> tuple[str, ...]:
    """Return the ids of tool calls without a result and of results without a call before them, in order."""
    open_calls: dict[str, None] = {}
    lost: list[str] = []
    for message in request.messages:
        for result in message.results:
            if result.call_id in open_calls:
                del open_calls[result.call_id]
            else:
                lost.append(result.call_id)
        open_calls.update(dict.fromkeys(call.call_id for call in message.calls))
    return (*lost, *open_calls)


def is_full(request: StoredRequest) -> bool:
    """Say whether a request left no room for the answer, by our own count."""
    stats, record = request.record.stats, request.record
    return stats.window > 0 and stats.total + record.request.max_output_tokens >= stats.window * _FULL_WINDOW_SHARE


def is_overdue(evidence: Evidence) -> bool:
    """Say whether an answer has been on its way out for too long, without any failure on record."""
    turn = evidence.turn
    if turn is None or turn.turn.status is TurnStatus.RUNNING:
        return False
    rows = [row for row in turn.outbox if row.body.kind in ANSWERS and not row.error]
    if fail_reason(evidence) is FailReason.TIMEOUT:  # the turn itself waited for the platform, and in vain
        return any(row.state is OutboxState.SENDING for row in rows)
    waiting = [row for row in rows if row.state in {OutboxState.NEW, OutboxState.SENDING}]
    late = any(evidence.now - max(row.created_at, row.not_before) > _OVERDUE_DELIVERY_MS for row in waiting)
    return late and is_pending(evidence)


def was_cut_off(evidence: Evidence) -> bool:
    """Say whether the process ended in every turn of the message, until it was given up."""
    turn = evidence.turn
    ended = turn is not None and turn.turn.status is TurnStatus.INTERRUPTED
    return ended and fail_reason(evidence) is FailReason.INTERNAL


def _of_words(failure: FailedAttempt) -> FailureCause | None:
    """Read what the service minds, where what it names was really sent."""
    request, words = failure.request.record.request, failure.attempt.error
    if request.tools and _NO_TOOLS.search(words):
        return FailureCause.TOOLS
    has_images = any(message.images for message in request.messages)
    return FailureCause.IMAGE if has_images and _ABOUT_IMAGES.search(words) else None


def _so_far(evidence: Evidence) -> FailureCause | None:
    turn = evidence.turn
    if turn is None:
        return None
    if any(row.state is OutboxState.DEAD or (row.attempts and row.error) for row in turn.outbox):
        return FailureCause.SWALLOWED
    if turn.turn.status is not TurnStatus.RUNNING:
        return FailureCause.SWALLOWED if is_overdue(evidence) or not turn.outbox else None
    return _of_fault(evidence) if last_failure(evidence) else None


def _of_timeout(evidence: Evidence) -> FailureCause:
    """A turn that ran out of time waited for the provider, or for a tool."""
    request = last_request(evidence)
    answered = request is not None and request.response is not None
    waits = any(row.state is OutboxState.NEW and row.error for row in evidence.turn.outbox) if evidence.turn else False
    if is_overdue(evidence) or waits:
        return FailureCause.SWALLOWED
    return FailureCause.STUCK if answered else FailureCause.PROVIDER


def _of_fault(evidence: Evidence) -> FailureCause:
    failure = last_failure(evidence)
    if failure is None:
        return FailureCause.PROVIDER
    fault = failure.attempt.fault
    if fault == ProviderFault.UNREACHABLE and _failed_otherwise_too(evidence):
        return FailureCause.PROVIDER
    if fault in _FAULT_CAUSES:
        return _FAULT_CAUSES[ProviderFault(fault)]
    if fault in _UNFIT_FAULTS and (unfit := _of_words(failure)):
        return unfit
    if fault == ProviderFault.BAD_REQUEST and orphans(failure.request.record.request):
        return FailureCause.ORPHAN
    return (
        FailureCause.WINDOW
        if fault == ProviderFault.BAD_REQUEST and is_full(failure.request)
        else FailureCause.PROVIDER
    )


def _failed_otherwise_too(evidence: Evidence) -> bool:
    """Say whether another model of the turn was reached and failed: then the network is only a part of it."""
    last: dict[str, AttemptRecord] = {}
    for request in evidence.turn.requests if evidence.turn else ():
        if request.attempts:
            last[str(request.record.request.model)] = request.attempts[-1]
    return any(one.response is None and one.fault != ProviderFault.UNREACHABLE for one in last.values())
