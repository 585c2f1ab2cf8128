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
from bot.sentences import say

_WELL_OUTCOMES = frozenset({None, Outcome.REPLIED, Outcome.COMMAND})


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
        verdict=say("discord_intent.verdict", place=place_name(evidence)),
        why=(_why(evidence, known=known), *_counted(evidence), say("discord_intent.still-works")),
        evidence=(
            *(gate_ref(stop, say("discord_intent.record")) if stop and was_empty else ()),
            *message_ref(evidence),
        ),
        advice=say("discord_intent.use-commands"),
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
        return say("discord_intent.not-asked")
    return say("discord_intent.is-off" if known else "discord_intent.may-be-off")


def _counted(evidence: Evidence) -> tuple[str, ...]:
    found = empty_messages(evidence)
    return (say("discord_intent.counted", of=found.of, empty=found.empty),) if found else ()


def _settle(*, known: bool, was_empty: bool) -> str:
    if not known:
        return say("discord_intent.settle-doctor")
    return "" if was_empty else say("discord_intent.settle-mention")


def _fix(evidence: Evidence) -> str:
    if lacks_request(evidence):
        return say("discord_intent.ask-for-it", key=platform_of(evidence.target.channel))
    return say("discord_intent.switch-on")
