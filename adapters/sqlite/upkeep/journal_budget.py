"""Keep the journal small: the oldest requests lose their words until what is left fits."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from adapters.sqlite.engine.marks import mark
from adapters.sqlite.engine.sealed_rows import amend, change, intact
from bot.domain.turn import MarkKind

STEP = 8
"""How many requests lose their words in one unit: nobody waits for the writer longer than a few milliseconds."""

_SIZES = (
    # what conversations hold is theirs, whoever else names it
    "SELECT sum(length(body) + 40) FROM blob WHERE id NOT IN (SELECT blob FROM history)",
    "SELECT count(*) * 40 FROM node",
    "SELECT sum(length(CAST(plain AS BLOB)) + length(CAST(system AS BLOB)) + length(CAST(tools AS BLOB))) FROM head",
    "SELECT sum(length(CAST(response AS BLOB))) FROM attempt WHERE response IS NOT NULL",
    "SELECT sum(length(CAST(arguments AS BLOB)) + length(CAST(output AS BLOB))) FROM tool_call"
    " WHERE arguments IS NOT NULL",
)
_REMOVABLE = """
    FROM request WHERE head IS NOT NULL
      AND id NOT IN (SELECT max(id) FROM request WHERE head IS NOT NULL AND kind = 'channel' GROUP BY agent, channel)
      AND turn NOT IN (SELECT id FROM turn WHERE status = 'running')"""
"""The newest request of every channel stays, however old it is: a channel that is asked about must have one."""


def journal_size(connection: sqlite3.Connection) -> int:
    """Return how many bytes recorded requests and what came back take, without what conversations hold."""
    return sum(connection.execute(sql).fetchone()[0] or 0 for sql in _SIZES)


def oldest(share: float, connection: sqlite3.Connection) -> list[int]:
    """Return that share of the requests that may lose their words, the oldest first; one of them at least."""
    count = connection.execute(f"SELECT count(*) {_REMOVABLE}").fetchone()[0]
    most = round(count * share) + 1
    sql = f"SELECT id {_REMOVABLE} ORDER BY id LIMIT ?"
    return [row[0] for row in connection.execute(sql, (most,))]


def empty(rows: Sequence[int], at: int, connection: sqlite3.Connection) -> int:
    """Take the words out of requests, with what came back, and the tool calls of turns that have none left."""
    marks = ", ".join("?" * len(rows))
    found = intact(connection, "request", f"WHERE id IN ({marks}) AND head IS NOT NULL", tuple(rows))
    for row in found:
        amend(connection, "request", row, head=None, tail=None, sections=None)
        for attempt in intact(connection, "attempt", "WHERE request = ? AND response IS NOT NULL", (row["id"],)):
            change(connection, "attempt", attempt["id"], response=None)
        mark(connection, row["id"], MarkKind.ROOM, at)
    for turn in {row["turn"] for row in found if row["turn"]}:
        _empty_calls(connection, turn)
    return len(found)


def empty_left_calls(connection: sqlite3.Connection) -> int:
    """Take the words out of some tool calls whose requests have none any more, the oldest first; return how many."""
    tail = """WHERE arguments IS NOT NULL AND turn NOT IN (SELECT turn FROM request WHERE head IS NOT NULL)
        AND turn NOT IN (SELECT id FROM turn WHERE status = 'running') ORDER BY tool_call.id LIMIT ?"""
    rows = intact(connection, "tool_call", tail, (8 * STEP,))
    for row in rows:
        change(connection, "tool_call", row["id"], arguments=None, output=None)
    return len(rows)


def _empty_calls(connection: sqlite3.Connection, turn: int) -> None:
    left = "SELECT 1 FROM request WHERE turn = ? AND head IS NOT NULL LIMIT 1"
    if connection.execute(left, (turn,)).fetchone() is None:
        for call in intact(connection, "tool_call", "WHERE turn = ? AND arguments IS NOT NULL", (turn,)):
            change(connection, "tool_call", call["id"], arguments=None, output=None)
