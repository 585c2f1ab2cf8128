"""Q-STUCK: the message was let in and waits behind something that does not move."""

from __future__ import annotations

from collections.abc import Iterator

from bot.diagnostics.evidence.evidence import Evidence
from bot.diagnostics.evidence.evidence_reader import (
    STALLED_MESSAGE_MS,
    awaited_model,
    is_pending,
    message_ref,
    place_name,
    ref,
    time_of_turn,
    waited_ms,
)
from bot.diagnostics.evidence.failures import FailureCause, cause_of_failure
from bot.diagnostics.evidence.standstill import standstill
from bot.domain.finding import Confidence, EvidenceRef, Finding, FunnelStage
from bot.domain.handles import HandleKind
from bot.domain.turn import ToolCallRecord, TurnStatus
from bot.sentences import say
from bot.text.figures import decimal
from bot.text.text import quote_line
from bot.text.times import age, clock_time


def check(evidence: Evidence) -> Iterator[Finding]:
    """Look at what runs too long, then at what waits for nothing."""
    if standstill(evidence):
        return  # what seems stuck had no chance to move
    if cause_of_failure(evidence) is FailureCause.STUCK:
        yield _hung_tool(evidence)
    elif cause_of_failure(evidence) is None and evidence.running and _may_be_stuck(evidence):
        yield from _live(evidence) if evidence.live else _from_outside(evidence)


def _may_be_stuck(evidence: Evidence) -> bool:
    turn = evidence.turn
    return is_pending(evidence) and (turn is None or turn.turn.status is TurnStatus.RUNNING)


def _live(evidence: Evidence) -> Iterator[Finding]:
    queue = evidence.queue
    if awaited_model(evidence) is not None:
        return  # it may take its time: whoever loads a model says nothing for minutes
    if queue.running_ms > _limit_ms(evidence):
        limit = age(_limit_ms(evidence))
        runs = say("queue_stuck.takes-too-long", age=age(queue.running_ms), limit=limit)
        yield _stuck(evidence, (runs, *_at(evidence), *_waiting(evidence)), _turn(evidence))
    elif not _is_running(evidence) and waited_ms(evidence) > STALLED_MESSAGE_MS + evidence.debounce_longest * 1000:
        confidence = Confidence.CONFIRMED if queue.waiting else Confidence.LIKELY
        let_in = "queue_stuck.let-in-waits" if queue.waiting else "queue_stuck.let-in-nowhere"
        why = (say(let_in, age=age(waited_ms(evidence))), *_waiting(evidence))
        yield _stuck(evidence, why, (), confidence)


def _at(evidence: Evidence) -> tuple[str, ...]:
    """Say what the turn is at: a model that has not answered, else what the queue says."""
    request, what = evidence.last_request, quote_line(evidence.queue.running_what, 60)
    asks = request is not None and request.record.turn == evidence.queue.running_turn and not request.attempts
    if request is not None and asks:
        model = quote_line(str(request.record.request.model), 30)
        return (say("queue_stuck.waits-for-model", model=model, time=clock_time(request.record.at)),)
    return (say("queue_stuck.is-at", what=what),) if what else ()


def _from_outside(evidence: Evidence) -> Iterator[Finding]:
    if waited_ms(evidence) > _limit_ms(evidence) + _load_ms(evidence) + STALLED_MESSAGE_MS:
        why = (say("queue_stuck.let-in-outside", age=age(waited_ms(evidence))), say("queue_stuck.not-visible"))
        yield _stuck(evidence, why, _turn(evidence), Confidence.LIKELY)


def _hung_tool(evidence: Evidence) -> Finding:
    turn = evidence.turn
    calls: tuple[ToolCallRecord, ...] = turn.calls if turn else ()
    slowest = max(calls, key=lambda call: call.duration_ms, default=None)
    why = (say("queue_stuck.ran-out-at-tool"), *_slowest(slowest))
    refs = ref(HandleKind.TURN, turn.turn.id, say("queue_stuck.calls", count=len(calls))) if turn else ()
    return _stuck(evidence, why, refs).replace(
        verdict=say("queue_stuck.verdict-tool", place=place_name(evidence)),
        advice=say("queue_stuck.ask-again"),
        operator_advice=say("queue_stuck.look-at-tool"),
    )


def _slowest(call: ToolCallRecord | None) -> tuple[str, ...]:
    if call is None:
        return ()
    seconds = decimal(call.duration_ms / 1000, 1)
    return (say("queue_stuck.slowest", tool=quote_line(call.tool_name, 20), seconds=seconds),)


def _stuck(
    evidence: Evidence,
    why: tuple[str, ...],
    refs: tuple[EvidenceRef, ...],
    confidence: Confidence = Confidence.CONFIRMED,
) -> Finding:
    return Finding(
        rule="Q-STUCK",
        stage=FunnelStage.QUEUE,
        confidence=confidence,
        verdict=say("queue_stuck.verdict", place=place_name(evidence)),
        why=why,
        evidence=(*refs, *message_ref(evidence)),
        advice=say("queue_stuck.say-stop"),
        operator_advice=say("queue_stuck.stop-then-look"),
        settle="" if confidence is Confidence.CONFIRMED else say("queue_stuck.settle"),
    )


def _is_running(evidence: Evidence) -> bool:
    queue = evidence.queue
    return bool(queue.running_turn or queue.running_ms or queue.running_what)


def _limit_ms(evidence: Evidence) -> int:
    time = time_of_turn(evidence)
    return max(time.most_ms if time else 0, round(evidence.turn_timeout * 1000))


def _load_ms(evidence: Evidence) -> int:
    """Return how much longer a turn may take whose model's service, seen from outside, may still be loading it."""
    request = evidence.last_request
    provider = request.record.request.model.provider if request is not None and not request.attempts else ""
    route = next((one for one in evidence.routes if one.provider == provider), None)
    return round(route.load_seconds * 1000) if route else 0


def _waiting(evidence: Evidence) -> tuple[str, ...]:
    queue = evidence.queue
    if not queue.waiting:
        return ()
    return (say("queue_stuck.waiting", count=queue.waiting, age=age(queue.oldest_wait_ms)),)


def _turn(evidence: Evidence) -> tuple[EvidenceRef, ...]:
    row = evidence.queue.running_turn or (evidence.turn.turn.id if evidence.turn else 0)
    return ref(HandleKind.TURN, row, say("queue_stuck.running-turn"))
