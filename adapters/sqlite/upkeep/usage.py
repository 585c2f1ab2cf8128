"""Sum what the models used: of everything since a time, or of one channel since ever without reading it all again."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from threading import Lock
from typing import NamedTuple

from adapters.sqlite.engine.sealed_rows import Value
from bot.domain.channel import ProcessKind
from bot.domain.ids import ChannelKey
from bot.domain.turn import UsageRow

_SUMS = """
    SELECT request.kind, request.model, strftime('%Y-%m-%d', attempt.at / 1000, 'unixepoch') AS day,
           count(DISTINCT request.id), sum(attempt.input), sum(attempt.output), sum(attempt.cached),
           sum(attempt.cost_usd)"""
_GROUPS = " GROUP BY request.kind, request.model, day ORDER BY day, request.kind, request.model"
_KINDS = ", ".join(f"'{kind.value}'" for kind in ProcessKind)
# every kind is named, so that the index of a channel's requests serves for a stretch of numbers
_OF_CHANNEL = f"request.agent = ? AND request.channel = ? AND request.kind IN ({_KINDS})"
_NAMES = tuple(UsageRow.model_fields)
_UNSETTLED = 5_000
"""Of so many of the newest requests, whosever they are, more attempts may come; they are summed anew each time."""
_KEPT = 64
"""Channels whose sums are remembered."""


class _Settled(NamedTuple):
    """The sums of a channel's requests from its first one up to a number; `moved` is the newest move at that time."""

    first: int
    moved: int
    upto: int
    rows: Sequence[UsageRow]


class UsageSums:
    """Remembers sums, so that a look costs what came since and not what there is."""

    def __init__(self) -> None:
        self._settled: dict[ChannelKey, _Settled] = {}
        self._turning = Lock()  # readers have threads of their own

    def of_channel(self, connection: sqlite3.Connection, key: ChannelKey) -> list[UsageRow]:
        """Sum everything of a channel."""
        first = _first(connection, key)
        newest, moved = (_newest(connection, table) for table in ("request", "move"))
        settled = self._settled.get(key)
        if settled is None or (settled.first, settled.moved) != (first, moved):
            # wiped since, or moved here from another id
            settled = _Settled(first, moved, 0, ())
        upto = max(settled.upto, newest - _UNSETTLED)
        if upto > settled.upto:
            rows = added(settled.rows, _between(connection, key, settled.upto, upto))
            settled = settled._replace(upto=upto, rows=rows)
            self._keep(key, settled)
        return added(settled.rows, _between(connection, key, settled.upto, newest))

    def _keep(self, key: ChannelKey, settled: _Settled) -> None:
        with self._turning:
            self._settled.pop(key, None)
            self._settled[key] = settled
            if len(self._settled) > _KEPT:
                del self._settled[next(iter(self._settled))]


def since(connection: sqlite3.Connection, at: int, key: ChannelKey | None) -> list[UsageRow]:
    """Sum what came since a time (UTC ms), of one channel or of all."""
    if key is None:
        sql = f"{_SUMS} FROM attempt JOIN request ON request.id = attempt.request WHERE attempt.at >= ?{_GROUPS}"
        return _rows(connection, sql, (at,))
    sql = (
        f"{_SUMS} FROM request JOIN attempt ON attempt.request = request.id "
        f"WHERE {_OF_CHANNEL} AND attempt.at >= ?{_GROUPS}"
    )
    return _rows(connection, sql, (*key, at))


def added(one: Sequence[UsageRow], other: Sequence[UsageRow]) -> list[UsageRow]:
    """Add sums of different requests up."""
    found = {(row.day, row.kind, row.model): row for row in one}
    for row in other:
        name = (row.day, row.kind, row.model)
        before = found.get(name)
        found[name] = row if before is None else _sum(before, row)
    return [found[name] for name in sorted(found)]


def _sum(one: UsageRow, other: UsageRow) -> UsageRow:
    return one.replace(
        requests=one.requests + other.requests,
        input=one.input + other.input,
        output=one.output + other.output,
        cached=one.cached + other.cached,
        cost_usd=one.cost_usd + other.cost_usd,
    )


def _between(connection: sqlite3.Connection, key: ChannelKey, after: int, upto: int) -> list[UsageRow]:
    sql = (
        f"{_SUMS} FROM request JOIN attempt ON attempt.request = request.id "
        f"WHERE {_OF_CHANNEL} AND request.id > ? AND request.id <= ?{_GROUPS}"
    )
    return _rows(connection, sql, (*key, after, upto))


def _newest(connection: sqlite3.Connection, table: str) -> int:
    found = connection.execute(f"SELECT ifnull(max(id), 0) FROM {table}").fetchone()  # noqa: S608 - two constants
    return int(found[0])


def _first(connection: sqlite3.Connection, key: ChannelKey) -> int:
    """Return the oldest request of a channel: one look into the index for each kind."""
    sql = "SELECT min(id) FROM request WHERE agent = ? AND channel = ? AND kind = ?"
    found = (connection.execute(sql, (*key, kind.value)).fetchone()[0] for kind in ProcessKind)
    return min((row for row in found if row is not None), default=0)


def _rows(connection: sqlite3.Connection, sql: str, args: Sequence[Value]) -> list[UsageRow]:
    found = connection.execute(sql, args).fetchall()
    return [UsageRow.model_validate(dict(zip(_NAMES, row, strict=True))) for row in found]
