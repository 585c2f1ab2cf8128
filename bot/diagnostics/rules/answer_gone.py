"""OUT-GONE: the answer was delivered, and somebody deleted it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bot.diagnostics.answer_changes import RemovedAnswer, removed_answer
from bot.diagnostics.evidence.adapter_facts import platform_title
from bot.diagnostics.evidence.evidence import Evidence
from bot.diagnostics.evidence.evidence_reader import message_ref, outcome, place_name
from bot.domain.finding import Confidence, EvidenceRef, Finding, FunnelStage
from bot.domain.ledger import Outcome
from bot.sentences import say
from bot.text.figures import decimal
from bot.text.text import quote_line
from bot.text.times import age, clock_time

_UNREAD_DELETION_MS = 3_000
"""What is deleted faster was hardly read by whoever deleted it."""
_SECONDS_SHOWN_MS = 60_000

_BY_PROGRAM = re.compile("a program")


def check(evidence: Evidence) -> Iterator[Finding]:
    """Compare what went out with what the platform told of it since."""
    if outcome(evidence) is not Outcome.REPLIED or (gone := removed_answer(evidence)) is None:
        return
    yield Finding(
        rule="OUT-GONE",
        stage=FunnelStage.DELIVERY,
        confidence=Confidence.CONFIRMED,
        verdict=say("answer_gone.verdict", place=place_name(evidence)),
        why=(
            say(
                "answer_gone.went-out",
                parts="whole" if gone.of == 1 else gone.parts,
                of=gone.of,
                time=clock_time(gone.sent_at),
            ),
            say("answer_gone.deleted-after", age=_after(gone)),
            _by(evidence, gone),
        ),
        evidence=(EvidenceRef(handle=gone.delivery, what=say("answer_gone.record")), *message_ref(evidence)),
        advice=say("answer_gone.ask-moderators"),
        operator_advice=say("answer_gone.leave-alone"),
    )


def _after(gone: RemovedAnswer) -> str:
    return f"{decimal(gone.stood_ms / 1000, 1)} s" if gone.stood_ms < _SECONDS_SHOWN_MS else age(gone.stood_ms)


def _by(evidence: Evidence, gone: RemovedAnswer) -> str:
    name = platform_title(evidence.target.channel)
    if _BY_PROGRAM.fullmatch(gone.by):
        return say("answer_gone.by-program", name=name)
    if gone.by:
        return say("answer_gone.by", name=name, who=quote_line(gone.by, 34))
    fast = gone.stood_ms < _UNREAD_DELETION_MS
    return say("answer_gone.by-unknown-fast" if fast else "answer_gone.by-unknown", name=name)
