"""DC-VIEW, DC-CONNECT, DC-PERMS, TG-PERMS: the bot is kept out of the channel, or lacks a right there.

A thread that is closed to it is a right that it lacks.
"""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap
from typing import NamedTuple

from bot.diagnostics.evidence.adapter_facts import (
    adapter_fault,
    channel_probe,
    fact,
    platform_title,
    recent_message_age,
)
from bot.diagnostics.evidence.deliveries import HinderedChunk, WriteHindrance, hindered_chunk
from bot.diagnostics.evidence.evidence import Evidence
from bot.diagnostics.evidence.evidence_reader import is_pending, last_seen_ref, message_ref, outcome, place_name, ref
from bot.domain.finding import Confidence, EvidenceRef, Finding, FunnelStage
from bot.domain.handles import HandleKind
from bot.domain.health import ProbeResult
from bot.domain.ledger import Outcome
from bot.domain.turn import StoredOutbox
from bot.text.text import quote_line
from bot.text.times import clock_time

_ANSWERED_OUTCOMES = frozenset({Outcome.REPLIED, Outcome.COMMAND})
_CHOICES_BY_ASKER = frozenset({"replied to", "asked about"})
_DEAF_HINDRANCES = frozenset({WriteHindrance.NO_ACCESS, WriteHindrance.HIDDEN})
"""What keeps the bot from hearing anything there, not from answering alone."""
_ACCOUNT_HINDRANCES = frozenset({WriteHindrance.TIMED_OUT, WriteHindrance.PENDING, WriteHindrance.QUARANTINED})
_CONNECT_RIGHT = "Connect"
_LINE_CHARS = 56


class HindranceWords(NamedTuple):
    """What a hindrance is called and how it ends."""

    verdict: str
    why: str
    advice: str

    @property
    def is_of_access(self) -> bool:
        """Whether it is that the bot may not come in at all."""
        return self in (_WORDS[WriteHindrance.NO_ACCESS], _SPOKEN_WORDS, _EITHER_WORDS)


_WORDS = {
    WriteHindrance.RIGHTS: HindranceWords(
        "a right is missing",
        "{name} does not let the bot do that here.",
        "Give the bot's role View Channel, Read Message History, Send Messages (and in Threads), Attach Files.",
    ),
    WriteHindrance.NO_ACCESS: HindranceWords(
        "the bot may not view it",
        "{name} tells the bot nothing from there.",
        "Let the bot's role view the channel (Edit Channel, Permissions); a voice channel takes Connect as well.",
    ),
    WriteHindrance.HIDDEN: HindranceWords(
        "the bot is not shown it",
        "View Channel is missing, or it is a private thread.",
        "Let the bot view the channel; into a private thread its members let it by mentioning it.",
    ),
    WriteHindrance.NO_RIGHTS: HindranceWords(
        "the bot may not write there",
        "{name} does not let the bot write in this chat.",
        "Let members send messages there, or make the bot an admin.",
    ),
    WriteHindrance.ARCHIVED: HindranceWords(
        "the thread is archived",
        "Nobody can write into it until it is opened.",
        "Write a message in the thread yourself, which opens it; then ask again.",
    ),
    WriteHindrance.LOCKED: HindranceWords(
        "the thread is locked",
        "Only who manages threads may write into it.",
        "Unlock the thread, or give the bot's role Manage Threads.",
    ),
    WriteHindrance.TIMED_OUT: HindranceWords(
        "the bot is timed out",
        "Somebody gave it a timeout on this server.",
        "Lift the timeout: Server Settings, Members, the bot.",
    ),
    WriteHindrance.PENDING: HindranceWords(
        "the bot waits to be let in",
        "It has not passed the server's membership screening.",
        "Approve the bot under Members, or switch Membership Screening off.",
    ),
    WriteHindrance.QUARANTINED: HindranceWords(
        "the bot is in quarantine",
        "AutoMod lets who bears its name do nothing.",
        "Give the bot another name or nickname.",
    ),
}
_SPOKEN_WORDS = HindranceWords(
    "the bot may not connect to it",
    "The chat of a voice channel takes the right to connect.",
    "Let the bot's role connect to the channel (Edit Channel, Permissions, Connect).",
)


_NO_ACCESS = "the bot has no access"
"""What a refusal alone says; who looks at the channel now knows more."""
_EITHER_WORDS = HindranceWords(
    _NO_ACCESS,
    "It may not view it, or, where people speak, not connect.",
    "Let the bot's role view the channel (Edit Channel, Permissions); a voice channel takes Connect as well.",
)


