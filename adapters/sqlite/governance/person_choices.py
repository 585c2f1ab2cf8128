"""What people chose for themselves: their time zone, their language; by name in the table of what there is one of."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from adapters.sqlite.engine.database import SqliteDatabase
from adapters.sqlite.engine.sql_connection import SqlConnection
from bot.domain.ids import PersonKey, UserId

ZONE, LANGUAGE = "zone", "language"
_KINDS = (ZONE, LANGUAGE)


class SqliteChoices:
    """Implements `bot.ports.bookkeeping.ChoiceStore` for one kind of choice."""

    def __init__(self, database: SqliteDatabase, kind: str) -> None:
        self._database = database
        self._kind = kind

    async def all(self) -> Sequence[tuple[PersonKey, str]]:
        prefix = f"{self._kind}:"

        def work(connection: SqlConnection) -> list[tuple[PersonKey, str]]:
            sql = """
                SELECT name, value FROM meta WHERE substr(name, 1, ?) = ? AND h IS row_hash(hex(name), hex(value))
                ORDER BY name"""
            found = connection.execute(sql, (len(prefix), prefix))
            return [(_person(str(name).removeprefix(prefix)), str(value)) for name, value in found]

        return await self._database.read(work)

    async def choose(self, person: PersonKey, value: str) -> None:
        """Note what somebody chose; with an empty value, forget it."""
        await self._database.write(partial(_choose, person, self._kind, value))


def name_of(kind: str, person: PersonKey) -> str:
    """Return the name of somebody's row."""
    return f"{kind}:{person.platform}:{person.user_id}"


def choices_of(person: PersonKey, connection: SqlConnection) -> int:
    """Count what somebody chose."""
    sql = "SELECT 1 FROM meta WHERE name = ?"
    rows = (connection.execute(sql, (name_of(kind, person),)).fetchone() for kind in _KINDS)
    return sum(row is not None for row in rows)


def take_choices(person: PersonKey, connection: SqlConnection) -> None:
    """Take out everything that somebody chose; part of many units."""
    for kind in _KINDS:
        _choose(person, kind, "", connection)


def _choose(person: PersonKey, kind: str, value: str, connection: SqlConnection) -> None:
    connection.execute("DELETE FROM meta WHERE name = ?", (name_of(kind, person),))
    if value:
        connection.execute("INSERT INTO meta (name, value) VALUES (?, ?)", (name_of(kind, person), value))


def _person(name: str) -> PersonKey:
    platform, _, user = name.partition(":")
    return PersonKey(platform, UserId(user))
