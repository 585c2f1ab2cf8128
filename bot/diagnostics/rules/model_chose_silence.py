"""DEC-SILENT: the model chose silence, and neither a memory, an edit that is not active nor itself explains it."""

from __future__ import annotations

from collections.abc import Iterator

from bot.diagnostics.evidence.contradiction import demands_address
from bot.diagnostics.evidence.culprit import find_culprit
from bot.diagnostics.evidence.edited_since import edited_since
from bot.diagnostics.evidence.evidence import Evidence
from bot.diagnostics.evidence.evidence_reader import last_request, message, message_ref, outcome, place_name, ref
from bot.diagnostics.evidence.repeated_refusal import find_repeated
from bot.diagnostics.evidence.skip_reason import REACTED, read_skip, turn_ref
from bot.domain.finding import Confidence, EvidenceQuote, Finding, FunnelStage
from bot.domain.handles import HandleKind
from bot.domain.ledger import Outcome
from bot.domain.snapshot import SectionFate


def check(evidence: Evidence) -> Iterator[Finding]:
    """Say that it was the model's choice, with its own words as a quote, and which block speaks of silence."""
    if outcome(evidence) is not Outcome.SKIPPED or find_culprit(evidence) is not None:
        return
    if demands_address(evidence) or edited_since(evidence) or find_repeated(evidence) is not None:
        return
    skip, request = read_skip(evidence), last_request(evidence)
    how = "It called skip" if skip.called else "It only reacted" if skip.category == REACTED else "It said nothing"
    turn = turn_ref(evidence)
    quotes = (EvidenceQuote(handle=turn[0].handle, text=skip.reason),) if turn and skip.reason else ()
    block = _block(evidence)
    yield Finding(
        rule="DEC-SILENT",
        stage=FunnelStage.DECISION,
        confidence=Confidence.CONFIRMED,
        verdict=f"{place_name(evidence)}: the bot chose not to answer",
        why=(f"{how}; the model decided so.", *_addressed(evidence), *block),
        evidence=(
            *turn,
            *(ref(HandleKind.REQUEST, request.id, "request as sent") if request else ()),
            *message_ref(evidence),
        ),
        quotes=quotes,
        advice="Ask me what in the request called for silence; the operator can reword it.",
        operator_advice="Reword prompts/en/sections/silence_rules.md.j2, or choose another model.",
        settle="an inspection reads the request and says why.",
    )


def _addressed(evidence: Evidence) -> tuple[str, ...]:
    found = message(evidence)
    if found is None or not (found.inbound.mentions_bot or found.inbound.replies_to_bot or found.inbound.place.is_dm):
        return ("The message was not addressed to it.",)
    return ("The message was addressed to it.",)


def _block(evidence: Evidence) -> tuple[str, ...]:
    request = last_request(evidence)
    kept = (
        {section.name for section in request.record.sections if section.fate is SectionFate.KEPT} if request else set()
    )
    return ("Section silence_rules allows it to.",) if "silence_rules" in kept else ()
