"""Why a request is not on record as it was sent."""

from __future__ import annotations

from adapters.sqlite.engine.sql_connection import SqlConnection
from bot.domain.turn import MarkKind, RequestMark

_MARK = """
    INSERT INTO request_mark (request, kind, at) VALUES (?, ?, ?)
    ON CONFLICT DO UPDATE SET kind = excluded.kind, at = excluded.at"""


def mark(connection: SqlConnection, request: int, kind: MarkKind, at: int) -> None:
    """Say why; the newest reason counts."""
    connection.execute(_MARK, (request, kind.value, at))


def mark_of(connection: SqlConnection, request: int) -> RequestMark | None:
    """Return why; None for a request that is on record as it was sent, or went with its age."""
    row = connection.execute("SELECT kind, at FROM request_mark WHERE request = ?", (request,)).fetchone()
    return RequestMark(kind=MarkKind(row[0]), at=row[1]) if row else None
