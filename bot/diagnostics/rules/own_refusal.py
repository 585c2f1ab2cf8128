"""OWN-REFUSAL: the bot's own earlier silence or refusal stands in its request, and it did the same again."""

from __future__ import annotations

from collections.abc import Iterator

from bot.diagnostics.evidence.evidence import Evidence
from bot.diagnostics.evidence.evidence_reader import message_ref, place_name, ref
from bot.diagnostics.evidence.repeated_refusal import find_repeated, turn_of
from bot.domain.finding import Confidence, EvidenceQuote, Finding, FunnelStage
from bot.domain.handles import HandleKind, handle
from bot.text.text import excerpt

_MAX_QUOTE_CHARS = 200


def check(evidence: Evidence) -> Iterator[Finding]:
    """Name the turn in which it refused first, with its reason then."""
    found = find_repeated(evidence)
    if found is None:
        return
    request, earlier = found
    turn = turn_of(evidence, earlier.inbound)
    told = (
        *ref(HandleKind.TURN, turn, "the turn in which it did so first"),
        *ref(HandleKind.INBOUND, earlier.inbound, "what it refused then"),
    )
    name = told[0].handle if told else handle(HandleKind.REQUEST, request.id)
    yield Finding(
        rule="OWN-REFUSAL",
        stage=FunnelStage.DECISION,
        confidence=Confidence.LIKELY,
        verdict=f"{place_name(evidence)}: it repeats its own {'silence' if earlier.skipped else 'refusal'}",
        why=(
            f"It {'kept silent' if earlier.skipped else 'refused'} in {name}, for the same reason.",
            "Its request still holds that, and it did so again.",
        ),
        evidence=(
            *told[:1],
            *ref(HandleKind.REQUEST, request.id, f"request as sent: message {earlier.message}"),
            *message_ref(evidence),
        ),
        quotes=(
            EvidenceQuote(
                handle=handle(HandleKind.REQUEST, request.id), text=excerpt(earlier.reason, _MAX_QUOTE_CHARS)
            ),
        ),
        advice="Begin anew (`new`), or say that the earlier refusal was wrong; then ask again.",
        operator_advice="Begin anew (`new`): its own example weighs more than the prompt.",
        settle="ask the same in a fresh chat.",
    )
