"""TYPING: the channel is shown that an answer is being written, and nobody writes one."""

from __future__ import annotations

from collections.abc import Iterator

from bot.diagnostics.evidence.evidence import Evidence
from bot.diagnostics.evidence.evidence_reader import last_seen_ref, message_ref, place_name
from bot.domain.finding import Confidence, Finding, FunnelStage
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
        verdict=f"{place_name(evidence)}: typing, yet nobody writes",
        why=(
            f"The typing mark is kept up since {clock_time(since)} ({age(evidence.now - since)}).",
            "No turn runs here, and nothing waits.",
            "The platform's adapter does not let go of the mark.",
        ),
        evidence=message_ref(evidence) or last_seen_ref(evidence),
        advice="Do not wait for it: ask again. That mark is for no answer.",
        operator_advice="Restart the bot to end the mark; if it comes back, look at the adapter and its network.",
    )
