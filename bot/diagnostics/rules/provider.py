"""LLM-AUTH: the model service refused, failed, or did not answer: key, credit, limit, outage, model name, cool-down."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from bot.diagnostics.evidence import Evidence
from bot.diagnostics.failures import Cause, cause_of_failure
from bot.diagnostics.reading import (
    failed_with,
    last_failure,
    last_request,
    message,
    message_ref,
    on_its_way,
    place,
    ref,
)
from bot.domain.finding import Confidence, Finding, FunnelStage
from bot.domain.handles import HandleKind
from bot.domain.ledger import FailReason
from bot.domain.text import excerpt
from bot.domain.times import age, clock_time
from bot.errors import ProviderFault


class Words(NamedTuple):
    """What a fault is called, and what the operator can do."""

    verdict: str
    fix: str


_WORDS = {
    ProviderFault.AUTH: Words("provider refuses the key", "Renew the provider's key; `doctor` checks it."),
    ProviderFault.CREDIT: Words("provider wants credit", "Top up the account, or name a fallback model."),
    ProviderFault.NOT_FOUND: Words("model is unknown", "Correct model.name; `doctor` lists what the service knows."),
    ProviderFault.RATE: Words("provider limits the rate", "Wait, raise the limit, or name a fallback model."),
    ProviderFault.OVERLOADED: Words("provider is overloaded", "Wait, or name a fallback model."),
    ProviderFault.SERVER: Words("provider is failing", "Look at its status page, or name a fallback model."),
    ProviderFault.UNREACHABLE: Words(
        "provider not reachable", "Check network, proxy and base_url; `doctor` probes it."
    ),
    ProviderFault.TIMEOUT: Words("provider is too slow", "Raise the provider's timeouts, or name a fallback model."),
    ProviderFault.CUT: Words("answer was cut off", "Look at the connection, or name a fallback model."),
    ProviderFault.GARBAGE: Words("answer was unreadable", "Check base_url: is it the service that it should be?"),
    ProviderFault.BAD_REQUEST: Words(
        "provider refuses requests", "Open the request; the provider's words say what it minds."
    ),
    ProviderFault.COOLING_DOWN: Words("model is cooling down", "Cure what it failed with, or name a fallback model."),
}
_WORD = re.compile(r"\w+")
_UNKNOWN = Words("model did not answer", "Run `doctor`; it probes the provider.")


def check(evidence: Evidence) -> Iterator[Finding]:
    """Say with which words the service failed, how often, and until when it is not asked again."""
    if cause_of_failure(evidence) is not Cause.PROVIDER:
        return
    fault = _fault(evidence)
    words = _WORDS.get(fault, _UNKNOWN) if fault else _UNKNOWN
    failure, request = last_failure(evidence), last_request(evidence)
    still = ("It is still trying.",) if on_its_way(evidence) else ()
    yield Finding(
        rule="LLM-AUTH",
        stage=FunnelStage.REQUEST,
        confidence=Confidence.CONFIRMED if failure else Confidence.LIKELY,
        verdict=f"{place(evidence)}: {words.verdict}",
        why=(*_said(evidence), *still, *_cooling(evidence)),
        evidence=(
            *(ref(HandleKind.REQUEST, request.id, "request as sent, and what came back") if request else ()),
            *message_ref(evidence),
        ),
        advice="Tell the operator: it is the model service, not this channel.",
        operator_advice=words.fix,
        settle="" if failure else "`doctor` asks the service now.",
    )


def _fault(evidence: Evidence) -> ProviderFault | None:
    """Return the fault on record: the posting's, else what the outcome or the model's health says."""
    failure, found = last_failure(evidence), message(evidence)
    words = _WORD.findall(found.outcome_reason.lower()) if found else []
    timeout = ProviderFault.TIMEOUT if failed_with(evidence) is FailReason.TIMEOUT else ""
    candidates = [failure.attempt.fault if failure else "", *words[:2], timeout]
    candidates += [health.fault for health in evidence.models if health.cooling_until > evidence.now]
    return next((ProviderFault(word) for word in candidates if word in set(ProviderFault)), None)


def _said(evidence: Evidence) -> tuple[str, ...]:
    failure, turn = last_failure(evidence), evidence.turn
    if failure is None or turn is None:
        return ("Nothing came back from the model.",)
    attempt = failure.attempt
    status = f" (HTTP {attempt.status})" if attempt.status else ""
    models = {str(request.record.request.model) for request in turn.requests}
    tries = sum(len(request.attempts) for request in turn.requests)
    model = excerpt(str(failure.request.record.request.model), 30)
    asked = f"{model} was asked" if len(models) == 1 else f"{len(models)} models were asked, last {model},"
    times = "once" if tries == 1 else f"{tries:,} times"
    fault = "no answer in time" if failed_with(evidence) is FailReason.TIMEOUT else attempt.fault or "error"
    return (f"{asked} {times};", f"last {clock_time(attempt.at)}: {excerpt(fault, 30)}{status}.")


def _cooling(evidence: Evidence) -> tuple[str, ...]:
    cooling = [health for health in evidence.models if health.cooling_until > evidence.now]
    if not cooling:
        return ()
    longest = max(health.cooling_until for health in cooling)
    return (f"Not asked again for {age(longest - evidence.now)}, until {clock_time(longest)}.",)
