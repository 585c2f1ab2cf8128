"""CONTRADICTION: two lines that the model was told exclude each other, and its answer used one of them."""

from __future__ import annotations

from collections.abc import Iterator

from bot.diagnostics.evidence.evidence import Evidence
from bot.diagnostics.evidence.evidence_reader import place_name, ref
from bot.diagnostics.evidence.told_facts import find_contradiction, line_ref, quote_of, source_words, told_answer
from bot.domain.finding import Confidence, Finding, FunnelStage
from bot.domain.handles import HandleKind
from bot.mind.contradictions import Difference
from bot.sentences import say

_DIFFERENCES = {Difference.NEGATION: "negation", Difference.FIGURE: "figure", Difference.VALUE: "value"}


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
        verdict=say("context_contradiction.verdict", place=place_name(evidence)),
        why=(
            say("context_contradiction.contradicts"),
            say("context_contradiction.both", one=source_words(sides[0]), other=source_words(sides[1])),
            say("context_contradiction.differ", difference=_DIFFERENCES[found.found.difference]),
        ),
        evidence=(
            *line_ref(sides[0], say("context_contradiction.one-of-two")),
            *line_ref(sides[1], say("context_contradiction.the-other")),
            *ref(HandleKind.REQUEST, answer.request.id, say("context_contradiction.request")),
        )[:3],
        quotes=tuple(quote_of(line, answer.request) for line in sides),
        advice=say("context_contradiction.forget-wrong"),
        operator_advice=say("context_contradiction.reword"),
        settle=say("context_contradiction.settle"),
    )
