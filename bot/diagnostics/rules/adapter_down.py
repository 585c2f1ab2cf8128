"""TG-409, TG-WEBHOOK, TOKEN, NET, TG-STALL and DC-ZOMBIE: the adapter knows why it hears nothing."""

from __future__ import annotations

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
from bot.text.text import quote_line
from bot.text.times import age, clock_time

_TELL_OPERATOR = "Tell the operator: only the host can help."
_MAX_DETAIL_CHARS = 60


class ConnectionFaultWords(NamedTuple):
    """What a fault of the connection is called, what still works, and what the operator can do.

    `why` is empty where the adapter's own words say more. `{name}` stands for the platform, `{key}` for its table.
    """

    rule: str
    verdict: str
    why: str
    works: str
    fix: str
    advice: str = _TELL_OPERATOR


_ZOMBIE = "DC-ZOMBIE"
_DEAF_WORDS = ConnectionFaultWords(
    _ZOMBIE,
    "The connection to {name} is deaf",
    "No event comes and no heartbeat is answered.",
    "Sending may work; commands and DMs do not arrive.",
    "Restart the bot if it stays; look at what stands between it and the platform.",
    "Wait a minute: it connects anew by itself. If it stays, tell the operator.",
)
_WORDS = {
    CONFLICT: ConnectionFaultWords(
        "TG-409",
        "Two programs share the bot's token",
        "Each gets a part of what is written.",
        "Sending works; commands may go to the other one.",
        "Stop the other program; if you know of none, the token has leaked: have it revoked.",
    ),
    WEBHOOK: ConnectionFaultWords(
        "TG-WEBHOOK",
        "Another program gets the messages",
        "A webhook sends them to {host}.",
        "Sending works; no command or message arrives.",
        "Stop the program behind it, or restart with `glassmind run --take-over` (for good: take_over = true).",
    ),
    TOKEN: ConnectionFaultWords(
        "TOKEN",
        "{name} refuses the bot's token",
        "It was revoked, replaced, or mistyped.",
        "Nothing works until then: no message, no command.",
        "Set the token that the platform shows now, and start the bot again.",
    ),
    FOREIGN: ConnectionFaultWords(
        "TOKEN",
        "The token for {name} is another bot's",
        "What is stored belongs to {theirs}, the token is of {ours}.",
        "Nothing is heard or said there; what waits is kept.",
        "Put the right token in, or use another data directory.",
    ),
    STALLED: ConnectionFaultWords(
        "TG-STALL",
        "The connection to {name} is dead",
        "No poll comes back; the connection is renewed.",
        "Sending may work; commands and DMs do not arrive.",
        "Restart the bot if it stays; look at what stands between it and the platform.",
        "Wait a minute: it connects anew by itself. If it stays, tell the operator.",
    ),
    PILING: ConnectionFaultWords(
        "TG-STALL",
        "{name} is polled in vain",
        "Polls come back well and empty; each is on a new connection.",
        "Sending may work; commands and DMs do not arrive.",
        "Restart the bot if it stays; look at proxy and base_url: what stands there may answer in {name}'s place.",
        "Wait a minute: it connects anew by itself. If it stays, tell the operator.",
    ),
    INTENTS: ConnectionFaultWords(
        _ZOMBIE,
        "{name} refuses the intents",
        "",
        "No message and no command arrives.",
        "Developer Portal, Bot, Privileged Gateway Intents: switch on what the bot asks for.",
    ),
    SHARDS: ConnectionFaultWords(
        _ZOMBIE,
        "{name} refuses the shards",
        "",
        "No message and no command arrives.",
        "Set shard_ids and shard_count in [platforms.{key}], or remove both.",
    ),
    API_VERSION: ConnectionFaultWords(
        _ZOMBIE,
        "{name} refuses this version",
        "",
        "No message and no command arrives.",
        "Update the bot: its library speaks an old version of the gateway.",
    ),
    SESSION_LIMIT: ConnectionFaultWords(
        _ZOMBIE,
        "{name} lets the bot wait",
        "It connected anew too often today.",
        "Sending works; nothing that is written arrives.",
        "Find what restarts it so often; more than 1,000 sessions a day have the token reset.",
    ),
    STORE: ConnectionFaultWords(
        "NOT-RUNNING",
        "What arrives cannot be stored",
        "",
        "It waits at the platform, for a day.",
        "Free disk space; `doctor` says how much is left.",
    ),
    INTERNAL: ConnectionFaultWords(
        "NOT-RUNNING",
        "The {name} adapter fails",
        "",
        "Sending may work; nothing that is written arrives.",
        "This is a fault of the program: the log has the error; report it.",
    ),
}
_NETWORK_WORKS = "No message and no command gets through."
_NETWORK = {
    "dns": ("Its host name is not found (DNS).", "Check the resolver of the host, and base_url."),
    "tls": ("The TLS connection fails.", "Check certificates, the host's clock, and what stands between."),
    "proxy": ("The proxy cannot be reached or refuses.", "Check `proxy` of this platform, or empty it."),
    "connect": ("Nobody answers at its address.", "Check firewall, IPv4 and IPv6 routes, and proxy."),
    "timeout": ("No answer comes in time.", "Check firewall, IPv4 and IPv6 routes, and proxy."),
    "cut": ("The connection is cut each time.", "Look at proxy and firewall; if they are well, at its status page."),
    "answer": ("What answers there is not {name}.", "Check base_url and proxy: is it the service it should be?"),
}
"""What each class of failure means, by the word that an adapter's detail begins with."""

