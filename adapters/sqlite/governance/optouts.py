"""People who opted out, by name in the table of what there is one of."""

from __future__ import annotations

from collections.abc import Sequence

from adapters.sqlite.engine.database import SqliteDatabase
from adapters.sqlite.engine.sql_connection import SqlConnection
from bot.domain.ids import PersonKey, UserId

_PREFIX = "opted out:"


class SqliteOptOuts:
    """Implements `bot.ports.bookkeeping.OptOutStore`."""

    def __init__(self, database: SqliteDatabase) -> None:
        self._database = database

    async def opted_out(self) -> Sequence[PersonKey]:
        def work(connection: SqlConnection) -> list[PersonKey]:
            sql = """
                SELECT name FROM meta WHERE substr(name, 1, ?) = ? AND h IS row_hash(hex(name), hex(value))
                ORDER BY name"""
            found = [row[0].removeprefix(_PREFIX) for row in connection.execute(sql, (len(_PREFIX), _PREFIX))]
            return [PersonKey(platform, UserId(user)) for platform, _, user in (name.partition(":") for name in found)]

        return await self._database.read(work)

    async def opt_out(self, person: PersonKey, at: int) -> None:
        """Note that somebody did; with an `at` of 0, that they do not want it any more."""
        name = f"{_PREFIX}{person.platform}:{person.user_id}"

        def work(connection: SqlConnection) -> None:
            connection.execute("DELETE FROM meta WHERE name = ?", (name,))
            if at:
                connection.execute("INSERT INTO meta (name, value) VALUES (?, ?)", (name, str(at)))

        await self._database.write(work)
