"""The journal's reading side: turns as they were, and requests rebuilt exactly."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import NamedTuple

from pydantic import TypeAdapter

from adapters.sqlite.engine.content_store import UNCOUNTED, checked_content, read_message
from adapters.sqlite.engine.damage import note
from adapters.sqlite.engine.database import SqliteDatabase
from adapters.sqlite.engine.marks import mark_of
from adapters.sqlite.engine.sealed_rows import Value, by_slot, fetch, select, verified_rows
from adapters.sqlite.engine.sql_connection import SqlConnection, SqlRow
from adapters.sqlite.turns.calls import CallRecordReader
from bot.domain.base import Digest, FrozenModel
from bot.domain.channel import ProcessKind, resident_bytes
from bot.domain.handles import Handle, HandleKind
from bot.domain.ids import ChannelKey
from bot.domain.llm import LLMRequest, LLMResponse, ModelName, SystemBlock, TokenUsage, ToolChoice, ToolDefinition
from bot.domain.messages import Message
from bot.domain.snapshot import ContextStats, SectionTrace
from bot.domain.turn import (
    AttemptRecord,
    RequestRecord,
    StoredRequest,
    StoredTurn,
    TurnStatus,
)
from bot.errors import DamagedRow, StoreError
from bot.runtime.lru_cache import ENTRY, LRUCache, takes
from bot.sentences import later

_CHAIN = """
    WITH RECURSIVE walk (id, parent, blob, tokens, depth) AS (
        SELECT id, parent, blob, tokens, 0 FROM node WHERE id = ?
        UNION ALL
        SELECT node.id, node.parent, node.blob, node.tokens, walk.depth + 1 FROM node JOIN walk ON node.id = walk.parent
        WHERE walk.depth < 1000000
    )
    SELECT blob, tokens FROM walk ORDER BY depth DESC"""

_MAX_KEPT_BYTES = 1 << 20
"""How much is remembered of rebuilt requests: some of a young conversation, the last of one that fills a window."""


class _PlainFields(FrozenModel):
    model: ModelName
    max_output_tokens: int
    tool_choice: ToolChoice


class _ExtraFields(FrozenModel):
    dropped_turns: tuple[int, ...]
    message_tokens: tuple[int, ...] | None


_SYSTEM: TypeAdapter[list[tuple[str, int]]] = TypeAdapter(list[tuple[str, int]])
_ROWS: TypeAdapter[list[int]] = TypeAdapter(list[int])


_LISTED = """
    SELECT id, 1 FROM outbox WHERE turn = ? AND turn > 0
    UNION ALL
    SELECT id, 0 FROM outbox WHERE inbound IN (SELECT value FROM json_each(?)) AND inbound > 0"""


class JournalReader(CallRecordReader):
    """What is asked of the journal."""

    def __init__(self, database: SqliteDatabase) -> None:
        super().__init__(database)
        self._rebuilt = _RebuiltCache()

    async def turn(self, row: int) -> StoredTurn | None:
        found = await self._turns("WHERE id = ?", (row,))
        return found[0] if found else None

    async def turn_by_handle(self, handle: Handle) -> StoredTurn | None:
        """Return the newest turn of a handle's slot."""

        def work(connection: SqlConnection) -> StoredTurn | None:
            row = by_slot(connection, handle) if handle.kind is HandleKind.TURN else None
            found = row and fetch(connection, "turn", row)
            return _turn(connection, found) if found else None

        return await self._database.read(work)

    async def recent_turns(self, key: ChannelKey, limit: int) -> Sequence[StoredTurn]:
        """Return a channel's own turns (kind `channel`), newest first."""
        tail = "WHERE agent = ? AND channel = ? AND kind = ? ORDER BY id DESC LIMIT ?"
        return await self._turns(tail, (*key, ProcessKind.CHANNEL, limit))

    async def turns_of_session(self, key: ChannelKey, session: int, limit: int) -> Sequence[StoredTurn]:
        """Return what ran for a talk of an admin with the cortex about a channel, newest first."""
        kinds = (ProcessKind.CORTEX, ProcessKind.INSPECTION, ProcessKind.REPLAY)
        tail = "WHERE agent = ? AND channel = ? AND kind IN (?, ?, ?) AND session = ? ORDER BY id DESC LIMIT ?"
        return await self._turns(tail, (*key, *kinds, session, limit))

    async def running_turns(self, *, own: bool = False) -> Sequence[StoredTurn]:
        """Return turns that a dead process left open, oldest first."""
        left = "" if own else self._database.left_in("turn")
        return await self._turns(f"WHERE status = 'running'{left} ORDER BY id", ())

    async def request(self, row: int) -> StoredRequest | None:
        """Rebuild a request; None when there is none, or when retention has wiped what was sent."""
        found = await self._requests("WHERE id = ? AND head IS NOT NULL", (row,))
        return found[0] if found else None

    async def request_by_handle(self, handle: Handle) -> StoredRequest | None:
        """Rebuild the newest request of a handle's slot."""

        def work(connection: SqlConnection) -> StoredRequest | None:
            row = by_slot(connection, handle) if handle.kind is HandleKind.REQUEST else None
            found = row and fetch(connection, "request", row)
            return (
                _ContentShelf(connection, self._rebuilt).request(found) if found and found["head"] is not None else None
            )

        return await self._database.read(work)

    async def recent_requests(self, key: ChannelKey, limit: int) -> Sequence[StoredRequest]:
        """Rebuild a channel's own requests (kind `channel`), newest first; inspections never find themselves."""
        tail = "WHERE agent = ? AND channel = ? AND kind = ? AND head IS NOT NULL ORDER BY id DESC LIMIT ?"
        return await self._requests(tail, (*key, ProcessKind.CHANNEL, limit))

    async def last_usage(self, key: ChannelKey) -> TokenUsage | None:
        """Return what was counted for the request that `recent_requests` begins with; None where nothing was."""
        tail = "WHERE agent = ? AND channel = ? AND kind = ? AND head IS NOT NULL ORDER BY id DESC LIMIT 1"

        def work(connection: SqlConnection) -> TokenUsage | None:
            for row in select(connection, "request", tail, (*key, ProcessKind.CHANNEL)):
                responses = (attempt.response for attempt in _attempts(connection, row["id"]))
                return next((response.usage for response in responses if response is not None), None)
            return None

        # asked for every look at what comes next, and nearly always with the same answer
        return await self._database.ask(("last usage", *key), ("request", "attempt"), work)

    async def request_before(self, key: ChannelKey, row: int) -> StoredRequest | None:
        """Rebuild the newest of a channel's own requests (kind `channel`) that is older than a request of it."""
        tail = "WHERE agent = ? AND channel = ? AND kind = ? AND id < ? AND head IS NOT NULL ORDER BY id DESC LIMIT 1"
        found = await self._requests(tail, (*key, ProcessKind.CHANNEL, row))
        return found[0] if found else None

    async def requests_of_turn(self, turn: int) -> Sequence[StoredRequest]:
        """Rebuild a turn's requests, in order."""
        return await self._requests("WHERE turn = ? AND head IS NOT NULL ORDER BY id", (turn,))

    async def last_of_session(self, key: ChannelKey, kind: ProcessKind, session: int) -> StoredRequest | None:
        """Rebuild the newest request of a session's turns of one kind, of those that came to an answer."""
        tail = """
            WHERE turn = (SELECT id FROM turn
                          WHERE agent = ? AND channel = ? AND kind = ? AND session = ? AND status = ?
                          ORDER BY id DESC LIMIT 1)
              AND head IS NOT NULL ORDER BY id DESC LIMIT 1"""
        found = await self._requests(tail, (*key, kind, session, TurnStatus.REPLIED))
        return found[0] if found else None

    async def _turns(self, tail: str, args: tuple[Value, ...]) -> list[StoredTurn]:
        return await self._database.read(
            lambda connection: [_turn(connection, row) for row in verified_rows(connection, "turn", tail, args)]
        )

    async def _requests(self, tail: str, args: tuple[Value, ...]) -> list[StoredRequest]:
        def work(connection: SqlConnection) -> list[StoredRequest]:
            shelf = _ContentShelf(connection, self._rebuilt)
            return [shelf.request(row) for row in select(connection, "request", tail, args)]

        return await self._database.read(work)


