"""Evidence for the rules, built from small pieces; what is not said is healthy."""

from __future__ import annotations

from typing import Any

from bot.diagnostics.evidence.evidence import DiagnosisTarget, Evidence, TurnEvidence
from bot.domain.handles import HandleKind, handle
from bot.domain.health import AdapterHealth, AdapterState, Heartbeat
from bot.domain.ids import MAIN, UserId
from bot.domain.ledger import (
    ArrivalDisposition,
    GateVerdict,
    InboundTrail,
    LedgerStage,
    Outcome,
    StageRow,
    StageVerdict,
    StoredInbound,
)
from bot.domain.llm import FinishReason, LLMResponse, TokenUsage
from bot.domain.memory import Memory
from bot.domain.messages import Receipt
from bot.domain.snapshot import SectionFate, SectionStability, SectionTrace
from bot.domain.turn import (
    AttemptRecord,
    NewOutbox,
    OutboxState,
    StoredOutbox,
    StoredRequest,
    StoredTurn,
    ToolCallRecord,
    TurnStatus,
)
from tests.fakes.clock import START
from tests.fakes.values import GENERAL, GUILD, inbound, llm_response, memory, outgoing, request_record, section

ARRIVED = START
NOW = START + 60_000
INBOUND, TURN, REQUEST, DELIVERY = 1234, 56, 789, 90


def up(**changes: Any) -> AdapterHealth:
    base: dict[str, Any] = {"name": "console", "state": AdapterState.UP, "since": START, "last_event_at": NOW - 2_000}
    return AdapterHealth(**{**base, **changes})


def beat(**changes: Any) -> Heartbeat:
    base: dict[str, Any] = {"instance": "aa", "pid": 42, "started_at": START - 3_600_000, "at": NOW, "version": "0.1.0"}
    return Heartbeat(**{**base, **changes})


def stored(
    outcome: Outcome | None = Outcome.REPLIED,
    reason: str = "",
    *,
    row: int = INBOUND,
    at: int = ARRIVED,
    disposition: ArrivalDisposition = ArrivalDisposition.QUEUE,
    turn: int = 0,
    **changes: Any,
) -> StoredInbound:
    return StoredInbound(
        id=row,
        agent=MAIN,
        inbound=inbound(message_id=str(row), **changes),
        arrived_at=at,
        disposition=disposition,
        text_sha256="00" * 32,
        text_kept=True,
        outcome=outcome,
        outcome_reason=reason,
        outcome_at=at + 2_000 if outcome else 0,
        turn=turn,
    )


def gates_row(*verdicts: GateVerdict, row: int = 3_000, message: int = INBOUND, at: int = ARRIVED) -> StageRow:
    stop = next((verdict for verdict in verdicts if not verdict.passed), None)
    return StageRow(
        id=row,
        inbound=message,
        at=at,
        stage=LedgerStage.GATES,
        verdict=StageVerdict.STOPPED if stop else StageVerdict.PASSED,
        reason=stop.gate if stop else "",
        detail=(("gate", stop.gate), ("reason", stop.reason), *stop.compared, ("verdicts", "[]")) if stop else (),
    )


def trail(about: StoredInbound, *stages: StageRow) -> InboundTrail:
    return InboundTrail(
        inbound=about, stages=stages or (gates_row(GateVerdict(gate="sender", passed=True), message=about.id),)
    )


def gated(verdict: GateVerdict, **changes: Any) -> InboundTrail:
    """A message that a gate stopped; group talk that was only overheard is kept, the rest is dropped."""
    overheard = verdict.gate in {"addressing", "mode"}
    outcome = Outcome.STORED_ONLY if overheard else Outcome.GATED
    disposition = ArrivalDisposition.AMBIENT if overheard else ArrivalDisposition.DROP
    return trail(stored(outcome, verdict.gate, disposition=disposition, **changes), gates_row(verdict))


def attempt(**changes: Any) -> AttemptRecord:
    base: dict[str, Any] = {"request": REQUEST, "number": 1, "at": ARRIVED + 1_000, "duration_ms": 900.0}
    return AttemptRecord(**{**base, **changes})


def answered(text: str = "hi", finish: FinishReason = FinishReason.STOP, **usage: int) -> AttemptRecord:
    response = LLMResponse(text=text, finish=finish, usage=TokenUsage(**usage), answered_by="echo") if usage else None
    return attempt(response=response or llm_response(text).replace(finish=finish))


def failed(fault: str, status: int | None = None, **changes: Any) -> AttemptRecord:
    return attempt(fault=fault, status=status, error=f"the service said {fault}", **changes)


