"""A journal that remembers in lists."""

from __future__ import annotations

from collections.abc import Sequence

from bot.domain.channel import ProcessKind
from bot.domain.embedding import EmbeddingRecord
from bot.domain.handles import SLOTS, Handle, HandleKind, handle
from bot.domain.ids import ChannelKey
from bot.domain.ledger import StageRow
from bot.domain.llm import TokenUsage
from bot.domain.record_access import HOST, TALKS, RecordOwner, RecordReader, may_read, of_channel, of_person
from bot.domain.turn import (
    AttemptRecord,
    CallPart,
    CallParts,
    CallQuery,
    CallState,
    OutboxState,
    RequestRecord,
    StoredOutbox,
    StoredRequest,
    StoredTurn,
    ToolCallRecord,
    TurnEnd,
    TurnStart,
    TurnStatus,
)

RUNNING = TurnStatus.RUNNING


class FakeJournal:
    """Implements `bot.ports.journal.Journal`."""

    def __init__(self) -> None:
        self.turns: list[StoredTurn] = []
        self.requests: list[StoredRequest] = []
        self.calls: dict[int, list[ToolCallRecord]] = {}
        self.stages: list[StageRow] = []
        self.ends: list[TurnEnd] = []
        self.outbox: list[StoredOutbox] = []
        self.asked: list[int] = []
        self.fails: Exception | None = None
        self.embeddings: list[EmbeddingRecord] = []

    async def begin_turn(self, start: TurnStart, stages: Sequence[StageRow]) -> int:
        number = len(self.turns) + 1
        fields = start.model_dump(include={"agent", "channel", "kind", "inbounds", "session"})
        self.turns.append(StoredTurn(id=number, started_at=start.at, status=TurnStatus.RUNNING, **fields))
        self.stages += stages
        return number

    async def record_request(self, record: RequestRecord, stages: Sequence[StageRow]) -> int:
        number = len(self.requests) + 1
        self.requests.append(StoredRequest(id=number, record=record))
        self.stages += stages
        return number

    async def record_embedding(self, record: EmbeddingRecord) -> int:
        self.embeddings.append(record)
        return len(self.embeddings)

    async def record_attempt(self, attempt: AttemptRecord) -> None:
        stored = self.requests[attempt.request - 1]
        self.requests[attempt.request - 1] = stored.model_copy(update={"attempts": (*stored.attempts, attempt)})

    async def record_calls(self, key: ChannelKey, turn: int, calls: Sequence[ToolCallRecord]) -> Sequence[int]:
        kept = self.calls.setdefault(turn, [])
        numbers = range(1000 * turn + len(kept), 1000 * turn + len(kept) + len(calls))
        kept += [call.model_copy(update={"record_id": n}) for n, call in zip(numbers, calls, strict=True)]
        return list(numbers)

    async def amend_call(self, record: ToolCallRecord) -> None:
        for kept in self.calls.values():
            kept[:] = [record if one.record_id == record.record_id else one for one in kept]

    async def lose_calls(self, at: int) -> int:
        return 0

    async def logged(self, query: CallQuery) -> Sequence[ToolCallRecord]:
        reader = RecordReader(frozenset({query.key}), query.actor) if query.key else HOST
        own = {turn.id for turn in self.turns if may_read(reader, await self.owner_of(turn.id))}
        found = [call for turn, calls in self.calls.items() if turn in own for call in calls]
        asked = [
            call
            for call in reversed(found)
            if not query.record or handle(HandleKind.CALL, call.record_id) == query.record
            if not query.turn or handle(HandleKind.TURN, call.turn_summary_id) == query.turn
            if query.tool in {"", call.tool_name} and query.success in {None, call.success}
        ]
        return asked[query.offset : query.offset + query.limit]

    async def end_turn(self, end: TurnEnd) -> Sequence[StoredOutbox]:
        for attempt in end.attempts:
            await self.record_attempt(attempt)
        turn = self.turns[end.turn - 1]
        changes = {"status": end.status, "reason": end.reason, "ended_at": end.at, "rounds": end.rounds}
        self.turns[end.turn - 1] = turn.model_copy(update={**changes, "has_outbox": bool(end.outbox)})
        self.ends.append(end)
        first = len(self.outbox) + 1
        rows = [
            StoredOutbox(row=n, nonce=f"n{n}", body=body, state=OutboxState.NEW, created_at=end.at)
            for n, body in enumerate(end.outbox, first)
        ]
        self.outbox += rows
        return rows

    async def owner_of(self, turn: int) -> RecordOwner:
        """Without sessions nobody is known whose a private record could be."""
        found = await self.turn(turn)
        if found is None or found.session or found.kind in TALKS:
            return of_person(None, found.key if found else None)
        return of_channel(found.key)

    async def turn(self, row: int) -> StoredTurn | None:
        return self.turns[row - 1] if 0 < row <= len(self.turns) else None

    async def turn_by_handle(self, handle: Handle) -> StoredTurn | None:
        return next((t for t in reversed(self.turns) if t.id % SLOTS == handle.slot), None)

    async def recent_turns(self, key: ChannelKey, limit: int) -> Sequence[StoredTurn]:
        return [t for t in reversed(self.turns) if t.key == key and t.kind is ProcessKind.CHANNEL][:limit]

    async def running_turns(self, *, own: bool = False) -> Sequence[StoredTurn]:
        return [t for t in self.turns if t.status is TurnStatus.RUNNING]

    async def request(self, row: int) -> StoredRequest | None:
        return self.requests[row - 1] if 0 < row <= len(self.requests) else None

    async def request_by_handle(self, handle: Handle) -> StoredRequest | None:
        return next((r for r in reversed(self.requests) if r.id % SLOTS == handle.slot), None)

    async def recent_requests(self, key: ChannelKey, limit: int) -> Sequence[StoredRequest]:
        found = [r for r in reversed(self.requests) if ChannelKey(r.record.agent, r.record.channel) == key]
        return [r for r in found if r.record.kind is ProcessKind.CHANNEL][:limit]

    async def last_usage(self, key: ChannelKey) -> TokenUsage | None:
        responses = (request.response for request in await self.recent_requests(key, 1))
        return next((response.usage for response in responses if response is not None), None)

    async def request_before(self, key: ChannelKey, row: int) -> StoredRequest | None:
        return next((r for r in await self.recent_requests(key, len(self.requests)) if r.id < row), None)

    async def requests_of_turn(self, turn: int) -> Sequence[StoredRequest]:
        return [r for r in self.requests if r.record.turn == turn]

    async def last_of_session(self, key: ChannelKey, kind: ProcessKind, session: int) -> StoredRequest | None:
        answered = {end.turn for end in self.ends if end.status is TurnStatus.REPLIED}
        turns = [t.id for t in self.turns if (t.kind, t.session) == (kind, session) and t.id in answered]
        found = [r for r in self.requests if r.record.turn == max(turns, default=0)]
        return found[-1] if found else None

    async def calls_of_turn(self, turn: int) -> Sequence[ToolCallRecord]:
        return self.calls.get(turn, [])

    async def call_by_handle(self, handle: Handle) -> ToolCallRecord | None:
        found = (call for calls in self.calls.values() for call in calls)
        return next((call for call in found if call.record_id % SLOTS == handle.slot), None)

    async def asked_for_tools(self, turn: int) -> bool:
        return bool(self.calls.get(turn))

    async def parts(self, key: ChannelKey, first: int, broken: Sequence[int], limit: int) -> CallParts:
        """Return what was recorded; `asked` holds the limits with which anybody wanted to know."""
        self.asked.append(limit)
        if self.fails is not None:
            raise self.fails
        own = {turn.id for turn in self.turns if turn.key == key and turn.id >= first and turn.status is not RUNNING}
        found = [_part(turn, call) for turn, calls in self.calls.items() if turn in own for call in calls]
        newest = sorted(found, key=lambda part: (part.turn, part.seq), reverse=True)[:limit]
        return CallParts(parts=tuple(newest), made=tuple((t, len(c)) for t, c in self.calls.items() if t in own and c))


def _part(turn: int, call: ToolCallRecord) -> CallPart:
    return CallPart(
        row=call.record_id,
        turn=turn,
        seq=call.order_index,
        tool=call.tool_name,
        state=CallState.OK if call.success else CallState.FAILED,
        ms=call.duration_ms,
        text=call.result_output,
    )
