"""What the models used and cost, and how far our counts are off."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from threading import Lock
from typing import NamedTuple

from adapters.sqlite.engine.database import SqliteDatabase
from adapters.sqlite.engine.sealed_rows import Value, verified_rows
from adapters.sqlite.engine.sql_connection import SqlConnection, SqlRow
from adapters.sqlite.engine.write_batch import execute_unbatched
from bot.domain.channel import ProcessKind
from bot.domain.ids import ChannelKey
from bot.domain.snapshot import ContextStats
from bot.domain.turn import ChannelUsage, TurnSize, UsageRow
from bot.runtime.lru_cache import LRUCache

_REQUESTS_A_TURN = 4
"""How many requests are looked at for each turn that is asked for: a turn with tools has several."""
_SUMS = """
    SELECT request.kind, request.model, strftime('%Y-%m-%d', attempt.at / 1000, 'unixepoch') AS day,
           count(DISTINCT request.id), sum(attempt.input), sum(attempt.output), sum(attempt.cached),
           sum(attempt.cost_usd)"""
_GROUPS = " GROUP BY request.kind, request.model, day ORDER BY day, request.kind, request.model"
_KINDS = ", ".join(f"'{kind.value}'" for kind in ProcessKind)
# every kind is named, so that the index of a channel's requests serves for a stretch of numbers
_OF_CHANNEL = f"request.agent = ? AND request.channel = ? AND request.kind IN ({_KINDS})"
_NAMES = tuple(UsageRow.model_fields)
_UNSETTLED_REQUESTS = 5_000
"""Of so many of the newest requests, whosever they are, more attempts may come; they are summed anew each time."""
_LONGEST_REQUEST_MS = 3_600_000
"""An attempt is made no later than this after its request was kept."""
_MAX_CHANNELS = 64
"""Channels whose sums are remembered."""


class SqliteMeter:
    """Implements `bot.ports.meter.UsageMeter`."""

    def __init__(self, database: SqliteDatabase) -> None:
        self._database = database
        self._ratios: dict[str, float] = {}
        self._sums = UsageSums()

    async def usage(self, key: ChannelKey | None, since: int) -> Sequence[UsageRow]:
        """Sum tokens and cost by process kind, model and day (UTC) since a time; of every channel without a key."""
        sums = self._sums

        def work(connection: SqlConnection) -> list[UsageRow]:
            if key is not None and since <= 0:
                return sums.of_channel(connection, key)
            return _used_since(connection, since, key)

        return await self._database.read(work)

    async def spent(self, keys: Sequence[ChannelKey], since: int) -> Mapping[ChannelKey, ChannelUsage]:
        """Sum tokens and cost for each channel since a time (UTC ms)."""

        def work(connection: SqlConnection) -> dict[ChannelKey, ChannelUsage]:
            first = _first_since(connection, since - _LONGEST_REQUEST_MS)
            return {key: _spent_since(connection, since, first, key) for key in keys} if first else {}

        return await self._database.read(work)

    async def sizes(self, key: ChannelKey, limit: int) -> Sequence[TurnSize]:
        """Return how large the newest turns of a channel were, oldest first; looks at a few requests for each."""
        tail = "WHERE agent = ? AND channel = ? AND kind = ? ORDER BY id DESC LIMIT ?"
        args = (*key, ProcessKind.CHANNEL, limit * _REQUESTS_A_TURN)

        def work(connection: SqlConnection) -> list[TurnSize]:
            newest: dict[int, SqlRow] = {}
            for row in verified_rows(connection, "request", tail, args):
                if len(newest) < limit or row["turn"] in newest:
                    newest.setdefault(row["turn"], row)
            return [_size(row) for row in sorted(newest.values(), key=lambda row: int(row["id"]))]

        return await self._database.read(work)

    async def learned_ratio(self, model: str) -> float:
        """Return the learned ratio of a model's usage to our counts (1.0: nothing learned)."""
        known = self._ratios.get(model)
        if known is not None:
            return known
        sql = """
            SELECT value FROM ratio WHERE agent = 'main' AND model = ?
              AND h IS row_hash(hex(agent), hex(model), value)"""

        def work(connection: SqlConnection) -> float:
            row = connection.execute(sql, (model,)).fetchone()
            return float(row[0]) if row else 1.0

        ratio = await self._database.read(work)
        if self._database.writer is not None and not self._database.shares:
            # asked at every look, and nobody else can change it: the directory is locked
            ratio = self._ratios.setdefault(model, ratio)
        return ratio

    async def learn_ratio(self, model: str, ratio: float) -> None:
        sql = (
            "INSERT INTO ratio (agent, model, value) VALUES ('main', ?, ?)"
            " ON CONFLICT DO UPDATE SET value = excluded.value"
        )
        await self._database.write(
            lambda connection: execute_unbatched(connection, sql, (model, float(ratio))) and None
        )
        if not self._database.shares:
            self._ratios[model] = float(ratio)


