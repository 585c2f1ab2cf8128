"""DENIED-CONTEXT: the answer denies to know what stands in the very request that it came back for."""

from __future__ import annotations

from collections.abc import Iterator

from bot.diagnostics.evidence.evidence import Evidence
from bot.diagnostics.evidence.evidence_reader import place_name, ref
from bot.diagnostics.evidence.told_facts import find_denied, line_ref, quote_of, source_words, told_answer
from bot.domain.finding import Confidence, Finding, FunnelStage
from bot.domain.handles import HandleKind


def check(evidence: Evidence) -> Iterator[Finding]:
    """Name the line that holds what the answer denies, and quote it."""
    answer, found = told_answer(evidence), find_denied(evidence)
    if answer is None or found is None:
        return
    line = found.held.told.line
    yield Finding(
        rule="DENIED-CONTEXT",
        stage=FunnelStage.DECISION,
        confidence=Confidence.LIKELY,
        verdict=f"{place_name(evidence)}: it denies what it was told",
        why=("The answer says that it does not know,", f"but {source_words(line)} says it."),
        evidence=(
            *line_ref(line, "what it was told"),
            *ref(HandleKind.REQUEST, answer.request.id, f"request as sent: {line.where}"),
            *ref(HandleKind.DELIVERY, answer.rows[0].row, "the answer that denies it"),
        ),
        quotes=(quote_of(line, answer.request),),
        advice="Ask again with a word of that line, or tell the operator.",
        operator_advice="The model overlooked it: shorten the context, or try another model.",
        settle="read that line: does it answer the question?",
    )
