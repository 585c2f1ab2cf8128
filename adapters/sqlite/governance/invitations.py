"""Links by which somebody opens their private chat: kept, and accepted once with an audit row."""

from __future__ import annotations

from adapters.sqlite.engine import audit_chain
from adapters.sqlite.engine.database import SqliteDatabase
from adapters.sqlite.engine.sealed_rows import change, fetch, insert, select
from adapters.sqlite.engine.sql_connection import SqlConnection, SqlRow
from bot.domain.finding import NewAudit, NewInvitation, StoredInvitation
from bot.domain.ids import MAIN


class SqliteInvitations:
    """Implements `bot.ports.governance.InvitationStore`."""

    def __init__(self, database: SqliteDatabase) -> None:
        self._database = database

    async def invite(self, invitation: NewInvitation) -> StoredInvitation:
        def work(connection: SqlConnection) -> int:
            return insert(connection, "invitation", agent=MAIN, **invitation.model_dump(), used_at=0)

        return StoredInvitation(id=await self._database.write(work), body=invitation)

    async def get(self, secret_id: str) -> StoredInvitation | None:
        """Return an invitation by the random id in its link."""

        def work(connection: SqlConnection) -> StoredInvitation | None:
            rows = select(connection, "invitation", "WHERE secret_id = ?", (secret_id,))
            return _invitation(rows[0]) if rows else None

        return await self._database.read(work)

    async def accept(self, row: int, entry: NewAudit) -> bool:
        """Use one up and write the audit row, in one transaction."""

        def work(connection: SqlConnection) -> bool:
            found = fetch(connection, "invitation", row)
            if found is None or found["used_at"] or entry.at >= found["expires_at"]:
                return False
            change(connection, "invitation", row, used_at=entry.at)
            audit_chain.append(connection, self._database.secret_key, entry)
            return True

        return await self._database.write(work)


def _invitation(row: SqlRow) -> StoredInvitation:
    names = ("secret_id", "platform", "actor", "inbound", "created_at", "expires_at")
    return StoredInvitation(
        id=row["id"], body=NewInvitation(**{name: row[name] for name in names}), used_at=row["used_at"]
    )
