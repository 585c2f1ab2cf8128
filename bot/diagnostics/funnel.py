"""Say how far a message came: the ✓ ✗ ○ lines of a report."""

from __future__ import annotations

from typing import Literal, NamedTuple

from bot.diagnostics.answer_changes import may_be_unseen
from bot.diagnostics.evidence.adapter_facts import adapter_fault, freshness, is_blind, probe_unanswered, withholds_talk
from bot.diagnostics.evidence.evidence import Evidence, MissingEvidence
from bot.diagnostics.evidence.evidence_reader import GateName, came_late, gate_stop, is_pending, message, outcome
from bot.diagnostics.evidence.failures import was_cut_off
from bot.diagnostics.merged_messages import pictures_of_album
from bot.domain.channel import ResponseMode
from bot.domain.finding import Finding, FunnelCheck, FunnelStage
from bot.domain.health import AdapterState
from bot.domain.ledger import Outcome, StoredInbound
from bot.domain.turn import TurnStatus
from bot.sentences import say
from bot.text.text import quote_line
from bot.text.times import age, clock_time

State = Literal["passed", "failed", "not_reached", "not_checkable"]


REST_OF_ALBUM, SEEN = "rest_of_album", "seen"
"""Steps of which nobody can know: pictures that did not come, and whether people see what was sent."""
_NAMES = {
    "process": "funnel.process",
    "adapter": "funnel.adapter",
    "arrival": "funnel.arrival",
    "author": "funnel.author",
    "access": "funnel.access",
    "pause": "funnel.pause",
    "mode": "funnel.mode",
    "addressing": "funnel.addressing",
    "limits": "funnel.limits",
    "queue": "funnel.queue",
    "request": "funnel.request",
    "decision": "funnel.decision",
    "delivery": "funnel.delivery",
    "plain_talk": "funnel.plain-talk",
    REST_OF_ALBUM: "funnel.rest-of-album",
    SEEN: "funnel.seen",
}


class FunnelStep(NamedTuple):
    """One thing on the way of a message."""

    stage: FunnelStage
    name: str


def step_name(name: str) -> str:
    """Return what people read for a step."""
    return say(_NAMES[name]) if name in _NAMES else name


STEPS = (
    FunnelStep(FunnelStage.PROCESS, "process"),
    FunnelStep(FunnelStage.PROCESS, "adapter"),
    FunnelStep(FunnelStage.ARRIVAL, "arrival"),
    FunnelStep(FunnelStage.GATE, "author"),
    FunnelStep(FunnelStage.GATE, "access"),
    FunnelStep(FunnelStage.GATE, "pause"),
    FunnelStep(FunnelStage.GATE, "mode"),
    FunnelStep(FunnelStage.GATE, "addressing"),
    FunnelStep(FunnelStage.GATE, "limits"),
    FunnelStep(FunnelStage.QUEUE, "queue"),
    FunnelStep(FunnelStage.REQUEST, "request"),
    FunnelStep(FunnelStage.DECISION, "decision"),
    FunnelStep(FunnelStage.DELIVERY, "delivery"),
)
_GATE_STEPS = {
    GateName.AUTHOR: "author",
    GateName.PLACE: "access",
    GateName.SENDER: "access",
    GateName.PAUSE: "pause",
    GateName.MODE: "mode",
    GateName.CONTENT: "arrival",
    GateName.ADDRESSING: "addressing",
    GateName.RATE: "limits",
    GateName.BUDGET: "limits",
    GateName.LOOP: "limits",
}
_STAGE_STEPS = {
    FunnelStage.ARRIVAL: "arrival",
    FunnelStage.QUEUE: "queue",
    FunnelStage.REQUEST: "request",
    FunnelStage.DECISION: "decision",
    FunnelStage.DELIVERY: "delivery",
}
_ORDER = {step.name: index for index, step in enumerate(STEPS)}


def checks(evidence: Evidence, winner: Finding | None) -> tuple[FunnelCheck, ...]:
    """List every step with its state; what failed is the winning finding's, and nothing behind it was reached.

    Where it is not known how far the message came, no step passed: nobody could look.
    """
    try:
        return _checks(evidence, winner)
    except MissingEvidence:
        at = _STAGE_STEPS.get(winner.stage, "") if winner else ""
        return tuple(_blank(step, at) for step in STEPS)


