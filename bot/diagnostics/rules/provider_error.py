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
from bot.text.text import one_line_name, quote_line
from bot.text.times import age, clock_time


class ProviderFaultWords(NamedTuple):
    """What a fault is called, and what the operator can do."""

    verdict: str
    fix: str


_OPEN_REQUEST_FIX = "Open the request: the service's own words are all that is known."
_WORDS = {
    ProviderFault.AUTH: ProviderFaultWords(
        "provider refuses the key", "Renew the provider's key and restart; `doctor` checks it."
    ),
    ProviderFault.CREDIT: ProviderFaultWords("provider wants credit", "Top up the account, or name a fallback model."),
    ProviderFault.NOT_FOUND: ProviderFaultWords(
        "model is unknown", "Set model.name to a model that the service offers, and restart."
    ),
    ProviderFault.RATE: ProviderFaultWords(
        "provider limits the rate", "Wait, raise the limit, or name a fallback model."
    ),
    ProviderFault.OVERLOADED: ProviderFaultWords("provider is overloaded", "Wait, or name a fallback model."),
    ProviderFault.SERVER: ProviderFaultWords(
        "provider is failing", "Look at its status page, or name a fallback model."
    ),
    ProviderFault.UNREACHABLE: ProviderFaultWords(
        "provider not reachable", "Check network, proxy and base_url; `doctor` probes it."
    ),
    ProviderFault.TIMEOUT: ProviderFaultWords(
        "provider is too slow", "Raise the provider's timeouts, or name a fallback model."
    ),
    ProviderFault.CUT: ProviderFaultWords("answer was cut off", "Look at the connection, or name a fallback model."),
    ProviderFault.GARBAGE: ProviderFaultWords(
        "answer was unreadable", "Check base_url: is it the service that it should be?"
    ),
    ProviderFault.BAD_REQUEST: ProviderFaultWords(
        "provider refuses requests", "Open the request; the provider's words say what it minds."
    ),
    ProviderFault.REFUSED: ProviderFaultWords("the service refused", _OPEN_REQUEST_FIX),
    ProviderFault.REGION: ProviderFaultWords(
        "country is not served", "Use a service that serves the host's country, or name it as a fallback model."
    ),
    ProviderFault.ADDRESS: ProviderFaultWords(
        "the address is wrong", "Check the provider's base_url (it usually ends in /v1), and restart."
    ),
    ProviderFault.VERIFICATION: ProviderFaultWords(
        "account is not verified", "Verify the account at the service, or set model.name to a model that needs none."
    ),
    ProviderFault.RETIRED: ProviderFaultWords(
        "the model was retired", "Set model.name to a model that the service still offers, and restart."
    ),
    ProviderFault.MEMORY: ProviderFaultWords(
        "too little memory", "Free memory where the model runs, or set model.name to a smaller model."
    ),
    ProviderFault.TOO_LARGE: ProviderFaultWords(
        "cannot be used here",
        "Raise the account's limit at the service, or set model.name to a model with a larger one.",
    ),
    ProviderFault.TOOL_USE: ProviderFaultWords(
        "a tool call was malformed", "Ask again; if it stays so, name a fallback model, or use another one."
    ),
    ProviderFault.LOADING: ProviderFaultWords(
        "the model is loading", "Wait until it is loaded; have its server keep it loaded, or name a fallback model."
    ),
    ProviderFault.BLOCKED: ProviderFaultWords(
        "a firewall blocks it", "Have the service let the host's address through, or use another network."
    ),
    ProviderFault.NO_ANSWER: ProviderFaultWords(
        "service sent no answer", "Ask again; if it stays so, name a fallback model, or use another one."
    ),
    ProviderFault.COOLING_DOWN: ProviderFaultWords(
        "the model is left alone", "Look what it failed with before, or name a fallback model."
    ),
}
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
_NOTHING_SAID = "no explanation"
_MIN_FAILED_STATUS = 500
_MINUTE_MS = 60_000
_WORD = re.compile(r"\w+")
_UNKNOWN_WORDS = ProviderFaultWords("model did not answer", "Run `doctor`; it probes the provider.")


def check(evidence: Evidence) -> Iterator[Finding]:
    """Say with which words the service failed, how often, and until when it is not asked again."""
    if cause_of_failure(evidence) is not FailureCause.PROVIDER or edited_since(evidence):
        return
    fault, asked = _fault(evidence), _asked(evidence)
    words = _WORDS.get(fault, _UNKNOWN_WORDS) if fault else _UNKNOWN_WORDS
    failure = last_failure(evidence)
    nameless = failure is not None and not failure.attempt.named and len(asked) == 1
    if nameless and failure is not None:
        words = ProviderFaultWords(_nameless(failure.attempt), _OPEN_REQUEST_FIX)
    sure = (failure is not None and failure.attempt.named) or fault is ProviderFault.COOLING_DOWN
    still = ("It is still trying.",) if is_pending(evidence) else ()
    yield Finding(
        rule=_rule(evidence, fault, asked),
        stage=FunnelStage.REQUEST,
        confidence=Confidence.CONFIRMED if sure else Confidence.LIKELY,
        verdict=f"{place_name(evidence)}: {'no model answers' if len(asked) > 1 else words.verdict}",
        why=(*_said(evidence, asked), *_own_words(evidence, asked), *still, *_cooling(evidence, asked)),
        evidence=(*_request(evidence), *message_ref(evidence)),
        advice="Tell the operator: it is the model service, not this channel.",
        operator_advice=(words.fix if nameless else _fix(evidence, asked) or words.fix) + _elsewhere(evidence, asked),
        settle="" if sure else "`doctor` asks the service now.",
    )


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
        return ("The model was not asked: it failed before.",) if never else ("Nothing came back from the model.",)
    if len(asked) > 1:
        return tuple(f"{quote_line(model, 26)}: {_word(tries[-1], late=late)}" for model, tries in asked.items())[:3]
    ((model, tries),) = asked.items()
    times = "once" if len(tries) == 1 else f"{len(tries):,} times"
    return (
        f"{quote_line(model, 30)} was asked {times};",
        f"last {clock_time(tries[-1].at)}: {_word(tries[-1], late=late)}",
    )


