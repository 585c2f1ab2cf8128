"""DC-OUTAGE: the platform itself says that this server is unavailable, so nothing comes from there."""

from __future__ import annotations

from collections.abc import Iterator

from bot.diagnostics.evidence.adapter_facts import adapter_fault, platform_title, unavailable_since
from bot.diagnostics.evidence.evidence import CHOSEN_BY_ASKER, Evidence
from bot.diagnostics.evidence.evidence_reader import last_seen_ref, outcome, place_name
from bot.domain.finding import Confidence, Finding, FunnelStage
from bot.domain.ledger import Outcome
from bot.sentences import say
from bot.text.times import clock_time

_CURRENT_OUTCOMES = frozenset({None, Outcome.REPLIED, Outcome.COMMAND, Outcome.FAILED})


def check(evidence: Evidence) -> Iterator[Finding]:
    """Believe what the gateway said of the server last."""
    since = unavailable_since(evidence) if evidence.running and not adapter_fault(evidence) else 0
    if not since:
        return
    if evidence.target.about_why in CHOSEN_BY_ASKER and outcome(evidence) not in _CURRENT_OUTCOMES:
        return  # whoever points at a message asks why that one was not answered
    name = platform_title(evidence.target.channel)
    yield Finding(
        rule="DC-OUTAGE",
        stage=FunnelStage.ARRIVAL,
        confidence=Confidence.CONFIRMED,
        verdict=say("platform_outage.verdict", place=place_name(evidence), name=name),
        why=(say("platform_outage.since", time=clock_time(since), name=name), say("platform_outage.others-may-work")),
        evidence=last_seen_ref(evidence),
        advice=say("platform_outage.wait"),
        operator_advice=say("platform_outage.nothing-here"),
    )