def check(evidence: Evidence) -> Iterator[Finding]:
    """Believe what the platform refused; then what it says of the bot's rights there now."""
    if evidence.target.place.is_dm or not evidence.running or adapter_fault(evidence):
        return
    refused, told = hindered_chunk(evidence), channel_probe(evidence)
    hindrance = refused.hindrance if refused else _told(evidence, told)
    if hindrance is None:
        return
    if refused is not None and not _explains(told, refused.hindrance):
        told = None  # what the platform says now is about something else than what it refused then
    words = _words(hindrance, told)
    deaf = refused is None and hindrance in _DEAF_HINDRANCES
    yield Finding(
        rule=_rule(hindrance, told),
        stage=FunnelStage.ARRIVAL if deaf else FunnelStage.DELIVERY,
        confidence=_confidence(refused, hindrance),
        verdict=f"{place_name(evidence)}: {_NO_ACCESS if refused and words.is_of_access else words.verdict}",
        why=(words.why.format(name=platform_title(evidence.target.channel)), *_missing(told), *_until(told)),
        evidence=(*(_row_ref(refused.row) if refused else ()), *(message_ref(evidence) or last_seen_ref(evidence))),
        advice=(told.fix if told is not None and fact(told.facts, "denied") else "") or words.advice,
        settle="" if refused else "ask the bot something there.",
    )


def _words(hindrance: WriteHindrance, told: ProbeResult | None) -> HindranceWords:
    """Choose the words: what is the matter, as far as the refusal says, and why, as far as the platform says now."""
    if hindrance is WriteHindrance.NO_ACCESS:
        missing = fact(told.facts, "missing") if told else ""
        return _SPOKEN_WORDS if missing == _CONNECT_RIGHT else _WORDS[hindrance] if missing else _EITHER_WORDS
    if told is not None and told.code in _ACCOUNT_HINDRANCES:
        return _WORDS[WriteHindrance(told.code)]._replace(verdict=_WORDS[hindrance].verdict)
    return _WORDS[hindrance]


def _rule(hindrance: WriteHindrance, told: ProbeResult | None) -> str:
    """Name the cause: which of the two rights that open a channel is missing, where the platform says so."""
    if hindrance is WriteHindrance.NO_RIGHTS:
        return "TG-PERMS"
    missing = fact(told.facts, "missing") if told is not None and hindrance is WriteHindrance.NO_ACCESS else ""
    if not missing:
        return "DC-PERMS"
    return "DC-CONNECT" if missing == _CONNECT_RIGHT else "DC-VIEW"


def _confidence(refused: HinderedChunk | None, hindrance: WriteHindrance) -> Confidence:
    """What was refused is on record, and overwrites prove who may not view; of what is hidden nobody knows why."""
    if refused is not None or hindrance is WriteHindrance.NO_ACCESS:
        return Confidence.CONFIRMED
    return Confidence.CANNOT_TELL if hindrance is WriteHindrance.HIDDEN else Confidence.LIKELY


def _told(evidence: Evidence, told: ProbeResult | None) -> WriteHindrance | None:
    """Return what the platform says stands in the way, where nothing else has been answered or is under way.

    What keeps the bot from hearing needs no unanswered message; but what was heard just now weighs more.
    """
    if told is None or told.code not in set(WriteHindrance) or is_pending(evidence):
        return None
    hindrance, ended = WriteHindrance(told.code), outcome(evidence)
    if hindrance not in _DEAF_HINDRANCES:
        return None if ended in _ANSWERED_OUTCOMES else hindrance
    asks_of_it = (
        evidence.target.about_why in _CHOICES_BY_ASKER and ended is not None and ended not in _ANSWERED_OUTCOMES
    )
    return None if recent_message_age(evidence) or asks_of_it else hindrance


def _explains(told: ProbeResult | None, hindrance: WriteHindrance) -> bool:
    """Say whether what the platform says now is what it refused: a right, or the whole account behind one."""
    if told is None or told.state not in {"failed", "warning"}:
        return False
    return told.code == hindrance or (hindrance is WriteHindrance.RIGHTS and told.code in _ACCOUNT_HINDRANCES)


def _missing(told: ProbeResult | None) -> tuple[str, ...]:
    missing, denied = (fact(told.facts, name) if told else "" for name in ("missing", "denied"))
    # a role's name may be long, and a line of a phone is not
    words = quote_line(f"{denied[:1].upper()}{denied[1:]}.", 2 * _LINE_CHARS) if denied else ""
    who = wrap(words, _LINE_CHARS, break_on_hyphens=False)
    return (*((f"Missing: {quote_line(missing, 50)}.",) if missing else ()), *who[:2])


def _until(told: ProbeResult | None) -> tuple[str, ...]:
    until = fact(told.facts, "until") if told else ""
    return (f"It ends at {clock_time(int(until))}.",) if until.isascii() and until.isdigit() else ()


def _row_ref(row: StoredOutbox) -> tuple[EvidenceRef, ...]:
    return ref(HandleKind.DELIVERY, row.row, f"part {row.body.part + 1} of {row.body.parts}, refused")