def bulletin(*rows: int) -> SectionTrace:
    sources = tuple(f"memory:{handle(HandleKind.MEMORY, row)}" for row in rows)
    trace = section("memory_bulletin", sources)
    return trace.replace(stability=SectionStability.EPOCH, fate=SectionFate.KEPT, tokens=60)


def requested(*attempts: AttemptRecord, row: int = REQUEST, **changes: Any) -> StoredRequest:
    return StoredRequest(id=row, record=request_record(TURN, **changes), attempts=attempts)


def call(name: str = "skip", arguments: str = "{}", **changes: Any) -> ToolCallRecord:
    base: dict[str, Any] = {
        "record_id": 5,
        "tool_name": name,
        "raw_arguments_json": arguments,
        "result_output": "done",
        "success": True,
        "execution_start": ARRIVED,
        "execution_end": ARRIVED + 10,
        "duration_ms": 10.0,
        "order_index": 0,
        "round_number": 0,
    }
    return ToolCallRecord(**{**base, **changes})


def sent(state: OutboxState = OutboxState.SENT, kind: str = "reply", **changes: Any) -> StoredOutbox:
    body: NewOutbox = outgoing(kind=kind, inbound=INBOUND, turn=TURN)
    base: dict[str, Any] = {
        "row": DELIVERY,
        "nonce": "aa1",
        "body": body,
        "state": state,
        "created_at": ARRIVED + 1_500,
    }
    receipt = Receipt(message_id="99", at=ARRIVED + 1_900) if state is OutboxState.SENT else None
    return StoredOutbox(**{**base, "receipt": receipt, "attempts": 1, **changes})


def turn(
    status: TurnStatus = TurnStatus.REPLIED,
    requests: tuple[StoredRequest, ...] | None = None,
    calls: tuple[ToolCallRecord, ...] = (),
    outbox: tuple[StoredOutbox, ...] = (),
    **changes: Any,
) -> TurnEvidence:
    running = status is TurnStatus.RUNNING
    base: dict[str, Any] = {
        "id": TURN,
        "agent": MAIN,
        "channel": GENERAL,
        "kind": "channel",
        "started_at": ARRIVED,
        "status": status,
        "ended_at": 0 if running else ARRIVED + 2_100,
        "rounds": 1,
        "inbounds": (INBOUND,),
        "has_outbox": bool(outbox),
    }
    return TurnEvidence(
        turn=StoredTurn(**{**base, **changes}),
        requests=(requested(answered()),) if requests is None else requests,
        calls=calls,
        outbox=outbox,
    )


def kept(content: str, row: int = 7, **changes: Any) -> Memory:
    version, forgotten = changes.pop("version", 1), changes.pop("forgotten_at", 0)
    return Memory(id=row, body=memory(content, **changes), version=version, forgotten_at=forgotten)


def evidence(about: InboundTrail | None, **changes: Any) -> Evidence:
    """A live bot on a working platform; `name`, `settings`, `place` and `about_why` go into the target."""
    target: dict[str, Any] = {
        "agent": MAIN,
        "channel": GENERAL,
        "name": "#support",
        "place": GUILD,
        "about": about,
        "about_why": "newest" if about else "",
    }
    for name in ("name", "settings", "place", "about_why"):
        if name in changes:
            target[name] = changes.pop(name)
    base: dict[str, Any] = {
        "now": NOW,
        "running": True,
        "target": DiagnosisTarget(**target),
        "adapter": up(),
        "heartbeat": beat(),
        "turn_timeout": 120,
        "admins": (UserId("1"),),
    }
    return Evidence(**{**base, **changes})


def healthy(**changes: Any) -> Evidence:
    return evidence(trail(stored(turn=TURN)), **{"turn": turn(outbox=(sent(),)), **changes})


def failed_turn(reason: str, *attempts: AttemptRecord, **changes: Any) -> Evidence:
    """A message whose turn failed after these postings."""
    about = trail(stored(Outcome.FAILED, reason, turn=TURN))
    shape = {"requests": (requested(*attempts),), **changes.pop("shape", {})}
    return evidence(about, turn=turn(TurnStatus.FAILED, reason=reason, **shape), **changes)


def skipped(
    *memories: Memory, arguments: str = '{"reason":"told so","category":"instructed"}', **changes: Any
) -> Evidence:
    """A message that the model skipped while these memories stood in its prompt."""
    request = requested(answered(""), sections=(section(), bulletin(*(m.id for m in memories))))
    author = {name: changes.pop(name) for name in ("author", "mentions_bot", "channel_name") if name in changes}
    about = trail(stored(Outcome.SKIPPED, "told so", turn=TURN, **author))
    taken = turn(TurnStatus.SKIPPED, requests=(request,), calls=(call(arguments=arguments),))
    return evidence(about, turn=taken, memories=memories, **changes)
