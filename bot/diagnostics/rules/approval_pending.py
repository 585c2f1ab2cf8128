"""APPROVAL: what was asked for waits for people, who were asked somewhere else."""

from __future__ import annotations

from collections.abc import Iterator

from bot.diagnostics.evidence.evidence import Evidence
from bot.diagnostics.evidence.evidence_reader import message_ref, outcome, place_name, ref
from bot.domain.finding import Confidence, Finding, ForgetMemory, FunnelStage
from bot.domain.handles import HandleKind, handle
from bot.domain.ledger import Outcome
from bot.text.times import age


def check(evidence: Evidence) -> Iterator[Finding]:
    """Say what waits, for how long, and where people were asked; a message that failed has another cause."""
    if not evidence.approvals or outcome(evidence) not in {None, Outcome.REPLIED, Outcome.SKIPPED}:
        return
    oldest = min(evidence.approvals, key=lambda one: one.at)
    names = list(dict.fromkeys(handle(HandleKind.MEMORY, one.memory) for one in evidence.approvals))
    more = f" and {len(names) - 1:,} more" if len(names) > 1 else ""
    name = handle(HandleKind.MEMORY, oldest.memory)
    known = next((one for one in evidence.memories if one.id == oldest.memory), None)
    yield Finding(
        rule="APPROVAL",
        stage=FunnelStage.QUEUE,
        confidence=Confidence.CONFIRMED,
        verdict=f"{place_name(evidence)}: waits for an approval",
        why=(
            f"To forget {name}{more} was proposed {age(evidence.now - oldest.at)} ago.",
            f"It was put {oldest.shown}: nothing of it shows here.",
            "Until somebody confirms, everything stays as it is.",
        ),
        evidence=(
            *ref(HandleKind.MEMORY, oldest.memory, "what is to be forgotten"),
            *ref(HandleKind.CALL, oldest.call, "the call that proposed it"),
            *message_ref(evidence),
        ),
        advice="Confirm it below, or leave it; tell the channel what you decided.",
        operator_advice=f"Confirm it below, or leave it; `memory forget {name}` asks the same. Then tell the channel.",
        fix=ForgetMemory(memory=known.id, version=known.version) if known and not known.forgotten_at else None,
    )