def _word(attempt: AttemptRecord, *, late: bool) -> str:
    status = f" (HTTP {attempt.status})" if attempt.status else ""
    fault = "no answer in time" if late else attempt.fault or "error"
    if not late and not attempt.named:
        fault = "failed" if (attempt.status or 0) >= _MIN_FAILED_STATUS else "refused"
    return f"{quote_line(fault.replace('_', ' '), 30)}{status}."


def _nameless(attempt: AttemptRecord) -> str:
    """Name a refusal that nobody knows by its number alone."""
    number = f" (HTTP {attempt.status})" if attempt.status else ""
    return f"the service {'failed' if (attempt.status or 0) >= _MIN_FAILED_STATUS else 'refused'}{number}"


def _own_words(evidence: Evidence, asked: dict[str, list[AttemptRecord]]) -> tuple[str, ...]:
    """Quote the service where its words say more than our name for them; its numbers where it named some."""
    failure = last_failure(evidence)
    if failure is None or len(asked) != 1:
        return ()
    attempt = failure.attempt
    lines: tuple[str, ...] = ()
    if attempt.fault == ProviderFault.TOO_LARGE and attempt.limit and attempt.size:
        return (f"It takes {attempt.limit:,} tokens at most;", f"this request has {attempt.size:,}.")
    if not attempt.named or attempt.fault in _QUOTED_FAULTS:
        words = _STATUS_PREFIX.sub("", attempt.error)
        lines = quote_service_words(words) if words != _NOTHING_SAID else ("It said nothing more.",)
    again = attempt.at + round((attempt.retry_after or 0) * 1000)
    longest = _longest(evidence, asked)
    if attempt.fault == ProviderFault.RATE and again > (longest.cooling_until if longest else attempt.at) + _MINUTE_MS:
        lines += (f"It may be asked again from {clock_time(again)}.",)
    return lines


def _cooling(evidence: Evidence, asked: dict[str, list[AttemptRecord]]) -> tuple[str, ...]:
    longest, then = _longest(evidence, asked), _breaker_then(evidence)
    if longest is None:
        over = () if asked or then is None else (f"It was left alone until {clock_time(then.opened_until)}.",)
        return (*over, _found_by(evidence, then)) if over and then is not None else ()
    left = age(longest.cooling_until - evidence.now)
    until = f"Not asked again until {clock_time(longest.cooling_until)} ({left})."
    return (until,) if asked else (until, _found_by(evidence, longest))


def _longest(evidence: Evidence, asked: dict[str, list[AttemptRecord]]) -> ModelHealth | None:
    cooling = [health for health in cooling_models(evidence) if not asked or health.model in asked]
    return max(cooling, key=lambda health: health.cooling_until, default=None)


def _found_by(evidence: Evidence, health: ModelHealth) -> str:
    """Say what began it, when, and where; another channel is not named to people who may not know of it."""
    fault = health.fault.replace("_", " ") or "a failure"
    if not health.opened_at:
        return f"Before that it failed: {fault}."
    where = "in this channel" if health.opened_in == evidence.target.channel else "in another channel"
    return f"It failed at {clock_time(health.opened_at)} {where}: {fault}."


def _elsewhere(evidence: Evidence, asked: dict[str, list[AttemptRecord]]) -> str:
    """Name the channel where it began, for operators."""
    health = _longest(evidence, asked) or _breaker_then(evidence)
    if asked or health is None or not health.opened_in or health.opened_in == evidence.target.channel:
        return ""
    name = "a private chat" if health.opened_in_private else one_line_name(health.opened_in_name, 24)
    return f" It began in {name}."


def _request(evidence: Evidence) -> tuple[EvidenceRef, ...]:
    """Point at what was asked; where nothing was, at what failed before."""
    request, before = last_request(evidence), evidence.last_request
    if request is not None:
        return ref(HandleKind.REQUEST, request.id, "request as sent, and what came back")
    if before is not None and before.attempts and before.attempts[-1].response is None:
        return ref(HandleKind.REQUEST, before.id, "the request that failed before")
    return ()


def _fix(evidence: Evidence, asked: dict[str, list[AttemptRecord]]) -> str:
    """Say how to cure the first of several models, or the one that is left alone after a fault that is known."""
    faults = [tries[-1].fault for tries in asked.values()] if len(asked) > 1 else []
    if _fault(evidence) is ProviderFault.COOLING_DOWN:
        faults = [health.fault for health in cooling_models(evidence)]
    known = next(map(ProviderFault, filter(_is_fault, faults)), None)
    return _WORDS[known].fix if known in _WORDS else ""
