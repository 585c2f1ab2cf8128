"""OUT-LENGTH, OUT-PARSE, RATE-OUT, SLOW-MODE, DM-CLOSED, SUPERGROUP: what the platform minds about an answer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from bot.diagnostics.evidence.adapter_facts import SLOW_MODE, channel_probe, fact, platform_title
from bot.diagnostics.evidence.deliveries import (
    PlatformObjection,
    RefusedChunk,
    delivered_without_marks,
    lost_chunks,
    objection_to,
    refused_chunk,
)
from bot.diagnostics.evidence.evidence import Evidence
from bot.diagnostics.evidence.evidence_reader import is_pending, last_seen_ref, message_ref, outcome, place_name, ref
from bot.domain.delivery_failures import OF_THE_HOST
from bot.domain.finding import Confidence, EvidenceRef, Finding, FunnelStage
from bot.domain.handles import HandleKind, handle
from bot.domain.ledger import Outcome
from bot.domain.messages import InboundKind
from bot.domain.turn import OutboxState, StoredOutbox
from bot.text.text import utf16_length
from bot.text.times import age, clock_time


class ObjectionWords(NamedTuple):
    """What an objection is called, and what can be done; `{delivery}` stands for the chunk's handle."""

    rule: str
    verdict: str
    advice: str
    fix: str


_NO_SLOW_MODE = "Make the bot an admin there, or turn slow mode off; `!cortex doctor` shows both."
_WORDS = {
    PlatformObjection.TOO_LONG: ObjectionWords(
        "OUT-LENGTH",
        "the answer is too long",
        "Ask for a shorter answer, or for it in parts.",
        OF_THE_HOST["too_long"],
    ),
    PlatformObjection.MARKUP: ObjectionWords(
        "OUT-PARSE",
        "the markup is refused",
        "Ask again, for an answer in plain words.",
        OF_THE_HOST["markup"],
    ),
    PlatformObjection.FLOOD: ObjectionWords(
        "RATE-OUT",
        "told to send more slowly",
        "Wait: it goes out by itself. Fewer messages here at a time help.",
        "It goes out by itself. If it stays so, set limits.sends_per_second (0.3 suits a busy group) and restart.",
    ),
    PlatformObjection.SLOW_MODE: ObjectionWords(
        "SLOW-MODE",
        "slow mode holds the bot back",
        _NO_SLOW_MODE,
        _NO_SLOW_MODE,
    ),
    PlatformObjection.DM_CLOSED: ObjectionWords(
        "DM-CLOSED",
        "closed to the bot",
        "Whoever it was for must let the bot write (press Start, or allow direct messages; unblock it) and ask again.",
        "Nothing on the host: only that person can open the chat, or unblock the bot.",
    ),
    PlatformObjection.MIGRATED: ObjectionWords(
        "SUPERGROUP",
        "the group has a new id",
        "Ask again in the group; tell the operator if it stays.",
        OF_THE_HOST["migrated"],
    ),
}
PRIVATE_KINDS = frozenset({"finding", "file"})
"""The kinds of what the cortex sends to one person."""
_PACING_OBJECTIONS = frozenset({PlatformObjection.FLOOD, PlatformObjection.SLOW_MODE})
_GIVEN_UP_ADVICE = "Ask again later, when less is written here: what was given up is not sent any more."
_FLOOD_ADVICE = OF_THE_HOST["flood"]


_NO_SHARED_SERVER_CODE = "code 50278"
"""Discord's number for a private chat of somebody who shares no server with the bot."""


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
    words, row = _WORDS[found.objection], found.row
    seconds = _slow_mode(evidence) if found.objection in _PACING_OBJECTIONS else 0
    if seconds:
        # the wait is on record, and that it is the slow mode's own is what the platform says of the chat
        words = _WORDS[PlatformObjection.SLOW_MODE]._replace(verdict=words.verdict)
    elif found.objection is PlatformObjection.FLOOD and row.state is OutboxState.DEAD:
        words = words._replace(advice=_GIVEN_UP_ADVICE, fix=_FLOOD_ADVICE)
    return Finding(
        rule=words.rule,
        stage=FunnelStage.DELIVERY,
        confidence=Confidence.CONFIRMED,
        verdict=f"{place_name(evidence)}: {words.verdict}",
        why=_why(evidence, found),
        evidence=(*_row_ref(row), *_about(evidence)),
        advice=words.advice,
        operator_advice=words.fix.format(delivery=handle(HandleKind.DELIVERY, row.row)),
    )


