"""What comes first among memories where no words are asked for: read from the front of two indices, not from all."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping

from adapters.sqlite.engine.sealed_rows import Value
from adapters.sqlite.engine.sql_connection import SqlConnection
from bot.domain.memory import MAX_FUSED_PLACES, MemoryType, RecallOrder, faded_importance, fuse

_FIRST_DEPTH = 256
"""How many are read of each index first; twice as many where these do not tell."""
_DEEPER = 2
SCOPES = (
    "scope = 'channel' AND scope_id = :channel",
    "scope = 'guild' AND scope_id = :guild AND :guild <> '' AND platform = :platform",
    "scope = 'user' AND scope_id = :user AND :user <> '' AND platform = :platform",
    "scope = 'global' AND scope_id = ''",
)
"""The parts of a reach, each of which is a part of an index."""
IS_WHOLE = "kind IS NOT NULL AND typeof(importance) IN ('real', 'integer')"
"""Of what was altered by others it may not be so; what has a seal is looked at when it is read."""
_KIND = f"(:kind = '' OR kind = :kind) AND {IS_WHOLE}"


def ordered_rows(
    connection: SqlConnection,
    args: Mapping[str, Value],
    order: RecallOrder,
    kind: MemoryType | None,
    now: int,
    limit: int,
) -> list[int]:
    """Return the numbers of the first memories in reach, by time, by importance, or by both together."""
    wanted = {**args, "kind": kind or ""}
    match order:
        case RecallOrder.RECENT:
            return newest_rows(connection, wanted, limit)
        case RecallOrder.IMPORTANT:
            return list(_most_important(connection, wanted, now, limit))
        case RecallOrder.HYBRID:
            most = max(limit, MAX_FUSED_PLACES)
            rankings = newest_rows(connection, wanted, most), _most_important(connection, wanted, now, most)
            return fuse(map(list, rankings))[:limit]


def newest_rows(connection: SqlConnection, args: Mapping[str, Value], limit: int) -> list[int]:
    """Return the numbers of the newest memories in reach, from one time to another where these are given."""
    found: list[tuple[int, int]] = []
    span = "AND created_at >= :since AND created_at < :until" if "since" in args else ""
    for scope in SCOPES:
        sql = f"""SELECT created_at, id FROM memory INDEXED BY memory_by_time
            WHERE agent = :agent AND forgotten_at = 0 AND {scope} AND {_KIND} {span}
            ORDER BY created_at DESC, id DESC LIMIT :many"""  # noqa: S608 - constants of this file
        found += connection.execute(sql, {**args, "many": limit})
    return [row for _, row in heapq.nlargest(limit, map(tuple, found))]


def _most_important(connection: SqlConnection, args: Mapping[str, Value], now: int, limit: int) -> Iterator[int]:
    found: list[tuple[float, int]] = []
    for scope in SCOPES:
        found += _first_of_scope(connection, scope, args, now, limit)
    return (row for _, row in heapq.nlargest(limit, found))


def _first_of_scope(
    connection: SqlConnection, scope: str, args: Mapping[str, Value], now: int, limit: int
) -> list[tuple[float, int]]:
    """Return the first of one scope by what they count for at `now`.

    What counts for much is important or was read not long ago, so it stands in front of one of two indices: both are
    read until nothing behind can count for as much as what was found (Fagin's threshold algorithm).
    """
    depth = max(2 * limit, _FIRST_DEPTH)
    while True:
        fronts = [
            connection.execute(
                f"""SELECT id, importance, fresh_at FROM memory INDEXED BY {index}
                WHERE agent = :agent AND forgotten_at = 0 AND {scope} AND {_KIND}
                ORDER BY {order} LIMIT :many""",  # noqa: S608 - constants of this file
                {**args, "many": depth},
            ).fetchall()
            for index, order in (
                ("memory_by_importance", "importance DESC, fresh_at DESC, id DESC"),
                ("memory_by_freshness", "fresh_at DESC, id DESC"),
            )
        ]
        seen = {row: _counts_for(importance, fresh_at, now) for front in fronts for row, importance, fresh_at in front}
        best = heapq.nlargest(limit, ((counts, row) for row, counts in seen.items()))
        by_importance, by_freshness = fronts
        if len(by_importance) < depth:
            return best
        behind = _counts_for(by_importance[-1]["importance"], by_freshness[-1]["fresh_at"], now)
        # what counts for just as much may be newer
        if len(best) == limit and best[-1][0] > behind:
            return best
        depth *= _DEEPER


def _counts_for(importance: float, fresh_at: int, now: int) -> float:
    # an identity is always fresh, so its kind need not be known
    return faded_importance(importance, MemoryType.FACT, now - fresh_at)