class _RebuiltCache:
    """The requests that were looked at last, by row and seal: what has not changed since is not put together again."""

    def __init__(self) -> None:
        self._kept: LRUCache[tuple[int, bytes], RequestRecord] = LRUCache(most_size=_MAX_KEPT_BYTES, size=_bytes_taken)
        self._turning = threading.Lock()  # readers have threads of their own

    def get(self, row: SqlRow) -> RequestRecord | None:
        """Return the record of an unchanged row."""
        with self._turning:
            return self._kept.get((row["id"], row["h"]))

    def keep(self, row: SqlRow, record: RequestRecord) -> None:
        with self._turning:
            self._kept.put((row["id"], row["h"]), record)


def _bytes_taken(_: object, record: RequestRecord) -> int:
    request = record.request
    aside = (request.system, request.tools, record.sections, record.message_tokens, record.dropped_turns)
    return ENTRY + takes(aside) + resident_bytes(request.messages)


class _ContentShelf:
    """Content read during one query; requests that share a message share the value."""

    def __init__(self, connection: SqlConnection, rebuilt: _RebuiltCache) -> None:
        self._connection = connection
        self._rebuilt = rebuilt
        self._messages: dict[int, Message] = {}
        self._texts: dict[int, str] = {}

    def request(self, row: SqlRow) -> StoredRequest:
        """Return a request with the attempts made so far."""
        record = self._rebuilt.get(row)
        if record is None:
            record = self._record(row)
            self._rebuilt.keep(row, record)
        attempts, mark = _attempts(self._connection, row["id"]), mark_of(self._connection, row["id"])
        return StoredRequest.model_construct(id=row["id"], record=record, attempts=attempts, mark=mark)

    def _record(self, row: SqlRow) -> RequestRecord:
        """Rebuild a request and compare its name with the one it was stored under."""
        chain = self._connection.execute(_CHAIN, (row["tail"],)).fetchall()
        messages = tuple(self._message(blob) for blob, _ in chain)
        request = self._head(row["head"], messages)
        extra = _ExtraFields.model_validate_json(row["extra"])
        tokens = tuple(count for _, count in chain)
        if extra.message_tokens is not None or UNCOUNTED in tokens:
            tokens = extra.message_tokens or ()
        sections = (SectionTrace.model_validate_json(self._text(blob)) for blob in _ROWS.validate_json(row["sections"]))
        record = read_record(row, RequestWords(request, tuple(sections), tokens, extra.dropped_turns))
        if request.digest != record.digest and mark_of(self._connection, row["id"]) is None:
            raise StoreError(later("store.request-not-rebuilt", row=str(row["id"])))
        return record

    def _head(self, head: int, messages: tuple[Message, ...]) -> LLMRequest:
        row = self._connection.execute("SELECT plain, system, tools FROM head WHERE id = ?", (head,)).fetchone()
        if row is None:
            raise StoreError(later("store.no-system-prompt", row=str(head)))
        plain = _PlainFields.model_validate_json(row["plain"])
        blocks = _SYSTEM.validate_json(row["system"])
        tools = _ROWS.validate_json(row["tools"])
        # stored requests are validated values; building them again must not cost a walk over the whole history
        return LLMRequest.model_construct(
            model=plain.model,
            system=tuple(SystemBlock(name=name, text=self._text(blob)) for name, blob in blocks),
            tools=tuple(ToolDefinition.model_validate_json(self._text(blob)) for blob in tools),
            messages=messages,
            max_output_tokens=plain.max_output_tokens,
            tool_choice=plain.tool_choice,
        )

    def _message(self, blob: int) -> Message:
        if blob not in self._messages:
            row = self._row(blob)
            self._messages[blob] = message = read_message(row["hash"], checked_content(row))
            message.lighten()
        return self._messages[blob]

    def _text(self, blob: int) -> str:
        if blob not in self._texts:
            self._texts[blob] = checked_content(self._row(blob)).decode()
        return self._texts[blob]

    def _row(self, blob: int) -> SqlRow:
        row: SqlRow | None = self._connection.execute(
            "SELECT id, hash, body FROM blob WHERE id = ?", (blob,)
        ).fetchone()
        if row is None:
            raise StoreError(later("store.no-text", row=str(blob)))
        return row


