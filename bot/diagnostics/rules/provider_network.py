"""NET: the model service cannot be reached: name, TLS, proxy or route. (Platforms: see `connection`.)"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from bot.diagnostics.evidence.adapter_facts import adapter_fault
from bot.diagnostics.evidence.edited_since import edited_since
from bot.diagnostics.evidence.evidence import Evidence, ProviderRoute
from bot.diagnostics.evidence.evidence_reader import (
    is_pending,
    last_failure,
    last_request,
    message_ref,
    place_name,
    ref,
)
from bot.diagnostics.evidence.failures import FailureCause, cause_of_failure
from bot.domain.finding import Confidence, Finding, FunnelStage
from bot.domain.handles import HandleKind
from bot.domain.health import AdapterState
from bot.sentences import say
from bot.text.text import quote_line
from bot.text.times import clock_time, minute


class NetworkErrorSentences(NamedTuple):
    """The sentences that tell what a class of failure means, and what the operator can do."""

    why: str
    fix: str


_CLASSES = (
    (
        re.compile("the host name"),
        NetworkErrorSentences("provider_network.name-not-found", "provider_network.name-not-found-fix"),
    ),
    (
        re.compile("the TLS"),
        NetworkErrorSentences("provider_network.tls-fails", "provider_network.tls-fails-fix"),
    ),
    (
        re.compile("the proxy"),
        NetworkErrorSentences("provider_network.proxy-fails", "provider_network.proxy-fails-fix"),
    ),
    (
        re.compile("no connection"),
        NetworkErrorSentences("provider_network.no-connection", "provider_network.no-connection-fix"),
    ),
)
"""How errors of each class begin, and what is said of them."""
_OTHER_ERROR = NetworkErrorSentences("provider_network.unreachable", "provider_network.unreachable-fix")


def check(evidence: Evidence) -> Iterator[Finding]:
    """Say which host, by which class of failure, how often, and whether the rest of the network works."""
    failure = last_failure(evidence)
    if cause_of_failure(evidence) is not FailureCause.NETWORK or failure is None or edited_since(evidence):
        return
    provider = str(failure.request.record.request.model.provider)
    route = next(
        (one for one in evidence.routes if one.provider == provider), ProviderRoute(provider=provider, host="")
    )
    told = next((one for begins, one in _CLASSES if begins.match(failure.attempt.error)), _OTHER_ERROR)
    request = last_request(evidence)
    yield Finding(
        rule="NET",
        stage=FunnelStage.REQUEST,
        confidence=Confidence.CONFIRMED,
        verdict=say("provider_network.verdict", place=place_name(evidence)),
        why=(
            say(told.why),
            *_named(route),
            *_tries(evidence),
            *((say("provider_error.still-trying"),) if is_pending(evidence) else ()),
            *_elsewhere(evidence),
        ),
        evidence=(
            *(ref(HandleKind.REQUEST, request.id, say("provider_network.request")) if request else ()),
            *message_ref(evidence),
        ),
        advice=say("provider_network.tell-operator"),
        operator_advice=_fix(told.fix, f"[providers.{provider}]"),
    )


def _fix(name: str, key: str) -> str:
    return say(name) if name == "provider_network.tls-fails-fix" else say(name, key=key)


def _named(route: ProviderRoute) -> Iterator[str]:
    """Name the host and the proxy, where the configuration does."""
    provider, host, proxy = quote_line(route.provider, 16), quote_line(route.host, 34), quote_line(route.proxy, 34)
    if host and proxy:
        yield say("provider_network.service-at-host", provider=provider, host=host)
        yield say("provider_network.through-proxy", proxy=proxy)
    elif host:
        yield say("provider_network.service-at", provider=provider, host=host)
    elif proxy:
        yield say("provider_network.service-by-proxy", provider=provider, proxy=proxy)


def _tries(evidence: Evidence) -> Iterator[str]:
    tries = [one for request in (evidence.turn.requests if evidence.turn else ()) for one in request.attempts]
    failed = [one for one in tries if one.response is None]
    if failed:
        yield say("provider_network.tried", count=len(failed), time=clock_time(failed[-1].at))
    good = max((health.last_success_at for health in evidence.models), default=0)
    if good:
        yield say("provider_network.last-good", time=minute(good))


def _elsewhere(evidence: Evidence) -> Iterator[str]:
    """Say that the platform is reached, where it is: then the host is not cut off as a whole."""
    adapter = evidence.adapter
    if adapter is not None and evidence.live and adapter.state is AdapterState.UP and not adapter_fault(evidence):
        yield say("provider_network.platform-reachable", platform=adapter.name.capitalize())
