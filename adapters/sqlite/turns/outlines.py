"""Requests whose words are not kept: what is left of them, as the rules and the records need it."""

from __future__ import annotations

from collections.abc import Sequence

from adapters.sqlite.engine.database import SqliteDatabase
from adapters.sqlite.engine.marks import mark_of
from adapters.sqlite.engine.sealed_rows import by_slot, fetch, select
from adapters.sqlite.engine.sql_connection import SqlConnection, SqlRow
from adapters.sqlite.turns.requests import RequestWords, read_attempt, read_record
from bot.domain.channel import ProcessKind
from bot.domain.handles import Handle, HandleKind
from bot.domain.ids import ChannelKey
from bot.domain.llm import LLMRequest, ModelName
from bot.domain.turn import RequestMark, StoredRequest

_NEWEST = "WHERE agent = ? AND channel = ? AND kind = ? ORDER BY id DESC LIMIT 1"


class SqliteOutlines:
    """What requests were, without what they said."""

    def __init__(self, database: SqliteDatabase) -> None:
        self._database = database

    async def outlines_of_turn(self, turn: int) -> Sequence[StoredRequest]:
        """Return a turn's requests that have no words (any more), in order; they name no section and no message."""

        def work(connection: SqlConnection) -> list[StoredRequest]:
            rows = select(connection, "request", "WHERE turn = ? AND head IS NULL ORDER BY id", (turn,))
            return [_outline(connection, row) for row in rows]

        return await self._database.read(work)

    async def outline_by_handle(self, handle: Handle) -> StoredRequest | None:
        """Return the newest request of a handle's slot, if it has no words."""

        def work(connection: SqlConnection) -> StoredRequest | None:
            row = by_slot(connection, handle) if handle.kind is HandleKind.REQUEST else None
            found = row and fetch(connection, "request", row)
            return _outline(connection, found) if found and found["head"] is None else None

        return await self._database.read(work)

    async def newest_mark(self, key: ChannelKey) -> RequestMark | None:
        """Return why the last request of a channel is not on record as it was sent; None where it is."""

        def work(connection: SqlConnection) -> RequestMark | None:
            rows = select(connection, "request", _NEWEST, (*key, ProcessKind.CHANNEL))
            return mark_of(connection, rows[0]["id"]) if rows else None

        return await self._database.read(work)


def _outline(connection: SqlConnection, row: SqlRow) -> StoredRequest:
    provider, _, model = row["model"].partition("/")
    name = ModelName(provider=provider, model=model)
    # what is not kept is not made up: it has no messages, no tools and no system prompt
    request = LLMRequest.model_construct(model=name, system=(), tools=(), messages=(), max_output_tokens=0)
    record = read_record(row, RequestWords(request))
    attempts = select(connection, "attempt", "WHERE request = ? ORDER BY number, id", (row["id"],))
    return StoredRequest.model_construct(
        id=row["id"],
        record=record,
        attempts=tuple(read_attempt(attempt) for attempt in attempts),
        mark=mark_of(connection, row["id"]),
    )
