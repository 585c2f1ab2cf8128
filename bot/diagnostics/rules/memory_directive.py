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
from bot.text.silencing import Force
from bot.text.text import count_invisible
from bot.text.times import age

_FORCE_WORDS = {
    Force.ORDERS: "it orders silence.",
    Force.HINTS: "it speaks of silence.",
    Force.RULES: "it wants to be obeyed.",
    Force.NONE: "not a plain order.",
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
        verdict=f"{place_name(evidence)}: the bot chose not to answer",
        why=_why(evidence, culprit, name),
        evidence=_refs(evidence, culprit),
        quotes=(EvidenceQuote(handle=name, text=memory.body.content),),
        advice="It has been forgotten since; ask again." if gone else f"Read {name}; forget it if nobody meant it so.",
        operator_advice="" if gone else f"Read {name} and who caused it; `memory by` lists what else they caused.",
        fix=None if gone else ForgetMemory(memory=memory.id, version=memory.version),
        settle="ask the same request without that memory.",
    )


def _why(evidence: Evidence, culprit: SilencingMemory, name: str) -> tuple[str, ...]:
    turn = evidence.turn
    row = handle(HandleKind.TURN, turn.turn.id) if turn else ""
    silent = outcome(evidence) is Outcome.SKIPPED
    how = "It called skip" if silent and read_skip(evidence).called else "It gave no answer"
    where = "Its prompt held" if culprit.request else "In its reach is"
    hidden = count_invisible(culprit.memory.body.content)
    return (
        f"{how} in turn {row}. {where}" if row else f"{how}. {where}",
        f"memory {name}: {_FORCE_WORDS[culprit.force]}",
        *(("The model's own reason names it.",) if culprit.named else ()),
        *((f"{hidden} invisible characters in it.",) if hidden else ()),
        "Without that memory: not tried yet.",
    )


def _refs(evidence: Evidence, culprit: SilencingMemory) -> tuple[EvidenceRef, ...]:
    body = culprit.memory.body
    by = "an admin" if body.provenance.by_admin else "a non-admin"
    old = age(evidence.now - body.created_at)
    where = f"request as sent · section {culprit.section}, line {culprit.line} of {culprit.lines}"
    return (
        *ref(
            HandleKind.MEMORY,
            culprit.memory.id,
            f"{body.type} · importance {body.importance:.2f} · {old} old · by {by}",
        ),
        *ref(HandleKind.REQUEST, culprit.request, where),
        *turn_ref(evidence),
    )
