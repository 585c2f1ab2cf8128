"""What the models used and cost, and how far our counts are off."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from adapters.sqlite.database import Database
from bot.domain.ids import ChannelKey
from bot.domain.turn import UsageRow


class SqliteMeter:
    """Implements `bot.ports.meter.Meter`."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._ratios: dict[str, float] = {}

    async def usage(self, key: ChannelKey | None, since: int) -> Sequence[UsageRow]:
        """Sum tokens and cost by process kind, model and day (UTC) since a time; of every channel without a key."""
        sql = """
            SELECT request.kind, request.model, strftime('%Y-%m-%d', attempt.at / 1000, 'unixepoch') AS day,
                   count(DISTINCT request.id), sum(attempt.input), sum(attempt.output), sum(attempt.cached),
                   sum(attempt.cost_usd)
            FROM attempt JOIN request ON request.id = attempt.request
            WHERE attempt.at >= :since AND (:agent IS NULL OR (request.agent = :agent AND request.channel = :channel))
            GROUP BY request.kind, request.model, day ORDER BY day, request.kind, request.model"""
        args = {"since": since, "agent": key and key.agent, "channel": key and key.channel}
        names = tuple(UsageRow.model_fields)

        def work(connection: sqlite3.Connection) -> list[UsageRow]:
            rows = connection.execute(sql, args).fetchall()
            return [UsageRow.model_validate(dict(zip(names, row, strict=True))) for row in rows]

        return await self._database.read(work)

    async def learned_ratio(self, model: str) -> float:
        """Return the learned ratio of a model's usage to our counts (1.0: nothing learned)."""
        known = self._ratios.get(model)
        if known is not None:
            return known
        sql = "SELECT value FROM ratio WHERE agent = 'main' AND model = ?"

        def work(connection: sqlite3.Connection) -> float:
            row = connection.execute(sql, (model,)).fetchone()
            return float(row[0]) if row else 1.0

        ratio = await self._database.read(work)
        if self._database.writer is not None:
            # asked at every look, and nobody else can change it: the directory is locked
            ratio = self._ratios.setdefault(model, ratio)
        return ratio

    async def learn_ratio(self, model: str, ratio: float) -> None:
        """Keep a learned ratio."""
        sql = (
            "INSERT INTO ratio (agent, model, value) VALUES ('main', ?, ?)"
            " ON CONFLICT DO UPDATE SET value = excluded.value"
        )
        await self._database.write(lambda connection: connection.execute(sql, (model, float(ratio))) and None)
        self._ratios[model] = float(ratio)
