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
from bot.text.text import quote_line


def check(evidence: Evidence) -> Iterator[Finding]:
    """Name the unpaired ids in the request that was refused, and how many turns ran into it."""
    failure = last_failure(evidence)
    if failure is None or cause_of_failure(evidence) is not FailureCause.ORPHAN:
        return
    lost = orphans(failure.request.record.request)
    named = quote_line(", ".join(lost[:3]), 36)
    seen = (
        f"{len(lost)} tool calls lack their other half:" if len(lost) > 1 else "A tool call lacks its other half:",
        named,
    )
    yield Finding(
        rule="CTX-ORPHAN",
        stage=FunnelStage.REQUEST,
        confidence=Confidence.CONFIRMED if lost else Confidence.LIKELY,
        verdict=f"{place_name(evidence)}: its history is damaged",
        why=(
            *(seen if lost else ("The provider says that a tool call", "and its result do not pair up.")),
            *_turns(evidence),
        ),
        evidence=(
            *ref(HandleKind.REQUEST, failure.request.id, "request as sent, and the refusal"),
            *message_ref(evidence),
        ),
        advice="Say `new` to the bot in the channel: until then every turn fails.",
        operator_advice="Say `new` in the channel; export the request before and report it: a fault of the program.",
        settle="" if lost else "the provider's own words, in the request.",
    )


def _turns(evidence: Evidence) -> tuple[str, ...]:
    count = 0
    for turn in evidence.recent_turns:
        if turn.status is not TurnStatus.FAILED or first_word(turn.reason) != FailReason.PROVIDER:
            break
        count += 1
    return (f"The last {count} turns failed.",) if count > 1 else ()