def _why(evidence: Evidence, found: RefusedChunk) -> tuple[str, ...]:
    row, name = found.row, platform_title(evidence.target.channel)
    match found.objection:
        case PlatformObjection.TOO_LONG:
            length = utf16_length(row.body.text)
            return (f"{name} refused it as too long.", *((f"It has {length:,} characters.",) if length else ()))
        case PlatformObjection.MARKUP:
            return (f"{name} could not read its marks,", "and refused it as plain text too.")
        case PlatformObjection.FLOOD | PlatformObjection.SLOW_MODE:
            return (*_flood(evidence, row, name), *_slow_line(evidence))
        case PlatformObjection.DM_CLOSED:
            what = "an answer of the cortex" if row.body.kind in PRIVATE_KINDS else "the answer"
            if _NO_SHARED_SERVER_CODE in row.error:
                return (f"{name} does not let the bot write there:", "they share no server with it.", f"Lost: {what}.")
            return (f"{name} does not let the bot write there:", "never opened, blocked, or gone.", f"Lost: {what}.")
        case PlatformObjection.MIGRATED:
            return ("It became a supergroup, and what was", "sent to its old id is refused.")


def _flood(evidence: Evidence, row: StoredOutbox, name: str) -> tuple[str, ...]:
    if row.state is OutboxState.DEAD:
        return (f"{name} asked to wait again and again;", f"given up after {row.attempts:,} attempts.", *_cut(row))
    left = row.not_before - evidence.now
    until = f"until {clock_time(row.not_before)} ({age(left)})" if left > 0 else "and is asked again now"
    tried = "once" if row.attempts == 1 else f"{row.attempts:,} times"
    return (f"{name} asked to wait {until};", f"the answer was tried {tried}.", *_cut(row))


def _slow_mode(evidence: Evidence) -> int:
    """Return in how many seconds the bot may write once, as the platform says of the channel now; 0: as it likes."""
    told = channel_probe(evidence)
    said = fact(told.facts, SLOW_MODE) if told else ""
    return int(said) if said.isascii() and said.isdigit() else 0


def _slow_line(evidence: Evidence) -> tuple[str, ...]:
    seconds = _slow_mode(evidence)
    return (f"Slow mode: one message in {age(seconds * 1000)} for all but admins.",) if seconds else ()


def _cut(row: StoredOutbox) -> tuple[str, ...]:
    return ("What stands there is only its beginning.",) if row.body.edits else ()


def _unadorned(evidence: Evidence) -> Finding:
    name = platform_title(evidence.target.channel)
    row = delivered_without_marks(evidence)
    part = dict(row.detail).get("delivery", "") if row else ""
    refs = (EvidenceRef(handle=part, what="sent without its marks"),) if part else ()
    return Finding(
        rule="OUT-PARSE",
        stage=FunnelStage.DELIVERY,
        confidence=Confidence.CONFIRMED,
        verdict=f"{place_name(evidence)}: an answer lost its marks",
        why=(f"{name} refused its formatting, so it went", "out as plain text. No word is missing."),
        evidence=(*refs, *message_ref(evidence)),
        advice="Read it as it stands, or ask again.",
        operator_advice=f"The program marked it wrongly: report {part or 'the delivery'}.",
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
    how = "given up" if row.state is OutboxState.DEAD else "waiting"
    return ref(HandleKind.DELIVERY, row.row, f"part {row.body.part + 1} of {row.body.parts}, {how}")


def _about(evidence: Evidence) -> tuple[EvidenceRef, ...]:
    return message_ref(evidence) or last_seen_ref(evidence)
