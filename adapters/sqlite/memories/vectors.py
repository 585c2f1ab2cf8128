"""The vectors of memories: a byte for each number, found by their signs first and compared by all of it then."""

from __future__ import annotations

import heapq
import math
from collections.abc import Sequence
from operator import mul

import orjson

from adapters.sqlite.engine.database import SqliteDatabase
from adapters.sqlite.engine.sealed_rows import Value, read_or_skip, verified_rows
from adapters.sqlite.engine.sql_connection import SqlConnection
from adapters.sqlite.engine.word_index import RankedRow
from adapters.sqlite.engine.write_batch import execute_unbatched
from adapters.sqlite.memories.memories import reach_args, read_memory, seen_hits
from adapters.sqlite.memories.memory_orders import SCOPES
from bot.domain.embedding import Vector, VectorCount, VectorQuery
from bot.domain.memory import Memory, MemoryHit, MemoryReach, MemoryType

_MOST = 127
_LOOKED_AT = 120
"""So many of those whose signs agree best are compared closely."""
_KEEP = """INSERT INTO memory_vector (memory, model, signs, length, parts) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (memory) DO UPDATE SET model = excluded.model, signs = excluded.signs, length = excluded.length,
      parts = excluded.parts"""
_SIGNS = " UNION ALL ".join(
    f"""SELECT memory.id, signs FROM memory INDEXED BY memory_by_time
    CROSS JOIN memory_vector ON memory_vector.memory = memory.id
    WHERE agent = :agent AND forgotten_at = 0 AND {scope} AND (:kind = '' OR kind = :kind) AND model = :model"""  # noqa: S608
    for scope in SCOPES
)
_PARTS = "SELECT memory, length, parts FROM memory_vector WHERE memory IN (SELECT value FROM json_each(?))"
_MISSING = """WHERE id > :after AND forgotten_at = 0 AND content IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM memory_vector WHERE memory_vector.memory = memory.id AND model = :model)
    ORDER BY id LIMIT :limit"""
_DROP_OTHERS = """DELETE FROM memory_vector WHERE memory IN (
    SELECT memory FROM memory_vector WHERE model < ? OR model > ? LIMIT ?)"""
_DROPPED_TOGETHER = 500
_COUNTS = """SELECT count(*), (SELECT count(*) FROM memory_vector WHERE model > ? AND model < ?)
    FROM memory WHERE forgotten_at = 0 AND content IS NOT NULL"""


class SqliteVectors:
    """Implements `bot.ports.embeddings.VectorStore`. Nothing is read of a vector but where it leads."""

    def __init__(self, database: SqliteDatabase) -> None:
        self._database = database

    async def missing(self, model: str, after: int, limit: int) -> Sequence[Memory]:
        """Return memories that count and have no vector, by number, behind row `after`."""
        args: dict[str, Value] = {"model": model, "after": after, "limit": limit}
        return await self._database.read(
            lambda connection: [read_memory(row) for row in verified_rows(connection, "memory", _MISSING, args)]
        )

    async def put(self, model: str, vectors: Sequence[tuple[Memory, Vector]]) -> int:
        """Keep vectors of memories that count and still say the same; return how many."""
        packed = [(memory, pack_vector(vector)) for memory, vector in vectors]

        def work(connection: SqlConnection) -> int:
            kept = 0
            for memory, (signs, length, parts) in packed:
                row = read_or_skip(connection, "memory", memory.id)
                # while the model was at work somebody may have been forgotten
                if row is None or row["forgotten_at"] or row["content"] != memory.body.content:
                    continue
                execute_unbatched(connection, _KEEP, (memory.id, model, signs, length, parts))
                kept += 1
            return kept

        return await self._database.write(work, hurries=False)

    async def drop_others(self, model: str) -> int:
        """Remove the vectors of other models; return how many."""

        def work(connection: SqlConnection) -> int:
            return execute_unbatched(connection, _DROP_OTHERS, (model, model, _DROPPED_TOGETHER)).rowcount

        gone = 0
        while dropped := await self._database.write(work, hurries=False):
            gone += dropped
        return gone

    async def count(self, name: str) -> VectorCount:
        """Count memories, and the vectors of a model, whatever their length."""

        def work(connection: SqlConnection) -> VectorCount:
            return VectorCount(*connection.execute(_COUNTS, (f"{name}#", f"{name}$")).fetchone())

        return await self._database.read(work)

    async def nearest(
        self, reach: MemoryReach, query: VectorQuery, kind: MemoryType | None, limit: int
    ) -> Sequence[MemoryHit]:
        """Return what is said of memories in reach that come nearest, the nearest first."""
        now = self._database.moves.current_id(reach.channel)
        args: dict[str, Value] = {**reach_args(reach.model_copy(update={"channel": now})), "kind": kind or ""}

        def work(connection: SqlConnection) -> list[MemoryHit]:
            return seen_hits(connection, args, nearest_rows(connection, args, query)[:limit])

        return await self._database.read(work)


def pack_vector(vector: Vector) -> tuple[bytes, float, bytes]:
    """Return the signs of a vector, how long what is kept of it is, and its numbers, one byte for each."""
    most = max(map(abs, vector))
    parts = [round(number * _MOST / most) for number in vector]
    length = math.sqrt(sum(map(mul, parts, parts)))
    return _signs(vector), length, bytes(part & 0xFF for part in parts)


def nearest_rows(connection: SqlConnection, args: dict[str, Value], query: VectorQuery) -> list[RankedRow]:
    """Return the memories of a reach by how near they come to a question, the nearest first."""
    asked = int.from_bytes(_signs(query.vector))
    found = connection.execute(_SIGNS, {**args, "model": query.model})
    away = [((int.from_bytes(signs) ^ asked).bit_count(), row) for row, signs in found]
    rows = [row for _, row in heapq.nsmallest(_LOOKED_AT, away)]
    length = math.sqrt(sum(map(mul, query.vector, query.vector)))
    close = [
        RankedRow(sum(map(mul, query.vector, memoryview(parts).cast("b"))) / (length * long), row)
        for row, long, parts in connection.execute(_PARTS, (orjson.dumps(rows).decode(),))
    ]
    return sorted(close, reverse=True)


def _signs(vector: Vector) -> bytes:
    bits = "".join("1" if number > 0 else "0" for number in vector)
    return int(bits, 2).to_bytes((len(bits) + 7) // 8)
