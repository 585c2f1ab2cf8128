"""UNREADABLE: the platform delivered a message, and its form is one that the bot cannot read."""

from __future__ import annotations

from collections.abc import Iterator

from bot.diagnostics.collect.choose_message import is_unreadable
from bot.diagnostics.evidence.adapter_facts import platform_title
from bot.diagnostics.evidence.evidence import Evidence
from bot.diagnostics.evidence.evidence_reader import message, message_ref, place_name
from bot.domain.finding import Confidence, Finding, FunnelStage
from bot.domain.messages import PlatformEvent
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
        verdict=f"{place_name(evidence)}: it could not be read",
        why=(
            f"{platform_title(evidence.target.channel)} delivered it at {clock_time(found.arrived_at)},",
            _how(found.inbound.event),
        ),
        evidence=message_ref(evidence),
        advice="Say it again as plain text.",
        operator_advice="Update the bot: a newer version may know this form. The log has the fault.",
    )


def _not_in_their_name(evidence: Evidence) -> Finding:
    return Finding(
        rule="UNREADABLE",
        stage=FunnelStage.ARRIVAL,
        confidence=Confidence.CONFIRMED,
        verdict=f"{place_name(evidence)}: not supported",
        why=("It was written to somebody's business account,", "and this bot answers nobody in other people's names."),
        evidence=message_ref(evidence),
        advice="Write to the bot itself.",
        operator_advice="@BotFather: Business Mode, off; or disconnect it (Telegram Business, Chatbots).",
    )


def _how(event: PlatformEvent) -> str:
    if event.what:
        return f"in a form that the bot cannot read ({quote_line(event.what, 24)})."
    return f"and its kind is not known here ({quote_line(event.name, 26)})."
