"""How far the numbers of a database have come, kept beside the key: one that was put back to yesterday is noticed."""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping
from pathlib import Path

from pydantic import BaseModel, ValidationError

from adapters.sqlite.engine.directory import sync, write_private
from adapters.sqlite.engine.sql_connection import SqlConnection
from bot.sentences import Words, later, say

FILE = "server.json"
_KEEPING = threading.Lock()
"""Signs of life, and looks at the lease, come from several threads."""
_NUMBERS = "SELECT name, seq FROM drawn"
_INSTANCE = "SELECT (SELECT value FROM meta WHERE name = 'instance')"


class HighWater(BaseModel):
    """The newest number of every table that a database was seen to have handed out, which never fall."""

    instance: str
    numbers: Mapping[str, int]


def numbers_of(connection: SqlConnection) -> dict[str, int]:
    """Read the newest number of every table."""
    return dict(map(tuple, connection.execute(_NUMBERS).fetchall()))


def read_mark(directory: Path) -> HighWater | None:
    """Return what was kept last; None where nothing was, or it cannot be read."""
    try:
        return HighWater.model_validate_json((directory / FILE).read_bytes())
    except (FileNotFoundError, ValidationError):
        return None


def keep_mark(directory: Path, mark: HighWater) -> None:
    """Keep how far a database has come, whole or not at all; from any thread."""
    draft = directory / f"{FILE}.new"
    with _KEEPING:
        draft.unlink(missing_ok=True)
        write_private(draft, mark.model_dump_json().encode())
        os.replace(draft, directory / FILE)
        sync(directory)


def note_seen(connection: SqlConnection, directory: Path) -> None:
    """Keep how far a database has come on which another process works; what went back a start here is to notice."""
    (instance,) = connection.execute(_INSTANCE).fetchall()[0]
    if instance is None or not directory.exists():
        return
    before, mark = read_mark(directory), HighWater(instance=instance, numbers=numbers_of(connection))
    known = before.numbers if before is not None and before.instance == instance else {}
    if before != mark and not fallen(known, mark.numbers):
        keep_mark(directory, mark)


def fallen(before: Mapping[str, int], now: Mapping[str, int]) -> Mapping[str, tuple[int, int]]:
    """Return which numbers are lower than they were, with what they were and are."""
    both = {table: (number, now.get(table, 0)) for table, number in sorted(before.items())}
    return {table: (was, there_is) for table, (was, there_is) in both.items() if there_is < was}


def went_back(place: Words, back: Mapping[str, tuple[int, int]]) -> Words:
    """Say that a database does not hold any more what was stored in it, by which numbers are lower."""

    def lost() -> str:
        return ", ".join(
            say("server_store.number-went-back", table=table, before=was, now=there_is)
            for table, (was, there_is) in back.items()
        )

    return later("server_store.went-back", place=place, lost=lost)
