"""The journal's writing side: turns, requests, what came back, and the one commit that ends a turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import orjson

from adapters.sqlite.engine.content_store import UNCOUNTED, ContentStore, Named, named_traces
from adapters.sqlite.engine.database import SqliteDatabase
from adapters.sqlite.engine.marks import mark
from adapters.sqlite.engine.moves import moved_memory
from adapters.sqlite.engine.sealed_rows import (
    by_slot,
    fetch,
    insert,
    insert_as,
    next_number,
    read_or_skip,
    update_sealed,
)
from adapters.sqlite.engine.sql_connection import SqlConnection, SqlRow
from adapters.sqlite.engine.write_batch import (
    asked_model,
    defer_links,
    is_traced,
    is_watched,
    note_model,
    when_committed,
)
from adapters.sqlite.ledger.ledger_writer import add_stages, settle
from adapters.sqlite.memories.memories import add as add_memory
from adapters.sqlite.memories.memories import confirm as confirm_memory
from adapters.sqlite.memories.memories import forget as forget_memory
from adapters.sqlite.turns.askers import who_asked
from adapters.sqlite.turns.calls import body_of, link_recalled, take_back_staged
from adapters.sqlite.turns.channels import find_or_make
from adapters.sqlite.turns.history import HistoryPlace, HistoryWriter
from adapters.sqlite.turns.outbox import chunk_as_put, of_turn, put_chunk
from adapters.sqlite.turns.process_rows import put_back, relay
from adapters.sqlite.turns.requests import JournalReader
from bot.domain.base import Digest
from bot.domain.channel import ProcessKind
from bot.domain.channel_moves import with_current_address
from bot.domain.embedding import EmbeddingRecord
from bot.domain.handles import HandleKind, parse_handle
from bot.domain.ids import ChannelId, ChannelKey
from bot.domain.ledger import StageRow
from bot.domain.snapshot import SectionFate
from bot.domain.turn import (
    AttemptRecord,
    MarkKind,
    RequestRecord,
    StoredOutbox,
    ToolCallRecord,
    TurnEnd,
    TurnStart,
    TurnStatus,
)
from bot.errors import StoreError
from bot.ports.metrics import TurnPart
from bot.sentences import later


class SqliteJournal(JournalReader):
    """Implements `bot.ports.journal.Journal`; reading is in `JournalReader`."""

    def __init__(self, database: SqliteDatabase, history: HistoryWriter) -> None:
        super().__init__(database)
        self._names = database.names
        self._history = history

    async def begin_turn(self, start: TurnStart, stages: Sequence[StageRow]) -> int:
        """Open a turn, mark its inbounds as taken by it, return its number; with the next thing that is kept."""

        def work(turn: int, connection: SqlConnection) -> int:
            insert_as(
                connection,
                "turn",
                turn,
                agent=start.agent,
                channel=self._database.moves.current_id(start.channel),
                kind=start.kind,
                started_at=start.at,
                status=TurnStatus.RUNNING,
                reason="",
                ended_at=0,
                rounds=0,
                inbounds=_numbers(start.inbounds),
                session=start.session,
            )
            for row in start.inbounds:
                if found := read_or_skip(connection, "inbound", row):
                    update_sealed(connection, "inbound", found, turn=turn)
            add_stages(connection, stages)
            if is_traced(connection):
                when_committed(connection, lambda told: told.traces.began(turn, start))
            return turn

        if self._database.shares:
            # others number turns as well
            return await self._database.write(lambda connection: work(next_number(connection, "turn"), connection))
        turn = self._database.draw("turn")
        # nothing leaves the bot between this and the turn's first request, so that one commit does for both
        self._database.park(partial(work, turn))
        return turn

    async def record_request(self, record: RequestRecord, stages: Sequence[StageRow]) -> int:
        """Keep a request before it is sent; only what is new in it is written."""
        traces = named_traces(record.sections)

        def work(connection: SqlConnection) -> int:
            row = _record(connection, self._names, record, traces, self._database.moves.current_id(record.channel))
            add_stages(connection, stages)
            if is_traced(connection):
                when_committed(connection, lambda told: told.traces.requested(row, record))
            return row

        def texts() -> list[Digest]:
            return self._names.new_texts(record.request.messages, traces) if record.words else []

        return await self._database.write(work, texts)

    async def record_embedding(self, record: EmbeddingRecord) -> int:
        """Keep that vectors are about to be asked for, without a word and of no turn; return the request's number."""

        def work(connection: SqlConnection) -> int:
            row = insert(
                connection,
                "request",
                agent=record.agent,
                channel=self._database.moves.current_id(record.channel),
                turn=0,
                kind=ProcessKind.EMBEDDING,
                round=0,
                at=record.at,
                digest=bytes.fromhex(record.wire_sha256),
                wire_sha256=record.wire_sha256,
                wire_bytes=record.wire_bytes,
                encoder=record.encoder,
                model=record.model,
                head=None,
                tail=None,
                sections=None,
                stats=record.stats.model_dump_json(),
                extra=_numbers({"dropped_turns": (), "message_tokens": None}),
                fallback_of=0,
            )
            note_model(connection, row, record.model)
            mark(connection, row, MarkKind.EMBEDDED, record.at)
            return row

        return await self._database.write(work)

    async def record_attempt(self, attempt: AttemptRecord) -> None:
        await self._database.write(lambda connection: _attempt(connection, attempt))

    async def record_calls(self, key: ChannelKey, turn: int, calls: Sequence[ToolCallRecord]) -> Sequence[int]:
        """Keep a round's tool calls; return their numbers."""

        def work(connection: SqlConnection) -> list[int]:
            rows = [
                insert(
                    connection,
                    "tool_call",
                    agent=key.agent,
                    channel=self._database.moves.current_id(key.channel),
                    turn=turn,
                    round=call.round_number,
                    position=call.order_index,
                    at=call.execution_start,
                    body=body_of(call),
                    arguments=call.raw_arguments_json,
                    output=call.result_output,
                )
                for call in calls
            ]
            for row, call in zip(rows, calls, strict=True):
                link_recalled(connection, row, call)
            if is_traced(connection):
                when_committed(connection, lambda told: told.traces.called(turn, rows, calls))
            return rows

        return await self._database.write(work)

    async def end_turn(self, end: TurnEnd) -> Sequence[StoredOutbox]:
        """Commit everything that a turn does, at once; return its `outbox` as it is kept. A turn ends once."""
        clock = self._database.clock
        began = clock.monotonic() if clock is not None else 0.0

        def work(connection: SqlConnection) -> list[StoredOutbox]:
            rows = self.ends(connection, end)
            if clock is not None:
                when_committed(connection, lambda told: told.metrics.took(TurnPart.STORE, clock.monotonic() - began))
            return rows

        return await self._database.write(work, lambda: [message.digest for message in end.messages])

    def ends(self, connection: SqlConnection, end: TurnEnd) -> list[StoredOutbox]:
        """End a turn as part of a unit of work."""
        turn = fetch(connection, "turn", end.turn)
        if turn is None:
            raise StoreError(later("store.no-such-turn", turn=str(end.turn)))
        if turn["status"] != TurnStatus.RUNNING:
            return of_turn(connection, end.turn, self._database.instance)
        self._end(connection, end, turn)
        return self._let_out(connection, end)

    def _end(self, connection: SqlConnection, end: TurnEnd, turn: SqlRow) -> None:
        update_sealed(
            connection,
            "turn",
            turn,
            status=end.status,
            reason=end.reason,
            ended_at=end.at,
            rounds=end.rounds,
        )
        for attempt in end.attempts:
            _attempt(connection, attempt)
        if is_traced(connection):
            start = _as_begun(turn)
            when_committed(connection, lambda told: told.traces.ended(end, start))
        if end.drops_staged:
            take_back_staged(connection, end.turn)
        if (turn["kind"] == ProcessKind.CHANNEL and not end.gave_way) or end.messages:
            self._remember(connection, end)
        for memory in end.memories:
            add_memory(connection, moved_memory(memory, self._database.moves))
        for row in end.confirmed:
            confirm_memory(connection, row, end.at, who_asked(connection, end.turn))
        for row, version in end.retracted:
            forget_memory(connection, row, version, end.at, who_asked(connection, end.turn))
        add_stages(connection, end.stages)
        settle(connection, end.settlements)
        if end.relayed or end.unsaid:
            relay(connection, end.relayed, end.at)
            put_back(connection, end.unsaid)

    def _let_out(self, connection: SqlConnection, end: TurnEnd) -> list[StoredOutbox]:
        rows = []
        for part, new in enumerate(end.outbox):
            own = new if new.turn == end.turn else new.model_copy(update={"turn": end.turn})
            body = with_current_address(own, self._database.moves)
            # what goes elsewhere by now may have to wait there
            departs = end.departs and part == 0 and (body.to is new.to or body.to == new.to)
            row = put_chunk(connection, body, end.agent, end.at, departs=departs)
            rows.append(chunk_as_put(row, body, end.at, self._database.instance, departs=departs))
        return rows

    def _remember(self, connection: SqlConnection, end: TurnEnd) -> None:
        key = self._database.moves.key(ChannelKey(end.agent, end.channel))
        channel = find_or_make(connection, key)
        if end.messages:
            line = HistoryPlace(key, channel["epoch"], end.turn, end.at)
            self._history.take_up(connection, line)
            self._history.append(connection, line, end.messages)
        last = end.last.model_dump_json()
        update_sealed(connection, "channel", channel, last=last, last_at=max(channel["last_at"], end.at))


