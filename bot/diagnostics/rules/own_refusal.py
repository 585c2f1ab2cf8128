"""OWN-REFUSAL: the bot's own earlier silence or refusal stands in its request, and it did the same again."""

from __future__ import annotations

from collections.abc import Iterator

from bot.diagnostics.evidence.evidence import Evidence
from bot.diagnostics.evidence.evidence_reader import message_ref, place_name, ref
from bot.diagnostics.evidence.repeated_refusal import find_repeated, turn_of
from bot.domain.finding import Confidence, EvidenceQuote, Finding, FunnelStage
from bot.domain.handles import HandleKind, handle
from bot.sentences import say
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
        *ref(HandleKind.TURN, turn, say("own_refusal.first-turn")),
        *ref(HandleKind.INBOUND, earlier.inbound, say("own_refusal.refused-then")),
    )
    name = told[0].handle if told else handle(HandleKind.REQUEST, request.id)
    what = "silence" if earlier.skipped else "refusal"
    yield Finding(
        rule="OWN-REFUSAL",
        stage=FunnelStage.DECISION,
        confidence=Confidence.LIKELY,
        verdict=say("own_refusal.verdict", place=place_name(evidence), what=what),
        why=(say("own_refusal.did-so-in", what=what, handle=name), say("own_refusal.still-there")),
        evidence=(
            *told[:1],
            *ref(HandleKind.REQUEST, request.id, say("own_refusal.request", number=str(earlier.message))),
            *message_ref(evidence),
        ),
        quotes=(
            EvidenceQuote(
                handle=handle(HandleKind.REQUEST, request.id), text=excerpt(earlier.reason, _MAX_QUOTE_CHARS)
            ),
        ),
        advice=say("own_refusal.start-over"),
        operator_advice=say("own_refusal.start-over-fix"),
        settle=say("own_refusal.settle"),
    )
