"""What the bot remembers; what a reader may see is decided in SQL."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import NamedTuple, cast

import orjson

from adapters.sqlite.engine.database import SqliteDatabase
from adapters.sqlite.engine.moves import moved_memory
from adapters.sqlite.engine.revisions import memory_changed, memory_saved, strip_words
from adapters.sqlite.engine.sealed_rows import (
    Value,
    by_slot,
    change,
    fetch,
    insert,
    read_or_skip,
    update_sealed,
    verified_rows,
)
from adapters.sqlite.engine.sql_connection import SqlConnection, SqlRow
from adapters.sqlite.engine.tables import SEALED
from adapters.sqlite.engine.word_index import (
    IndexedMemory,
    IndexReader,
    RankedRow,
    TermCounts,
    count_in,
    places_of,
    put_words,
    question_terms,
    rank_rows,
    take_words,
)
from adapters.sqlite.memories.eviction import EVICTED_TOGETHER, crowded_channels, evict, least_important
from adapters.sqlite.memories.memory_orders import IS_WHOLE, SCOPES, newest_rows, ordered_rows
from bot.domain.channel import ProcessKind
from bot.domain.handles import SLOTS, Handle, HandleKind
from bot.domain.ids import AgentId, ChannelId, UserId, platform_of
from bot.domain.memory import (
    MAX_IN_REACH,
    MadeRoom,
    Memory,
    MemoryEdge,
    MemoryHit,
    MemoryReach,
    MemoryType,
    NewMemory,
    RecallOrder,
    RelationKind,
    superseded_memories,
)
from bot.domain.revisions import BY_ITSELF, ChangedBy, RevisionCause, RevisionKind

_REACH = """
    memory.agent = :agent AND memory.forgotten_at = 0 AND (
        (memory.scope = 'channel' AND memory.scope_id = :channel)
        OR (memory.scope = 'guild' AND memory.scope_id = :guild AND :guild <> '' AND memory.platform = :platform)
        OR (memory.scope = 'user' AND memory.scope_id = :user AND :user <> '' AND memory.platform = :platform)
        OR memory.scope = 'global')"""

_IMPORTANCE = "(CASE WHEN json_valid(body) THEN json_extract(body, '$.importance') END)"
_RANK = (
    "(CASE WHEN json_valid(body) THEN CASE json_extract(body, '$.type') "
    + " ".join(f"WHEN '{kind}' THEN {rank}" for rank, kind in enumerate(MemoryType))
    + " END END)"
)
"""As in the index `memory_by_weight`: where they are written otherwise it is not used."""
_SEEN = f"""
    SELECT memory.id, created_at, last_accessed, importance, kind
    FROM json_each(:rows) AS wanted CROSS JOIN memory ON memory.id = wanted.value
    WHERE {_REACH} AND {IS_WHOLE} AND (:kind = '' OR kind = :kind)"""  # noqa: S608 - constants of this file
_WEIGHTIEST = " UNION ALL ".join(
    f"""SELECT * FROM (SELECT id, {_IMPORTANCE} AS importance, {_RANK} AS rank
        FROM memory INDEXED BY memory_by_weight WHERE agent = :agent AND forgotten_at = 0 AND {scope}
        ORDER BY {_IMPORTANCE} DESC, {_RANK}, id LIMIT :limit)"""  # noqa: S608 - constants of this file
    for scope in SCOPES
)
_COUNT = " UNION ALL ".join(
    f"""SELECT count(*) AS many FROM memory INDEXED BY memory_by_time
        WHERE agent = :agent AND forgotten_at = 0 AND {scope}"""  # noqa: S608 - constants of this file
    for scope in SCOPES
)


_PLACED = ("memory+", "memory.content", "memory.scope_id")
_WEIGHED = (
    "memory+",
    *(f"memory.{column}" for column in SEALED["memory"] if column not in {"last_accessed", "access_count"}),
    "memory_edge",
)


class SqliteMemories:
    """Implements `bot.ports.memories.MemoryStore`."""

    def __init__(self, database: SqliteDatabase) -> None:
        self._database = database
        self._counts = TermCounts()

    async def add(self, memories: Sequence[NewMemory]) -> Sequence[int]:
        """Store memories; return their numbers."""
        return await self._database.write(
            lambda connection: [add(connection, moved_memory(new, self._database.moves)) for new in memories]
        )

    async def in_reach(self, reach: MemoryReach, limit: int = MAX_IN_REACH) -> Sequence[Memory]:
        """Return the newest memories that count and may be seen, newest first."""
        tail, args = f"WHERE {_REACH} ORDER BY memory.id DESC LIMIT :limit", reach_args(self._now(reach))
        args["limit"] = limit

        def work(connection: SqlConnection) -> tuple[Memory, ...]:
            return tuple(read_memory(row) for row in verified_rows(connection, "memory", tail, args))

        return list(await self._database.ask(("in reach", *args.values()), ("memory",), work))

    async def weightiest(self, reach: MemoryReach, limit: int) -> tuple[Sequence[Memory], int]:
        """Return memories in reach that no newer one in reach updates, and how many are in reach in all."""
        args = reach_args(self._now(reach))

        def work(connection: SqlConnection) -> tuple[int | Memory, ...]:
            many = sum(many for (many,) in connection.execute(_COUNT, args))
            # nothing at all where there is nothing, because of that more is kept
            return (many, *_weightiest_memories(connection, args, limit)) if many else ()

        # asked for every turn, and nearly always with the same answer: reading a memory does not change it
        answer = await self._database.ask(("weightiest", limit, *args.values()), _WEIGHED, work)
        many, *found = answer or (0,)
        return cast(Sequence[Memory], found), cast(int, many)

    async def foremost(
        self, reach: MemoryReach, order: RecallOrder, kind: MemoryType | None, now: int, limit: int
    ) -> Sequence[Memory]:
        """Return memories in reach, of one kind if one is given, in an order."""
        args = reach_args(self._now(reach))

        def work(connection: SqlConnection) -> list[Memory]:
            rows = ordered_rows(connection, args, order, kind, now, limit)
            return _read_all(connection, rows)

        return await self._database.read(work)

    async def find(self, reach: MemoryReach, handle: Handle) -> Memory | None:
        """Return the newest memory of a handle's slot that counts and may be seen."""
        args = reach_args(self._now(reach))
        sql = f"SELECT 1 FROM memory WHERE memory.id = :row AND {_REACH}"  # noqa: S608 - constants of this file

        def work(connection: SqlConnection) -> Memory | None:
            row = by_slot(connection, handle) if handle.kind is HandleKind.MEMORY else None
            while row and row > 0:
                if connection.execute(sql, {**args, "row": row}).fetchone():
                    found = read_or_skip(connection, "memory", row)
                    return read_memory(found) if found else None
                row -= SLOTS
            return None

        return await self._database.read(work)

    async def search(self, reach: MemoryReach, words: str, limit: int) -> Sequence[tuple[Memory, float]]:
        """Return what holds any of the words, best first, with how well it fits (more is better)."""
        here = self._now(reach)
        searched = await self._searched(here, words, None)

        def work(connection: SqlConnection) -> list[tuple[Memory, float]]:
            hits = _hits(connection, searched, limit)
            found = {memory.id: memory for memory in _read_all(connection, [hit.id for hit in hits])}
            return [(found[hit.id], hit.score) for hit in hits if hit.id in found]

        return await self._database.read(work)

    async def hits(self, reach: MemoryReach, words: str, kind: MemoryType | None, limit: int) -> Sequence[MemoryHit]:
        """Return what is said of memories that hold any of the words, of one kind if one is given, best first."""
        searched = await self._searched(self._now(reach), words, kind)
        return await self._database.read(lambda connection: _hits(connection, searched, limit))

    async def hits_between(
        self, reach: MemoryReach, since: int, until: int, kind: MemoryType | None, limit: int
    ) -> Sequence[MemoryHit]:
        """Return what is said of the newest memories of a time, of one kind if one is given."""
        args: dict[str, Value] = {**reach_args(self._now(reach)), "kind": kind or ""}

        def work(connection: SqlConnection) -> list[MemoryHit]:
            rows = newest_rows(connection, {**args, "since": since, "until": until}, limit)
            return seen_hits(connection, args, [RankedRow(0.0, row) for row in rows])

        return await self._database.read(work)

    async def several(self, rows: Sequence[int]) -> Sequence[Memory]:
        """Return memories in the order in which they are named, without those that are gone, forgotten or altered."""

        def work(connection: SqlConnection) -> list[Memory]:
            return [memory for memory in _read_all(connection, rows) if not memory.forgotten_at]

        return await self._database.read(work)

    async def get(self, row: int) -> Memory | None:
        """Return a memory, forgotten or not."""

        def work(connection: SqlConnection) -> Memory | None:
            found = fetch(connection, "memory", row)
            return read_memory(found) if found else None

        return await self._database.read(work)

    async def by_handle(self, handle: Handle) -> Memory | None:
        """Return the newest memory of a handle's slot, forgotten or not."""

        def work(connection: SqlConnection) -> Memory | None:
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
        args = reach_args(self._now(MemoryReach(agent=agent, channel=channel, guild_id=guild_id)))

        def work(connection: SqlConnection) -> list[Memory]:
            return [read_memory(row) for row in verified_rows(connection, "memory", tail, args)]

        return await self._database.read(work)

    async def edges(self, rows: Sequence[int], reach: MemoryReach | None) -> Sequence[MemoryEdge]:
        """Return the edges from or to some memories, by number.

        Neither end is forgotten; with a reach, both may be seen.
        """
        visible, args = (_REACH, reach_args(self._now(reach))) if reach else ("memory.forgotten_at = 0", {})
        return await self._database.read(lambda connection: edges_of(connection, rows, visible, args))

    async def make_room(self, per_channel: int, now: int) -> Sequence[MadeRoom]:
        """Forget of each channel what counts for the least at `now`, until no more than so many are left."""
        made: list[MadeRoom] = []
        if not per_channel:
            return made
        for crowded in await self._database.read(partial(crowded_channels, per_channel)):
            work = partial(least_important, crowded, crowded.held - per_channel, now)
            rows = await self._database.read(work)
            forgotten = 0
            for first in range(0, len(rows), EVICTED_TOGETHER):
                some = rows[first : first + EVICTED_TOGETHER]
                forgotten += await self._database.write(partial(evict, some, now), hurries=False)
            if forgotten:
                made.append(MadeRoom(crowded.agent, crowded.channel, forgotten, crowded.held - forgotten))
        return made

    async def touched(self, rows: Sequence[int], at: int) -> None:
        """Note that memories were read."""

        def work(connection: SqlConnection) -> None:
            for row in rows:
                found = read_or_skip(connection, "memory", row)
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
        """Return the newest requests whose bulletin held the memory; those of a replay only repeat another."""
        sql = """SELECT held.request FROM request_memory AS held JOIN request ON request.id = held.request
            WHERE held.memory = ? AND request.kind <> ? ORDER BY held.request DESC LIMIT ?"""
        args = (row, ProcessKind.REPLAY.value, limit)
        return await self._database.read(lambda connection: [found[0] for found in connection.execute(sql, args)])

    async def _searched(self, reach: MemoryReach, words: str, kind: MemoryType | None) -> _Searched:
        # asked before anything is read: what is counted later is never older than it says
        version = self._database.version(_PLACED)
        return _Searched(reach, await self._known(reach), words, kind, self._counts, version)

    async def _known(self, reach: MemoryReach) -> Mapping[str, int]:
        places = places_of(reach)

        def work(connection: SqlConnection) -> tuple[tuple[str, int], ...]:
            return tuple(count_in(connection, places).items())

        # every search asks it anew
        return dict(await self._database.ask(("memory words", *places), _PLACED, work))

    def _now(self, reach: MemoryReach) -> MemoryReach:
        now = self._database.moves.current_id(reach.channel)
        return reach if now == reach.channel else reach.model_copy(update={"channel": now})


