"""BOOT-DROP: the message was written while the bot was down, and came late, or not at all."""

from __future__ import annotations

from collections.abc import Iterator

from bot.diagnostics.evidence.adapter_facts import adapter_fault, is_polled, platform_title
from bot.diagnostics.evidence.deliveries import delivered_without_marks, lost_chunks
from bot.diagnostics.evidence.evidence import Evidence
from bot.diagnostics.evidence.evidence_reader import (
    came_late,
    is_pending,
    message,
    message_ref,
    outcome,
    place_name,
    ref,
)
from bot.diagnostics.evidence.failures import cause_of_failure
from bot.diagnostics.rules import queue_stuck, telegram_privacy
from bot.domain.finding import Confidence, EvidenceRef, Finding, FunnelStage
from bot.domain.handles import HandleKind
from bot.domain.health import BotDowntime
from bot.domain.ledger import Outcome, StoredInbound
from bot.sentences import say
from bot.text.text import quote_line
from bot.text.times import age, minute

_HOUR_MS = 3_600_000
_TELEGRAM_RETENTION_MS = 24 * _HOUR_MS
"""How long Telegram keeps updates (https://core.telegram.org/bots/api#getting-updates)."""


def check(evidence: Evidence) -> Iterator[Finding]:
    """Look at a message that came late and had its answer since; then at what was too old to come at all."""
    found = message(evidence)
    if evidence.target.settings.pause is not None:
        return
    if found is not None and came_late(evidence):
        if _is_well(evidence):
            yield _late(evidence, found)
    elif (silence := _too_long(evidence)) is not None and next(telegram_privacy.check(evidence), None) is None:
        yield _dropped(evidence, silence)


def _is_well(evidence: Evidence) -> bool:
    """Say whether nothing else is wrong: a message that came late and failed has another cause."""
    if outcome(evidence) is Outcome.REPLIED:
        return not lost_chunks(evidence) and delivered_without_marks(evidence) is None
    moving = is_pending(evidence) and cause_of_failure(evidence) is None
    return moving and next(queue_stuck.check(evidence), None) is None


def _late(evidence: Evidence, found: StoredInbound) -> Finding:
    behind = age(found.arrived_at - found.inbound.sent_at)
    if found.outcome:
        then = say("written_while_down.late-answered", age=behind, time=minute(found.outcome_at))
    else:
        then = say("written_while_down.late-pending", age=behind)
    return Finding(
        rule="BOOT-DROP",
        stage=FunnelStage.ARRIVAL,
        confidence=Confidence.CONFIRMED,
        verdict=say("written_while_down.verdict-late", place=place_name(evidence)),
        why=(say("written_while_down.written", time=minute(found.inbound.sent_at)), then, *_ended(evidence)),
        evidence=(*message_ref(evidence), *_answer(evidence)),
        advice=say("written_while_down.nothing-lost"),
        operator_advice=say("written_while_down.why-down"),
    )


def _dropped(evidence: Evidence, silence: BotDowntime) -> Finding:
    hours = (silence.until - silence.since) // _HOUR_MS
    return Finding(
        rule="BOOT-DROP",
        stage=FunnelStage.ARRIVAL,
        confidence=Confidence.CANNOT_TELL,
        verdict=say("written_while_down.verdict-dropped", place=place_name(evidence)),
        why=(
            say("written_while_down.down-for", hours=hours, time=minute(silence.until), name=_name(evidence)),
            say("written_while_down.lost-first", hours=hours - 24),
            *_ended(evidence),
        ),
        evidence=_last_known(evidence),
        advice=say("written_while_down.ask-again"),
        operator_advice=say("written_while_down.why-down"),
        settle=say("written_while_down.settle"),
    )


def _too_long(evidence: Evidence) -> BotDowntime | None:
    """Return a silence in which messages were lost; an answer since then says that the channel is well again."""
    silence = evidence.heartbeat.silence if evidence.heartbeat else None
    polled = evidence.adapter is not None and is_polled(evidence.adapter)
    if silence is None or not polled or not evidence.running or adapter_fault(evidence):
        return None
    if silence.until - silence.since <= _TELEGRAM_RETENTION_MS or evidence.now - silence.until > _TELEGRAM_RETENTION_MS:
        return None
    found = message(evidence)
    if found is not None and (
        found.arrived_at > silence.since or found.outcome not in {Outcome.REPLIED, Outcome.COMMAND}
    ):
        return None
    return silence


def _ended(evidence: Evidence) -> tuple[str, ...]:
    silence = evidence.heartbeat.silence if evidence.heartbeat else None
    if not silence or not silence.reason:
        return ()
    return (say("written_while_down.had-stopped", words=quote_line(silence.reason, 50)),)


def _answer(evidence: Evidence) -> tuple[EvidenceRef, ...]:
    rows = evidence.turn.outbox if evidence.turn else ()
    sent = next((row for row in reversed(rows) if row.receipt is not None), None)
    if sent is None or sent.receipt is None:
        return ()
    return ref(HandleKind.DELIVERY, sent.row, say("written_while_down.answer", time=minute(sent.receipt.at)))


def _last_known(evidence: Evidence) -> tuple[EvidenceRef, ...]:
    found = message(evidence)
    if found is not None:
        what = say("written_while_down.last-before", time=minute(found.arrived_at))
        return ref(HandleKind.INBOUND, found.id, what)
    came_last = say("written_while_down.came-last")
    recent = evidence.recent[:1]
    return tuple(one for trail in recent for one in ref(HandleKind.INBOUND, trail.inbound.id, came_last))


def _name(evidence: Evidence) -> str:
    return platform_title(evidence.target.channel)