def _blank(step: FunnelStep, failed: str) -> FunnelCheck:
    state: State = "failed" if step.name == failed else "not_checkable"
    return FunnelCheck(stage=step.stage, name=step.name, state=state)


def _checks(evidence: Evidence, winner: Finding | None) -> tuple[FunnelCheck, ...]:
    failed = _failed_step(evidence, winner)
    interrupted = failed == "process" and (outcome(evidence) is Outcome.INTERRUPTED or was_cut_off(evidence))
    # a message that came late went on all the same, and so did one that a restart cut off, up to then
    went_on = interrupted or (failed == "arrival" and came_late(evidence))
    # what was wrong with a wait, a request or a decision that led to an answer kept nothing from being sent
    went_on = went_on or (failed in {"queue", "request", "decision"} and outcome(evidence) is Outcome.REPLIED)
    reached = _ORDER[failed] if failed and not went_on else _reached(evidence)
    steps = (_check(evidence, index, failed, reached) for index in range(len(STEPS)))
    beside = (*_gate_of_plugin(evidence), *_unheard(evidence, failed), *_rest_of_album(evidence))
    listed = [*steps, *beside, *_unseen(evidence, failed)]
    return tuple(sorted(listed, key=lambda check: check.stage))


def _gate_of_plugin(evidence: Evidence) -> tuple[FunnelCheck, ...]:
    """Name the gate of a plugin that stopped the message; no report has a step for it but where it did."""
    stop = gate_stop(evidence)
    if stop is None or stop.gate in set(GateName):
        return ()
    name = say("plugin_gate.step", gate=quote_line(stop.gate, 32))
    return (FunnelCheck(stage=FunnelStage.GATE, name=name, state="failed"),)


def _check(evidence: Evidence, index: int, failed: str, reached: int) -> FunnelCheck:
    step = STEPS[index]
    state: State = "passed" if index < reached else "not_reached"
    if step.name == failed:
        state = "failed"
    try:
        if state == "passed" and not _is_checkable(evidence, step):
            state = "not_checkable"
        detail = _detail(evidence, step)
    except MissingEvidence:
        # a step that cannot be looked at did not pass
        return FunnelCheck(stage=step.stage, name=step.name, state="failed" if state == "failed" else "not_checkable")
    return FunnelCheck(stage=step.stage, name=step.name, state=state, detail=detail)


def _unheard(evidence: Evidence, failed: str) -> tuple[FunnelCheck, ...]:
    """Name what may have been said and cannot be known of, lest a clean list promises too much."""
    if failed or not (withholds_talk(evidence) or is_blind(evidence)):
        return ()
    detail = say("funnel.privacy-on" if withholds_talk(evidence) else "funnel.content-off")
    return (FunnelCheck(stage=FunnelStage.ARRIVAL, name="plain_talk", state="not_checkable", detail=detail),)


def _rest_of_album(evidence: Evidence) -> tuple[FunnelCheck, ...]:
    """Say of an album of which one picture came that its others did not: how many there are no platform tells."""
    trail = evidence.target.about
    if trail is None or pictures_of_album(trail.stages) != 1:
        return ()
    detail = say("funnel.one-arrived-privacy" if withholds_talk(evidence) else "funnel.one-arrived")
    return (FunnelCheck(stage=FunnelStage.ARRIVAL, name=REST_OF_ALBUM, state="not_checkable", detail=detail),)


def _unseen(evidence: Evidence, failed: str) -> tuple[FunnelCheck, ...]:
    """Say of an answer that the platform took that nobody may see it, where deletions are told to no bot."""
    if failed or not may_be_unseen(evidence):
        return ()
    return (FunnelCheck(stage=FunnelStage.DELIVERY, name=SEEN, state="not_checkable"),)


