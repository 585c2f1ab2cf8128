"""LLM-AUTH, BREAKER, SERVICE-LIMIT: the model service refused, failed, or did not answer, or was not asked.

BREAKER: it was not asked because other work found it failing. SERVICE-LIMIT: it takes less at a time than was sent.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from bot.diagnostics.evidence.edited_since import edited_since
from bot.diagnostics.evidence.evidence import Evidence
from bot.diagnostics.evidence.evidence_reader import (
    cooling_models,
    fail_reason,
    is_pending,
    last_failure,
    last_request,
    message,
    message_ref,
    place_name,
    quote_service_words,
    ref,
)
from bot.diagnostics.evidence.failures import FailureCause, cause_of_failure
from bot.domain.finding import Confidence, EvidenceRef, Finding, FunnelStage
from bot.domain.handles import HandleKind
from bot.domain.health import ModelHealth, WorkKind
from bot.domain.ledger import FailReason
from bot.domain.turn import AttemptRecord
from bot.errors import ProviderFault
from bot.sentences import say
from bot.text.text import one_line_name, quote_line
from bot.text.times import age, clock_time


class FaultSentences(NamedTuple):
    """The sentences that name a fault, and that tell the operator what can be done."""

    verdict: str
    fix: str


_SENTENCES = {
    ProviderFault.AUTH: FaultSentences("provider_error.auth", "provider_error.auth-fix"),
    ProviderFault.CREDIT: FaultSentences("provider_error.credit", "provider_error.credit-fix"),
    ProviderFault.NOT_FOUND: FaultSentences("provider_error.not-found", "provider_error.not-found-fix"),
    ProviderFault.RATE: FaultSentences("provider_error.rate", "provider_error.rate-fix"),
    ProviderFault.OVERLOADED: FaultSentences("provider_error.overloaded", "provider_error.overloaded-fix"),
    ProviderFault.SERVER: FaultSentences("provider_error.server", "provider_error.server-fix"),
    ProviderFault.UNREACHABLE: FaultSentences("provider_error.unreachable", "provider_error.unreachable-fix"),
    ProviderFault.TIMEOUT: FaultSentences("provider_error.timeout", "provider_error.timeout-fix"),
    ProviderFault.CUT: FaultSentences("provider_error.cut", "provider_error.cut-fix"),
    ProviderFault.GARBAGE: FaultSentences("provider_error.garbage", "provider_error.garbage-fix"),
    ProviderFault.BAD_REQUEST: FaultSentences("provider_error.bad-request", "provider_error.bad-request-fix"),
    ProviderFault.REFUSED: FaultSentences("provider_error.refused", "provider_error.refused-fix"),
    ProviderFault.REGION: FaultSentences("provider_error.region", "provider_error.region-fix"),
    ProviderFault.ADDRESS: FaultSentences("provider_error.address", "provider_error.address-fix"),
    ProviderFault.VERIFICATION: FaultSentences("provider_error.verification", "provider_error.verification-fix"),
    ProviderFault.RETIRED: FaultSentences("provider_error.retired", "provider_error.retired-fix"),
    ProviderFault.MEMORY: FaultSentences("provider_error.memory", "provider_error.memory-fix"),
    ProviderFault.TOO_LARGE: FaultSentences("provider_error.too-large", "provider_error.too-large-fix"),
    ProviderFault.TOOL_USE: FaultSentences("provider_error.tool-use", "provider_error.try-another-fix"),
    ProviderFault.LOADING: FaultSentences("provider_error.loading", "provider_error.loading-fix"),
    ProviderFault.BLOCKED: FaultSentences("provider_error.blocked", "provider_error.blocked-fix"),
    ProviderFault.NO_ANSWER: FaultSentences("provider_error.no-answer", "provider_error.try-another-fix"),
    ProviderFault.COOLING_DOWN: FaultSentences("provider_error.cooling-down", "provider_error.cooling-down-fix"),
}
_UNKNOWN_FAULT = FaultSentences("provider_error.unknown", "provider_error.unknown-fix")
_QUOTED_FAULTS = frozenset(
    {
        ProviderFault.REFUSED,
        ProviderFault.BAD_REQUEST,
        ProviderFault.REGION,
        ProviderFault.ADDRESS,
        ProviderFault.VERIFICATION,
        ProviderFault.RETIRED,
        ProviderFault.MEMORY,
        ProviderFault.TOO_LARGE,
        ProviderFault.TOOL_USE,
        ProviderFault.LOADING,
        ProviderFault.BLOCKED,
        ProviderFault.NO_ANSWER,
    }
)
_STATUS_PREFIX = re.compile(r"^HTTP \d{3}: |^error inside the answer: ")
_NOTHING_SAID = re.compile("no explanation")
_MIN_FAILED_STATUS = 500
_MINUTE_MS = 60_000
_WORD = re.compile(r"\w+")


def check(evidence: Evidence) -> Iterator[Finding]:
    """Say with which words the service failed, how often, and until when it is not asked again."""
    if cause_of_failure(evidence) is not FailureCause.PROVIDER or edited_since(evidence):
        return
    fault, asked = _fault(evidence), _asked(evidence)
    failure = last_failure(evidence)
    nameless = failure.attempt if failure is not None and not failure.attempt.named and len(asked) == 1 else None
    sure = (failure is not None and failure.attempt.named) or fault is ProviderFault.COOLING_DOWN
    still = (say("provider_error.still-trying"),) if is_pending(evidence) else ()
    yield Finding(
        rule=_rule(evidence, fault, asked),
        stage=FunnelStage.REQUEST,
        confidence=Confidence.CONFIRMED if sure else Confidence.LIKELY,
        verdict=_verdict(evidence, fault, nameless, is_one=len(asked) <= 1),
        why=(*_said(evidence, asked), *_own_words(evidence, asked), *still, *_cooling(evidence, asked)),
        evidence=(*_request(evidence), *message_ref(evidence)),
        advice=say("provider_error.tell-operator"),
        operator_advice=" ".join((_fix(evidence, fault, asked, nameless), *_elsewhere(evidence, asked))),
        settle="" if sure else say("provider_error.settle"),
    )


def _verdict(evidence: Evidence, fault: ProviderFault | None, nameless: AttemptRecord | None, *, is_one: bool) -> str:
    place = place_name(evidence)
    if not is_one:
        return say("provider_error.none-answers", place=place)
    if nameless is not None:
        # a refusal that nobody knows is named by its number alone
        failed = "yes" if _failed(nameless) else "no"
        return say("provider_error.nameless", place=place, failed=failed, status=_status(nameless))
    return say(_sentences(fault).verdict, place=place)


def _sentences(fault: ProviderFault | None) -> FaultSentences:
    return _SENTENCES.get(fault, _UNKNOWN_FAULT) if fault else _UNKNOWN_FAULT


def _rule(evidence: Evidence, fault: ProviderFault | None, asked: dict[str, list[AttemptRecord]]) -> str:
    if len(asked) > 1:
        return "LLM-AUTH"
    if fault is ProviderFault.TOO_LARGE and asked:
        return "SERVICE-LIMIT"
    breaker = _breaker_then(evidence) if not asked and fault is ProviderFault.COOLING_DOWN else None
    opened_here = breaker is None or breaker.opened_in in {"", evidence.target.channel}
    return "LLM-AUTH" if opened_here else "BREAKER"


def _breaker_then(evidence: Evidence) -> ModelHealth | None:
    """Return the model that was left alone when the message failed, be that over now or not."""
    found = message(evidence)
    at = found.outcome_at if found is not None else evidence.now
    then = [one for one in evidence.models if one.work is WorkKind.CONVERSATION and one.opened_at]
    then = [one for one in then if one.opened_at <= at <= one.opened_until]
    return max(then, key=lambda one: one.opened_until, default=None)


def _fault(evidence: Evidence) -> ProviderFault | None:
    """Return the fault on record: the posting's, else what the outcome or the model's health says."""
    failure, found = last_failure(evidence), message(evidence)
    words = _WORD.findall(found.outcome_reason.lower()) if found else []
    timeout = ProviderFault.TIMEOUT if fail_reason(evidence) is FailReason.TIMEOUT else ""
    candidates = [failure.attempt.fault if failure else "", *words[:2], timeout]
    candidates += [health.fault for health in cooling_models(evidence)]
    return next(map(ProviderFault, filter(_is_fault, candidates)), None)


def _is_fault(word: str) -> bool:
    return word in set(ProviderFault)


def _asked(evidence: Evidence) -> dict[str, list[AttemptRecord]]:
    """Return the postings of the turn by the model that they went to, the first asked first."""
    found: dict[str, list[AttemptRecord]] = {}
    for request in evidence.turn.requests if evidence.turn else ():
        if request.attempts:
            found.setdefault(str(request.record.request.model), []).extend(request.attempts)
    # a model that answered an earlier round is no part of the failure
    return {model: attempts for model, attempts in found.items() if attempts[-1].response is None}


def _said(evidence: Evidence, asked: dict[str, list[AttemptRecord]]) -> tuple[str, ...]:
    late = fail_reason(evidence) is FailReason.TIMEOUT
    if not asked:
        never = _fault(evidence) is ProviderFault.COOLING_DOWN
        return (say("provider_error.not-asked" if never else "provider_error.nothing-came"),)
    if len(asked) > 1:
        every = [(quote_line(model, 26), _word(tries[-1], late=late)) for model, tries in asked.items()]
        return tuple(say("provider_error.of-model", model=model, what=what) for model, what in every[:3])
    ((model, tries),) = asked.items()
    return (
        say("provider_error.asked", model=quote_line(model, 30), count=len(tries)),
        say("provider_error.asked-last", time=clock_time(tries[-1].at), what=_word(tries[-1], late=late)),
    )


def _word(attempt: AttemptRecord, *, late: bool) -> str:
    fault = ProviderFault.TIMEOUT.value if late else attempt.fault or "error"
    if not late and not attempt.named:
        fault = "failed" if _failed(attempt) else "refused"
    return say("provider_error.answered", fault=quote_line(fault, 30), status=_status(attempt))


def _failed(attempt: AttemptRecord) -> bool:
    return (attempt.status or 0) >= _MIN_FAILED_STATUS


def _status(attempt: AttemptRecord) -> str:
    return str(attempt.status) if attempt.status else "none"


def _own_words(evidence: Evidence, asked: dict[str, list[AttemptRecord]]) -> tuple[str, ...]:
    """Quote the service where its words say more than our name for them; its numbers where it named some."""
    failure = last_failure(evidence)
    if failure is None or len(asked) != 1:
        return ()
    attempt = failure.attempt
    lines: tuple[str, ...] = ()
    if attempt.fault == ProviderFault.TOO_LARGE and attempt.limit and attempt.size:
        return (
            say("provider_error.takes", limit=attempt.limit),
            say("provider_error.takes-more", size=attempt.size),
        )
    if not attempt.named or attempt.fault in _QUOTED_FAULTS:
        words = _STATUS_PREFIX.sub("", attempt.error)
        lines = (
            quote_service_words(words)
            if not _NOTHING_SAID.fullmatch(words)
            else (say("provider_error.said-nothing-more"),)
        )
    again = attempt.at + round((attempt.retry_after or 0) * 1000)
    longest = _longest(evidence, asked)
    if attempt.fault == ProviderFault.RATE and again > (longest.cooling_until if longest else attempt.at) + _MINUTE_MS:
        lines += (say("provider_error.may-ask-from", time=clock_time(again)),)
    return lines


def _cooling(evidence: Evidence, asked: dict[str, list[AttemptRecord]]) -> tuple[str, ...]:
    longest, then = _longest(evidence, asked), _breaker_then(evidence)
    if longest is None:
        if asked or then is None:
            return ()
        return (say("provider_error.left-until", time=clock_time(then.opened_until)), _found_by(evidence, then))
    left = age(longest.cooling_until - evidence.now)
    until = say("provider_error.next-try", time=clock_time(longest.cooling_until), left=left)
    return (until,) if asked else (until, _found_by(evidence, longest))


def _longest(evidence: Evidence, asked: dict[str, list[AttemptRecord]]) -> ModelHealth | None:
    cooling = [health for health in cooling_models(evidence) if not asked or health.model in asked]
    return max(cooling, key=lambda health: health.cooling_until, default=None)


def _found_by(evidence: Evidence, health: ModelHealth) -> str:
    """Say what began it, when, and where; another channel is not named to people who may not know of it."""
    what = say("provider_error.answered", fault=health.fault or "failed", status="none")
    if not health.opened_at:
        return say("provider_error.failed-before", what=what)
    where = "here" if health.opened_in == evidence.target.channel else "elsewhere"
    return say("provider_error.failed-at", time=clock_time(health.opened_at), where=where, what=what)


def _elsewhere(evidence: Evidence, asked: dict[str, list[AttemptRecord]]) -> tuple[str, ...]:
    """Name the channel where it began, for operators."""
    health = _longest(evidence, asked) or _breaker_then(evidence)
    if asked or health is None or not health.opened_in or health.opened_in == evidence.target.channel:
        return ()
    if health.opened_in_private:
        return (say("provider_error.began-in-private"),)
    return (say("provider_error.began-in", name=one_line_name(health.opened_in_name, 24)),)


def _request(evidence: Evidence) -> tuple[EvidenceRef, ...]:
    """Point at what was asked; where nothing was, at what failed before."""
    request, before = last_request(evidence), evidence.last_request
    if request is not None:
        return ref(HandleKind.REQUEST, request.id, say("provider_error.request"))
    if before is not None and before.attempts and before.attempts[-1].response is None:
        return ref(HandleKind.REQUEST, before.id, say("provider_error.request-before"))
    return ()


def _fix(
    evidence: Evidence,
    fault: ProviderFault | None,
    asked: dict[str, list[AttemptRecord]],
    nameless: AttemptRecord | None,
) -> str:
    """Say how to cure the first of several models, or the one that is left alone after a fault that is known."""
    if nameless is not None:
        return say("provider_error.refused-fix")
    faults = [tries[-1].fault for tries in asked.values()] if len(asked) > 1 else []
    if fault is ProviderFault.COOLING_DOWN:
        faults = [health.fault for health in cooling_models(evidence)]
    known = next(map(ProviderFault, filter(_is_fault, faults)), None)
    return say(_sentences(known if known in _SENTENCES else fault).fix)
