"""What is remembered in a channel's reach: listed, searched, and by whom it was caused."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bot.cortex.targets.target_resolver import TargetChannel, TargetResolver
from bot.cortex.targets.texts import channel_word
from bot.cortex.words.quoting import quoted
from bot.domain.handles import HandleKind, handle
from bot.domain.ids import ChannelId, ChannelKey, PersonKey
from bot.domain.memory import Memory, MemoryEdge, MemoryReach, RelationKind
from bot.memory.graph import describe_relations
from bot.ports.clock import Clock
from bot.ports.memories import MemoryStore
from bot.text.redaction import Redactor
from bot.text.text import excerpt, one_line_name
from bot.text.times import age

_MAX_MEMORIES = 20
_EXCERPT_CHARS = 70
_DISPUTES = frozenset({RelationKind.CONTRADICTS, RelationKind.UPDATES})
"""Edges that say whether a memory still holds; `memory show` lists all."""
_ID = re.compile(r"\d{1,20}")


class MemoryAudit:
    """Reads memories for one admin; what was learnt where they cannot read is counted, and withheld."""

    def __init__(self, memories: MemoryStore, targets: TargetResolver, redactor: Redactor, clock: Clock) -> None:
        self._memories = memories
        self._targets = targets
        self._redactor = redactor
        self._clock = clock

    async def listed(self, person: PersonKey, target: TargetChannel) -> str:
        """List everything in reach of a channel, forgotten ones too."""
        return await self._page(person, await self._all(target), f"{channel_word(target)}: what is remembered here")

    async def search(self, person: PersonKey, target: TargetChannel, words: str) -> str:
        """List what matches some words."""
        key, place = target.key, target.place
        reach = MemoryReach(agent=key.agent, channel=key.channel, guild_id=place.guild_id)
        hits = await self._memories.search(reach, words, _MAX_MEMORIES)
        return await self._page(person, [memory for memory, _ in hits], f"{channel_word(target)}: memories that match")

    async def by(self, person: PersonKey, target: TargetChannel, user: str) -> str:
        """List what one person caused: by id, by mention, or by the name they had then."""
        found = await self.caused_by(target, user, 0)
        return await self._page(person, found, f"{channel_word(target)}: memories caused by that person")

    async def caused_by(self, target: TargetChannel, user: str, since: int) -> Sequence[Memory]:
        """Return what one person caused since a time (UTC ms), forgotten ones too, newest first."""
        number = _ID.search(user) if user.startswith("<@") or user.isdigit() else None
        name = user.lstrip("@").casefold()
        return [
            memory
            for memory in await self._all(target)
            if memory.body.created_at >= since
            and (memory.body.provenance.author == number[0] if number else _author(memory).casefold() == name)
        ]

    async def _all(self, target: TargetChannel) -> Sequence[Memory]:
        return await self._memories.listed(target.key.agent, target.key.channel, target.place.guild_id)

    async def _page(self, person: PersonKey, memories: Sequence[Memory], title: str) -> str:
        if not memories:
            return f"{title}: none."
        readable: dict[ChannelId, bool] = {}
        edges = await self._memories.edges([memory.id for memory in memories[:_MAX_MEMORIES]], None)
        rows = []
        for memory in memories[:_MAX_MEMORIES]:
            source = memory.body.channel
            if source not in readable:
                readable[source] = await self._may_read(person, ChannelKey(memory.body.agent, source))
            rows.append(self._row(memory, edges, shown=readable[source]))
        more = (
            f"\n{len(memories) - _MAX_MEMORIES} more; `memory search <words>` finds them."
            if len(memories) > _MAX_MEMORIES
            else ""
        )
        table = quoted("\n".join(rows), self._redactor)
        return f"{title} ({len(memories)})\n{table}{more}\n`memory show <id>` tells a memory's story."

    def _row(self, memory: Memory, edges: Sequence[MemoryEdge], *, shown: bool) -> str:
        body = memory.body
        gone = " · FORGOTTEN" if memory.forgotten_at else ""
        words = excerpt(body.content, _EXCERPT_CHARS) if shown else "[withheld: learnt where you cannot read]"
        head = f"{handle(HandleKind.MEMORY, memory.id)} {body.type.value} {body.importance:.2f}"
        author = f" · {_author(memory)}" if shown else ""
        links = describe_relations(memory.id, edges, _DISPUTES)
        disputed = f"\n  {links}" if links else ""
        return f"{head} · {age(self._clock.now() - body.created_at)}{author}{gone}\n  {words}{disputed}"

    async def _may_read(self, person: PersonKey, key: ChannelKey) -> bool:
        target = await self._targets.of(key)
        return target is not None and await self._targets.may_read(person, target)


def _author(memory: Memory) -> str:
    return one_line_name(memory.body.provenance.author_name or "someone", 32)
