"""OUT-GONE: the answer was delivered, and somebody deleted it."""

from __future__ import annotations

from collections.abc import Iterator

from bot.diagnostics.answer_changes import RemovedAnswer, removed_answer
from bot.diagnostics.evidence.adapter_facts import platform_title
from bot.diagnostics.evidence.evidence import Evidence
from bot.diagnostics.evidence.evidence_reader import message_ref, outcome, place_name
from bot.domain.finding import Confidence, EvidenceRef, Finding, FunnelStage
from bot.domain.ledger import Outcome
from bot.text.text import quote_line
from bot.text.times import age, clock_time

_UNREAD_DELETION_MS = 3_000
"""What is deleted faster was hardly read by whoever deleted it."""
_SECONDS_SHOWN_MS = 60_000


def check(evidence: Evidence) -> Iterator[Finding]:
    """Compare what went out with what the platform told of it since."""
    if outcome(evidence) is not Outcome.REPLIED or (gone := removed_answer(evidence)) is None:
        return
    yield Finding(
        rule="OUT-GONE",
        stage=FunnelStage.DELIVERY,
        confidence=Confidence.CONFIRMED,
        verdict=f"{place_name(evidence)}: answered, then deleted",
        why=(
            f"{_what(gone)} went out at {clock_time(gone.sent_at)},",
            f"and was deleted {_after(gone)} later.",
            _by(evidence, gone),
        ),
        evidence=(EvidenceRef(handle=gone.delivery, what="the answer that was deleted"), *message_ref(evidence)),
        advice="Ask who moderates here, or look in the log of the moderation bot; then ask again.",
        operator_advice="Let the server's moderation (its bots, its rules) leave this bot's messages alone.",
    )


def _what(gone: RemovedAnswer) -> str:
    return "The answer" if gone.of == 1 else f"{gone.parts} of {gone.of} parts of the answer"


def _after(gone: RemovedAnswer) -> str:
    return f"{gone.stood_ms / 1000:.1f} s" if gone.stood_ms < _SECONDS_SHOWN_MS else age(gone.stood_ms)


def _by(evidence: Evidence, gone: RemovedAnswer) -> str:
    name = platform_title(evidence.target.channel)
    if gone.by == "a program":
        return f"{name}'s audit log names no person: a bot did it."
    if gone.by:
        return f"{name}'s audit log names {quote_line(gone.by, 34)}."
    if gone.stood_ms < _UNREAD_DELETION_MS:
        return f"{name} does not say by whom; so fast is a program."
    return f"{name} does not say by whom."