def _turn(connection: SqlConnection, row: SqlRow) -> StoredTurn:
    return StoredTurn(
        id=row["id"],
        agent=row["agent"],
        channel=row["channel"],
        kind=row["kind"],
        started_at=row["started_at"],
        status=row["status"],
        reason=row["reason"],
        ended_at=row["ended_at"],
        rounds=row["rounds"],
        inbounds=tuple(_ROWS.validate_json(row["inbounds"])),
        session=row["session"],
        has_outbox=_has_outbox(connection, row),
    )


def _has_outbox(connection: SqlConnection, turn: SqlRow) -> bool:
    """Say whether a turn left something to send: what says so is a row, and no index alone.

    A turn that left nothing is run again after a crash; the bits of an index are sealed by nobody.
    """
    listed = connection.execute(_LISTED, (turn["id"], turn["inbounds"])).fetchall()
    return any(_is_of(connection, row, turn["id"], by_turn=bool(by_turn)) for row, by_turn in listed)


def _is_of(connection: SqlConnection, row: int, turn: int, *, by_turn: bool) -> bool:
    try:
        found = fetch(connection, "outbox", row)
    except DamagedRow as error:
        note(connection, error)
        # nobody can read what it was, or of which turn
        return by_turn
    return found is not None and found["turn"] == turn and found["kind"] != "preview"


class RequestWords(NamedTuple):
    """What of a request goes when its words do."""

    request: LLMRequest
    sections: tuple[SectionTrace, ...] = ()
    message_tokens: tuple[int, ...] = ()
    dropped_turns: tuple[int, ...] = ()


def read_record(row: SqlRow, words: RequestWords) -> RequestRecord:
    """Rebuild what was recorded of a request, with its words or with what stands in their place."""
    return RequestRecord.model_construct(
        agent=row["agent"],
        channel=row["channel"],
        turn=row["turn"],
        kind=ProcessKind(row["kind"]),
        round=row["round"],
        at=row["at"],
        digest=Digest(row["digest"].hex()),
        wire_sha256=row["wire_sha256"],
        wire_bytes=row["wire_bytes"],
        encoder=row["encoder"],
        stats=ContextStats.model_validate_json(row["stats"]),
        fallback_of=row["fallback_of"],
        **words._asdict(),
    )


def _attempts(connection: SqlConnection, request: int) -> tuple[AttemptRecord, ...]:
    rows = select(connection, "attempt", "WHERE request = ? ORDER BY number, id", (request,))
    return tuple(read_attempt(row) for row in rows)


def read_attempt(row: SqlRow) -> AttemptRecord:
    """Rebuild an attempt with what came back."""
    attempt = AttemptRecord.model_validate_json(row["body"])
    if row["response"] is None:
        return attempt
    return attempt.model_copy(update={"response": LLMResponse.model_validate_json(row["response"])})
