"""DC-INTENT: messages of a server arrive without their words, because nobody may read them."""

from __future__ import annotations

from collections.abc import Iterator

from bot.diagnostics.evidence.adapter_facts import adapter_fault, empty_messages, is_blind, lacks_request
from bot.diagnostics.evidence.evidence import Evidence
from bot.diagnostics.evidence.evidence_reader import (
    GateName,
    gate_ref,
    gate_stop,
    message,
    message_ref,
    outcome,
    place_name,
)
from bot.domain.channel import ResponseMode
from bot.domain.finding import Confidence, Finding, FunnelStage
from bot.domain.ids import platform_of
from bot.domain.ledger import Outcome

_WELL_OUTCOMES = frozenset({None, Outcome.REPLIED, Outcome.COMMAND})
_STILL_WORKS = "Slash commands, mentions and DMs arrive."


def check(evidence: Evidence) -> Iterator[Finding]:
    """Believe the platform's word on the intent; where it gave none, what arrived without a word."""
    if evidence.target.place.is_dm or not evidence.running or adapter_fault(evidence):
        return
    stop = gate_stop(evidence)
    was_empty = stop is not None and stop.gate == GateName.CONTENT
    known, empty = is_blind(evidence), empty_messages(evidence)
    if was_empty:
        confidence = Confidence.CONFIRMED if known else Confidence.LIKELY if empty else Confidence.CANNOT_TELL
    elif known and _waits_for_talk(evidence):
        confidence = Confidence.LIKELY
    else:
        return
    yield Finding(
        rule="DC-INTENT",
        stage=FunnelStage.ARRIVAL,
        confidence=confidence,
        verdict=f"{place_name(evidence)}: messages come without words",
        why=(_why(evidence, known=known), *_counted(evidence), _STILL_WORKS),
        evidence=(*(gate_ref(stop, "gate content = empty") if stop and was_empty else ()), *message_ref(evidence)),
        advice="Use slash commands or mention the bot, and tell the operator.",
        operator_advice=_fix(evidence),
        settle=_settle(known=known, was_empty=was_empty),
    )


def _waits_for_talk(evidence: Evidence) -> bool:
    """Say whether plain talk is to be answered here and none that came explains the silence."""
    unexplained = message(evidence) is None or outcome(evidence) in _WELL_OUTCOMES
    settings = evidence.target.settings
    return settings.mode is ResponseMode.ACTIVE and settings.pause is None and unexplained


def _why(evidence: Evidence, *, known: bool) -> str:
    if lacks_request(evidence):
        return "This bot is set not to ask for message content."
    return "The message content intent is off." if known else "The message content intent may be off."


def _counted(evidence: Evidence) -> tuple[str, ...]:
    found = empty_messages(evidence)
    return (f"Of the last {found.of:,} without a mention, {found.empty:,} were empty.",) if found else ()


def _settle(*, known: bool, was_empty: bool) -> str:
    if not known:
        return "`doctor` asks the platform for the intent."
    return "" if was_empty else "mention it there, and look for that in `ledger`."


def _fix(evidence: Evidence) -> str:
    if lacks_request(evidence):
        return f"Set message_content = true in [platforms.{platform_of(evidence.target.channel)}], and restart."
    return "Developer Portal, Bot, Privileged Gateway Intents: switch on Message Content; then restart the bot."
