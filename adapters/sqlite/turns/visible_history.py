"""Which lines of the history stand in a conversation, and in which order: those that no compaction took out."""

from __future__ import annotations

from typing import NamedTuple

from adapters.sqlite.engine.sealed_rows import verified_rows
from adapters.sqlite.engine.sql_connection import SqlConnection, SqlRow
from adapters.sqlite.engine.write_batch import execute_unbatched
from bot.domain.ids import ChannelKey

TAKEN_OUT_SQL = """SELECT compacted.line FROM compaction JOIN compacted ON compacted.compaction = compaction.id
    WHERE compaction.agent = ? AND compaction.channel = ? AND compaction.epoch = ?
      AND compacted.came = CASE WHEN compaction.state IN ('done', 'stale') THEN 0 ELSE 1 END"""
"""What a compaction that stands took out, and what one that was undone had put in."""
_PLACES = """SELECT compacted.line, compacted.place
    FROM compaction JOIN compacted ON compacted.compaction = compaction.id
    WHERE compaction.agent = ? AND compaction.channel = ? AND compaction.epoch = ?
      AND compaction.state IN ('done', 'stale') AND compacted.came = 1"""


class VisibleLine(NamedTuple):
    """A line, and where it stands: a summary stands where the first line stood that it took out."""

    row: SqlRow
    place: int


def visible_lines(connection: SqlConnection, key: ChannelKey, epoch: int) -> list[VisibleLine]:
    """Return the lines of a conversation in order, without those that were altered."""
    args = (*key, epoch)
    tail = f"WHERE agent = ? AND channel = ? AND epoch = ? AND id NOT IN ({TAKEN_OUT_SQL}) ORDER BY id"
    lines = verified_rows(connection, "history", tail, (*args, *args))
    places = dict(execute_unbatched(connection, _PLACES, args).fetchall())
    if not places:
        return [VisibleLine(row, row["id"]) for row in lines]
    found = [VisibleLine(row, places.get(row["id"], row["id"])) for row in lines]
    return sorted(found, key=lambda one: (one.place, one.row["id"]))
