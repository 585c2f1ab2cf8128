"""OUT-LENGTH, OUT-PARSE, RATE-OUT, SLOW-MODE, DM-CLOSED, SUPERGROUP: what the platform minds about an answer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from bot.diagnostics.evidence.adapter_facts import SLOW_MODE, channel_probe, fact, platform_title
from bot.diagnostics.evidence.deliveries import (
    PlatformObjection,
    RefusedChunk,
    chunk_ref,
    delivered_without_marks,
    lost_chunks,
    objection_to,
    refused_chunk,
)
from bot.diagnostics.evidence.evidence import Evidence
from bot.diagnostics.evidence.evidence_reader import is_pending, last_seen_ref, message_ref, outcome, place_name
from bot.domain.delivery_failures import fix_of
from bot.domain.finding import Confidence, EvidenceRef, Finding, FunnelStage
from bot.domain.handles import HandleKind, handle
from bot.domain.ledger import Outcome
from bot.domain.messages import InboundKind
from bot.domain.turn import OutboxState, StoredOutbox
from bot.sentences import say
from bot.text.text import utf16_length
from bot.text.times import age, clock_time


class ObjectionSentences(NamedTuple):
    """The sentences that name an objection, and what can be done; `known_fix` is the code of what helps on the host."""

    rule: str
    verdict: str
    advice: str
    fix: str = ""
    known_fix: str = ""


_SENTENCES = {
    PlatformObjection.TOO_LONG: ObjectionSentences(
        "OUT-LENGTH", "delivery_refused.too-long", "delivery_refused.shorter", known_fix="too_long"
    ),
    PlatformObjection.MARKUP: ObjectionSentences(
        "OUT-PARSE", "delivery_refused.markup", "delivery_refused.plain-text", known_fix="markup"
    ),
    PlatformObjection.FLOOD: ObjectionSentences(
        "RATE-OUT", "delivery_refused.flood", "delivery_refused.flood-wait-advice", "delivery_refused.flood-fix"
    ),
    PlatformObjection.SLOW_MODE: ObjectionSentences(
        "SLOW-MODE",
        "delivery_refused.slow-mode",
        "delivery_refused.no-slow-mode",
        "delivery_refused.no-slow-mode",
    ),
    PlatformObjection.DM_CLOSED: ObjectionSentences(
        "DM-CLOSED", "delivery_refused.dm-closed", "delivery_refused.open-chat", "delivery_refused.only-they-can"
    ),
    PlatformObjection.MIGRATED: ObjectionSentences(
        "SUPERGROUP", "delivery_refused.migrated", "delivery_refused.ask-in-group", known_fix="migrated"
    ),
}
PRIVATE_KINDS = frozenset({"finding", "file"})
"""The kinds of what the cortex sends to one person."""
_PACING_OBJECTIONS = frozenset({PlatformObjection.FLOOD, PlatformObjection.SLOW_MODE})


_NO_SHARED_SERVER = re.compile("code 50278")


def check(evidence: Evidence) -> Iterator[Finding]:
    """Look at what was refused; then at what went out without its marks; then at a private chat that is closed."""
    found = refused_chunk(evidence)
    if found is not None:
        yield _undelivered(evidence, found)
    elif delivered_without_marks(evidence) is not None and not lost_chunks(evidence):
        yield _unadorned(evidence)
    elif (closed := _closed(evidence)) is not None:
        yield _undelivered(evidence, closed)


def _undelivered(evidence: Evidence, found: RefusedChunk) -> Finding:
    words, row = _SENTENCES[found.objection], found.row
    seconds = _slow_mode(evidence) if found.objection in _PACING_OBJECTIONS else 0
    if seconds:
        # the wait is on record, and that it is the slow mode's own is what the platform says of the chat
        words = _SENTENCES[PlatformObjection.SLOW_MODE]._replace(verdict=words.verdict)
    elif found.objection is PlatformObjection.FLOOD and row.state is OutboxState.DEAD:
        words = words._replace(advice="delivery_refused.flood-given-up", fix="", known_fix="flood")
    return Finding(
        rule=words.rule,
        stage=FunnelStage.DELIVERY,
        confidence=Confidence.CONFIRMED,
        verdict=say(words.verdict, place=place_name(evidence)),
        why=_why(evidence, found),
        evidence=(*_row_ref(row), *_about(evidence)),
        advice=say(words.advice),
        operator_advice=say(words.fix) if words.fix else fix_of(words.known_fix, handle(HandleKind.DELIVERY, row.row)),
    )


def _why(evidence: Evidence, found: RefusedChunk) -> tuple[str, ...]:
    row, name = found.row, platform_title(evidence.target.channel)
    match found.objection:
        case PlatformObjection.TOO_LONG:
            length = utf16_length(row.body.text)
            told = (say("delivery_refused.characters", count=length),) if length else ()
            return (say("delivery_refused.refused-long", name=name), *told)
        case PlatformObjection.MARKUP:
            return (say("delivery_refused.refused-marks", name=name), say("delivery_refused.refused-plain"))
        case PlatformObjection.FLOOD | PlatformObjection.SLOW_MODE:
            return (*_flood(evidence, row, name), *_slow_line(evidence))
        case PlatformObjection.DM_CLOSED:
            no_server = _NO_SHARED_SERVER.search(row.error)
            return (
                say("delivery_refused.no-writing", name=name),
                say("delivery_refused.no-shared-server" if no_server else "delivery_refused.never-opened"),
                say("delivery_refused.lost", what="cortex" if row.body.kind in PRIVATE_KINDS else "answer"),
            )
        case PlatformObjection.MIGRATED:
            return (say("delivery_refused.became-supergroup"),)


def _flood(evidence: Evidence, row: StoredOutbox, name: str) -> tuple[str, ...]:
    if row.state is OutboxState.DEAD:
        gave_up = say("delivery_refused.flood-gave-up", name=name)
        return (gave_up, say("delivery_refused.flood-attempts", count=row.attempts), *_cut(row))
    left = row.not_before - evidence.now
    if left > 0:
        asked = say("delivery_refused.flood-until", name=name, time=clock_time(row.not_before), left=age(left))
    else:
        asked = say("delivery_refused.flood-now", name=name)
    return (asked, say("delivery_refused.flood-tried", count=row.attempts), *_cut(row))


def _slow_mode(evidence: Evidence) -> int:
    """Return in how many seconds the bot may write once, as the platform says of the channel now; 0: as it likes."""
    told = channel_probe(evidence)
    said = fact(told.facts, SLOW_MODE) if told else ""
    return int(said) if said.isascii() and said.isdigit() else 0


def _slow_line(evidence: Evidence) -> tuple[str, ...]:
    seconds = _slow_mode(evidence)
    return (say("delivery_refused.slow-line", age=age(seconds * 1000)),) if seconds else ()


def _cut(row: StoredOutbox) -> tuple[str, ...]:
    return (say("delivery_refused.only-beginning"),) if row.body.edits else ()


def _unadorned(evidence: Evidence) -> Finding:
    name = platform_title(evidence.target.channel)
    row = delivered_without_marks(evidence)
    part = dict(row.detail).get("delivery", "") if row else ""
    refs = (EvidenceRef(handle=part, what=say("delivery_refused.unadorned-record")),) if part else ()
    return Finding(
        rule="OUT-PARSE",
        stage=FunnelStage.DELIVERY,
        confidence=Confidence.CONFIRMED,
        verdict=say("delivery_refused.unadorned", place=place_name(evidence)),
        why=(say("delivery_refused.unadorned-why", name=name), say("delivery_refused.unadorned-more")),
        evidence=(*refs, *message_ref(evidence)),
        advice=say("delivery_refused.unadorned-advice"),
        operator_advice=say("delivery_refused.unadorned-fix", delivery=part or "none"),
    )


def _closed(evidence: Evidence) -> RefusedChunk | None:
    """Find what a private chat refused last, when nothing has come from there since."""
    if not evidence.target.place.is_dm or is_pending(evidence):
        return None
    if outcome(evidence) not in {None, Outcome.REPLIED, Outcome.COMMAND}:
        return None
    # that somebody blocked the bot is an event, which comes after what it keeps from arriving
    said = (trail.inbound for trail in evidence.recent if trail.inbound.inbound.kind is InboundKind.MESSAGE)
    newest = next((stored.arrived_at for stored in said), 0)
    since = [row for row in evidence.undelivered if row.created_at >= newest]
    # a note that the report did not arrive says less than the report
    since.sort(key=lambda row: row.body.kind not in PRIVATE_KINDS)
    found = next((found for row in since if (found := objection_to(row))), None)
    return found if found and found.objection is PlatformObjection.DM_CLOSED else None


def _row_ref(row: StoredOutbox) -> tuple[EvidenceRef, ...]:
    """Point at a chunk; what the cortex wrote to one person opens for nobody else."""
    if row.body.kind in PRIVATE_KINDS:
        return ()
    return chunk_ref(row, row.state.value if row.state is OutboxState.DEAD else OutboxState.NEW.value)


def _about(evidence: Evidence) -> tuple[EvidenceRef, ...]:
    return message_ref(evidence) or last_seen_ref(evidence)
