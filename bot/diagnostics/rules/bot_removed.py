"""REMOVED: the bot is not in the group any more, or there is no such place: nothing that is said there reaches it."""

from __future__ import annotations

from collections.abc import Iterator

from bot.diagnostics.evidence.adapter_facts import (
    NO_SUCH_PLACE,
    NOT_MEMBER,
    adapter_fault,
    channel_probe,
    platform_title,
    recent_message_age,
)
from bot.diagnostics.evidence.evidence import CHOSEN_BY_ASKER, Evidence
from bot.diagnostics.evidence.evidence_reader import (
    last_seen_ref,
    message,
    outcome,
    place_name,
    quote_service_words,
    ref,
)
from bot.domain.finding import Confidence, EvidenceRef, Finding, FunnelStage
from bot.domain.handles import HandleKind
from bot.domain.health import ProbeResult
from bot.domain.ledger import Outcome, StoredInbound
from bot.domain.messages import AuthorKind, EventKind, InboundKind
from bot.sentences import say
from bot.text.times import minute

_REMOVED_HINDRANCES = frozenset({NOT_MEMBER, NO_SUCH_PLACE})
_KINDS_WITHOUT_MEMBER = frozenset({"guest_message", "business_message"})
"""What a platform delivers from chats in which the bot is not."""
_WELL_OUTCOMES = frozenset({None, Outcome.REPLIED, Outcome.COMMAND})


def check(evidence: Evidence) -> Iterator[Finding]:
    """Believe the platform's word of now; where it was not asked, the last thing that came from the group."""
    if evidence.target.place.is_dm or not evidence.running or adapter_fault(evidence):
        return
    if evidence.target.about_why in CHOSEN_BY_ASKER and outcome(evidence) not in _WELL_OUTCOMES:
        return  # whoever points at a message asks why that one was not answered
    told, parting = channel_probe(evidence), _parting(evidence)
    if told.code not in _REMOVED_HINDRANCES if told is not None else parting is None:
        return
    if parting is None and recent_message_age(evidence):
        return  # what has just come from there weighs more
    if parting is None and _is_of_others(message(evidence)):
        return
    if told is not None and told.code == NO_SUCH_PLACE:
        yield _gone(evidence, told)
        return
    yield Finding(
        rule="REMOVED",
        stage=FunnelStage.ARRIVAL,
        confidence=Confidence.CONFIRMED,
        verdict=say("bot_removed.verdict", place=place_name(evidence)),
        why=(_how(parting), say("bot_removed.delivers-nothing", name=platform_title(evidence.target.channel))),
        evidence=_refs(evidence, parting),
        advice=say("bot_removed.add-again"),
    )


def _gone(evidence: Evidence, told: ProbeResult) -> Finding:
    said = say("bot_removed.said", name=platform_title(evidence.target.channel))
    return Finding(
        rule="REMOVED",
        stage=FunnelStage.ARRIVAL,
        confidence=Confidence.CONFIRMED,
        verdict=say("bot_removed.verdict-gone", place=place_name(evidence)),
        why=(said, *quote_service_words(told.evidence)),
        evidence=last_seen_ref(evidence),
        advice=say("bot_removed.name-again"),
    )


def _parting(evidence: Evidence) -> StoredInbound | None:
    """Return the event by which the bot left, if nothing has come since."""
    for trail in evidence.recent:
        event = trail.inbound.inbound.event
        if event is not None and event.kind is EventKind.LEFT:
            return trail.inbound
        if trail.inbound.inbound.kind is InboundKind.MESSAGE or (event and event.kind is EventKind.JOINED):
            return None
    return None


def _is_of_others(found: StoredInbound | None) -> bool:
    event = found.inbound.event if found is not None else None
    return event is not None and event.name in _KINDS_WITHOUT_MEMBER


def _how(parting: StoredInbound | None) -> str:
    if parting is None:
        return say("bot_removed.no-member")
    person = parting.inbound.author.kind is AuthorKind.PERSON
    return say("bot_removed.removed-by" if person else "bot_removed.removed", time=minute(parting.arrived_at))


def _refs(evidence: Evidence, parting: StoredInbound | None) -> tuple[EvidenceRef, ...]:
    if parting is None:
        return last_seen_ref(evidence)
    return ref(HandleKind.INBOUND, parting.id, say("bot_removed.removal"))
