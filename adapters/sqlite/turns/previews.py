"""Messages that show an answer while it is written: rows of the outbox that are no part of the answer."""

from __future__ import annotations

from collections.abc import Sequence

from adapters.sqlite.engine.database import SqliteDatabase
from adapters.sqlite.engine.sealed_rows import Value, read_or_skip, update_sealed, verified_rows
from adapters.sqlite.engine.sql_connection import SqlConnection
from adapters.sqlite.ledger.ledger_writer import add_stages
from adapters.sqlite.turns.chunks import read_chunk
from adapters.sqlite.turns.outbox import PREVIEW, agent_of, put_chunk
from bot.domain.ledger import StageRow
from bot.domain.turn import NewOutbox, OutboxState, StoredOutbox


class SqlitePreviews:
    """Implements `bot.ports.journal.PreviewStore`; an open one is `sending`, and the outbox leaves it alone."""

    def __init__(self, database: SqliteDatabase) -> None:
        self._database = database

    async def begin(self, body: NewOutbox, stages: Sequence[StageRow], at: int) -> int:
        """Commit the intent to post one; return its number."""
        body = body.model_copy(update={"kind": PREVIEW, "text": ""})

        def work(connection: SqlConnection) -> int:
            add_stages(connection, stages)
            return put_chunk(connection, body, agent_of(connection, body), at, departs=True)

        return await self._database.write(work)

    async def shown(self, row: int, message_id: str) -> None:
        """Commit by which message a preview is shown."""
        await self._change(row, (), message_id=message_id, receipt_at=self._database.now())

    async def refused(self, row: int, error: str, stages: Sequence[StageRow]) -> None:
        """Note that the platform takes no more of it; the message stays, and with it the open preview."""
        await self._change(row, stages, error=error)

    async def ended(self, row: int, why: str, stages: Sequence[StageRow]) -> None:
        """Close one that leads to nothing; doing it twice changes nothing."""
        await self._change(row, stages, state=OutboxState.DEAD, error=why)

    async def left(self) -> Sequence[StoredOutbox]:
        """Return the open ones, oldest first; without a receipt it is not known whether there is a message."""
        left, instance = self._database.left_in("outbox"), self._database.instance
        tail = f"WHERE state = 'sending' AND kind = '{PREVIEW}'{left} ORDER BY id"
        return await self._database.read(
            lambda connection: [read_chunk(row, instance) for row in verified_rows(connection, "outbox", tail)]
        )

    async def _change(self, row: int, stages: Sequence[StageRow], **columns: Value) -> None:
        def work(connection: SqlConnection) -> None:
            found = read_or_skip(connection, "outbox", row)
            if found and found["state"] == OutboxState.SENDING:
                update_sealed(connection, "outbox", found, **columns)
                add_stages(connection, stages)

        await self._database.write(work)
