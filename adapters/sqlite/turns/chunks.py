"""Chunks of the outbox as values, and every question that is asked about them."""

from __future__ import annotations

from collections.abc import Sequence

import orjson

from adapters.sqlite.engine.database import SqliteDatabase
from adapters.sqlite.engine.sealed_rows import Value, by_slot, fetch, verified_rows
from adapters.sqlite.engine.sql_connection import SqlConnection, SqlRow
from bot.domain.handles import Handle, HandleKind
from bot.domain.ids import MAIN, ChannelId, ChannelKey
from bot.domain.messages import Receipt
from bot.domain.turn import NewOutbox, OutboxState, StoredOutbox

LEFT = "WHERE state IN ('new', 'sending') AND kind <> 'preview' AND channel IN (SELECT value FROM json_each(?))"
"""What is still to be sent to some channels."""
DIGITS = "0123456789abcdefghjkmnpqrstvwxyz"


class ChunkReader:
    """The reading half of `bot.ports.journal.Outbox`."""

    def __init__(self, database: SqliteDatabase) -> None:
        self._database = database

    async def get(self, row: int) -> StoredOutbox | None:
        found = await chunks_where(self._database, "WHERE id = ? AND kind <> 'preview'", (row,))
        return found[0] if found else None

    async def pending(self) -> Sequence[StoredOutbox]:
        """Return chunks in state new or sending, oldest first."""
        return await chunks_where(
            self._database, "WHERE state IN ('new', 'sending') AND kind <> 'preview' ORDER BY id", ()
        )

    async def left(self, channels: Sequence[ChannelId]) -> Sequence[StoredOutbox]:
        """Return chunks in state new or sending of some channels, oldest first."""
        return await chunks_where(self._database, f"{LEFT} ORDER BY id", (orjson.dumps(list(channels)).decode(),))

    async def untold(self) -> Sequence[StoredOutbox]:
        """Return the parts of replies that were given up without a notice behind them; a crash came in between."""
        return await chunks_where(
            self._database,
            "WHERE state IN ('uncertain', 'dead') AND kind = 'reply' AND inbound > 0 AND NOT EXISTS (SELECT 1 FROM "
            "outbox AS told WHERE told.inbound = outbox.inbound AND told.id > outbox.id AND told.kind = 'notice') "
            "ORDER BY id",
            (),
        )

    async def of_inbound(self, inbound: int) -> Sequence[StoredOutbox]:
        """Return the chunks that answer an inbound, in order."""
        return await chunks_where(
            self._database, "WHERE inbound = ? AND inbound > 0 AND kind <> 'preview' ORDER BY id", (inbound,)
        )

    async def by_message(self, key: ChannelKey, message_id: str) -> StoredOutbox | None:
        """Return the chunk behind a message of ours."""
        tail = "WHERE agent IN (?, ?) AND channel = ? AND message_id = ? AND message_id <> '' ORDER BY id DESC LIMIT 1"
        # what answers nobody is of no agent's own, and stands under `main`
        found = await chunks_where(self._database, tail, (key.agent, MAIN, key.channel, message_id))
        return found[0] if found else None

    async def by_handle(self, handle: Handle) -> StoredOutbox | None:
        """Return the newest chunk of a handle's slot."""

        def work(connection: SqlConnection) -> StoredOutbox | None:
            row = by_slot(connection, handle) if handle.kind is HandleKind.DELIVERY else None
            return read_chunk(fetch(connection, "outbox", row), self._database.instance) if row else None

        return await self._database.read(work)

    async def findings(self, key: ChannelKey, thread: str, since: int, limit: int) -> Sequence[StoredOutbox]:
        """Return what the cortex said in a thread of a private chat after a time (UTC ms), newest first."""
        tail = """
            WHERE agent IN (?, ?) AND channel = ? AND message_id <> '' AND kind = 'finding' AND created_at > ?
              AND json_extract(body, '$.to.thread') = ? ORDER BY id DESC LIMIT ?"""
        return await chunks_where(self._database, tail, (key.agent, MAIN, key.channel, since, thread, limit))

    async def alerts(self, since: int) -> Sequence[StoredOutbox]:
        """Return the chunks that went out after a time (UTC ms) to tell somebody of trouble, oldest first."""
        tail = """
            WHERE created_at > ? AND kind = 'finding' AND state = 'sent'
              AND json_extract(body, '$.alert.kind') IS NOT NULL ORDER BY id"""
        return await chunks_where(self._database, tail, (since,))

    async def in_state(self, key: ChannelKey, uncertain: bool, limit: int) -> Sequence[StoredOutbox]:
        """Return a channel's uncertain or dead chunks, newest first."""
        state = OutboxState.UNCERTAIN if uncertain else OutboxState.DEAD
        tail = (
            "WHERE agent = ? AND channel = ? AND state = ? AND state IN ('uncertain', 'dead') AND kind <> 'preview' "
            "ORDER BY id DESC LIMIT ?"
        )
        return await chunks_where(self._database, tail, (*key, state, limit))


async def chunks_where(database: SqliteDatabase, tail: str, args: tuple[Value, ...]) -> list[StoredOutbox]:
    """Return the intact chunks that the end of a query names."""
    return await database.read(
        lambda connection: [
            read_chunk(row, database.instance) for row in verified_rows(connection, "outbox", tail, args)
        ]
    )


def read_chunk(row: SqlRow | None, instance: str) -> StoredOutbox:
    """Make a value of an outbox row; the text is empty once retention has wiped it."""
    assert row is not None
    receipt = Receipt(message_id=row["message_id"], at=row["receipt_at"]) if row["message_id"] else None
    bare = NewOutbox.model_validate_json(row["body"])
    return StoredOutbox(
        row=row["id"],
        nonce=nonce(instance, row["id"]),
        body=bare.model_copy(update={"text": row["text"] or ""}),
        state=row["state"],
        created_at=row["created_at"],
        attempts=row["attempts"],
        not_before=row["not_before"],
        receipt=receipt,
        error=row["error"],
    )


def nonce(instance: str, row: int) -> str:
    """Name a chunk for ever: the instance and the row number in base 32, 15 characters at most."""
    digits = ""
    while row or not digits:
        row, digit = divmod(row, 32)
        digits = DIGITS[digit] + digits
    return instance + digits
