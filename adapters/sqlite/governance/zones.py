"""The time zones that people said are theirs, by name in the table of what there is one of."""

from __future__ import annotations

from collections.abc import Sequence

from adapters.sqlite.engine.database import SqliteDatabase
from adapters.sqlite.engine.sql_connection import SqlConnection
from bot.domain.ids import PersonKey, UserId

_PREFIX = "zone:"


class SqliteZones:
    """Implements `bot.ports.bookkeeping.TimeZoneStore`."""

    def __init__(self, database: SqliteDatabase) -> None:
        self._database = database

    async def zones(self) -> Sequence[tuple[PersonKey, str]]:
        def work(connection: SqlConnection) -> list[tuple[PersonKey, str]]:
            sql = """
                SELECT name, value FROM meta WHERE substr(name, 1, ?) = ? AND h IS row_hash(hex(name), hex(value))
                ORDER BY name"""
            found = connection.execute(sql, (len(_PREFIX), _PREFIX))
            return [(_person(str(name)), str(value)) for name, value in found]

        return await self._database.read(work)

    async def set_zone(self, person: PersonKey, zone: str) -> None:
        """Note somebody's zone; with an empty one, forget it."""

        def work(connection: SqlConnection) -> None:
            take_zone(person, connection)
            if zone:
                connection.execute("INSERT INTO meta (name, value) VALUES (?, ?)", (name_of(person), zone))

        await self._database.write(work)


def name_of(person: PersonKey) -> str:
    """Return the name of somebody's row."""
    return f"{_PREFIX}{person.platform}:{person.user_id}"


def has_zone(person: PersonKey, connection: SqlConnection) -> bool:
    """Say whether a zone of somebody is kept."""
    return connection.execute("SELECT 1 FROM meta WHERE name = ?", (name_of(person),)).fetchone() is not None


def take_zone(person: PersonKey, connection: SqlConnection) -> None:
    """Take somebody's zone out; part of many units."""
    connection.execute("DELETE FROM meta WHERE name = ?", (name_of(person),))


def _person(name: str) -> PersonKey:
    platform, _, user = name.removeprefix(_PREFIX).partition(":")
    return PersonKey(platform, UserId(user))
