"""TG-409, TG-WEBHOOK, TOKEN, NET, TG-STALL and DC-ZOMBIE: the adapter knows why it hears nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from bot.diagnostics.evidence.adapter_facts import (
    API_VERSION,
    CONFLICT,
    INTENTS,
    INTERNAL,
    LAST_CLOSE,
    NETWORK,
    PILING,
    RECONNECTS,
    SESSION_LIMIT,
    SHARDS,
    STALLED,
    STORE,
    TOKEN,
    WEBHOOK,
    WEBHOOK_ERROR,
    WEBHOOK_HOST,
    adapter_fault,
    backlog_growth,
    fact,
    is_polled,
    last_poll,
    pending_updates,
    platform_title,
)
from bot.diagnostics.evidence.deliveries import waiting_chunk
from bot.diagnostics.evidence.evidence import Evidence
from bot.diagnostics.evidence.evidence_reader import last_seen_ref
from bot.domain.bot_accounts import BELONGS_TO, FOREIGN, TOKEN_OF
from bot.domain.finding import Confidence, Finding, FunnelStage
from bot.domain.health import AdapterHealth
from bot.domain.ids import platform_of
from bot.sentences import say
from bot.text.text import quote_line
from bot.text.times import age, clock_time

_MAX_DETAIL_CHARS = 60


class ConnectionFault(NamedTuple):
    """The sentences that name a fault of the connection, what still works, and what the operator can do.

    `why` is empty where the adapter's own words say more.
    """

    rule: str
    verdict: str
    why: str
    works: str
    fix: str
    advice: str = "adapter_down.tell-operator"


_ZOMBIE = "DC-ZOMBIE"
_DEAF = ConnectionFault(
    _ZOMBIE,
    "adapter_down.deaf",
    "adapter_down.deaf-why",
    "adapter_down.may-send",
    "adapter_down.reconnect-fix",
    "adapter_down.wait-a-minute",
)
_FAULTS = {
    CONFLICT: ConnectionFault(
        "TG-409",
        "adapter_down.conflict",
        "adapter_down.conflict-why",
        "adapter_down.conflict-works",
        "adapter_down.conflict-fix",
    ),
    WEBHOOK: ConnectionFault(
        "TG-WEBHOOK",
        "adapter_down.webhook",
        "adapter_down.webhook-why",
        "adapter_down.webhook-works",
        "adapter_down.webhook-fix",
    ),
    TOKEN: ConnectionFault(
        "TOKEN",
        "adapter_down.token",
        "adapter_down.token-why",
        "adapter_down.token-works",
        "adapter_down.token-fix",
    ),
    FOREIGN: ConnectionFault(
        "TOKEN",
        "adapter_down.foreign",
        "adapter_down.foreign-why",
        "adapter_down.foreign-works",
        "adapter_down.foreign-fix",
    ),
    STALLED: ConnectionFault(
        "TG-STALL",
        "adapter_down.stalled",
        "adapter_down.stalled-why",
        "adapter_down.may-send",
        "adapter_down.reconnect-fix",
        "adapter_down.wait-a-minute",
    ),
    PILING: ConnectionFault(
        "TG-STALL",
        "adapter_down.piling",
        "adapter_down.piling-why",
        "adapter_down.may-send",
        "adapter_down.piling-fix",
        "adapter_down.wait-a-minute",
    ),
    INTENTS: ConnectionFault(
        _ZOMBIE, "adapter_down.intents", "", "adapter_down.nothing-arrives", "adapter_down.intents-fix"
    ),
    SHARDS: ConnectionFault(
        _ZOMBIE, "adapter_down.shards", "", "adapter_down.nothing-arrives", "adapter_down.shards-fix"
    ),
    API_VERSION: ConnectionFault(
        _ZOMBIE, "adapter_down.api-version", "", "adapter_down.nothing-arrives", "adapter_down.api-version-fix"
    ),
    SESSION_LIMIT: ConnectionFault(
        _ZOMBIE,
        "adapter_down.session-limit",
        "adapter_down.session-limit-why",
        "adapter_down.session-limit-works",
        "adapter_down.session-limit-fix",
    ),
    STORE: ConnectionFault(
        "NOT-RUNNING", "adapter_down.store", "", "adapter_down.store-works", "adapter_down.store-fix"
    ),
    INTERNAL: ConnectionFault(
        "NOT-RUNNING", "adapter_down.internal", "", "adapter_down.internal-works", "adapter_down.internal-fix"
    ),
}
_NETWORK = {
    "dns": ("adapter_down.dns-why", "adapter_down.dns-fix"),
    "tls": ("adapter_down.tls-why", "adapter_down.tls-fix"),
    "proxy": ("adapter_down.proxy-why", "adapter_down.proxy-fix"),
    "connect": ("adapter_down.connect-why", "adapter_down.route-fix"),
    "timeout": ("adapter_down.timeout-why", "adapter_down.route-fix"),
    "cut": ("adapter_down.cut-why", "adapter_down.cut-fix"),
    "answer": ("adapter_down.answer-why", "adapter_down.answer-fix"),
}
"""What each class of failure means, by the word that an adapter's detail begins with."""

