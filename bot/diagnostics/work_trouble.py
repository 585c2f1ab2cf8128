"""Say which tool calls and which work of a turn hang, took long, failed, or were refused, with names and times."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bot.diagnostics.evidence.evidence import Evidence, TurnEvidence
from bot.domain.process import ProcessState, StoredProcess
from bot.domain.turn import CallState, ToolCallRecord, TurnStatus
from bot.sentences import say
from bot.text.text import quote_line
from bot.text.times import age, clock_time

MAX_LINES = 2
_NAME_CHARS, _WORDS_CHARS = 24, 56
_SLOW_CALL_MS = 10_000
"""How long a tool may take before people wonder."""
_SLOW_WORK_MS = 60_000
_REFUSAL = re.compile(r"\bis not allowed here\b|^Not run\b|\bnot run:")
_OVER_STATES = frozenset({ProcessState.FAILED, ProcessState.TIMEOUT, ProcessState.CANCELLED})


def trouble_lines(evidence: Evidence) -> Iterator[str]:
    """Tell of what runs now, of what failed, then of what took long; at most two lines."""
    turn = evidence.turn
    lines = [
        *(_running(evidence, turn) if turn is not None else ()),
        *(line for work in evidence.handed_out if (line := _work(evidence, work))),
        *(_failed(turn.calls) if turn is not None else ()),
        *(_slow(turn.calls) if turn is not None else ()),
    ]
    yield from lines[:MAX_LINES]


def _running(evidence: Evidence, turn: TurnEvidence) -> Iterator[str]:
    """Name what the model called last, while nothing has come back of it: a round is kept when it is over."""
    request = turn.requests[-1] if turn.requests else None
    response = request.response if request is not None else None
    if turn.turn.status is not TurnStatus.RUNNING or request is None or response is None:
        return
    at = max((one.at + round(one.duration_ms) for one in request.attempts), default=0)
    done = {call.tool_name for call in turn.calls if call.execution_start >= at}
    for name in dict.fromkeys(call.name for call in response.calls if call.name not in done):
        yield _call_line("runs", name, at, evidence.now - at)


def _failed(calls: tuple[ToolCallRecord, ...]) -> Iterator[str]:
    for call in calls:
        if call.success or call.is_at not in {CallState.FAILED, CallState.UNKNOWN, CallState.CANCELLED}:
            continue
        how = "refused" if _REFUSAL.search(call.result_output) else "failed"
        took = round(call.duration_ms) if call.duration_ms >= _SLOW_CALL_MS else 0
        yield _call_line(how, call.tool_name, call.execution_start, took, call.result_output)


def _slow(calls: tuple[ToolCallRecord, ...]) -> Iterator[str]:
    for call in calls:
        if call.success and call.duration_ms >= _SLOW_CALL_MS:
            yield _call_line("slow", call.tool_name, call.execution_start, round(call.duration_ms))


def _call_line(how: str, name: str, at: int, took: int, words: str = "") -> str:
    named, said = quote_line(name, _NAME_CHARS) or say("work_trouble.a-call"), quote_line(words, _WORDS_CHARS)
    time = clock_time(at)
    if how == "runs":
        return say("work_trouble.call-runs", name=named, time=time, took=age(took))
    if how == "slow":
        return say("work_trouble.call-slow", name=named, time=time, took=age(took))
    after = age(took) if took else "none"
    return say("work_trouble.call-failed", name=named, how=how, time=time, took=after, words=said or "none")


def _work(evidence: Evidence, work: StoredProcess) -> str:
    """Tell of a branch or worker that ended badly, or is long at it; empty for all others."""
    kind = work.body.kind.value
    if work.state in _OVER_STATES:
        how, took, at, words = work.state.value, work.ended_at - work.started_at, work.ended_at, work.reason
    elif work.state is ProcessState.RUNNING and evidence.now - work.started_at >= _SLOW_WORK_MS:
        how, took, at, words = "runs", evidence.now - work.started_at, work.started_at, work.progress
    else:
        return ""
    said, time = quote_line(words, _WORDS_CHARS) or "none", clock_time(at)
    if how == "runs":
        return say("work_trouble.work-runs", kind=kind, handle=work.handle, time=time, took=age(took), words=said)
    return say("work_trouble.work-ended", kind=kind, handle=work.handle, how=how, time=time, took=age(took), words=said)