def _as_begun(turn: SqlRow) -> TurnStart:
    """Return a turn as it began; what is not kept of it is not there."""
    # the row is sealed: not checked again
    return TurnStart.model_construct(
        agent=turn["agent"],
        channel=turn["channel"],
        kind=ProcessKind(turn["kind"]),
        at=turn["started_at"],
        inbounds=tuple(orjson.loads(turn["inbounds"])),
        session=turn["session"],
    )


def _record(
    connection: SqlConnection,
    names: ContentStore,
    record: RequestRecord,
    traces: Sequence[Named],
    channel: ChannelId,
) -> int:
    counted = len(record.message_tokens) == len(record.request.messages)
    content = _content(connection, names, record, traces, counted=counted) if record.words else (None, None, None)
    head, tail, sections = content
    row = insert(
        connection,
        "request",
        agent=record.agent,
        channel=channel,
        turn=record.turn,
        kind=record.kind,
        round=record.round,
        at=record.at,
        digest=bytes.fromhex(record.digest),
        wire_sha256=record.wire_sha256,
        wire_bytes=record.wire_bytes,
        encoder=record.encoder,
        model=str(record.request.model),
        head=head,
        tail=tail,
        sections=sections,
        stats=record.stats.model_dump_json(),
        extra=_numbers(
            {"dropped_turns": record.dropped_turns, "message_tokens": None if counted else record.message_tokens}
        ),
        fallback_of=record.fallback_of,
    )
    note_model(connection, row, str(record.request.model))
    if not record.words:
        mark(connection, row, MarkKind.UNRECORDED, record.at)
    _link_memories(connection, record, row)
    return row


