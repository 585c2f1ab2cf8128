"""What the models used and cost, and how far our counts are off."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from adapters.sqlite.engine.database import Database
from adapters.sqlite.engine.sealed_rows import intact
from adapters.sqlite.engine.write_batch import apart
from adapters.sqlite.upkeep import usage
from bot.domain.channel import ProcessKind
from bot.domain.ids import ChannelKey
from bot.domain.snapshot import ContextStats
from bot.domain.turn import TurnSize, UsageRow

_REQUESTS_A_TURN = 4
"""How many requests are looked at for each turn that is asked for: a turn with tools has several."""


class SqliteMeter:
    """Implements `bot.ports.meter.Meter`."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._ratios: dict[str, float] = {}
        self._sums = usage.UsageSums()

    async def usage(self, key: ChannelKey | None, since: int) -> Sequence[UsageRow]:
        """Sum tokens and cost by process kind, model and day (UTC) since a time; of every channel without a key."""
        sums = self._sums

        def work(connection: sqlite3.Connection) -> list[UsageRow]:
            if key is not None and since <= 0:
                return sums.of_channel(connection, key)
            return usage.since(connection, since, key)

        return await self._database.read(work)

    async def sizes(self, key: ChannelKey, limit: int) -> Sequence[TurnSize]:
        """Return how large the newest turns of a channel were, oldest first; looks at a few requests for each."""
        tail = "WHERE agent = ? AND channel = ? AND kind = ? ORDER BY id DESC LIMIT ?"
        args = (*key, ProcessKind.CHANNEL, limit * _REQUESTS_A_TURN)

        def work(connection: sqlite3.Connection) -> list[TurnSize]:
            newest: dict[int, sqlite3.Row] = {}
            for row in intact(connection, "request", tail, args):
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

        def work(connection: sqlite3.Connection) -> float:
            row = connection.execute(sql, (model,)).fetchone()
            return float(row[0]) if row else 1.0

        ratio = await self._database.read(work)
        if self._database.writer is not None:
            # asked at every look, and nobody else can change it: the directory is locked
            ratio = self._ratios.setdefault(model, ratio)
        return ratio

    async def learn_ratio(self, model: str, ratio: float) -> None:
        sql = (
            "INSERT INTO ratio (agent, model, value) VALUES ('main', ?, ?)"
            " ON CONFLICT DO UPDATE SET value = excluded.value"
        )
        await self._database.write(lambda connection: apart(connection, sql, (model, float(ratio))) and None)
        self._ratios[model] = float(ratio)


def _size(row: sqlite3.Row) -> TurnSize:
    return TurnSize(turn=row["turn"], at=row["at"], stats=ContextStats.model_validate_json(row["stats"]))
