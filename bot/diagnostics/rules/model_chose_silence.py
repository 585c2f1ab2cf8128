"""DEC-SILENT: the model chose silence, and neither a memory, an edit that is not active nor itself explains it."""

from __future__ import annotations

from collections.abc import Iterator

from bot.diagnostics.evidence.contradiction import demands_address
from bot.diagnostics.evidence.culprit import find_culprit
from bot.diagnostics.evidence.edited_since import edited_since
from bot.diagnostics.evidence.evidence import Evidence
from bot.diagnostics.evidence.evidence_reader import last_request, message, message_ref, outcome, place_name, ref
from bot.diagnostics.evidence.repeated_refusal import find_repeated
from bot.diagnostics.evidence.skip_reason import REACTED, SkipReason, read_skip, turn_ref
from bot.domain.finding import Confidence, EvidenceQuote, Finding, FunnelStage
from bot.domain.handles import HandleKind
from bot.domain.ledger import Outcome
from bot.domain.snapshot import SectionFate
from bot.sentences import say


def check(evidence: Evidence) -> Iterator[Finding]:
    """Say that it was the model's choice, with its own words as a quote, and which block speaks of silence."""
    if outcome(evidence) is not Outcome.SKIPPED or find_culprit(evidence) is not None:
        return
    if demands_address(evidence) or edited_since(evidence) or find_repeated(evidence) is not None:
        return
    skip, request = read_skip(evidence), last_request(evidence)
    turn = turn_ref(evidence)
    quotes = (EvidenceQuote(handle=turn[0].handle, text=skip.reason),) if turn and skip.reason else ()
    block = _block(evidence)
    yield Finding(
        rule="DEC-SILENT",
        stage=FunnelStage.DECISION,
        confidence=Confidence.CONFIRMED,
        verdict=say("model_chose_silence.verdict", place=place_name(evidence)),
        why=(_how(skip), *_addressed(evidence), *block),
        evidence=(
            *turn,
            *(ref(HandleKind.REQUEST, request.id, say("model_chose_silence.request")) if request else ()),
            *message_ref(evidence),
        ),
        quotes=quotes,
        advice=say("model_chose_silence.ask"),
        operator_advice=say("model_chose_silence.reword"),
        settle=say("model_chose_silence.settle"),
    )


def _how(skip: SkipReason) -> str:
    if skip.called:
        return say("model_chose_silence.called-skip")
    reacted = skip.category == REACTED
    return say("model_chose_silence.only-reacted" if reacted else "model_chose_silence.said-nothing")


def _addressed(evidence: Evidence) -> tuple[str, ...]:
    found = message(evidence)
    if found is None or not (found.inbound.mentions_bot or found.inbound.replies_to_bot or found.inbound.place.is_dm):
        return (say("model_chose_silence.not-addressed"),)
    return (say("model_chose_silence.addressed"),)


def _block(evidence: Evidence) -> tuple[str, ...]:
    request = last_request(evidence)
    kept = (
        {section.name for section in request.record.sections if section.fate is SectionFate.KEPT} if request else set()
    )
    return (say("model_chose_silence.rules-allow"),) if "silence_rules" in kept else ()
