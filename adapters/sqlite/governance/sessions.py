"""The conversations of admins with the cortex."""

from __future__ import annotations

from collections.abc import Sequence

from adapters.sqlite.engine.database import SqliteDatabase
from adapters.sqlite.engine.sealed_rows import Value, by_slot, change, insert, select
from adapters.sqlite.engine.sql_connection import SqlConnection
from bot.domain.finding import NewSession, StoredSession
from bot.domain.handles import Handle, HandleKind
from bot.domain.ids import PersonKey


class SqliteSessions:
    """Implements `bot.ports.governance.SessionStore`."""

    def __init__(self, database: SqliteDatabase) -> None:
        self._database = database

    async def open(self, session: NewSession) -> StoredSession:
        target = self._database.moves.current_id(session.target)
        session = session.model_copy(update={"target": target})

        def work(connection: SqlConnection) -> int:
            return insert(
                connection,
                "session",
                agent=session.agent,
                platform=session.platform,
                actor=session.actor,
                dm_channel=session.dm_channel,
                dm_thread=session.dm_thread,
                last_at=session.created_at,
                body=session.model_dump_json(),
            )

        return StoredSession(id=await self._database.write(work), body=session, last_at=session.created_at)

    async def touch(self, session: int, at: int) -> None:
        """Note that something was said in a session."""
        await self._database.write(lambda connection: change(connection, "session", session, last_at=at))

    async def get(self, row: int) -> StoredSession | None:
        return await self._find("WHERE id = ?", (row,))

    async def by_handle(self, handle: Handle) -> StoredSession | None:
        """Return the newest session of a handle's slot."""
        if handle.kind is not HandleKind.SESSION:
            return None
        row = await self._database.read(lambda connection: by_slot(connection, handle))
        return await self.get(row) if row else None

    async def of_thread(self, person: PersonKey, dm_channel: str, dm_thread: str) -> StoredSession | None:
        """Return the session of a DM thread; with an empty thread, the person's newest session there."""
        tail = (
            "WHERE platform = ? AND actor = ? AND dm_channel = ? AND (? = '' OR dm_thread = ?)"
            " ORDER BY last_at DESC, id DESC LIMIT 1"
        )
        return await self._find(tail, (*person, dm_channel, dm_thread, dm_thread))

    async def of_person(self, person: PersonKey, limit: int) -> Sequence[StoredSession]:
        """Return somebody's newest sessions, newest first."""
        return await self._read("WHERE platform = ? AND actor = ? ORDER BY id DESC LIMIT ?", (*person, limit))

    async def _find(self, tail: str, args: tuple[Value, ...]) -> StoredSession | None:
        return next(iter(await self._read(tail, args)), None)

    async def _read(self, tail: str, args: tuple[Value, ...]) -> list[StoredSession]:
        def work(connection: SqlConnection) -> list[StoredSession]:
            return [
                StoredSession(id=row["id"], body=NewSession.model_validate_json(row["body"]), last_at=row["last_at"])
                for row in select(connection, "session", tail, args)
            ]

        return await self._database.read(work)
