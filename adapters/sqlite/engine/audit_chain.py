"""The audit chain: every row's hash covers the row before it, so that no row can be changed, moved or cut off."""

from __future__ import annotations

import hashlib
import hmac
import sqlite3
from collections.abc import Sequence

from adapters.sqlite.engine.database import SqliteDatabase
from adapters.sqlite.engine.sealed_rows import Value, by_slot
from adapters.sqlite.engine.write_batch import execute_unbatched
from bot.domain.base import canonical_json
from bot.domain.finding import AuditRow, NewAudit
from bot.domain.handles import Handle, HandleKind
from bot.domain.ids import MAIN, PersonKey
from bot.errors import StoreError

GENESIS = "0" * 64
_COLUMNS = "id, agent, at, platform, actor, body, undoes, prev_hash"
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

        def work(connection: sqlite3.Connection) -> AuditRow | None:
            row = by_slot(connection, handle) if handle.kind is HandleKind.AUDIT else None
            found = read(connection, "WHERE id = ?", (row or 0,))
            return found[0] if found else None

        return await self._database.read(work)

    async def verify(self) -> int:
        """Return the number of the first row whose chain does not hold, 0 when all do."""
        key = self._database.secret_key
        return await self._database.read(lambda connection: verify(connection, key))


def append(connection: sqlite3.Connection, key: bytes, entry: NewAudit, undoes: int = 0) -> AuditRow:
    """Add a row to the end of the chain; part of many units."""
    last, prev_hash = _mark(connection, key, "audit_head")
    # apart: only this writes the chain and its marks, and what is known of other tables stays known
    if execute_unbatched(connection, "SELECT coalesce(max(id), 0) FROM audit").fetchone()[0] != last:
        raise _damaged("its end does not hold")
    columns: tuple[Value, ...] = (
        *(last + 1, MAIN, entry.at, entry.platform, entry.actor, canonical_json(entry), undoes, prev_hash),
    )
    hashed = _hash(columns)
    execute_unbatched(
        connection,
        "INSERT INTO audit (id, agent, at, platform, actor, body, undoes, prev_hash, hash)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (*columns, hashed),
    )
    _set_mark(connection, key, "audit_head", (last + 1, hashed))
    return AuditRow(id=last + 1, body=entry, prev_hash=prev_hash, hash=hashed)


def read(connection: sqlite3.Connection, tail: str, args: tuple[Value, ...]) -> list[AuditRow]:
    """Return intact audit rows; `tail` is constant text."""
    return [_row(row) for row in connection.execute(_READ + tail, args)]


def verify(connection: sqlite3.Connection, key: bytes) -> int:
    """Return the first row whose chain does not hold, 0 when all do; without the key, the marks are trusted."""
    try:
        row, prev_hash = _mark(connection, key, "audit_base")
        head = _mark(connection, key, "audit_head")
    except StoreError:
        return int(connection.execute("SELECT coalesce(min(id), 1) FROM audit").fetchone()[0])
    sql = f"SELECT {_COLUMNS}, hash FROM audit ORDER BY id"  # noqa: S608 - a constant of this file
    for found in connection.execute(sql):
        row += 1
        if found["id"] != row or found["prev_hash"] != prev_hash or found["hash"] != _hash(tuple(found)[:-1]):
            return row
        prev_hash = found["hash"]
    return 0 if (row, prev_hash) == head else row + 1


def cut(connection: sqlite3.Connection, key: bytes, before: int) -> int:
    """Drop the oldest rows (at most 500), and remember where the chain now begins."""
    rows = connection.execute("SELECT id, hash, at FROM audit ORDER BY id LIMIT 500").fetchall()
    gone = 0
    for row in rows:
        if row["at"] >= before:
            break
        connection.execute("DELETE FROM audit WHERE id = ?", (row["id"],))
        _set_mark(connection, key, "audit_base", (row["id"], row["hash"]))
        gone += 1
    return gone


def _row(row: sqlite3.Row) -> AuditRow:
    covered = tuple(row[name] for name in _COLUMNS.split(", "))
    if row["hash"] != _hash(covered):
        raise _damaged(f"row {row['id']} was altered outside this program")
    return AuditRow(
        id=row["id"],
        body=NewAudit.model_validate_json(row["body"]),
        prev_hash=row["prev_hash"],
        hash=row["hash"],
        undone_by=row["undone_by"],
    )


def _hash(columns: tuple[Value, ...]) -> str:
    return hashlib.sha256(canonical_json(columns).encode("utf-8", "surrogatepass")).hexdigest()


def _mark(connection: sqlite3.Connection, key: bytes, name: str) -> tuple[int, str]:
    # the chain alone cannot show that its end was cut off, or that all of it was written anew; a signed mark can
    found = execute_unbatched(connection, "SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
    if found is None:
        was_written = "SELECT 1 FROM sqlite_sequence WHERE name = 'audit' AND seq > 0"
        if name == "audit_head" and execute_unbatched(connection, was_written).fetchone():
            raise _damaged("the mark at its end is missing")
        return 0, GENESIS
    row, hashed, signature = [*str(found[0]).split(":"), "", ""][:3]
    signed = _sign(key, name, row, hashed) if key else signature
    if not row.isdecimal() or not hmac.compare_digest(signature.encode(), signed.encode()):
        raise _damaged("its mark was altered")
    return int(row), hashed


def _damaged(what: str) -> StoreError:
    return StoreError(
        f"The audit chain is damaged: {what}. Run `glassmind doctor`; `glassmind restore` shows the copies."
    )


def _set_mark(connection: sqlite3.Connection, key: bytes, name: str, mark: tuple[int, str]) -> None:
    row, hashed = mark
    value = f"{row}:{hashed}:{_sign(key, name, str(row), hashed)}"
    sql = "INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value"
    execute_unbatched(connection, sql, (name, value))


def _sign(key: bytes, *parts: str) -> str:
    return hmac.new(key, ":".join(parts).encode(), "sha256").hexdigest()
