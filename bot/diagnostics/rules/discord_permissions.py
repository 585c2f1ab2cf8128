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
from bot.diagnostics.evidence.deliveries import HinderedChunk, WriteHindrance, chunk_ref, hindered_chunk
from bot.diagnostics.evidence.evidence import CHOSEN_BY_ASKER, Evidence
from bot.diagnostics.evidence.evidence_reader import is_pending, last_seen_ref, message_ref, outcome, place_name
from bot.domain.finding import Confidence, Finding, FunnelStage
from bot.domain.health import ProbeResult
from bot.domain.ledger import Outcome
from bot.sentences import say
from bot.text.text import quote_line
from bot.text.times import clock_time

_ANSWERED_OUTCOMES = frozenset({Outcome.REPLIED, Outcome.COMMAND})
_DEAF_HINDRANCES = frozenset({WriteHindrance.NO_ACCESS, WriteHindrance.HIDDEN})
"""What keeps the bot from hearing anything there, not from answering alone."""
_ACCOUNT_HINDRANCES = frozenset({WriteHindrance.TIMED_OUT, WriteHindrance.PENDING, WriteHindrance.QUARANTINED})
_CONNECT_RIGHT = "Connect"
_LINE_CHARS = 56


class HindranceSentences(NamedTuple):
    """The sentences that name a hindrance and say how it ends."""

    verdict: str
    why: str
    advice: str

    @property
    def is_of_access(self) -> bool:
        """Whether it is that the bot may not come in at all."""
        return self in (_SENTENCES[WriteHindrance.NO_ACCESS], _NO_CONNECT, _EITHER)


_SENTENCES = {
    WriteHindrance.RIGHTS: HindranceSentences(
        "discord_permissions.rights", "discord_permissions.rights-why", "discord_permissions.rights-advice"
    ),
    WriteHindrance.NO_ACCESS: HindranceSentences(
        "discord_permissions.no-access", "discord_permissions.no-access-why", "discord_permissions.no-access-advice"
    ),
    WriteHindrance.HIDDEN: HindranceSentences(
        "discord_permissions.hidden", "discord_permissions.hidden-why", "discord_permissions.hidden-advice"
    ),
    WriteHindrance.NO_RIGHTS: HindranceSentences(
        "discord_permissions.no-rights", "discord_permissions.no-rights-why", "discord_permissions.no-rights-advice"
    ),
    WriteHindrance.ARCHIVED: HindranceSentences(
        "discord_permissions.archived", "discord_permissions.archived-why", "discord_permissions.archived-advice"
    ),
    WriteHindrance.LOCKED: HindranceSentences(
        "discord_permissions.locked", "discord_permissions.locked-why", "discord_permissions.locked-advice"
    ),
    WriteHindrance.TIMED_OUT: HindranceSentences(
        "discord_permissions.timed-out", "discord_permissions.timed-out-why", "discord_permissions.timed-out-advice"
    ),
    WriteHindrance.PENDING: HindranceSentences(
        "discord_permissions.pending", "discord_permissions.pending-why", "discord_permissions.pending-advice"
    ),
    WriteHindrance.QUARANTINED: HindranceSentences(
        "discord_permissions.quarantined",
        "discord_permissions.quarantined-why",
        "discord_permissions.quarantined-advice",
    ),
}
_NO_CONNECT = HindranceSentences(
    "discord_permissions.no-connect", "discord_permissions.no-connect-why", "discord_permissions.no-connect-advice"
)


_SHUT_OUT = "discord_permissions.shut-out"
"""What a refusal alone says; who looks at the channel now knows more."""
_EITHER = HindranceSentences(_SHUT_OUT, "discord_permissions.shut-out-why", "discord_permissions.no-access-advice")


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
    words = _sentences(hindrance, told)
    verdict = _SHUT_OUT if refused and words.is_of_access else words.verdict
    deaf = refused is None and hindrance in _DEAF_HINDRANCES
    yield Finding(
        rule=_rule(hindrance, told),
        stage=FunnelStage.ARRIVAL if deaf else FunnelStage.DELIVERY,
        confidence=_confidence(refused, hindrance),
        verdict=say(verdict, place=place_name(evidence)),
        why=(say(words.why, name=platform_title(evidence.target.channel)), *_missing(told), *_until(told)),
        evidence=(
            *(chunk_ref(refused.row, "refused") if refused else ()),
            *(message_ref(evidence) or last_seen_ref(evidence)),
        ),
        advice=(told.fix if told is not None and fact(told.facts, "denied") else "") or say(words.advice),
        settle="" if refused else say("discord_permissions.settle"),
    )


def _sentences(hindrance: WriteHindrance, told: ProbeResult | None) -> HindranceSentences:
    """Choose what is said: what is the matter, as far as the refusal says, and why, as far as the platform says now."""
    if hindrance is WriteHindrance.NO_ACCESS:
        missing = fact(told.facts, "missing") if told else ""
        return _NO_CONNECT if missing == _CONNECT_RIGHT else _SENTENCES[hindrance] if missing else _EITHER
    if told is not None and told.code in _ACCOUNT_HINDRANCES:
        return _SENTENCES[WriteHindrance(told.code)]._replace(verdict=_SENTENCES[hindrance].verdict)
    return _SENTENCES[hindrance]


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
    asks_of_it = evidence.target.about_why in CHOSEN_BY_ASKER and ended is not None and ended not in _ANSWERED_OUTCOMES
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
    lacking = (say("discord_permissions.missing", what=quote_line(missing, 50)),) if missing else ()
    return (*lacking, *who[:2])


def _until(told: ProbeResult | None) -> tuple[str, ...]:
    until = fact(told.facts, "until") if told else ""
    known = until.isascii() and until.isdigit()
    return (say("discord_permissions.until", time=clock_time(int(until))),) if known else ()
