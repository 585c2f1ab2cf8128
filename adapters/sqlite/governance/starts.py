"""When the program was started, and when it read its configuration anew, in the table of what there is one of."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import TypeAdapter

from adapters.sqlite.engine.database import SqliteDatabase
from adapters.sqlite.engine.sql_connection import SqlConnection
from bot.domain.health import ProgramStart

_MAX_STARTS = 500
_READ = "SELECT value FROM meta WHERE name = 'starts' AND h IS row_hash(hex(name), hex(value))"
_WRITE = "INSERT INTO meta (name, value) VALUES ('starts', ?) ON CONFLICT DO UPDATE SET value = excluded.value"
_STARTS: TypeAdapter[tuple[ProgramStart, ...]] = TypeAdapter(tuple[ProgramStart, ...])


class SqliteStarts:
    """Implements `bot.ports.bookkeeping.StartLog`."""

    def __init__(self, database: SqliteDatabase) -> None:
        self._database = database
        self._newest = 0

    async def started(self, at: int) -> None:
        """Note a start; the same one again is no other."""
        if at != self._newest:
            await self._note(ProgramStart(at=at))
            self._newest = at

    async def reloaded(self, at: int, keys: Sequence[str]) -> None:
        """Note that these keys of the configuration were read anew while the program ran."""
        await self._note(ProgramStart(at=at, keys=tuple(keys)))

    async def all(self) -> Sequence[ProgramStart]:
        """Return what is on record, oldest first."""
        return await self._database.read(_all_starts)

    async def _note(self, start: ProgramStart) -> None:
        def work(connection: SqlConnection) -> None:
            known = _all_starts(connection)
            if start not in known[-2:]:
                connection.execute(_WRITE, (_STARTS.dump_json((*known, start)[-_MAX_STARTS:]).decode(),))

        await self._database.write(work)


def _all_starts(connection: SqlConnection) -> tuple[ProgramStart, ...]:
    found = connection.execute(_READ).fetchone()
    return _STARTS.validate_json(found[0]) if found else ()
