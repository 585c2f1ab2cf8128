"""How far tasks have come."""

from __future__ import annotations

from collections.abc import Collection

from adapters.sqlite.engine.database import SqliteDatabase
from adapters.sqlite.engine.places import done_from, names_of
from adapters.sqlite.engine.sealed_rows import Value, insert, select, update_sealed, verified_rows
from adapters.sqlite.engine.sql_connection import SqlConnection, SqlRow
from bot.domain.ids import ChannelId
from bot.ports.checkpoints import StoredCheckpoint

_UNDER_WAY = "WHERE state IN ('created', 'running', 'waiting')"
_NAMED = "WHERE agent = ? AND session_id = ?"


class SqliteCheckpoints:
    """Implements `bot.ports.checkpoints.CheckpointStore`."""

    def __init__(self, database: SqliteDatabase) -> None:
        self._database = database

    async def save(self, checkpoint: StoredCheckpoint) -> None:
        """Keep it in the place of the one before, in one transaction."""

        def work(connection: SqlConnection) -> None:
            columns: dict[str, Value] = checkpoint.model_dump()
            found = select(connection, "checkpoint", _NAMED, (checkpoint.agent, checkpoint.session_id))
            if found:
                update_sealed(connection, "checkpoint", found[0], **columns)
            else:
                insert(connection, "checkpoint", **columns)

        await self._database.write(work)

    async def restore(self, agent: str, session_id: str) -> StoredCheckpoint | None:
        """Return the newest of a task, None when there is none."""
        return await self._find(_NAMED, (agent, session_id))

    async def of_turn(self, turn: int) -> StoredCheckpoint | None:
        """Return that of the task which a turn works on."""
        return await self._find("WHERE turn = ? ORDER BY id DESC LIMIT 1", (turn,))

    async def take_up(self, agent: str, session_id: str, at: int) -> StoredCheckpoint | None:
        """Set an interrupted task running again and return it; None where it is not interrupted (any more)."""

        def work(connection: SqlConnection) -> StoredCheckpoint | None:
            found = select(connection, "checkpoint", _NAMED, (agent, session_id))
            if not found or found[0]["state"] != "interrupted":
                return None
            update_sealed(connection, "checkpoint", found[0], state="running", at=at)
            return _checkpoint(found[0]).replace(state="running", at=at)

        return await self._database.write(work)

    async def interrupt(self, at: int, channels: Collection[ChannelId] | None = None) -> int:
        """Say of every task that was under way that it was interrupted; return how many."""
        which, args = _UNDER_WAY, tuple[Value, ...]()
        if channels is not None:
            which, args = f"{_UNDER_WAY} AND {done_from('checkpoint')}", (names_of(channels),) * 2

        def work(connection: SqlConnection) -> int:
            rows = verified_rows(connection, "checkpoint", which, args)
            for row in rows:
                update_sealed(connection, "checkpoint", row, state="interrupted", at=at)
            return len(rows)

        def is_needed(connection: SqlConnection) -> bool:
            return bool(verified_rows(connection, "checkpoint", f"{which} LIMIT 1", args))

        # hardly ever: a start that has nothing to say writes nothing
        return await self._database.write(work) if await self._database.read(is_needed) else 0

    async def _find(self, tail: str, args: tuple[Value, ...]) -> StoredCheckpoint | None:
        def work(connection: SqlConnection) -> StoredCheckpoint | None:
            rows = select(connection, "checkpoint", tail, args)
            return _checkpoint(rows[0]) if rows else None

        return await self._database.read(work)


def _checkpoint(row: SqlRow) -> StoredCheckpoint:
    return StoredCheckpoint(**{name: row[name] for name in StoredCheckpoint.model_fields})
