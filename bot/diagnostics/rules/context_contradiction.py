"""CONTRADICTION: two lines that the model was told exclude each other, and its answer used one of them."""

from __future__ import annotations

from collections.abc import Iterator

from bot.diagnostics.evidence.evidence import Evidence
from bot.diagnostics.evidence.evidence_reader import place_name, ref
from bot.diagnostics.evidence.told_facts import find_contradiction, line_ref, quote_of, source_words, told_answer
from bot.domain.finding import Confidence, Finding, FunnelStage
from bot.domain.handles import HandleKind


def check(evidence: Evidence) -> Iterator[Finding]:
    """Name both sides, and quote them."""
    answer, found = told_answer(evidence), find_contradiction(evidence)
    if answer is None or found is None:
        return
    sides = (found.one.line, found.other.line)
    yield Finding(
        rule="CONTRADICTION",
        stage=FunnelStage.DECISION,
        confidence=Confidence.LIKELY,
        verdict=f"{place_name(evidence)}: it was told two things",
        why=(
            "What it was told contradicts itself:",
            f"{source_words(sides[0])} and {source_words(sides[1])}:",
            f"{found.found.difference.value}. The answer used one.",
        ),
        evidence=(
            *line_ref(sides[0], "one of the two"),
            *line_ref(sides[1], "the other"),
            *ref(HandleKind.REQUEST, answer.request.id, "request as sent, with both"),
        )[:3],
        quotes=tuple(quote_of(line, answer.request) for line in sides),
        advice="Have the wrong one forgotten, or tell the bot which one is right.",
        operator_advice="Forget the wrong memory, or reword bot.persona.",
        settle="which of the two is right?",
    )
