"""PROMPT-CONFLICT: the prompt says the same twice or again and again, or one block asks for what another forbids."""

from __future__ import annotations

from collections.abc import Iterator

from bot.diagnostics.evidence.contradiction import Twice, demands_address, repeated
from bot.diagnostics.evidence.culprit import find_culprit
from bot.diagnostics.evidence.edited_since import edited_since
from bot.diagnostics.evidence.injected import Injected, injected
from bot.diagnostics.evidence.model import Evidence
from bot.diagnostics.evidence.reader import last_request, message_ref, outcome, place, ref, said
from bot.diagnostics.evidence.skip_reason import turn_ref
from bot.domain.finding import Confidence, EvidenceRef, Finding, FunnelStage
from bot.domain.handles import HandleKind
from bot.domain.ledger import Outcome

_PERSONA = "Reword the persona (bot.persona, or the channel's own), and restart."


def check(evidence: Evidence) -> Iterator[Finding]:
    """Look for a persona that forbids what the mode asks for, after a silence; for repetitions, after an answer."""
    if outcome(evidence) is Outcome.SKIPPED and find_culprit(evidence) is None and demands_address(evidence):
        if not edited_since(evidence):
            yield _contradiction(evidence)
    elif outcome(evidence) is Outcome.REPLIED and (twice := repeated(evidence)) is not None:
        yield _repetition(evidence, twice)
    elif outcome(evidence) is Outcome.REPLIED and (found := injected(evidence)) is not None:
        yield _growth(evidence, found)


def _contradiction(evidence: Evidence) -> Finding:
    here = "private chats" if evidence.target.place.is_dm else "this channel's mode (active)"
    return Finding(
        rule="PROMPT-CONFLICT",
        stage=FunnelStage.DECISION,
        confidence=Confidence.LIKELY,
        verdict=f"{place(evidence)}: its prompt contradicts itself",
        why=(
            "Section identity (the persona) tells it to",
            "answer only when it is addressed; the rules of",
            f"{here} ask for more. It skipped.",
        ),
        evidence=(*_request(evidence), *turn_ref(evidence), *message_ref(evidence)),
        advice="Mention the bot, or tell the operator: its persona and the channel's mode do not agree.",
        operator_advice="Take that out of the persona: when to answer is for the mode to say (`active`, `mention`).",
        settle="ask the same without that sentence of the persona.",
    )


def _repetition(evidence: Evidence, twice: Twice) -> Finding:
    where = f"twice in section {twice.first}" if twice.first == twice.second else f"in {twice.first} and {twice.second}"
    return Finding(
        rule="PROMPT-CONFLICT",
        stage=FunnelStage.DECISION,
        confidence=Confidence.CONFIRMED,
        verdict=f"{place(evidence)}: its prompt repeats itself",
        why=(
            f"The same paragraph stands {where}:",
            f"{len(twice.text):,} characters, beginning",
            *said(twice.text, 40, 1),
        ),
        evidence=(*_request(evidence), *message_ref(evidence)),
        advice="Tell the operator: the bot is told the same thing twice, which costs and weighs too much.",
        operator_advice=_PERSONA,
    )


def _growth(evidence: Evidence, found: Injected) -> Finding:
    return Finding(
        rule="PROMPT-CONFLICT",
        stage=FunnelStage.DECISION,
        confidence=Confidence.LIKELY,
        verdict=f"{place(evidence)}: the same text comes with every message",
        why=(
            f"{found.messages} of the newest {found.of} messages repeat it,",
            f"{found.share:.0%} of their words, and every request",
            "grows by it. It begins",
            *said(found.text, 40, 1),
        ),
        evidence=(*_request(evidence), *message_ref(evidence)),
        advice="Look for what adds it (a hook, a bridge, a signature) and take it out there.",
        operator_advice="If the bot has to know it, put it into the persona once, where it is sent once.",
        settle="begin anew (`!new`) without it, and compare the sizes of two requests.",
    )


def _request(evidence: Evidence) -> tuple[EvidenceRef, ...]:
    request = last_request(evidence)
    return ref(HandleKind.REQUEST, request.id, "request as sent, with every block") if request else ()
