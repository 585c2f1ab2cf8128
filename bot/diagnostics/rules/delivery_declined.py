"""OUT-REFUSED: the platform refuses the answer, and no right is what it minds: its words, and the cause if known."""

from __future__ import annotations

from collections.abc import Iterator

from bot.diagnostics.evidence.adapter_facts import platform_title
from bot.diagnostics.evidence.deliveries import chunk_ref, declined_chunk, hindered_chunk, refused_chunk
from bot.diagnostics.evidence.evidence import Evidence
from bot.diagnostics.evidence.evidence_reader import message_ref, place_name, quote_service_words
from bot.domain.delivery_failures import UNKNOWN, channel_fix_of, fix_of, reason_of
from bot.domain.finding import Confidence, Finding, FunnelStage
from bot.domain.handles import HandleKind, handle
from bot.sentences import say


def check(evidence: Evidence) -> Iterator[Finding]:
    """Say what a row of the table proves; of words that no row knows, say the words and nothing else."""
    found = declined_chunk(evidence)
    if found is None or refused_chunk(evidence) is not None or hindered_chunk(evidence) is not None:
        return
    reason, row, is_known = found.reason, found.row, found.reason != UNKNOWN
    fix = fix_of(reason, handle(HandleKind.DELIVERY, row.row))
    yield Finding(
        rule="OUT-REFUSED",
        stage=FunnelStage.DELIVERY,
        confidence=Confidence.CONFIRMED if is_known else Confidence.CANNOT_TELL,
        verdict=say("delivery_declined.verdict", place=place_name(evidence), reason=reason_of(reason)),
        why=(
            say("delivery_declined.said", name=platform_title(evidence.target.channel)),
            *quote_service_words(found.words),
        ),
        evidence=(*chunk_ref(row, "refused"), *message_ref(evidence)),
        advice=(channel_fix_of(reason) or say("delivery_declined.tell-operator"))
        if is_known
        else say("delivery_declined.other-words"),
        operator_advice=fix if is_known else say("delivery_declined.look-up"),
        settle="" if is_known else say("delivery_declined.settle"),
    )
