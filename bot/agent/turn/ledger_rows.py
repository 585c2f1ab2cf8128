"""What a turn writes into the ledger: pure functions from what happened to rows and outcomes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from bot.agent.turn.ending import TurnResult
from bot.domain.handles import HandleKind, handle
from bot.domain.ledger import PLUGIN, LedgerStage, Outcome, Settlement, StageRow, StageVerdict
from bot.domain.snapshot import ContextSnapshot
from bot.domain.turn import ToolCallRecord, TurnStatus
from bot.tools.runtime.effects import SentMessage

TOO_MANY_CALLS = "too many calls"
_NOTHING: Mapping[int, float] = MappingProxyType({})
_OWN: Mapping[int, str] = MappingProxyType({})
_OUTCOMES = {
    TurnStatus.REPLIED: Outcome.REPLIED,
    TurnStatus.SKIPPED: Outcome.SKIPPED,
    TurnStatus.FAILED: Outcome.FAILED,
    TurnStatus.CANCELLED: Outcome.CANCELLED,
}
_VERDICTS = {
    TurnStatus.REPLIED: StageVerdict.PASSED,
    TurnStatus.SKIPPED: StageVerdict.STOPPED,
    TurnStatus.FAILED: StageVerdict.FAILED,
    TurnStatus.CANCELLED: StageVerdict.STOPPED,
}


def turn_started_rows(inbounds: Sequence[int], at: int) -> tuple[StageRow, ...]:
    """Say which inbounds a turn begins with; the newest speaks for those that came with it."""
    rows = [_row(inbound, at, LedgerStage.COALESCED, reason=_with(inbounds)) for inbound in inbounds[:-1]]
    rows += [_row(inbound, at, LedgerStage.TURN, detail={"messages": len(inbounds)}) for inbound in inbounds[-1:]]
    return tuple(rows)


def about_to_send(
    inbounds: Sequence[int], at: int, round_number: int, snapshot: ContextSnapshot
) -> tuple[StageRow, ...]:
    """Say what the newest inbound's request is, before it leaves."""
    if not inbounds:
        return ()
    stats, request = snapshot.stats, snapshot.request
    size: dict[str, object] = {"tokens": stats.total, "window": stats.window, "counted": stats.tokenizer.method}
    if snapshot.dropped_turns:
        size["dropped_turns"] = len(snapshot.dropped_turns)
    which: dict[str, object] = {"round": round_number, "digest": request.digest}
    return (
        _row(inbounds[-1], at, LedgerStage.ASSEMBLED, detail={**which, **size}),
        _row(inbounds[-1], at, LedgerStage.REQUESTED, detail={"round": round_number, "model": request.model}),
    )


def decided_rows(
    inbounds: Sequence[int],
    at: int,
    ending: TurnResult,
    calls: Sequence[ToolCallRecord],
    blocked: Mapping[int, float] = _NOTHING,
    *,
    dropped: int = 0,
    origins: Mapping[int, str] = _OWN,
) -> tuple[StageRow, ...]:
    """Say what tools were called, and what was decided; `blocked`: for how long a call held up everything, in ms.

    `dropped` calls were neither kept nor run, because one answer held too many. `origins` are the plugins whose tools
    were called, by the place of the call.
    """
    if not inbounds:
        return ()
    newest = inbounds[-1]
    rows = [_of_call(newest, call, blocked.get(call.order_index, 0.0), origins) for call in calls]
    if dropped:
        rows.append(
            _row(newest, at, LedgerStage.TOOL, StageVerdict.STOPPED, TOO_MANY_CALLS, detail={"dropped": dropped})
        )
    end = _row(newest, at, LedgerStage.DECIDED, _VERDICTS[ending.status], ending.reason or ending.status)
    return (*rows, end)


def settlements_of(
    inbounds: Sequence[int], at: int, ending: TurnResult, said: Sequence[SentMessage]
) -> tuple[Settlement, ...]:
    """Give every inbound its outcome, but for one that a reply is on its way to: its delivery settles it."""
    older = [
        Settlement(inbound=inbound, at=at, outcome=Outcome.SUPERSEDED, reason=f"coalesced {_with(inbounds)}")
        for inbound in inbounds[:-1]
    ]
    if not inbounds or ending.text or any(one.waits for one in said):
        return tuple(older)
    outcome = _OUTCOMES[ending.status] if all(one.certain for one in said) else Outcome.UNCERTAIN
    return (*older, Settlement(inbound=inbounds[-1], at=at, outcome=outcome, reason=ending.reason))


def drift_rows(inbounds: Sequence[int], at: int, difference: str) -> tuple[StageRow, ...]:
    """Say that what was recorded does not give what was sent; this is a defect of the program."""
    return tuple(
        _row(inbound, at, LedgerStage.ASSEMBLED, StageVerdict.FAILED, f"drift: {difference}")
        for inbound in inbounds[-1:]
    )


def _with(inbounds: Sequence[int]) -> str:
    return f"into {handle(HandleKind.INBOUND, inbounds[-1])}"


def _of_call(inbound: int, call: ToolCallRecord, blocked: float, origins: Mapping[int, str]) -> StageRow:
    verdict = StageVerdict.PASSED if call.success else StageVerdict.FAILED
    detail: dict[str, object] = {"round": call.round_number, "order": call.order_index, "ms": round(call.duration_ms)}
    if call.state is not None:
        detail["state"] = call.state.value
    if blocked:
        # nothing else of the whole bot was done meanwhile
        detail["blocked_ms"] = round(blocked)
    if call.order_index in origins:
        detail[PLUGIN] = origins[call.order_index]
    row = _row(inbound, call.execution_end, LedgerStage.TOOL, verdict, call.tool_name[:64])
    return row.replace(detail=_pairs(detail))


def _row(
    inbound: int,
    at: int,
    stage: LedgerStage,
    verdict: StageVerdict = StageVerdict.PASSED,
    reason: str = "",
    *,
    detail: Mapping[str, object] | None = None,
) -> StageRow:
    return StageRow(inbound=inbound, at=at, stage=stage, verdict=verdict, reason=reason, detail=_pairs(detail or {}))


def _pairs(detail: Mapping[str, object]) -> tuple[tuple[str, str], ...]:
    return tuple([(name, str(value)) for name, value in detail.items()])