_OWN_RULES = frozenset({"NET", "TG-STALL", "TG-WEBHOOK", _ZOMBIE})
"""Rules that see more than the adapter, whose own advice is as good for the others."""

_MAX_RECONNECTS_PER_HOUR = 12
"""New connections in an hour that are too many: the platform itself asks for one every few hours."""

_CONNECT_FAULTS = ("dns", "tls", "proxy", "connect")
_NEVER_CONNECTED = re.compile("no connection")


def check(evidence: Evidence) -> Iterator[Finding]:
    """Say since when, with the last sign of life, what still works, and how it is mended."""
    adapter, code = evidence.adapter, adapter_fault(evidence)
    if adapter is not None and not code:
        yield from _unsteady(evidence, adapter)
    if adapter is None or not code:
        return
    fault = _fault_of(adapter, code)
    platform = evidence.target.channel
    values = {"name": platform_title(platform), "key": platform_of(platform), **_accounts(adapter)}
    values["host"] = quote_line(fact(adapter.facts, WEBHOOK_HOST), 30) or "none"
    why = say(fault.why, **values) if fault.why else _sentence(adapter.detail)
    yield Finding(
        rule=fault.rule,
        stage=FunnelStage.PROCESS,
        confidence=Confidence.CONFIRMED,
        verdict=say(fault.verdict, **values),
        why=(
            _since(evidence, adapter),
            *((why,) if why else ()),
            *_waiting(evidence, adapter),
            *((say("adapter_down.answer-ready"),) if waiting_chunk(evidence) else ()),
            say(fault.works),
        ),
        evidence=last_seen_ref(evidence),
        advice=say(fault.advice),
        operator_advice=adapter.fix if adapter.fix and fault.rule not in _OWN_RULES else say(fault.fix, **values),
    )


def _unsteady(evidence: Evidence, adapter: AdapterHealth) -> Iterator[Finding]:
    """Say that a connection is up, but only between one loss and the next."""
    count = fact(adapter.facts, RECONNECTS)
    times = int(count) if count.isascii() and count.isdigit() else 0
    if times < _MAX_RECONNECTS_PER_HOUR or not evidence.running:
        return
    name, last = platform_title(evidence.target.channel), fact(adapter.facts, LAST_CLOSE)
    yield Finding(
        rule=_ZOMBIE,
        stage=FunnelStage.PROCESS,
        confidence=Confidence.LIKELY,
        verdict=say("adapter_down.unsteady", name=name),
        why=(
            say("adapter_down.unsteady-times", count=times),
            *((say("adapter_down.unsteady-code", code=quote_line(last, 10)),) if last else ()),
            say("adapter_down.unsteady-reads"),
        ),
        evidence=last_seen_ref(evidence),
        advice=say("adapter_down.unsteady-advice"),
        operator_advice=say("adapter_down.unsteady-fix"),
        settle=say("adapter_down.unsteady-settle"),
    )


def _sentence(detail: str) -> str:
    text = quote_line(detail, _MAX_DETAIL_CHARS)
    return text[:1].upper() + text[1:]


def _accounts(adapter: AdapterHealth) -> dict[str, str]:
    """Name the bot whose data it is, and the one whose token it is."""
    names = {"theirs": BELONGS_TO, "ours": TOKEN_OF}
    return {word: quote_line(fact(adapter.facts, name), _MAX_DETAIL_CHARS) for word, name in names.items()}


def _fault_of(adapter: AdapterHealth, code: str) -> ConnectionFault:
    """Choose the fault; what never came to be a connection is no stalled one, however long it lasts."""
    kind = adapter.detail.partition(":")[0]
    unconnected = kind in _CONNECT_FAULTS or _NEVER_CONNECTED.search(adapter.detail)
    if code != NETWORK and not (code == STALLED and unconnected):
        return _DEAF if code == STALLED and not is_polled(adapter) else _FAULTS[code]
    why, fix = _NETWORK.get(kind, ("", "adapter_down.network-fix"))
    return ConnectionFault("NET", "adapter_down.network", why, "adapter_down.network-works", fix)


def _since(evidence: Evidence, adapter: AdapterHealth) -> str:
    since, polled = clock_time(adapter.since), last_poll(adapter)
    if not is_polled(adapter):
        return say("adapter_down.nothing-since", time=since)
    if not polled:
        return say("adapter_down.no-good-poll", time=since)
    return say("adapter_down.last-good-poll", time=since, age=age(evidence.now - polled))


def _waiting(evidence: Evidence, adapter: AdapterHealth) -> tuple[str, ...]:
    """Say what waits at the platform, whether it piles up, and what the platform says of another program's webhook."""
    count, more, told = pending_updates(evidence), backlog_growth(evidence), fact(adapter.facts, WEBHOOK_ERROR)
    here = (say("adapter_down.waiting", count=count, more=more),) if count else ()
    words = quote_line(told, _MAX_DETAIL_CHARS).rstrip(".")
    there = (say("adapter_down.webhook-error", words=words),) if told else ()
    line = " ".join((*here, *there))
    return (line,) if line else ()
    return (f"{words[:1].upper()}{words[1:]}.",) if words else ()
