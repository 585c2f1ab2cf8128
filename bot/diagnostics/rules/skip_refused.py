"""SKIP-REFUSED: the model wanted to say nothing, the tool did not take that, and then nothing came out."""

from __future__ import annotations

from collections.abc import Iterator

from bot.diagnostics.evidence.culprit import find_culprit
from bot.diagnostics.evidence.evidence import Evidence
from bot.diagnostics.evidence.evidence_reader import last_request, message_ref, place_name, ref
from bot.diagnostics.evidence.failures import skip_before_nothing
from bot.diagnostics.evidence.skip_reason import read_arguments
from bot.domain.finding import Confidence, EvidenceQuote, Finding, FunnelStage
from bot.domain.handles import HandleKind, handle
from bot.text.text import excerpt, quote_line

_MAX_QUOTE_CHARS = 200


def check(evidence: Evidence) -> Iterator[Finding]:
    """Name the call that was refused and quote the model's own reason for silence."""
    call = skip_before_nothing(evidence)
    if call is None or find_culprit(evidence) is not None:
        return
    request, arguments = last_request(evidence), read_arguments(call.raw_arguments_json)
    category = quote_line(arguments.category, 30)
    name = handle(HandleKind.CALL, call.record_id) if call.record_id else ""
    yield Finding(
        rule="SKIP-REFUSED",
        stage=FunnelStage.DECISION,
        confidence=Confidence.CONFIRMED,
        verdict=f"{place_name(evidence)}: it wanted to keep silent",
        why=(
            f"It called skip ({category})," if category else "It called skip,",
            "which the tool refused it. Asked to",
            "answer after all, it wrote nothing.",
        ),
        evidence=(
            *ref(HandleKind.CALL, call.record_id, "the refused skip, with the model's reason"),
            *(ref(HandleKind.REQUEST, request.id, "request as sent, and the answer") if request else ()),
            *message_ref(evidence),
        ),
        quotes=(EvidenceQuote(handle=name, text=excerpt(arguments.reason, _MAX_QUOTE_CHARS)),)
        if name and arguments.reason.strip()
        else (),
        advice="Open the call to read why it wanted silence, then ask again in other words.",
        operator_advice="Open the call: what made it want silence stands in persona, memories or talk.",
    )
