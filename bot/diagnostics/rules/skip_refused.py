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
from bot.sentences import say
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
        verdict=say("skip_refused.verdict", place=place_name(evidence)),
        why=(
            say("skip_refused.called-skip", category=category or "none"),
            say("skip_refused.tool-refused"),
            say("skip_refused.wrote-nothing"),
        ),
        evidence=(
            *ref(HandleKind.CALL, call.record_id, say("skip_refused.refused-call")),
            *(ref(HandleKind.REQUEST, request.id, say("skip_refused.request")) if request else ()),
            *message_ref(evidence),
        ),
        quotes=(EvidenceQuote(handle=name, text=excerpt(arguments.reason, _MAX_QUOTE_CHARS)),)
        if name and arguments.reason.strip()
        else (),
        advice=say("skip_refused.open-call"),
        operator_advice=say("skip_refused.look-for-it"),
    )
