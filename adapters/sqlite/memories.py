"""What the bot remembers; what a reader may see is decided in SQL."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from adapters.sqlite.database import Database
from adapters.sqlite.edges import add_edges, edges_of, wipe_edges
from adapters.sqlite.moves import remembered
from adapters.sqlite.rows import by_slot, change, fetch, insert, intact, spared
from adapters.sqlite.search import match
from bot.domain.handles import Handle, HandleKind
from bot.domain.ids import AgentId, ChannelId, UserId, platform_of
from bot.domain.memory import Edge, Memory, MemoryReach, NewMemory

_REACH = """
    memory.agent = :agent AND memory.forgotten_at = 0 AND (
        (memory.scope = 'channel' AND memory.scope_id = :channel)
        OR (memory.scope = 'guild' AND memory.scope_id = :guild AND :guild <> '' AND memory.platform = :platform)
        OR (memory.scope = 'user' AND memory.scope_id = :user AND :user <> '' AND memory.platform = :platform)
        OR memory.scope = 'global')"""


class SqliteMemories:
    """Implements `bot.ports.memories.Memories`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, memories: Sequence[NewMemory]) -> Sequence[int]:
        """Store memories; return their numbers."""
        return await self._database.write(
            lambda connection: [add(connection, remembered(new, self._database.moves)) for new in memories]
        )

    async def in_reach(self, reach: MemoryReach) -> Sequence[Memory]:
        """Return every memory that counts and may be seen, newest first."""
        tail, args = f"WHERE {_REACH} ORDER BY memory.id DESC", _args(self._now(reach))

        def work(connection: sqlite3.Connection) -> tuple[Memory, ...]:
            return tuple(read_memory(row) for row in intact(connection, "memory", tail, args))

        # asked for every turn, and nearly always with the same answer
        return list(await self._database.ask(("in reach", *args.values()), ("memory",), work))

    async def search(self, reach: MemoryReach, words: str, limit: int) -> Sequence[tuple[Memory, float]]:
        """Return full-text hits with their bm25 rank as SQLite gives it (lower is better), best first."""
        query = match(words)
        if not query:
            return ()
        ranked = f"""
            SELECT memory.id, bm25(memory_fts) AS rank
            FROM memory_fts JOIN memory ON memory.id = memory_fts.rowid
            WHERE memory_fts MATCH :query AND {_REACH}
            ORDER BY rank, memory.id DESC LIMIT :limit"""  # noqa: S608 - a constant of this file
        args = {**_args(self._now(reach)), "query": query, "limit": limit}

        def work(connection: sqlite3.Connection) -> list[tuple[Memory, float]]:
            hits = connection.execute(ranked, args).fetchall()
            found = [(spared(connection, "memory", row), rank) for row, rank in hits]
            return [(read_memory(row), rank) for row, rank in found if row]

        return await self._database.read(work)

    async def get(self, row: int) -> Memory | None:
        """Return a memory, forgotten or not."""

        def work(connection: sqlite3.Connection) -> Memory | None:
            found = fetch(connection, "memory", row)
            return read_memory(found) if found else None

        return await self._database.read(work)

    async def by_handle(self, handle: Handle) -> Memory | None:
        """Return the newest memory of a handle's slot, forgotten or not."""

        def work(connection: sqlite3.Connection) -> Memory | None:
            row = by_slot(connection, handle) if handle.kind is HandleKind.MEMORY else None
            found = row and fetch(connection, "memory", row)
            return read_memory(found) if found else None

        return await self._database.read(work)

    async def listed(self, agent: AgentId, channel: ChannelId, guild_id: str) -> Sequence[Memory]:
        """Return all memories of a channel's reach or learnt there, forgotten ones too, newest first."""
        tail = """
            WHERE memory.agent = :agent AND (
                (memory.scope = 'channel' AND memory.scope_id = :channel)
                OR (memory.scope = 'guild' AND memory.scope_id = :guild AND :guild <> ''
                    AND memory.platform = :platform)
                OR (memory.scope = 'user' AND memory.channel = :channel)
                OR memory.scope = 'global')
            ORDER BY memory.id DESC"""
        args = _args(self._now(MemoryReach(agent=agent, channel=channel, guild_id=guild_id)))

        def work(connection: sqlite3.Connection) -> list[Memory]:
            return [read_memory(row) for row in intact(connection, "memory", tail, args)]

        return await self._database.read(work)

    async def edges(self, rows: Sequence[int], reach: MemoryReach | None) -> Sequence[Edge]:
        """Return the edges from or to some memories, by number.

        Neither end is forgotten; with a reach, both may be seen.
        """
        visible, args = (_REACH, _args(self._now(reach))) if reach else ("memory.forgotten_at = 0", {})
        return await self._database.read(lambda connection: edges_of(connection, rows, visible, args))

    async def touched(self, rows: Sequence[int], at: int) -> None:
        """Note that memories were read."""

        def work(connection: sqlite3.Connection) -> None:
            for row in rows:
                found = spared(connection, "memory", row)
                if found:
                    change(connection, "memory", row, last_accessed=at, access_count=found["access_count"] + 1)

        await self._database.write(work)

    async def by_author_since(self, agent: AgentId, author: UserId, since: int) -> int:
        """Count what one person caused."""
        sql = "SELECT count(*) FROM memory WHERE agent = ? AND author = ? AND created_at >= ?"
        return await self._database.read(
            lambda connection: int(connection.execute(sql, (agent, author, since)).fetchone()[0])
        )

    async def requests_with(self, row: int, limit: int) -> Sequence[int]:
        """Return the newest requests whose bulletin held the memory."""
        sql = "SELECT request FROM request_memory WHERE memory = ? ORDER BY request DESC LIMIT ?"
        return await self._database.read(
            lambda connection: [found[0] for found in connection.execute(sql, (row, limit))]
        )

    def _now(self, reach: MemoryReach) -> MemoryReach:
        now = self._database.moves.now(reach.channel)
        return reach if now == reach.channel else reach.model_copy(update={"channel": now})


