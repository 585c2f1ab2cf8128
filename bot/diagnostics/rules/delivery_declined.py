"""OUT-REFUSED: the platform refuses the answer, and no right is what it minds: its words, and the cause if known."""

from __future__ import annotations

from collections.abc import Iterator

from bot.diagnostics.evidence.adapter_facts import platform_title
from bot.diagnostics.evidence.deliveries import declined_chunk, hindered_chunk, refused_chunk
from bot.diagnostics.evidence.evidence import Evidence
from bot.diagnostics.evidence.evidence_reader import message_ref, place_name, quote_service_words, ref
from bot.domain.delivery_failures import OF_THE_CHANNEL, REASONS, UNKNOWN, fix_of
from bot.domain.finding import Confidence, Finding, FunnelStage
from bot.domain.handles import HandleKind, handle

_TELL_OPERATOR = "Tell the operator: only who runs the bot can end it."
_REWORD_ADVICE = "Ask again in other words, and tell the operator what it said."
_LOOK_UP_FIX = "No known cause: look up what it said. `doctor` checks what the bot may do in the channel."


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
        verdict=f"{place_name(evidence)}: {REASONS[reason]}",
        why=(f"{platform_title(evidence.target.channel)} said:", *quote_service_words(found.words)),
        evidence=(
            *ref(HandleKind.DELIVERY, row.row, f"part {row.body.part + 1} of {row.body.parts}, refused"),
            *message_ref(evidence),
        ),
        advice=(OF_THE_CHANNEL.get(reason) or _TELL_OPERATOR) if is_known else _REWORD_ADVICE,
        operator_advice=fix if is_known else _LOOK_UP_FIX,
        settle="" if is_known else "ask again: does it say the same?",
    )
