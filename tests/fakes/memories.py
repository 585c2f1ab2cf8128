"""Memories in a list."""

from __future__ import annotations

from collections.abc import Sequence

from bot.domain.handles import SLOTS, Handle
from bot.domain.ids import AgentId, ChannelId, UserId
from bot.domain.memory import (
    MAX_FUSED_PLACES,
    MAX_IN_REACH,
    MadeRoom,
    Memory,
    MemoryEdge,
    MemoryHit,
    MemoryReach,
    MemoryScope,
    MemoryType,
    NewMemory,
    RecallOrder,
    fuse,
    superseded_memories,
)
from bot.errors import StoreError
from bot.memory.search import effective_importance


class FakeMemories:
    """Implements `bot.ports.memories.MemoryStore`; with `broken` set, every reading raises."""

    def __init__(self, *memories: NewMemory) -> None:
        self.kept: list[Memory] = [Memory(id=number, body=body) for number, body in enumerate(memories, 1)]
        self.broken = False
        self.reached: list[MemoryReach] = []
        self.linked: list[MemoryEdge] = []
        for memory in self.kept:
            self._link(memory)

    async def add(self, memories: Sequence[NewMemory]) -> Sequence[int]:
        first = len(self.kept) + 1
        added = [Memory(id=number, body=body) for number, body in enumerate(memories, first)]
        self.kept += added
        for memory in added:
            self._link(memory)
        return list(range(first, first + len(memories)))

    async def in_reach(self, reach: MemoryReach, limit: int = MAX_IN_REACH) -> Sequence[Memory]:
        if self.broken:
            raise StoreError("the disk is gone")
        self.reached.append(reach)
        found = [m for m in self.kept if not m.forgotten_at and _reaches(reach, m.body)]
        return sorted(found, key=lambda m: -m.body.created_at)[:limit]

    async def weightiest(self, reach: MemoryReach, limit: int) -> tuple[Sequence[Memory], int]:
        known = await self.in_reach(reach, len(self.kept))
        old = superseded_memories(await self.edges([m.id for m in known], reach))
        kinds = [*MemoryType]
        wanted = [m for m in known if m.id not in old]
        wanted.sort(key=lambda m: (-m.body.importance, kinds.index(m.body.type), m.id))
        return wanted[:limit], len(known)

    async def foremost(
        self, reach: MemoryReach, order: RecallOrder, kind: MemoryType | None, now: int, limit: int
    ) -> Sequence[Memory]:
        known = [m for m in await self.in_reach(reach, len(self.kept)) if kind is None or m.body.type is kind]
        recent = sorted(known, key=lambda m: (-m.body.created_at, -m.id))
        important = sorted(known, key=lambda m: (-effective_importance(m, now), -m.id))
        if order is RecallOrder.HYBRID:
            by_row = {m.id: m for m in known}
            fronts = (recent[:MAX_FUSED_PLACES], important[:MAX_FUSED_PLACES])
            return [by_row[row] for row in fuse([m.id for m in ranking] for ranking in fronts)][:limit]
        return (recent if order is RecallOrder.RECENT else important)[:limit]

    async def find(self, reach: MemoryReach, handle: Handle) -> Memory | None:
        known = await self.in_reach(reach, len(self.kept))
        return max((m for m in known if m.id % SLOTS == handle.slot), key=lambda m: m.id, default=None)

    async def search(self, reach: MemoryReach, words: str, limit: int) -> Sequence[tuple[Memory, float]]:
        wanted = words.lower().split()
        found = [m for m in await self.in_reach(reach) if any(word in m.body.content.lower() for word in wanted)]
        return [(memory, 1.0) for memory in found[:limit]]

    async def hits(self, reach: MemoryReach, words: str, kind: MemoryType | None, limit: int) -> Sequence[MemoryHit]:
        found = [m for m, _ in await self.search(reach, words, len(self.kept)) if kind in {None, m.body.type}]
        return [_hit(m, 1.0) for m in found[:limit]]

    async def hits_between(
        self, reach: MemoryReach, since: int, until: int, kind: MemoryType | None, limit: int
    ) -> Sequence[MemoryHit]:
        known = await self.foremost(reach, RecallOrder.RECENT, kind, 0, len(self.kept))
        return [_hit(m, 0.0) for m in known if since <= m.body.created_at < until][:limit]

    async def several(self, rows: Sequence[int]) -> Sequence[Memory]:
        by_row = {m.id: m for m in self.kept if not m.forgotten_at}
        return [by_row[row] for row in rows if row in by_row]

    async def get(self, row: int) -> Memory | None:
        return next((m for m in self.kept if m.id == row), None)

    async def by_handle(self, handle: Handle) -> Memory | None:
        return next((m for m in reversed(self.kept) if m.id % SLOTS == handle.slot), None)

    async def listed(self, agent: AgentId, channel: ChannelId, guild_id: str) -> Sequence[Memory]:
        reach = MemoryReach(agent=agent, channel=channel, guild_id=guild_id)
        return [m for m in reversed(self.kept) if _reaches(reach, m.body)]

    async def edges(self, rows: Sequence[int], reach: MemoryReach | None) -> Sequence[MemoryEdge]:
        seen = {m.id for m in self.kept if not m.forgotten_at and (reach is None or _reaches(reach, m.body))}
        return [e for e in self.linked if {e.source, e.target} <= seen and {e.source, e.target} & {*rows}]

    async def make_room(self, per_channel: int, now: int) -> Sequence[MadeRoom]:
        return ()

    async def touched(self, rows: Sequence[int], at: int) -> None:
        changes = {"last_accessed": at}
        self.kept = [
            m.model_copy(update={**changes, "access_count": m.access_count + 1}) if m.id in rows else m
            for m in self.kept
        ]

    async def by_author_since(self, agent: AgentId, author: UserId, since: int) -> int:
        bodies = [m.body for m in self.kept]
        return sum(1 for b in bodies if b.provenance.author == author and b.created_at >= since)

    async def requests_with(self, row: int, limit: int) -> Sequence[int]:
        return ()

    def _link(self, memory: Memory) -> None:
        author, turn, at = memory.body.provenance.author, memory.body.provenance.turn, memory.body.created_at
        for relation in memory.body.relations:
            values = {"source": memory.id, "author": author, "turn": turn, "at": at, **relation.model_dump()}
            self.linked.append(MemoryEdge(id=len(self.linked) + 1, **values))

    def forget(self, row: int, at: int = 1) -> None:
        self.kept = [m.model_copy(update={"forgotten_at": at}) if m.id == row else m for m in self.kept]


def _hit(memory: Memory, score: float) -> MemoryHit:
    body = memory.body
    return MemoryHit(memory.id, score, body.created_at, memory.last_accessed, body.importance, body.type)


def _reaches(reach: MemoryReach, body: NewMemory) -> bool:
    if body.agent != reach.agent:
        return False
    match body.scope:
        case MemoryScope.GLOBAL:
            return True
        case MemoryScope.CHANNEL:
            return body.scope_id == reach.channel
        case MemoryScope.GUILD:
            return bool(reach.guild_id) and body.scope_id == reach.guild_id
        case MemoryScope.USER:
            return reach.user_id is not None and body.scope_id == reach.user_id
