"""DENIED-CONTEXT: the answer denies to know what stands in the very request that it came back for."""

from __future__ import annotations

from collections.abc import Iterator

from bot.diagnostics.evidence.evidence import Evidence
from bot.diagnostics.evidence.evidence_reader import place_name, ref
from bot.diagnostics.evidence.told_facts import find_denied, line_ref, quote_of, source_words, told_answer
from bot.domain.finding import Confidence, Finding, FunnelStage
from bot.domain.handles import HandleKind
from bot.sentences import say


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
        verdict=say("denied_context.verdict", place=place_name(evidence)),
        why=(say("denied_context.does-not-know"), say("denied_context.but-told", what=source_words(line))),
        evidence=(
            *line_ref(line, say("denied_context.was-told")),
            *ref(HandleKind.REQUEST, answer.request.id, say("denied_context.request", where=line.where)),
            *ref(HandleKind.DELIVERY, answer.rows[0].row, say("denied_context.answer")),
        ),
        quotes=(quote_of(line, answer.request),),
        advice=say("denied_context.ask-with-word"),
        operator_advice=say("denied_context.shorten"),
        settle=say("denied_context.settle"),
    )
