"""NET: the model service cannot be reached: name, TLS, proxy or route. (Platforms: see `connection`.)"""

from __future__ import annotations

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
from bot.text.text import quote_line
from bot.text.times import clock_time, minute


class NetworkErrorWords(NamedTuple):
    """What a class of failure means, and what the operator can do; `said` is how errors of that class begin."""

    said: str
    why: str
    fix: str


_CLASSES = (
    NetworkErrorWords(
        "the host name", "Its host name is not found (DNS).", "Check base_url of {key}, and the host's resolver."
    ),
    NetworkErrorWords(
        "the TLS", "The TLS connection fails.", "Check the host's clock and certificates, and what stands between."
    ),
    NetworkErrorWords("the proxy", "The proxy cannot be reached or refuses.", "Check proxy of {key}, or empty it."),
    NetworkErrorWords(
        "no connection",
        "Nobody answers at its address.",
        "Look whether it runs; check base_url of {key}, firewall, IPv6.",
    ),
)
_OTHER_ERROR = NetworkErrorWords(
    "", "It cannot be reached.", "Check network, proxy and base_url of {key}; `doctor` probes it."
)


def check(evidence: Evidence) -> Iterator[Finding]:
    """Say which host, by which class of failure, how often, and whether the rest of the network works."""
    failure = last_failure(evidence)
    if cause_of_failure(evidence) is not FailureCause.NETWORK or failure is None or edited_since(evidence):
        return
    provider = str(failure.request.record.request.model.provider)
    route = next(
        (one for one in evidence.routes if one.provider == provider), ProviderRoute(provider=provider, host="")
    )
    words = next((one for one in _CLASSES if failure.attempt.error.startswith(one.said)), _OTHER_ERROR)
    request = last_request(evidence)
    yield Finding(
        rule="NET",
        stage=FunnelStage.REQUEST,
        confidence=Confidence.CONFIRMED,
        verdict=f"{place_name(evidence)}: model not reachable",
        why=(
            words.why,
            *_named(route),
            *_tries(evidence),
            *(("It is still trying.",) if is_pending(evidence) else ()),
            *_elsewhere(evidence),
        ),
        evidence=(
            *(ref(HandleKind.REQUEST, request.id, "request, and each try") if request else ()),
            *message_ref(evidence),
        ),
        advice="Tell the operator: the way to the model service is shut.",
        operator_advice=words.fix.replace("{key}", f"[providers.{provider}]"),
    )


def _named(route: ProviderRoute) -> Iterator[str]:
    """Name the host and the proxy, where the configuration does."""
    host = f" at {quote_line(route.host, 34)}" if route.host else ""
    proxy = f"by the proxy {quote_line(route.proxy, 34)}." if route.proxy else ""
    if host or proxy:
        yield f"It is {quote_line(route.provider, 16)}{host}" + (
            f", {proxy}" if proxy and not host else "," if proxy else "."
        )
    if host and proxy:
        yield proxy


def _tries(evidence: Evidence) -> Iterator[str]:
    tries = [one for request in (evidence.turn.requests if evidence.turn else ()) for one in request.attempts]
    failed = [one for one in tries if one.response is None]
    if failed:
        times = "once" if len(failed) == 1 else f"{len(failed):,} times"
        yield f"Tried {times}, last {clock_time(failed[-1].at)}."
    good = max((health.last_success_at for health in evidence.models), default=0)
    if good:
        yield f"A model last answered {minute(good)}."


def _elsewhere(evidence: Evidence) -> Iterator[str]:
    """Say that the platform is reached, where it is: then the host is not cut off as a whole."""
    adapter = evidence.adapter
    if adapter is not None and evidence.live and adapter.state is AdapterState.UP and not adapter_fault(evidence):
        yield f"{adapter.name} is reached: it is not the whole network."
