"""What is known to be damaged: rows that were met and are not what was written."""

from __future__ import annotations

import sqlite3
from typing import Any

import structlog

from adapters.sqlite.engine.sql_connection import SqlConnection
from bot.errors import DamagedRow

log = structlog.get_logger(__name__)


class DamageList:
    """The damaged rows that were met since the start; each is logged once. Database threads write it."""

    def __init__(self) -> None:
        self._met: dict[tuple[str, int], DamagedRow] = {}

    def note(self, error: DamagedRow) -> None:
        """Add a damaged row; the log tells of it the first time."""
        if self._met.setdefault((error.table, error.row), error) is error:
            log.critical("damaged_row", table=error.table, row=error.row, handle=error.name)

    @property
    def met(self) -> tuple[DamagedRow, ...]:
        """All of them, in the order in which they were met."""
        return tuple(self._met.values())


class NotesDamage:
    """What a connection is that puts the damage which is met through it on a list."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.damage = DamageList()


class DamageTracking(NotesDamage, sqlite3.Connection):
    """A connection to a SQLite file that does so."""


def note(connection: SqlConnection, error: DamagedRow) -> None:
    """Put a damaged row on the list of whoever reads."""
    if isinstance(connection, NotesDamage):
        connection.damage.note(error)
