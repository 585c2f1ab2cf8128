"""Memories as a file takes them along and brings them back, with what became of each."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

import orjson

from adapters.sqlite.engine.database import SqliteDatabase
from adapters.sqlite.engine.directory import SECRET
from adapters.sqlite.engine.hash_chain import sign
from adapters.sqlite.engine.revisions import NewRevision, read_revision, record, versions
from adapters.sqlite.engine.sealed_rows import Value, insert, select, verified_rows
from adapters.sqlite.engine.sql_connection import SqlConnection
from adapters.sqlite.memories.memories import edges_of, read_memory, store_memory
from bot.domain.erasure import Erasure
from bot.domain.ids import AgentId, ChannelId, UserId, platform_of
from bot.domain.imported import PastVersion
from bot.domain.memory import Memory, MemoryEdge, NewMemory
from bot.domain.memory_file import ImportedMemory, LeftOut
from bot.domain.revisions import ChangedBy, Revision, RevisionCause, RevisionKind, memory_state
from bot.errors import StoreError
from bot.ports.memories import ArchivedMemory
from bot.sentences import later

_COUNTS = "memory.forgotten_at = 0 AND memory.content IS NOT NULL"
_IN = "memory.agent = :agent AND (:everywhere = 1 OR memory.channel IN (SELECT value FROM json_each(:channels)))"
# by number alone: by an index each page would sort all that is left
_PAGE = f"NOT INDEXED WHERE {_IN} AND {_COUNTS} AND memory.id > :after ORDER BY memory.id LIMIT :limit"
_HERE = "WHERE agent = ? AND author = ? AND created_at = ? AND channel = ? ORDER BY id"
_ERASED = "WHERE kind = 'memory' AND subject = ? AND cause = 'erased' LIMIT 1"


class SqliteMemoryArchive:
    """Implements `bot.ports.memories.MemoryArchive`."""

    def __init__(self, database: SqliteDatabase) -> None:
        self._database = database

    async def page(
        self, agent: AgentId, channels: Collection[ChannelId] | None, after: int, limit: int
    ) -> Sequence[ArchivedMemory]:
        """Return memories that count and were learnt in some channels, oldest first, behind one of them."""
        named = orjson.dumps(sorted(channels or ())).decode()
        args: dict[str, Value] = {"agent": agent, "channels": named, "everywhere": int(channels is None)}

        def work(connection: SqlConnection) -> list[ArchivedMemory]:
            rows = verified_rows(connection, "memory", _PAGE, {**args, "after": after, "limit": limit})
            found = [read_memory(row) for row in rows]
            edges = edges_of(connection, [memory.id for memory in found], f"{_IN} AND {_COUNTS}", args)
            return [_archived(connection, memory, edges) for memory in found]

        return await self._database.read(work)

    def sign(self, text: str) -> str:
        """Sign a text with the key of this instance; raise StoreError where it is not there."""
        if not self._database.secret_key:
            raise StoreError(later("store.no-key-to-sign", file=SECRET))
        return sign(self._database.secret_key, "memories", text)

    async def erased(self) -> Sequence[Erasure]:
        """Return everybody who was forgotten, and where."""
        return await self._database.read(erased_people)

    async def standing(self, agent: AgentId, bodies: Sequence[NewMemory]) -> Sequence[tuple[int, LeftOut | None]]:
        """Say of memories whether they are here already, in which row, or were here until somebody was forgotten."""
        return await self._database.read(lambda connection: [_standing(connection, agent, one) for one in bodies])

    async def take_in(
        self, memories: Sequence[ImportedMemory], rows: Mapping[int, int], at: int, by: ChangedBy
    ) -> Mapping[int, int]:
        """Store memories of a file; return rows by their numbers there. `rows` are those that were placed before."""
        return await self._database.write(lambda connection: take_in(connection, memories, rows, at, by)[0])


def take_in(
    connection: SqlConnection, memories: Sequence[ImportedMemory], rows: Mapping[int, int], at: int, by: ChangedBy
) -> tuple[dict[int, int], int, int]:
    """Store memories, but for what is here or was erased; part of a unit.

    `rows` are those that edges may lead to beside, by their numbers in the file. Return all of them with the new ones,
    and the first and the last version that this made (0: none).
    """
    placed, made, fresh = dict(rows), list[NewRevision](), list[ImportedMemory]()
    # looked up before anything is stored: what waits to be stored would have to be first
    standing = [_standing(connection, one.body.agent, one.body) for one in memories]
    told = set[tuple[str, str, int, str]]()
    for one, (_, why) in zip(memories, standing, strict=True):
        body = one.body
        name = (body.channel, body.provenance.author, body.created_at, body.content)
        if why is None and name not in told:
            told.add(name)
            number = store_memory(connection, body, platform_of(body.channel))
            state = memory_state(body, 0, wiped=False)
            kind, cause = RevisionKind.MEMORY, RevisionCause.IMPORTED
            made.append(NewRevision(body.agent, kind, number, at, cause, by, state, body.content))
            placed[one.memory] = number
            fresh.append(one)
    for one in fresh:
        _join(connection, one, placed)
    first = record(connection, made) if made else 0
    return placed, first, first + len(made) - 1 if first else 0


def erased_people(connection: SqlConnection) -> list[Erasure]:
    """Return everybody who was forgotten, and where."""
    return [
        Erasure(
            id=row["id"],
            platform=row["platform"],
            user_id=UserId(row["user_id"]),
            at=row["at"],
            channels=tuple(orjson.loads(row["channels"] or "[]")),
        )
        for row in select(connection, "erasure", "ORDER BY id")
    ]


def _join(connection: SqlConnection, one: ImportedMemory, placed: Mapping[int, int]) -> None:
    source = placed[one.memory]
    for edge in one.edges:
        target = placed.get(edge.target, 0)
        if target and target != source:
            insert(
                connection,
                "memory_edge",
                agent=one.body.agent,
                source=source,
                target=target,
                kind=edge.kind,
                weight=edge.weight,
                author=edge.author,
                turn=edge.turn,
                at=edge.at,
            )


def _standing(connection: SqlConnection, agent: str, body: NewMemory) -> tuple[int, LeftOut | None]:
    args = (agent, body.provenance.author, body.created_at, body.channel)
    came = body.provenance.imported
    for row in verified_rows(connection, "memory", _HERE, args):
        # a file that was written for a reader may lack a secret that stands here
        is_this = came is not None and came.own and row["id"] == came.memory and row["content"] is not None
        if is_this or row["content"] == body.content:
            return row["id"], LeftOut.KNOWN
        if row["content"] is None and versions(connection, _ERASED, (row["id"],)):
            return 0, LeftOut.ERASED
    return 0, None


def _archived(connection: SqlConnection, memory: Memory, edges: Sequence[MemoryEdge]) -> ArchivedMemory:
    own = versions(connection, "WHERE kind = 'memory' AND subject = ? ORDER BY number", (memory.id,))
    told = tuple(_told(map(read_revision, own)))
    return ArchivedMemory(memory, told, tuple(edge for edge in edges if edge.source == memory.id))


def _told(own: Iterator[Revision]) -> Iterator[PastVersion]:
    for one in own:
        state, by = one.memory, one.by
        if state is not None:
            yield PastVersion(
                at=one.at,
                cause=one.cause.value,
                platform=by.platform,
                actor=by.actor,
                process=by.process,
                inbound=by.inbound,
                turn=by.turn,
                forgotten_at=state.forgotten_at,
                type=state.body.type.value,
                importance=state.body.importance,
                confirmed=state.body.confirmed,
            )
