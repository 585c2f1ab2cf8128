"""Replies on their way, where several processes send: each sends what it wrote, and what those wrote that are over."""

from __future__ import annotations

from collections.abc import Sequence

import orjson

from adapters.sqlite.turns.chunks import LEFT, chunks_where
from adapters.sqlite.turns.outbox import SqliteOutbox
from bot.domain.ids import ChannelId
from bot.domain.turn import StoredOutbox

_OVER = "NOT EXISTS (SELECT 1 FROM lease_owner WHERE lease_owner.id = outbox.owner AND NOT lease_owner.ended)"


class PostgresOutbox(SqliteOutbox):
    """Implements `bot.ports.journal.Outbox`."""

    async def left(self, channels: Sequence[ChannelId]) -> Sequence[StoredOutbox]:
        """Return chunks in state new or sending of some channels that no living process is going to send."""
        named = orjson.dumps(list(channels)).decode()
        return await chunks_where(self._database, f"{LEFT} AND {_OVER} ORDER BY id", (named,))
