"""Recorded turns with what should be decided, by request in the table of what there is one of."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import ValidationError

from adapters.sqlite.engine.database import SqliteDatabase
from adapters.sqlite.engine.sql_connection import SqlConnection
from bot.domain.decision_check import DecisionCheck

_PREFIX = "check:"
_READ = """
    SELECT value FROM meta WHERE substr(name, 1, ?) = ? AND h IS row_hash(hex(name), hex(value))
    ORDER BY length(name), name"""
_WRITE = "INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value"


class SqliteChecks:
    """Implements `bot.ports.bookkeeping.CheckStore`."""

    def __init__(self, database: SqliteDatabase) -> None:
        self._database = database

    async def kept(self) -> Sequence[DecisionCheck]:
        """Return all, the oldest request first; one that another version wrote is left where it is."""

        def work(connection: SqlConnection) -> list[DecisionCheck]:
            rows = connection.execute(_READ, (len(_PREFIX), _PREFIX)).fetchall()
            return [one for row in rows if (one := _read(str(row[0]))) is not None]

        return await self._database.read(work)

    async def keep(self, check: DecisionCheck) -> None:
        """Keep one in the place of what was expected of the same request before."""

        def work(connection: SqlConnection) -> None:
            connection.execute(_WRITE, (f"{_PREFIX}{check.request}", check.model_dump_json()))

        await self._database.write(work)

    async def drop(self, request: int) -> bool:
        """Keep that of a request no longer; False where there is none."""

        def work(connection: SqlConnection) -> bool:
            gone = connection.execute("DELETE FROM meta WHERE name = ?", (f"{_PREFIX}{request}",))
            return gone.rowcount > 0

        return await self._database.write(work)


def _read(value: str) -> DecisionCheck | None:
    try:
        return DecisionCheck.model_validate_json(value)
    except ValidationError:
        return None
