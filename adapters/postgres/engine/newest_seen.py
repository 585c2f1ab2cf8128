"""What this machine has seen of a database, so that one which was put back to an earlier state is noticed.

Whoever went on from there without a word would answer once more what was answered after it.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from adapters.postgres.engine.connection import PostgresConnection
from adapters.sqlite.engine.directory import write_private
from bot.errors import StoreError
from bot.text.figures import exact_number

NEWEST_SEEN = "newest_seen"
"""The file in the data directory."""
# of every message, turn and delivery there is a stage, and its number is never given twice
_NEWEST = """
    SELECT (SELECT value FROM meta WHERE name = 'instance'),
      coalesce((SELECT seq FROM drawn WHERE name = 'stage'), 0)"""


def note_newest(directory: Path, seen: tuple[str, int]) -> None:
    """Keep what was seen, in the place of what was seen before; whoever is killed in that leaves either."""
    instance, newest = seen
    draft = directory / f"{NEWEST_SEEN}.new"
    draft.unlink(missing_ok=True)
    write_private(draft, f"{instance} {newest}".encode())
    draft.rename(directory / NEWEST_SEEN)


def newest_of(connection: PostgresConnection) -> tuple[str, int]:
    """Return which database it is, and how far it is."""
    instance, newest = connection.ask(_NEWEST).fetchall()[0]
    return instance or "", newest


def must_not_be_older(connection: PostgresConnection, directory: Path) -> None:
    """Raise StoreError where the database holds less than this machine has seen in it."""
    seen = ""
    with suppress(FileNotFoundError):
        seen = (directory / NEWEST_SEEN).read_text("utf-8")
    noted, _, number = seen.partition(" ")
    instance, newest = newest_of(connection)
    if noted == instance and number.isdecimal() and newest < int(number):
        raise StoreError(
            f"The database {connection.address} was put back to an earlier state: this machine has seen "
            f"{exact_number(int(number) - newest)} records that it does not hold. Nothing was changed. What came after "
            "it may be answered once more. To go on all the same, remove "
            f"{directory / NEWEST_SEEN} on every machine; else restore a newer backup of the server."
        )
