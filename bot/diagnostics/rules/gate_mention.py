"""GATE-MENTION: the message was not addressed to the bot."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.diagnostics.evidence.edited_since import edited_since
from bot.diagnostics.evidence.evidence import Evidence
from bot.diagnostics.evidence.evidence_reader import (
    GateName,
    GateStop,
    gate_ref,
    gate_stop,
    message,
    message_ref,
    place_name,
    stopped_count,
)
from bot.domain.channel import ResponseMode
from bot.domain.finding import Confidence, Finding, FunnelStage
from bot.domain.messages import Mention
from bot.sentences import say
from bot.text.text import quote_line
from bot.text.times import clock_time

_MAX_NAMED = 3


def check(evidence: Evidence) -> Iterator[Finding]:
    """Say in which mode the channel is and what was looked for."""
    stop = gate_stop(evidence)
    if stop is None or stop.gate != GateName.ADDRESSING or edited_since(evidence):
        return
    over = evidence.target.settings.mode is ResponseMode.ACTIVE
    yield Finding(
        rule="GATE-MENTION",
        stage=FunnelStage.GATE,
        confidence=Confidence.CONFIRMED,
        verdict=say("gate_mention.verdict", place=place_name(evidence)),
        why=(*_looked_for(evidence), *_mode(evidence), *_count(evidence, stop)),
        evidence=(*gate_ref(stop, say("gate_mention.record", gate=stop.gate)), *message_ref(evidence)),
        advice=say("gate_mention.ask-again" if over else "gate_mention.mention-it"),
        operator_advice="" if over else say("gate_mention.say-active"),
    )


def _looked_for(evidence: Evidence) -> tuple[str, ...]:
    found = message(evidence)
    mentioned = found.inbound.mentioned if found else ()
    if mentioned:
        named = ", ".join(quote_line(one.words, 60) for one in mentioned[:_MAX_NAMED])
        more = len(mentioned) - _MAX_NAMED
        told = say("gate_mention.mentions-more", names=named, more=more) if more > 0 else ""
        return (told or say("gate_mention.mentions", names=named), *_other_name(mentioned))
    if found and found.inbound.mentions_others:
        return (say("gate_mention.mentions-somebody"),)
    if found and found.inbound.replies_to and not found.inbound.replies_to_bot:
        return (say("gate_mention.replies-to-somebody"),)
    return (say("gate_mention.no-mention"),)


def _other_name(mentioned: Sequence[Mention]) -> Iterator[str]:
    """Say how a role that the bot has would be the bot: it is not by itself, for many may have it."""
    if any(one.is_held for one in mentioned):
        yield say("gate_mention.held-role")


def _mode(evidence: Evidence) -> tuple[str, ...]:
    settings = evidence.target.settings
    if settings.mode is ResponseMode.ACTIVE:
        return (say("gate_mention.mode-changed"),)
    if settings.mode is not ResponseMode.MENTION_ONLY:
        return ()
    if settings.mode_at:
        return (say("gate_mention.mention-only-since", time=clock_time(settings.mode_at)),)
    return (say("gate_mention.mention-only"),)


def _count(evidence: Evidence, stop: GateStop) -> tuple[str, ...]:
    count = stopped_count(evidence, stop.gate)
    return (say("gate_mention.count", count=count),) if count > 1 else ()
