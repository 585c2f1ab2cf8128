"""CFG-STALE: the configuration was edited, and the bot runs with what stood there before."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.diagnostics.evidence.edited_since import edited_since
from bot.diagnostics.evidence.evidence import Evidence
from bot.diagnostics.evidence.evidence_reader import (
    gate_ref,
    gate_stop,
    last_request,
    message_ref,
    outcome,
    place_name,
    ref,
)
from bot.diagnostics.evidence.skip_reason import turn_ref
from bot.domain.finding import Confidence, EvidenceRef, Finding, FunnelStage
from bot.domain.handles import HandleKind
from bot.domain.ledger import Outcome
from bot.domain.stale_config import StaleKey
from bot.sentences import say
from bot.text.text import quote_line


def check(evidence: Evidence) -> Iterator[Finding]:
    """Name the keys that bear on the message; whether their new values would have helped, only a reload tells."""
    found = edited_since(evidence)
    if not found:
        return
    yield Finding(
        rule="CFG-STALE",
        stage=_stage(evidence),
        confidence=Confidence.LIKELY,
        verdict=say("config_stale.verdict", place=place_name(evidence)),
        why=(*_why(found), say(_what(evidence))),
        evidence=(*_refs(evidence), *message_ref(evidence)),
        advice=say("config_stale.tell-operator"),
        operator_advice=say(_fix(found)),
        settle=say("config_stale.settle"),
    )


def _stage(evidence: Evidence) -> FunnelStage:
    if outcome(evidence) is Outcome.SKIPPED:
        return FunnelStage.DECISION
    return FunnelStage.GATE if gate_stop(evidence) else FunnelStage.REQUEST


def _why(found: Sequence[StaleKey]) -> tuple[str, ...]:
    first = found[0]
    return (
        say("config_stale.key", key=quote_line(first.key, 44), more=len(found) - 1),
        say("config_stale.new-value", file=quote_line(first.file, 20)),
        say("config_stale.overruled" if first.overruled else "config_stale.runs-with-old"),
    )


def _what(evidence: Evidence) -> str:
    if gate_stop(evidence) is not None:
        return "config_stale.compared"
    if outcome(evidence) is Outcome.REPLIED:
        return "config_stale.answered"
    if outcome(evidence) is Outcome.SKIPPED:
        return "config_stale.silent"
    return "config_stale.asked"


def _refs(evidence: Evidence) -> tuple[EvidenceRef, ...]:
    stop, request = gate_stop(evidence), last_request(evidence)
    if stop is not None:
        return gate_ref(stop, say("gate_access.record", gate=stop.gate))
    decided = turn_ref(evidence) if outcome(evidence) is Outcome.SKIPPED else ()
    return (*decided, *(ref(HandleKind.REQUEST, request.id, say("config_stale.request")) if request else ()))


def _fix(found: Sequence[StaleKey]) -> str:
    if any(key.overruled for key in found):
        return "config_stale.change-environment"
    return "config_stale.reload" if all(key.live for key in found) else "config_stale.restart"