def add(connection: sqlite3.Connection, new: NewMemory) -> int:
    """Store a memory and its words; part of many units."""
    row = insert(
        connection,
        "memory",
        agent=new.agent,
        platform=platform_of(new.channel),
        scope=new.scope,
        scope_id=new.scope_id,
        channel=new.channel,
        author=new.provenance.author,
        created_at=new.created_at,
        body=new.model_copy(update={"content": ""}).model_dump_json(exclude={"relations"}),
        content=new.content,
        last_accessed=0,
        access_count=0,
        forgotten_at=0,
        version=1,
    )
    add_edges(connection, row, new)
    connection.execute("INSERT INTO memory_fts (rowid, text) VALUES (?, ?)", (row, new.content))
    return row


def wipe(connection: sqlite3.Connection, row: int) -> None:
    """Take the text of a forgotten memory out of the table and out of the index, and its edges with it."""
    found = fetch(connection, "memory", row)
    if found is None or found["content"] is None:
        return
    connection.execute(
        "INSERT INTO memory_fts (memory_fts, rowid, text) VALUES ('delete', ?, ?)", (row, found["content"])
    )
    wipe_edges(connection, row)
    change(connection, "memory", row, content=None, version=found["version"] + 1)


def _args(reach: MemoryReach) -> dict[str, str | int | float | bytes | None]:
    return {
        "agent": reach.agent,
        "channel": reach.channel,
        "guild": reach.guild_id,
        "user": reach.user_id or "",
        "platform": platform_of(reach.channel),
    }


def read_memory(row: sqlite3.Row) -> Memory:
    """Rebuild a memory."""
    bare = NewMemory.model_validate_json(row["body"])
    return Memory(
        id=row["id"],
        body=bare.model_copy(update={"content": row["content"] or ""}),
        last_accessed=row["last_accessed"],
        access_count=row["access_count"],
        forgotten_at=row["forgotten_at"],
        version=row["version"],
    )