def _size(row: SqlRow) -> TurnSize:
    return TurnSize(turn=row["turn"], at=row["at"], stats=ContextStats.model_validate_json(row["stats"]))


class _SettledSums(NamedTuple):
    """The sums of a channel's requests from its first one up to a number; `moved` is the newest move at that time."""

    first: int
    moved: int
    upto: int
    rows: Sequence[UsageRow]


class UsageSums:
    """Remembers sums, so that a look costs what came since and not what there is."""

    def __init__(self) -> None:
        self._settled: LRUCache[ChannelKey, _SettledSums] = LRUCache(_MAX_CHANNELS)
        self._turning = Lock()  # readers have threads of their own

    def of_channel(self, connection: SqlConnection, key: ChannelKey) -> list[UsageRow]:
        """Sum everything of a channel."""
        first = _first_request(connection, key)
        newest, moved = (_newest_row(connection, table) for table in ("request", "move"))
        with self._turning:
            settled = self._settled.get(key)
        if settled is None or (settled.first, settled.moved) != (first, moved):
            # wiped since, or moved here from another id
            settled = _SettledSums(first, moved, 0, ())
        upto = max(settled.upto, newest - _UNSETTLED_REQUESTS)
        if upto > settled.upto:
            rows = add_usage(settled.rows, _rows_between(connection, key, settled.upto, upto))
            settled = settled._replace(upto=upto, rows=rows)
            with self._turning:
                self._settled.put(key, settled)
        return add_usage(settled.rows, _rows_between(connection, key, settled.upto, newest))


def _used_since(connection: SqlConnection, at: int, key: ChannelKey | None) -> list[UsageRow]:
    """Sum what came since a time (UTC ms), of one channel or of all."""
    if key is None:
        sql = f"{_SUMS} FROM attempt JOIN request ON request.id = attempt.request WHERE attempt.at >= ?{_GROUPS}"
        return _rows(connection, sql, (at,))
    sql = (
        f"{_SUMS} FROM request JOIN attempt ON attempt.request = request.id "
        f"WHERE {_OF_CHANNEL} AND attempt.at >= ?{_GROUPS}"
    )
    return _rows(connection, sql, (*key, at))


def _first_since(connection: SqlConnection, at: int) -> int:
    """Return the first request since a time (UTC ms), 0 where there is none: older ones of a channel are left alone."""
    found = connection.execute("SELECT id FROM request WHERE at >= ? ORDER BY at LIMIT 1", (at,)).fetchone()
    return int(found[0]) if found is not None else 0


def _spent_since(connection: SqlConnection, at: int, first: int, key: ChannelKey) -> ChannelUsage:
    sums = "SELECT ifnull(sum(attempt.input + attempt.output), 0), ifnull(sum(attempt.cost_usd), 0)"
    sql = (
        f"{sums} FROM request JOIN attempt ON attempt.request = request.id "
        f"WHERE {_OF_CHANNEL} AND request.id >= ? AND attempt.at >= ?"
    )
    tokens, cost = connection.execute(sql, (*key, first, at)).fetchone()
    return ChannelUsage(int(tokens), float(cost))


def add_usage(one: Sequence[UsageRow], other: Sequence[UsageRow]) -> list[UsageRow]:
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


def _rows_between(connection: SqlConnection, key: ChannelKey, after: int, upto: int) -> list[UsageRow]:
    sql = (
        f"{_SUMS} FROM request JOIN attempt ON attempt.request = request.id "
        f"WHERE {_OF_CHANNEL} AND request.id > ? AND request.id <= ?{_GROUPS}"
    )
    return _rows(connection, sql, (*key, after, upto))


def _newest_row(connection: SqlConnection, table: str) -> int:
    found = connection.execute(f"SELECT ifnull(max(id), 0) FROM {table}").fetchone()  # noqa: S608 - two constants
    return int(found[0])


def _first_request(connection: SqlConnection, key: ChannelKey) -> int:
    """Return the oldest request of a channel: one look into the index for each kind."""
    sql = "SELECT min(id) FROM request WHERE agent = ? AND channel = ? AND kind = ?"
    found = (connection.execute(sql, (*key, kind.value)).fetchone()[0] for kind in ProcessKind)
    return min((row for row in found if row is not None), default=0)


def _rows(connection: SqlConnection, sql: str, args: Sequence[Value]) -> list[UsageRow]:
    found = connection.execute(sql, args).fetchall()
    return [UsageRow.model_validate(dict(zip(_NAMES, row, strict=True))) for row in found]
