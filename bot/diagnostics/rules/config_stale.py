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
from bot.text.text import quote_line

_RELOAD_FIX = "Run `systemctl reload glassmind` (SIGHUP) on the host; then ask again."
_RESTART_FIX = "Start the bot anew; then ask again."
_OVERRULED_FIX = "The environment has a value of its own (systemd? a shell?): change it there, and start the bot anew."


def check(evidence: Evidence) -> Iterator[Finding]:
    """Name the keys that bear on the message; whether their new values would have helped, only a reload tells."""
    found = edited_since(evidence)
    if not found:
        return
    yield Finding(
        rule="CFG-STALE",
        stage=_stage(evidence),
        confidence=Confidence.LIKELY,
        verdict=f"{place_name(evidence)}: an edit is not active",
        why=(*_why(found), _what(evidence)),
        evidence=(*_refs(evidence), *message_ref(evidence)),
        advice="Tell the operator: the configuration was edited, and the bot has not read it since.",
        operator_advice=_fix(found),
        settle="reload or restart, and ask again.",
    )


def _stage(evidence: Evidence) -> FunnelStage:
    if outcome(evidence) is Outcome.SKIPPED:
        return FunnelStage.DECISION
    return FunnelStage.GATE if gate_stop(evidence) else FunnelStage.REQUEST


def _why(found: Sequence[StaleKey]) -> tuple[str, ...]:
    first = found[0]
    more = f" and {len(found) - 1} more" if len(found) > 1 else ""
    runs = "the environment has another one." if first.overruled else "the bot runs with the one before."
    return (f"{quote_line(first.key, 44)}{more}", f"has a new value in {quote_line(first.file, 20)};", runs)


def _what(evidence: Evidence) -> str:
    if gate_stop(evidence) is not None:
        return "The message was compared with the old one."
    if outcome(evidence) is Outcome.REPLIED:
        return "The answer was made with the old one."
    if outcome(evidence) is Outcome.SKIPPED:
        return "The model chose silence with the old one."
    return "The request was made with the old one."


def _refs(evidence: Evidence) -> tuple[EvidenceRef, ...]:
    stop, request = gate_stop(evidence), last_request(evidence)
    if stop is not None:
        return gate_ref(stop, f"gate {stop.gate}")
    decided = turn_ref(evidence) if outcome(evidence) is Outcome.SKIPPED else ()
    return (*decided, *(ref(HandleKind.REQUEST, request.id, "request as sent") if request else ()))


def _fix(found: Sequence[StaleKey]) -> str:
    if any(key.overruled for key in found):
        return _OVERRULED_FIX
    return _RELOAD_FIX if all(key.live for key in found) else _RESTART_FIX