def add(connection: SqlConnection, new: NewMemory) -> int:
    """Store a memory and its words; part of many units."""
    row = store_memory(connection, new, platform_of(new.channel))
    add_edges(connection, row, new)
    memory_saved(connection, row, new, platform_of(new.channel))
    return row


def store_memory(connection: SqlConnection, new: NewMemory, platform: str) -> int:
    """Store the row of a memory and its words, without edges; whoever does writes its first version down."""
    row = insert(
        connection,
        "memory",
        agent=new.agent,
        platform=platform,
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
    place = (new.agent, platform, new.scope, new.scope_id, new.channel)
    put_words(connection, row, IndexedMemory(*place, new.provenance.author_name, new.content))
    return row


def confirm(connection: SqlConnection, row: int, at: int, by: ChangedBy) -> None:
    """Count that something was said once more, unless it is forgotten; part of a unit.

    Its version stays: what it says is the same, and so is what somebody wants done about it.
    """
    found = read_or_skip(connection, "memory", row)
    if found is not None and found["content"] is not None and not found["forgotten_at"]:
        bare = NewMemory.model_validate_json(found["body"])
        again = bare.replace(confirmed=bare.confirmed + 1, confirmed_at=max(at, bare.confirmed_at))
        body = again.model_dump_json(exclude={"relations"})
        update_sealed(connection, "memory", found, body=body, last_accessed=max(at, found["last_accessed"]))
        memory_changed(connection, row, at, RevisionCause.CONFIRMED, by)


def forget(connection: SqlConnection, row: int, version: int, at: int, by: ChangedBy) -> None:
    """Forget a memory that is as it was at a version, so that it can be brought back for a time; part of a unit."""
    found = read_or_skip(connection, "memory", row)
    if found is not None and found["version"] == version and not found["forgotten_at"]:
        update_sealed(connection, "memory", found, forgotten_at=at, version=version + 1)
        memory_changed(connection, row, at, RevisionCause.FORGOTTEN, by)


def wipe(connection: SqlConnection, row: int, at: int) -> None:
    """Take the text of a forgotten memory out of the table, the index and its versions, and its edges with it."""
    found = fetch(connection, "memory", row)
    if found is None or found["content"] is None:
        return
    take_words(connection, row)
    wipe_edges(connection, row)
    change(connection, "memory", row, content=None, version=found["version"] + 1)
    strip_words(connection, RevisionKind.MEMORY, row)
    memory_changed(connection, row, at, RevisionCause.WIPED, BY_ITSELF)


def _weightiest_memories(connection: SqlConnection, args: dict[str, Value], limit: int) -> tuple[Memory, ...]:
    """Return so many memories that no other updates, by weight, or all if there are not so many.

    Those that are updated are told by their edges as they are read, whose seals are looked at; so more are read where
    many of the first are.
    """
    many = limit
    while True:
        rows = connection.execute(
            f"{_WEIGHTIEST} ORDER BY importance DESC, rank, id LIMIT :limit", {**args, "limit": many}
        ).fetchall()
        old = superseded_memories(edges_of(connection, [row["id"] for row in rows], _REACH, args))
        wanted = [row["id"] for row in rows if row["id"] not in old]
        if len(wanted) >= limit or len(rows) < many:
            break
        many *= 2
    found = [read_or_skip(connection, "memory", row) for row in wanted[:limit]]
    return tuple(read_memory(row) for row in found if row)


class _Searched(NamedTuple):
    """What is looked for and where; `known` is how many memories are in each of the places.

    `counts` are those of the terms, as far as they are known of this `version` of the index.
    """

    reach: MemoryReach
    known: Mapping[str, int]
    words: str
    kind: MemoryType | None
    counts: TermCounts
    version: Hashable


def _hits(connection: SqlConnection, searched: _Searched, limit: int) -> list[MemoryHit]:
    """Return the best of what holds any of the words; the index leads to it, whether it may be seen is decided here."""
    args: dict[str, Value] = {**reach_args(searched.reach), "kind": searched.kind or ""}
    index = IndexReader(connection, searched.counts, searched.version)
    ranked = rank_rows(index, searched.known, question_terms(searched.words))
    hits: list[MemoryHit] = []
    while len(hits) < limit and (some := list(islice(ranked, limit))):
        hits += seen_hits(connection, args, some)
    return hits[:limit]


def seen_hits(connection: SqlConnection, args: Mapping[str, Value], ranked: Sequence[RankedRow]) -> list[MemoryHit]:
    """Return what is said of those that may be seen."""
    rows = connection.execute(_SEEN, {**args, "rows": orjson.dumps([one.row for one in ranked]).decode()})
    seen = {row: said for row, *said in rows}
    return [MemoryHit(one.row, one.score, *seen[one.row]) for one in ranked if one.row in seen]


def _read_all(connection: SqlConnection, rows: Iterable[int]) -> list[Memory]:
    found = (read_or_skip(connection, "memory", row) for row in rows)
    return [read_memory(row) for row in found if row]


def reach_args(reach: MemoryReach) -> dict[str, Value]:
    """Return what the conditions on a reach are asked with."""
    return {
        "agent": reach.agent,
        "channel": reach.channel,
        "guild": reach.guild_id,
        "user": reach.user_id or "",
        "platform": platform_of(reach.channel),
    }


def read_memory(row: SqlRow) -> Memory:
    """Return the memory that a row holds."""
    bare = NewMemory.model_validate_json(row["body"])
    return Memory(
        id=row["id"],
        body=bare.model_copy(update={"content": row["content"] or ""}),
        last_accessed=row["last_accessed"],
        access_count=row["access_count"],
        forgotten_at=row["forgotten_at"],
        version=row["version"],
    )


def add_edges(connection: SqlConnection, source: int, new: NewMemory) -> None:
    """Store what a new memory is to others; what has been wiped since it was said is left out."""
    for relation in new.relations:
        target = read_or_skip(connection, "memory", relation.target)
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


def edges_of(connection: SqlConnection, rows: Sequence[int], visible: str, args: dict[str, Value]) -> list[MemoryEdge]:
    """Return the edges of some memories, by number. `visible` is a condition on `memory` that both ends must meet."""
    tail = f"""
        WHERE (source IN (SELECT value FROM json_each(:rows)) OR target IN (SELECT value FROM json_each(:rows)))
            AND EXISTS (SELECT 1 FROM memory WHERE memory.id = memory_edge.source AND {visible})
            AND EXISTS (SELECT 1 FROM memory WHERE memory.id = memory_edge.target AND {visible})
        ORDER BY memory_edge.id"""  # noqa: S608 - `visible` is a constant of memories.py
    found = verified_rows(connection, "memory_edge", tail, {**args, "rows": orjson.dumps(list(rows)).decode()})
    return [_edge(row) for row in found]


def wipe_edges(connection: SqlConnection, memory: int) -> None:
    """Take away what a memory was to others, and others to it."""
    connection.execute("DELETE FROM memory_edge WHERE source = ? OR target = ?", (memory, memory))


def _edge(row: SqlRow) -> MemoryEdge:
    return MemoryEdge(
        id=row["id"],
        source=row["source"],
        target=row["target"],
        kind=RelationKind(row["kind"]),
        weight=row["weight"],
        author=row["author"],
        turn=row["turn"],
        at=row["at"],
    )
