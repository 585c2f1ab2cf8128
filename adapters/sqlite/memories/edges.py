"""How memories hang together; an edge counts while both of its memories do."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

import orjson

from adapters.sqlite.engine.sealed_rows import Value, insert, intact, spared
from bot.domain.memory import Edge, NewMemory, RelationKind


def add_edges(connection: sqlite3.Connection, source: int, new: NewMemory) -> None:
    """Store what a new memory is to others; what has been wiped since it was said is left out."""
    for relation in new.relations:
        target = spared(connection, "memory", relation.target)
        if target is None or target["content"] is None or target["agent"] != new.agent:
            continue
        insert(
            connection,
            "memory_edge",
            agent=new.agent,
            source=source,
            target=relation.target,
            kind=relation.kind,
            weight=relation.weight,
            author=new.provenance.author,
            turn=new.provenance.turn,
            at=new.created_at,
        )


def edges_of(connection: sqlite3.Connection, rows: Sequence[int], visible: str, args: dict[str, Value]) -> list[Edge]:
    """Return the edges of some memories, by number. `visible` is a condition on `memory` that both ends must meet."""
    tail = f"""
        WHERE (source IN (SELECT value FROM json_each(:rows)) OR target IN (SELECT value FROM json_each(:rows)))
            AND EXISTS (SELECT 1 FROM memory WHERE memory.id = memory_edge.source AND {visible})
            AND EXISTS (SELECT 1 FROM memory WHERE memory.id = memory_edge.target AND {visible})
        ORDER BY memory_edge.id"""  # noqa: S608 - `visible` is a constant of memories.py
    found = intact(connection, "memory_edge", tail, {**args, "rows": orjson.dumps(list(rows)).decode()})
    return [_edge(row) for row in found]


def wipe_edges(connection: sqlite3.Connection, memory: int) -> None:
    """Take away what a memory was to others, and others to it."""
    connection.execute("DELETE FROM memory_edge WHERE source = ? OR target = ?", (memory, memory))


def _edge(row: sqlite3.Row) -> Edge:
    return Edge(
        id=row["id"],
        source=row["source"],
        target=row["target"],
        kind=RelationKind(row["kind"]),
        weight=row["weight"],
        author=row["author"],
        turn=row["turn"],
        at=row["at"],
    )
