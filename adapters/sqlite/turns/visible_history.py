"""Which lines of the history stand in a conversation, and in which order: those that no compaction took out."""

from __future__ import annotations

import sqlite3
from typing import NamedTuple

from adapters.sqlite.engine.sealed_rows import intact
from adapters.sqlite.engine.write_batch import apart
from bot.domain.ids import ChannelKey

OUT = """SELECT compacted.line FROM compaction JOIN compacted ON compacted.compaction = compaction.id
    WHERE compaction.agent = ? AND compaction.channel = ? AND compaction.epoch = ?
      AND compacted.came = (compaction.state NOT IN ('done', 'stale'))"""
"""What a compaction that stands took out, and what one that was undone had put in."""
_PLACES = """SELECT compacted.line, compacted.place
    FROM compaction JOIN compacted ON compacted.compaction = compaction.id
    WHERE compaction.agent = ? AND compaction.channel = ? AND compaction.epoch = ?
      AND compaction.state IN ('done', 'stale') AND compacted.came"""


class Standing(NamedTuple):
    """A line, and where it stands: a summary stands where the first line stood that it took out."""

    row: sqlite3.Row
    place: int


def standing(connection: sqlite3.Connection, key: ChannelKey, epoch: int) -> list[Standing]:
    """Return the lines of a conversation in order, without those that were altered."""
    args = (*key, epoch)
    tail = f"WHERE agent = ? AND channel = ? AND epoch = ? AND id NOT IN ({OUT}) ORDER BY id"
    lines = intact(connection, "history", tail, (*args, *args))
    places = dict(apart(connection, _PLACES, args).fetchall())
    if not places:
        return [Standing(row, row["id"]) for row in lines]
    found = [Standing(row, places.get(row["id"], row["id"])) for row in lines]
    return sorted(found, key=lambda one: (one.place, one.row["id"]))
