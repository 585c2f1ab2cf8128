"""APPROVAL: what was asked for waits for people, who were asked somewhere else."""

from __future__ import annotations

from collections.abc import Iterator

from bot.diagnostics.evidence.evidence import Evidence
from bot.diagnostics.evidence.evidence_reader import message_ref, outcome, place_name, ref
from bot.domain.finding import Confidence, Finding, ForgetMemory, FunnelStage
from bot.domain.handles import HandleKind, handle
from bot.domain.ledger import Outcome
from bot.sentences import say
from bot.text.times import age


def check(evidence: Evidence) -> Iterator[Finding]:
    """Say what waits, for how long, and where people were asked; a message that failed has another cause."""
    if not evidence.approvals or outcome(evidence) not in {None, Outcome.REPLIED, Outcome.SKIPPED}:
        return
    oldest = min(evidence.approvals, key=lambda one: one.at)
    names = list(dict.fromkeys(handle(HandleKind.MEMORY, one.memory) for one in evidence.approvals))
    name = handle(HandleKind.MEMORY, oldest.memory)
    known = next((one for one in evidence.memories if one.id == oldest.memory), None)
    yield Finding(
        rule="APPROVAL",
        stage=FunnelStage.QUEUE,
        confidence=Confidence.CONFIRMED,
        verdict=say("approval_pending.verdict", place=place_name(evidence)),
        why=(
            say("approval_pending.proposed", age=age(evidence.now - oldest.at), name=name, more=len(names) - 1),
            say("approval_pending.asked-where", where=oldest.shown),
            say("approval_pending.until-confirmed"),
        ),
        evidence=(
            *ref(HandleKind.MEMORY, oldest.memory, say("approval_pending.to-forget")),
            *ref(HandleKind.CALL, oldest.call, say("approval_pending.proposing-call")),
            *message_ref(evidence),
        ),
        advice=say("approval_pending.confirm"),
        operator_advice=say("approval_pending.confirm-or-command", name=name),
        fix=ForgetMemory(memory=known.id, version=known.version) if known and not known.forgotten_at else None,
    )
