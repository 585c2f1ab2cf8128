"""TYPING: the channel is shown that an answer is being written, and nobody writes one."""

from __future__ import annotations

from collections.abc import Iterator

from bot.diagnostics.evidence.evidence import Evidence
from bot.diagnostics.evidence.evidence_reader import last_seen_ref, message_ref, place_name
from bot.domain.finding import Confidence, Finding, FunnelStage
from bot.sentences import say
from bot.text.times import age, clock_time

_GRACE_MS = 10_000
"""A mark outlives its turn by a moment: it is taken away by a call that may be slow."""


def check(evidence: Evidence) -> Iterator[Finding]:
    """Compare the mark that is shown with the turn that runs."""
    since, queue = evidence.vitals.typing_since, evidence.queue
    works = queue.running_turn or queue.running_ms or queue.waiting
    if not since or works or evidence.now - since <= _GRACE_MS:
        return
    yield Finding(
        rule="TYPING",
        stage=FunnelStage.QUEUE,
        confidence=Confidence.CONFIRMED,
        verdict=say("typing_stuck.verdict", place=place_name(evidence)),
        why=(
            say("typing_stuck.shown-since", time=clock_time(since), age=age(evidence.now - since)),
            say("typing_stuck.nothing-runs"),
            say("typing_stuck.not-let-go"),
        ),
        evidence=message_ref(evidence) or last_seen_ref(evidence),
        advice=say("typing_stuck.do-not-wait"),
        operator_advice=say("typing_stuck.restart"),
    )
