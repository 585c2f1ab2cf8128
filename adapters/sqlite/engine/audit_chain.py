"""The audit chain: what was done and read, in rows that cannot be changed, moved or cut off (`hash_chain`)."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from adapters.sqlite.engine.database import SqliteDatabase
from adapters.sqlite.engine.hash_chain import ChainedRow, ChainMark, HashChain
from adapters.sqlite.engine.sealed_rows import Value, by_slot
from adapters.sqlite.engine.sql_connection import SqlConnection, SqlRow
from bot.domain.base import canonical_json
from bot.domain.finding import AuditRow, NewAudit
from bot.domain.handles import Handle, HandleKind
from bot.domain.ids import MAIN, PersonKey
from bot.sentences import later

AUDIT = HashChain("audit", ("id", "agent", "at", "platform", "actor", "body", "undoes", "prev_hash"))
_READ = """
    SELECT audit.*, coalesce((SELECT id FROM audit AS later WHERE later.undoes = audit.id), 0) AS undone_by
    FROM audit """


class SqliteAuditTrail:
    """Implements `bot.ports.governance.AuditTrail`."""

    def __init__(self, database: SqliteDatabase) -> None:
        self._database = database

    async def append(self, entry: NewAudit) -> AuditRow:
        key = self._database.secret_key
        return await self._database.write(lambda connection: append(connection, key, entry))

    async def newest(self, person: PersonKey | None, limit: int) -> Sequence[AuditRow]:
        """Return the newest audit rows, newest first; of everybody when no person is given."""
        who = person or ("", "")
        everybody = "? = '' AND json_extract(body, '$.own') IS NULL"
        tail = f"WHERE ({everybody} OR (platform = ? AND actor = ?)) ORDER BY id DESC LIMIT ?"
        return await self._database.read(lambda connection: read(connection, tail, (who[0] and "one", *who, limit)))

    async def by_handle(self, handle: Handle) -> AuditRow | None:
        """Return the newest audit row of a handle's slot."""

        def work(connection: SqlConnection) -> AuditRow | None:
            row = by_slot(connection, handle) if handle.kind is HandleKind.AUDIT else None
            found = read(connection, "WHERE id = ?", (row or 0,))
            return found[0] if found else None

        return await self._database.read(work)

    async def verify(self) -> int:
        """Return the number of the first row whose chain does not hold, 0 when all do."""
        key = self._database.secret_key
        return await self._database.read(lambda connection: verify(connection, key))


def append(connection: SqlConnection, key: bytes, entry: NewAudit, undoes: int = 0) -> AuditRow:
    """Add a row to the end of the chain; part of many units."""
    covered = (MAIN, entry.at, entry.platform, entry.actor, canonical_json(entry), undoes)
    before, mark = AUDIT.append(connection, key, [ChainedRow(covered)])
    return AuditRow(id=mark.row, body=entry, prev_hash=before.hash, hash=mark.hash)


def read(connection: SqlConnection, tail: str, args: tuple[Value, ...]) -> list[AuditRow]:
    """Return intact audit rows; `tail` is constant text."""
    return [_row(row) for row in connection.execute(_READ + tail, args)]


def verify(connection: SqlConnection, key: bytes) -> int:
    """Return the first row whose chain does not hold, 0 when all do; without the key, the marks are trusted."""
    return AUDIT.verify(connection, key)


def cut(connection: SqlConnection, key: bytes, before: int) -> int:
    """Drop the oldest rows (at most 500), and remember where the chain now begins."""
    rows = connection.execute("SELECT id, hash, at FROM audit ORDER BY id LIMIT 500").fetchall()
    gone = list(itertools.takewhile(lambda row: row["at"] < before, rows))
    if gone:
        AUDIT.cut(connection, key, ChainMark(gone[-1]["id"], gone[-1]["hash"]))
    return len(gone)


def _row(row: SqlRow) -> AuditRow:
    if not AUDIT.covers(row):
        raise AUDIT.damaged(later("store.chain-row-altered", row=str(row["id"])))
    return AuditRow(
        id=row["id"],
        body=NewAudit.model_validate_json(row["body"]),
        prev_hash=row["prev_hash"],
        hash=row["hash"],
        undone_by=row["undone_by"],
    )