_OWN_RULES = frozenset({"NET", "TG-STALL", "TG-WEBHOOK", _ZOMBIE})
"""Rules that see more than the adapter, whose own advice is as good for the others."""

_MAX_RECONNECTS_PER_HOUR = 12
"""New connections in an hour that are too many: the platform itself asks for one every few hours."""

_CONNECT_FAULTS = ("dns", "tls", "proxy", "connect")


def check(evidence: Evidence) -> Iterator[Finding]:
    """Say since when, with the last sign of life, what still works, and how it is mended."""
    adapter, code = evidence.adapter, adapter_fault(evidence)
    if adapter is not None and not code:
        yield from _unsteady(evidence, adapter)
    if adapter is None or not code:
        return
    words = _words(adapter, code)
    name, host = platform_title(evidence.target.channel), fact(adapter.facts, WEBHOOK_HOST) or "another address"
    why = words.why or _sentence(adapter.detail)
    key = platform_of(evidence.target.channel)
    yield Finding(
        rule=words.rule,
        stage=FunnelStage.PROCESS,
        confidence=Confidence.CONFIRMED,
        verdict=words.verdict.format(name=name),
        why=(
            _since(evidence, adapter),
            *((_filled(why, name=name, host=quote_line(host, 30), **_accounts(adapter)),) if why else ()),
            *_waiting(evidence, adapter),
            *(("An answer is written, and goes out then.",) if waiting_chunk(evidence) else ()),
            words.works,
        ),
        evidence=last_seen_ref(evidence),
        advice=words.advice,
        operator_advice=_filled(words.fix, key=key, name=name)
        if words.rule in _OWN_RULES
        else adapter.fix or words.fix,
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
        verdict=f"The connection to {name} does not hold",
        why=(
            f"It was made anew {times:,} times in an hour.",
            *((f"The platform's last close code: {quote_line(last, 10)}.",) if last else ()),
            "What is said meanwhile is read afterwards.",
        ),
        evidence=last_seen_ref(evidence),
        advice="Answers come late; tell the operator.",
        operator_advice="Look at the network and the load of the host: heartbeats that come late end a connection.",
        settle="`doctor` shows the connection now.",
    )


def _sentence(detail: str) -> str:
    text = quote_line(detail, _MAX_DETAIL_CHARS)
    return text[:1].upper() + text[1:]


def _accounts(adapter: AdapterHealth) -> dict[str, str]:
    """Name the bot whose data it is, and the one whose token it is."""
    names = {"theirs": BELONGS_TO, "ours": TOKEN_OF}
    return {word: quote_line(fact(adapter.facts, name), _MAX_DETAIL_CHARS) for word, name in names.items()}


def _filled(text: str, **values: str) -> str:
    """Put values into our own words; what an adapter wrote may hold braces of its own."""
    for name, value in values.items():
        text = text.replace(f"{{{name}}}", value)
    return text


def _words(adapter: AdapterHealth, code: str) -> ConnectionFaultWords:
    """Choose the words; what never came to be a connection is no stalled one, however long it lasts."""
    kind = adapter.detail.partition(":")[0]
    unconnected = kind in _CONNECT_FAULTS or "no connection" in adapter.detail
    if code != NETWORK and not (code == STALLED and unconnected):
        return _DEAF_WORDS if code == STALLED and not is_polled(adapter) else _WORDS[code]
    why, fix = _NETWORK.get(kind, ("", "Check network, proxy and base_url; `doctor` probes the platform."))
    return ConnectionFaultWords("NET", "{name} cannot be reached", why, _NETWORK_WORKS, fix)


def _since(evidence: Evidence, adapter: AdapterHealth) -> str:
    since, polled = clock_time(adapter.since), last_poll(adapter)
    if not is_polled(adapter):
        return f"Since {since} nothing arrives here."
    return (
        f"Since {since}; last good poll {age(evidence.now - polled)} ago." if polled else f"No good poll since {since}."
    )


def _waiting(evidence: Evidence, adapter: AdapterHealth) -> tuple[str, ...]:
    """Say what waits at the platform, whether it piles up, and what the platform says of another program's webhook."""
    count, more, told = pending_updates(evidence), backlog_growth(evidence), fact(adapter.facts, WEBHOOK_ERROR)
    growing = f", {more:,} more than a look before" if more else ""
    here = (f"{count:,} update{'s' * (count != 1)} wait{'s' * (count == 1)} at the platform{growing}",) if count else ()
    there = (f"it fails there: {quote_line(told, _MAX_DETAIL_CHARS).rstrip('.')}",) if told else ()
    words = "; ".join((*here, *there))
    return (f"{words[:1].upper()}{words[1:]}.",) if words else ()
