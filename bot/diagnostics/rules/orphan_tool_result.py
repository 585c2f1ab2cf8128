"""CTX-ORPHAN: a tool call without its result, or a result without its call, which providers refuse."""

from __future__ import annotations

from collections.abc import Iterator

from bot.diagnostics.evidence.evidence import Evidence
from bot.diagnostics.evidence.evidence_reader import first_word, last_failure, message_ref, place_name, ref
from bot.diagnostics.evidence.failures import FailureCause, cause_of_failure, orphans
from bot.domain.finding import Confidence, Finding, FunnelStage
from bot.domain.handles import HandleKind
from bot.domain.ledger import FailReason
from bot.domain.turn import TurnStatus
from bot.sentences import say
from bot.text.text import quote_line


def check(evidence: Evidence) -> Iterator[Finding]:
    """Name the unpaired ids in the request that was refused, and how many turns ran into it."""
    failure = last_failure(evidence)
    if failure is None or cause_of_failure(evidence) is not FailureCause.ORPHAN:
        return
    lost = orphans(failure.request.record.request)
    named = quote_line(", ".join(lost[:3]), 36)
    if lost:
        seen = (say("orphan_tool_result.lack-half", count=len(lost)), named)
    else:
        seen = (say("orphan_tool_result.service-says"), say("orphan_tool_result.service-says-more"))
    yield Finding(
        rule="CTX-ORPHAN",
        stage=FunnelStage.REQUEST,
        confidence=Confidence.CONFIRMED if lost else Confidence.LIKELY,
        verdict=say("orphan_tool_result.verdict", place=place_name(evidence)),
        why=(*seen, *_turns(evidence)),
        evidence=(
            *ref(HandleKind.REQUEST, failure.request.id, say("orphan_tool_result.request")),
            *message_ref(evidence),
        ),
        advice=say("orphan_tool_result.say-new"),
        operator_advice=say("orphan_tool_result.export-first"),
        settle="" if lost else say("orphan_tool_result.settle"),
    )


def _turns(evidence: Evidence) -> tuple[str, ...]:
    count = 0
    for turn in evidence.recent_turns:
        if turn.status is not TurnStatus.FAILED or first_word(turn.reason) != FailReason.PROVIDER:
            break
        count += 1
    return (say("orphan_tool_result.turns-failed", count=count),) if count > 1 else ()
