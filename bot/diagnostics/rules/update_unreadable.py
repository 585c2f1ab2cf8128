"""UNREADABLE: the platform delivered a message, and its form is one that the bot cannot read."""

from __future__ import annotations

from collections.abc import Iterator

from bot.diagnostics.collect.choose_message import is_unreadable
from bot.diagnostics.evidence.adapter_facts import platform_title
from bot.diagnostics.evidence.evidence import Evidence
from bot.diagnostics.evidence.evidence_reader import message, message_ref, place_name
from bot.domain.finding import Confidence, Finding, FunnelStage
from bot.domain.messages import PlatformEvent
from bot.sentences import say
from bot.text.text import quote_line
from bot.text.times import clock_time

_BUSINESS_KIND = "business_message"


def check(evidence: Evidence) -> Iterator[Finding]:
    """Look at what was kept of the message: where it stood, and why no more of it could be read."""
    found = message(evidence)
    if found is None or not is_unreadable(found.inbound) or found.inbound.event is None:
        return
    if found.inbound.event.name == _BUSINESS_KIND:
        yield _not_in_their_name(evidence)
        return
    yield Finding(
        rule="UNREADABLE",
        stage=FunnelStage.ARRIVAL,
        confidence=Confidence.CONFIRMED,
        verdict=say("update_unreadable.verdict", place=place_name(evidence)),
        why=(
            say(
                "update_unreadable.delivered",
                name=platform_title(evidence.target.channel),
                time=clock_time(found.arrived_at),
            ),
            _how(found.inbound.event),
        ),
        evidence=message_ref(evidence),
        advice=say("update_unreadable.plain-text"),
        operator_advice=say("update_unreadable.update"),
    )


def _not_in_their_name(evidence: Evidence) -> Finding:
    return Finding(
        rule="UNREADABLE",
        stage=FunnelStage.ARRIVAL,
        confidence=Confidence.CONFIRMED,
        verdict=say("update_unreadable.not-supported", place=place_name(evidence)),
        why=(say("update_unreadable.business"), say("update_unreadable.own-name-only")),
        evidence=message_ref(evidence),
        advice=say("update_unreadable.write-to-bot"),
        operator_advice=say("update_unreadable.business-off"),
    )


def _how(event: PlatformEvent) -> str:
    if event.what:
        return say("update_unreadable.form", what=quote_line(event.what, 24))
    return say("update_unreadable.kind", what=quote_line(event.name, 26))