def _failed_step(evidence: Evidence, winner: Finding | None) -> str:
    stop = gate_stop(evidence)
    if winner is None:
        return _GATE_STEPS.get(GateName(stop.gate), "") if stop and stop.gate in set(GateName) else ""
    if winner.stage is FunnelStage.PROCESS:
        return _process_step(evidence)
    if winner.stage is not FunnelStage.GATE:
        return _STAGE_STEPS[winner.stage]
    if stop is not None:
        return _GATE_STEPS[GateName(stop.gate)] if stop.gate in set(GateName) else ""
    return "pause" if evidence.target.settings.pause else "mode"


def _process_step(evidence: Evidence) -> str:
    """The adapter's step, unless the process itself is what died."""
    deaf = {AdapterState.DOWN, AdapterState.DISABLED, AdapterState.CONFLICT}
    is_deaf = evidence.adapter is not None and evidence.adapter.state in deaf
    adapter_failed = not evidence.adapter_enabled or is_deaf or bool(adapter_fault(evidence))
    return "adapter" if evidence.running and adapter_failed else "process"


def _reached(evidence: Evidence) -> int:
    """Return the first step that was not reached, when nothing is wrong."""
    found = message(evidence)
    if found is None:
        return _ORDER["author"]
    if was_cut_off(evidence):
        return _ORDER["request"]
    stop = gate_stop(evidence)
    if stop is not None and stop.gate not in set(GateName):
        # plugins are asked last
        return _ORDER["queue"]
    if not is_pending(evidence):
        return _REACHED.get(found.outcome, len(STEPS)) if found.outcome else len(STEPS)
    turn = evidence.turn
    if turn is None:
        return _ORDER["queue"]
    if turn.outbox or turn.turn.status is not TurnStatus.RUNNING:
        return _ORDER["delivery"]
    return _ORDER["decision"] if turn.requests else _ORDER["request"]


_REACHED = {
    Outcome.GATED: _ORDER["author"],
    Outcome.STORED_ONLY: _ORDER["addressing"],
    Outcome.COMMAND: _ORDER["queue"],
    Outcome.SUPERSEDED: _ORDER["request"],
    Outcome.CANCELLED: _ORDER["decision"],
    Outcome.INTERRUPTED: _ORDER["request"],
}


def _is_checkable(evidence: Evidence, step: FunnelStep) -> bool:
    if step.name == "adapter":
        return evidence.adapter is not None
    return step.stage not in {FunnelStage.ARRIVAL, FunnelStage.GATE} or message(evidence) is not None


def _detail(evidence: Evidence, step: FunnelStep) -> str:
    found = message(evidence)
    if step.name == "adapter":
        return _adapter_detail(evidence)
    if step.name == "arrival":
        return _arrival_detail(evidence, found) if found else say("funnel.no-message")
    if step.name == "pause" and evidence.target.settings.pause and not _stopped_at(evidence, GateName.PAUSE):
        return say("funnel.paused-now")
    if step.name == "mode" and evidence.target.settings.mode is ResponseMode.OBSERVE:
        return say("funnel.observes-now") if not _stopped_at(evidence, GateName.MODE) else ""
    return _queue_detail(evidence, found) if step.name == "queue" else ""


def _arrival_detail(evidence: Evidence, found: StoredInbound) -> str:
    arrived = clock_time(found.arrived_at)
    if not came_late(evidence):
        return arrived
    return say("funnel.late", time=arrived, age=age(found.arrived_at - found.inbound.sent_at))


def _stopped_at(evidence: Evidence, gate: GateName) -> bool:
    stop = gate_stop(evidence)
    return stop is not None and stop.gate == gate


def _adapter_detail(evidence: Evidence) -> str:
    adapter = evidence.adapter
    if adapter is None:
        return "" if evidence.adapter_enabled else say("funnel.not-enabled")
    heard = freshness(evidence, adapter)
    if probe_unanswered(evidence):
        heard = say("funnel.no-probe", heard=heard)
    if adapter.state is AdapterState.UP:
        return heard
    return say("funnel.state", state=adapter.code or adapter.state.value, heard=heard)


def _queue_detail(evidence: Evidence, found: StoredInbound | None) -> str:
    if not evidence.live:
        return say("funnel.not-visible")
    waiting = evidence.queue.waiting
    return say("funnel.waiting", count=waiting) if waiting and found else ""
