"""Forget what a channel has no room for: softly, what counts for the least, and nothing that somebody wants kept."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from typing import NamedTuple

from adapters.sqlite.engine.revisions import memory_changed
from adapters.sqlite.engine.sealed_rows import read_or_skip, update_sealed
from adapters.sqlite.engine.sql_connection import SqlConnection
from adapters.sqlite.memories.memory_orders import IS_WHOLE
from bot.domain.ids import AgentId, ChannelId
from bot.domain.memory import faded_importance
from bot.domain.revisions import BY_ITSELF, RevisionCause

EVICTED_TOGETHER = 60
_CROWDED = """SELECT agent, scope_id, count(*) FROM memory
    WHERE forgotten_at = 0 AND scope = 'channel' GROUP BY agent, scope_id HAVING count(*) > ?
    ORDER BY agent, scope_id"""
_MAY_GO = f"""SELECT id, importance, kind, fresh_at FROM memory
    WHERE agent = ? AND forgotten_at = 0 AND scope = 'channel' AND scope_id = ?
    AND {IS_WHOLE} AND kind <> 'identity'
    AND coalesce(CASE WHEN json_valid(body) THEN json_extract(body, '$.provenance.by_admin') END, 0) = 0
    AND NOT EXISTS (SELECT 1 FROM revision WHERE kind = 'memory' AND subject = memory.id AND cause IN (?, ?))"""  # noqa: S608 - a constant of ours


class CrowdedChannel(NamedTuple):
    """A channel of which more is remembered than there is room for."""

    agent: AgentId
    channel: ChannelId
    held: int


def crowded_channels(most: int, connection: SqlConnection) -> list[CrowdedChannel]:
    """Return the channels of which more than so many memories count."""
    found = connection.execute(_CROWDED, (most,))
    return [CrowdedChannel(AgentId(agent), ChannelId(name), held) for agent, name, held in found]


def least_important(crowded: CrowdedChannel, many: int, now: int, connection: SqlConnection) -> list[int]:
    """Return so many memories of a channel that count for the least at `now`, of equals the older ones.

    An identity, what an admin caused, and what somebody brought back after it was forgotten are never among them.
    """
    brought_back = (RevisionCause.RESTORED.value, RevisionCause.ROLLED_BACK.value)
    found = connection.execute(_MAY_GO, (crowded.agent, crowded.channel, *brought_back))
    counts = ((faded_importance(importance, kind, now - fresh_at), row) for row, importance, kind, fresh_at in found)
    return [row for _, row in heapq.nsmallest(many, counts)]


def evict(rows: Sequence[int], at: int, connection: SqlConnection) -> int:
    """Forget memories that still count, each with a version that says why; return how many. Part of a unit."""
    gone = 0
    for number in rows:
        row = read_or_skip(connection, "memory", number)
        if row is not None and not row["forgotten_at"] and row["content"] is not None:
            update_sealed(connection, "memory", row, forgotten_at=at, version=row["version"] + 1)
            memory_changed(connection, number, at, RevisionCause.EVICTED, BY_ITSELF)
            gone += 1
    return gone
