"""DC-OUTAGE: the platform itself says that this server is unavailable, so nothing comes from there."""

from __future__ import annotations

from collections.abc import Iterator

from bot.diagnostics.evidence.hearing import away_since, title, trouble
from bot.diagnostics.evidence.model import Evidence
from bot.diagnostics.evidence.reader import last_seen_ref, outcome, place
from bot.domain.finding import Confidence, Finding, FunnelStage
from bot.domain.ledger import Outcome
from bot.text.times import clock_time

_POINTED_AT = frozenset({"replied to", "asked about"})
_OF_NOW = frozenset({None, Outcome.REPLIED, Outcome.COMMAND, Outcome.FAILED})


def check(evidence: Evidence) -> Iterator[Finding]:
    """Believe what the gateway said of the server last."""
    since = away_since(evidence) if evidence.running and not trouble(evidence) else 0
    if not since:
        return
    if evidence.target.about_why in _POINTED_AT and outcome(evidence) not in _OF_NOW:
        return  # whoever points at a message asks why that one was not answered
    name = title(evidence.target.channel)
    yield Finding(
        rule="DC-OUTAGE",
        stage=FunnelStage.ARRIVAL,
        confidence=Confidence.CONFIRMED,
        verdict=f"{place(evidence)}: {name} has an outage there",
        why=(f"Since {clock_time(since)} {name} calls this server unavailable.", "Others may work; this one does not."),
        evidence=last_seen_ref(evidence),
        advice="Wait: it comes back by itself, and what was written is read then.",
        operator_advice="Nothing here: look at discordstatus.com. It comes back by itself.",
    )
