"""DC-PERMS: the bot lacks a right in the channel, or the thread is closed to it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from bot.diagnostics.deliveries import Hindrance, hindered
from bot.diagnostics.evidence import Evidence
from bot.diagnostics.hearing import channel_probe, fact, title, trouble
from bot.diagnostics.reading import last_seen_ref, message_ref, on_its_way, outcome, place, ref
from bot.domain.finding import Confidence, EvidenceRef, Finding, FunnelStage
from bot.domain.handles import HandleKind
from bot.domain.health import Probe
from bot.domain.ledger import Outcome
from bot.domain.text import quote_line
from bot.domain.times import clock_time
from bot.domain.turn import StoredOutbox

_ANSWERED = frozenset({Outcome.REPLIED, Outcome.COMMAND})


class Words(NamedTuple):
    """What a hindrance is called and how it ends."""

    verdict: str
    why: str
    advice: str


_WORDS = {
    Hindrance.RIGHTS: Words(
        "a right is missing",
        "{name} does not let the bot do that here.",
        "Give the bot's role View Channel, Read Message History, Send Messages (and in Threads), Attach Files.",
    ),
    Hindrance.ARCHIVED: Words(
        "the thread is archived",
        "Nobody can write into it until it is opened.",
        "Write a message in the thread yourself, which opens it; then ask again.",
    ),
    Hindrance.LOCKED: Words(
        "the thread is locked",
        "Only who manages threads may write into it.",
        "Unlock the thread, or give the bot's role Manage Threads.",
    ),
    Hindrance.TIMED_OUT: Words(
        "the bot is timed out",
        "Somebody gave it a timeout on this server.",
        "Lift the timeout: Server Settings, Members, the bot.",
    ),
}


def check(evidence: Evidence) -> Iterator[Finding]:
    """Believe what the platform refused; then what it says of the bot's rights there now."""
    if evidence.target.place.is_dm or not evidence.running or trouble(evidence):
        return
    refused, told = hindered(evidence), channel_probe(evidence)
    hindrance = refused.hindrance if refused else _told(evidence, told)
    if hindrance is None:
        return
    words = _WORDS[hindrance]
    yield Finding(
        rule="DC-PERMS",
        stage=FunnelStage.DELIVERY,
        confidence=Confidence.CONFIRMED if refused else Confidence.LIKELY,
        verdict=f"{place(evidence)}: {words.verdict}",
        why=(words.why.format(name=title(evidence.target.channel)), *_missing(told), *_until(told)),
        evidence=(*(_row_ref(refused.row) if refused else ()), *(message_ref(evidence) or last_seen_ref(evidence))),
        advice=words.advice,
        settle="" if refused else "ask the bot something there.",
    )


def _told(evidence: Evidence, told: Probe | None) -> Hindrance | None:
    """Return what the platform says stands in the way, where nothing else has been answered or is under way."""
    if told is None or told.code not in set(Hindrance) or on_its_way(evidence):
        return None
    return None if outcome(evidence) in _ANSWERED else Hindrance(told.code)


def _missing(told: Probe | None) -> tuple[str, ...]:
    missing = fact(told.facts, "missing") if told else ""
    return (f"Missing: {quote_line(missing, 60)}.",) if missing else ()


def _until(told: Probe | None) -> tuple[str, ...]:
    until = fact(told.facts, "until") if told else ""
    return (f"It ends at {clock_time(int(until))}.",) if until.isascii() and until.isdigit() else ()


def _row_ref(row: StoredOutbox) -> tuple[EvidenceRef, ...]:
    return ref(HandleKind.DELIVERY, row.row, f"part {row.body.part + 1} of {row.body.parts}, refused")
