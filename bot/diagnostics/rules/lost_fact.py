"""LOST-FACT: it was said once and is told to the model no more: a compaction, a cut or a fresh start took it away."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bot.diagnostics.evidence.evidence import DroppedMessages, Evidence
from bot.diagnostics.evidence.evidence_reader import message_ref, place_name, ref
from bot.diagnostics.evidence.told_facts import LostFact, find_lost
from bot.domain.finding import Confidence, EvidenceQuote, EvidenceRef, Finding, FunnelStage
from bot.domain.handles import HandleKind, handle
from bot.mind.source_ranking import content
from bot.sentences import say
from bot.text.text import excerpt, one_line_name, quote_line
from bot.text.times import clock_time

_MAX_QUOTE_CHARS = 200
_MAX_MISSING = 3


def check(evidence: Evidence) -> Iterator[Finding]:
    """Name the message that said it, what took it away, and how it can be put back."""
    found = find_lost(evidence)
    if found is None:
        return
    dropped = found.dropped
    if dropped.audit and not evidence.question:
        return  # who does not ask for a fact is told first that a fresh chat was started
    said = found.held.told if found.held is not None else None
    name = said.line.source.handle if said else ""
    yield Finding(
        rule="LOST-FACT",
        stage=FunnelStage.DECISION,
        confidence=Confidence.LIKELY if said else Confidence.CONFIRMED,
        verdict=say("lost_fact.verdict", place=place_name(evidence)),
        why=(*_what(found), *_how(dropped), *_lacks(found)),
        evidence=(
            *((EvidenceRef(handle=name, what=say("lost_fact.said-by")),) if name else ()),
            *ref(HandleKind.COMPACTION, dropped.compaction, say("lost_fact.took-it-out")),
            *message_ref(evidence),
        )[:3],
        quotes=(EvidenceQuote(handle=name, text=excerpt(content(said.line), _MAX_QUOTE_CHARS)),) if said else (),
        advice=_advice(dropped),
        settle=say("lost_fact.settle"),
    )


def _what(found: LostFact) -> tuple[str, ...]:
    if found.held is None:
        return (say("lost_fact.not-told", count=len(found.dropped.messages)),)
    return (say("lost_fact.said-in", handle=found.held.told.line.source.handle),)


def _how(dropped: DroppedMessages) -> tuple[str, ...]:
    at = clock_time(dropped.at)
    if dropped.audit:
        return (say("lost_fact.fresh-chat", who=one_line_name(dropped.by, 24, "none"), time=at),)
    name = handle(HandleKind.COMPACTION, dropped.compaction)
    if dropped.emergency:
        taken = say("lost_fact.emergency", handle=name, time=at)
        return (taken, say("lost_fact.without-summary", failed=dropped.failed))
    return (say("lost_fact.summed-up", handle=name, time=at),)


def _lacks(found: LostFact) -> tuple[str, ...]:
    """Say what the summary is known to lack: what the message named, before all else."""
    missing = found.dropped.missing
    if not missing:
        return ()
    said = content(found.held.told.line) if found.held is not None else ""
    theirs = [one for one in missing if _stands_in(one, said)]
    own = [one for one in theirs if any(map(str.isdigit, one))]
    named = (own or theirs or list(missing))[:_MAX_MISSING]
    things = ", ".join(quote_line(one, 16) for one in named)
    return (say("lost_fact.lacks", things=things, more=len(missing) - len(named)),)


def _stands_in(thing: str, said: str) -> bool:
    """Say whether a name or a number is in a text as a whole: 1 is not in 18:30."""
    return re.search(rf"(?<![\w:.,/-]){re.escape(thing)}(?!\w|[:.,/-]\d)", said) is not None


def _advice(dropped: DroppedMessages) -> str:
    if dropped.audit:
        return say("lost_fact.undo-new")
    name = handle(HandleKind.COMPACTION, dropped.compaction)
    if dropped.undoable:
        return say("lost_fact.undo-compaction", handle=name)
    return say("lost_fact.remember")