def _content(
    connection: SqlConnection,
    names: ContentStore,
    record: RequestRecord,
    traces: Sequence[Named],
    *,
    counted: bool,
) -> tuple[int, int, str]:
    """Store what is new in a request; return the rows by which it is found again."""
    messages = record.request.messages
    tail = names.chain(connection, messages, record.message_tokens if counted else [UNCOUNTED] * len(messages))
    sections = _numbers(names.traces(connection, traces))
    return names.head(connection, record.request), tail, sections


def _numbers(value: Sequence[int] | Mapping[str, Sequence[int] | None]) -> str:
    """Write numbers as `canonical_json` does; the keys are in order as they are."""
    return orjson.dumps(value).decode()


def _attempt(connection: SqlConnection, attempt: AttemptRecord) -> None:
    response = attempt.response
    if is_watched(connection):
        model = asked_model(connection, attempt.request)
        when_committed(connection, lambda told: told.metrics.attempted(model, attempt))
    if is_traced(connection):
        when_committed(connection, lambda told: told.traces.attempted(attempt))
    insert(
        connection,
        "attempt",
        request=attempt.request,
        number=attempt.number,
        at=attempt.at,
        input=(response and response.usage.input) or 0,
        output=(response and response.usage.output) or 0,
        cached=(response and response.usage.cached) or 0,
        cost_usd=float(attempt.cost_usd or 0),
        body=attempt.model_dump_json(exclude={"response"}),
        response=response.model_dump_json() if response else None,
    )


def _link_memories(connection: SqlConnection, record: RequestRecord, request: int) -> None:
    handles = {
        handle
        for trace in record.sections
        if trace.fate is SectionFate.KEPT
        for source in trace.sources
        if source.startswith("memory:") and (handle := parse_handle(source.removeprefix("memory:")))
    }
    if not handles:
        return
    rows = {by_slot(connection, handle) for handle in handles if handle.kind is HandleKind.MEMORY}
    defer_links(connection, "request_memory", ("memory", "request"), [(row, request) for row in rows if row])
