"""ANON-ADMIN: an admin wrote in the group's name, and nobody can tell which of them it was."""

from __future__ import annotations

from collections.abc import Iterator

from bot.diagnostics.evidence.adapter_facts import platform_title
from bot.diagnostics.evidence.evidence import Evidence
from bot.diagnostics.evidence.evidence_reader import (
    GateName,
    GateStop,
    gate_ref,
    gate_stop,
    message,
    message_ref,
    outcome,
    place_name,
)
from bot.domain.finding import Confidence, EvidenceRef, Finding, FunnelStage
from bot.domain.ledger import Outcome
from bot.domain.messages import AuthorKind

_ADVICE = "Write under your own name (your admin rights, Remain Anonymous: off), or ask the bot in private."
_NOT_OBEYED = "It was a command: it is obeyed for nobody."
_LIST = "allowed_users"


def check(evidence: Evidence) -> Iterator[Finding]:
    """Look for a list that only knows people, then for a command that was refused."""
    if (stop := nameless_stop(evidence)) is not None:
        yield _finding(evidence, gate_ref(stop, f"gate {stop.gate}"), f"{_LIST} holds people, and this is none.")
    elif outcome(evidence) is Outcome.COMMAND and _was_refused(evidence):
        yield _finding(evidence, (), _NOT_OBEYED)


def nameless_stop(evidence: Evidence) -> GateStop | None:
    """Return the gate that looked for a person on its list and found the name of a group."""
    stop, found = gate_stop(evidence), message(evidence)
    if stop is None or found is None or found.inbound.author.kind is not AuthorKind.ANONYMOUS_ADMIN:
        return None
    return stop if stop.gate == GateName.SENDER and stop.compared.get("list") == _LIST else None


def _was_refused(evidence: Evidence) -> bool:
    found = message(evidence)
    return found is not None and found.outcome_reason.endswith(f"denied: {AuthorKind.ANONYMOUS_ADMIN}")


def _finding(evidence: Evidence, refs: tuple[EvidenceRef, ...], line: str) -> Finding:
    name = platform_title(evidence.target.channel)
    return Finding(
        rule="ANON-ADMIN",
        stage=FunnelStage.GATE,
        confidence=Confidence.CONFIRMED,
        verdict=f"{place_name(evidence)}: an anonymous admin wrote it",
        why=("It came in the name of the group.", f"{name} does not say which admin it is.", line),
        evidence=(*refs, *message_ref(evidence)),
        advice=_ADVICE,
    )
