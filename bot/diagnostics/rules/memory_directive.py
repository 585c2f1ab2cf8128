"""MEM-DIRECTIVE: a memory in the prompt told the bot to be silent towards whoever wrote the message."""

from __future__ import annotations

from collections.abc import Iterator

from bot.diagnostics.evidence.culprit import SilencingMemory, find_culprit
from bot.diagnostics.evidence.evidence import Evidence
from bot.diagnostics.evidence.evidence_reader import outcome, place_name, ref
from bot.diagnostics.evidence.skip_reason import read_skip, turn_ref
from bot.domain.finding import Confidence, EvidenceQuote, EvidenceRef, Finding, ForgetMemory, FunnelStage
from bot.domain.handles import HandleKind, handle
from bot.domain.ledger import Outcome
from bot.sentences import say
from bot.text.figures import decimal
from bot.text.silencing import Force
from bot.text.text import count_invisible
from bot.text.times import age

_FORCES = {Force.ORDERS: "orders", Force.HINTS: "hints", Force.RULES: "rules", Force.NONE: "none"}
_OPENINGS = {
    # by whether the model called skip, whether the prompt held the memory, and whether the turn is known
    (True, True, True): "memory_directive.chose-in",
    (True, True, False): "memory_directive.chose",
    (True, False, True): "memory_directive.chose-reach-in",
    (True, False, False): "memory_directive.chose-reach",
    (False, True, True): "memory_directive.no-answer-in",
    (False, True, False): "memory_directive.no-answer",
    (False, False, True): "memory_directive.no-answer-reach-in",
    (False, False, False): "memory_directive.no-answer-reach",
}


def check(evidence: Evidence) -> Iterator[Finding]:
    """Name the memory, where it stood, who caused it; quote it; offer to forget it."""
    culprit = find_culprit(evidence)
    if culprit is None:
        return
    memory = culprit.memory
    name = handle(HandleKind.MEMORY, memory.id)
    gone = bool(memory.forgotten_at)
    sure = culprit.request > 0 and (culprit.force is Force.ORDERS or culprit.named)
    yield Finding(
        rule="MEM-DIRECTIVE",
        stage=FunnelStage.DECISION,
        confidence=Confidence.LIKELY if sure else Confidence.CANNOT_TELL,
        verdict=say("memory_directive.verdict", place=place_name(evidence)),
        why=_why(evidence, culprit, name),
        evidence=_refs(evidence, culprit),
        quotes=(EvidenceQuote(handle=name, text=memory.body.content),),
        advice=say("memory_directive.forgotten") if gone else say("memory_directive.read-it", handle=name),
        operator_advice="" if gone else say("memory_directive.read-and-by", handle=name),
        fix=None if gone else ForgetMemory(memory=memory.id, version=memory.version),
        settle=say("memory_directive.settle"),
    )


def _why(evidence: Evidence, culprit: SilencingMemory, name: str) -> tuple[str, ...]:
    turn = evidence.turn
    row = handle(HandleKind.TURN, turn.turn.id) if turn else ""
    skipped = outcome(evidence) is Outcome.SKIPPED and read_skip(evidence).called
    opening = _OPENINGS[skipped, bool(culprit.request), bool(row)]
    hidden = count_invisible(culprit.memory.body.content)
    return (
        say(opening, turn=row),
        say("memory_directive.memory", handle=name, force=_FORCES[culprit.force]),
        *((say("memory_directive.reason-names"),) if culprit.named else ()),
        *((say("memory_directive.invisible", count=hidden),) if hidden else ()),
        say("memory_directive.not-tried"),
    )


def _refs(evidence: Evidence, culprit: SilencingMemory) -> tuple[EvidenceRef, ...]:
    body = culprit.memory.body
    what = say(
        "memory_directive.record",
        type=body.type,
        importance=decimal(body.importance, 2),
        age=age(evidence.now - body.created_at),
        by="admin" if body.provenance.by_admin else "other",
    )
    where = say(
        "memory_directive.request",
        section=culprit.section,
        line=str(culprit.line),
        lines=str(culprit.lines),
    )
    return (
        *ref(HandleKind.MEMORY, culprit.memory.id, what),
        *ref(HandleKind.REQUEST, culprit.request, where),
        *turn_ref(evidence),
    )
