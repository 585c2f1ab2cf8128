"""Files that went out, until they have left the chat again."""

from __future__ import annotations

from collections.abc import Sequence

from adapters.sqlite.engine.database import SqliteDatabase
from adapters.sqlite.engine.sealed_rows import read_or_skip, update_sealed
from adapters.sqlite.engine.sql_connection import SqlConnection
from adapters.sqlite.turns.chunks import chunks_where
from bot.domain.turn import OutboxState, StoredOutbox

# the words of the index `outbox_files`
_SENT = "WHERE kind = 'file' AND state = 'sent' AND error = '' AND created_at < ? ORDER BY created_at LIMIT ?"


class SqliteSentFiles:
    """Implements `bot.ports.journal.SentFiles`."""

    def __init__(self, database: SqliteDatabase) -> None:
        self._database = database

    async def before(self, at: int, limit: int) -> Sequence[StoredOutbox]:
        """Return chunks of kind `file` that went out before a time and have not `ended`, oldest first."""
        return await chunks_where(self._database, _SENT, (at, limit))

    async def ended(self, row: int, what: str) -> None:
        """Note what became of one that had its time."""

        def work(connection: SqlConnection) -> None:
            found = read_or_skip(connection, "outbox", row)
            if found and found["state"] == OutboxState.SENT:
                update_sealed(connection, "outbox", found, error=what)

        await self._database.write(work)
