"""What may be remembered, how much of it, and whom it is about."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from bot.domain.access import Authority, Caller
from bot.domain.handles import HandleKind, parse_handle
from bot.domain.ids import ChannelKey, PersonKey, UserId
from bot.domain.memory import (
    DEFAULT_IMPORTANCE,
    MAX_CONTENT_BYTES,
    Memory,
    MemoryProvenance,
    MemoryReach,
    MemoryRelation,
    MemoryScope,
    MemoryType,
    NewMemory,
    RelationKind,
    superseded_memories,
)
from bot.errors import ToolError
from bot.memory import same_fact
from bot.ports.memories import MemoryStore
from bot.text.terms import is_unspaced
from bot.text.text import clean, excerpt

DAY_MS = 86_400_000
_MIN_UNSPACED_CHARS = 2
_MAX_COMPARED = 15
"""What says the same shares every word, and stands first among what is found."""
_OPTED_OUT = "It is about somebody who opted out: nothing about them may be kept. Do not try again in other words."


@dataclass(frozen=True, slots=True)
class MemoryRules:
    """The configured caps: importance of what non-admins cause, and memories per person and day (0: no limit).

    `is_out` says whether somebody wants nothing kept of them.
    """

    importance_cap: float
    per_user_per_day: int
    is_out: Callable[[PersonKey], bool] = lambda _: False

    def check_subjects(self, memory: NewMemory, platform: str) -> None:
        """Raise ToolError where a memory is about somebody who opted out."""
        if any(self.is_out(PersonKey(platform, subject)) for subject in memory.subjects):
            raise ToolError(_OPTED_OUT)


class MemoryWish(NamedTuple):
    """What somebody wants remembered; `importance` None means the type's own."""

    content: str
    type: MemoryType
    importance: float | None = None


class RelationWish(NamedTuple):
    """What the new memory is to an older one, by the name that the model knows it by."""

    kind: RelationKind
    memory: str
    weight: float


class MemoryCause(NamedTuple):
    """Who and what caused a memory."""

    key: ChannelKey
    caller: Caller
    provenance: MemoryProvenance
    people: Mapping[UserId, str]
    at: int

    @property
    def authority(self) -> Authority:
        """For how much it counts: for what its cause may, and for no more than the least of those whose words it is."""
        origins = self.provenance.origins
        tier = self.caller.authority
        return tier if origins is None else min(tier, Authority(origins.lowest.tier))


async def check_daily_limit(memories: MemoryStore, rules: MemoryRules, cause: MemoryCause, staged: int) -> None:
    """Raise ToolError when this person has caused enough for one day; `staged` are those not stored yet."""
    if not rules.per_user_per_day:
        return
    author = cause.caller.person.user_id
    stored = await memories.by_author_since(cause.key.agent, author, cause.at - DAY_MS)
    if stored + staged >= rules.per_user_per_day:
        raise ToolError(
            f"Not saved: {cause.caller.name} has caused {stored + staged} memories in 24 hours, and the limit is "
            f"{rules.per_user_per_day}. Answer without saving."
        )


async def resolve_relations(
    memories: MemoryStore, reach: MemoryReach, wishes: Sequence[RelationWish], authority: Authority
) -> tuple[MemoryRelation, ...]:
    """Return the relations as they will be stored; raise ToolError for a memory that may not be seen, or not replaced.

    What an admin caused is updated by admins alone: an update keeps the older memory out of the bulletin.
    """
    found: dict[tuple[RelationKind, int], MemoryRelation] = {}
    for wish in wishes:
        named = parse_handle(wish.memory)
        stored = await memories.by_handle(named) if named and named.kind is HandleKind.MEMORY else None
        seen = await memories.find(reach, named) if named and stored else None
        if stored is None or seen is None or seen.id != stored.id:
            raise ToolError(
                f"Not saved: {excerpt(wish.memory, 20)!r} names no memory that can be seen here. Take a name like "
                "m27d4 from your instructions or from memory_recall, or leave that relation out."
            )
        if wish.kind is RelationKind.UPDATES and stored.body.provenance.by_admin and authority < Authority.ADMIN:
            raise ToolError(
                f"Not saved: an admin caused {wish.memory}, so only an admin can update it, in words of their own. "
                "Save this as `contradicts` instead, or leave that relation out."
            )
        found.setdefault((wish.kind, stored.id), MemoryRelation(kind=wish.kind, target=stored.id, weight=wish.weight))
    return tuple(found.values())


def draft(wish: MemoryWish, cause: MemoryCause, rules: MemoryRules) -> NewMemory:
    """Return the memory as it will be stored: cleaned, capped, with its subjects and its cause."""
    content = clean(wish.content).text.strip()
    if not content:
        raise ToolError("Not saved: there is no text. Give the content in one or two sentences.")
    if (size := len(content.encode())) > MAX_CONTENT_BYTES:
        raise ToolError(f"Not saved: {size} bytes are too many, {MAX_CONTENT_BYTES} fit. Save a summary.")
    importance = DEFAULT_IMPORTANCE[wish.type] if wish.importance is None else wish.importance
    is_admin = cause.authority >= Authority.ADMIN
    return NewMemory(
        agent=cause.key.agent,
        content=content,
        type=wish.type,
        importance=importance if is_admin else min(importance, rules.importance_cap),
        scope=MemoryScope.CHANNEL,
        scope_id=cause.key.channel,
        channel=cause.key.channel,
        subjects=subjects(content, cause.people),
        provenance=cause.provenance.replace(by_admin=is_admin),
        created_at=cause.at,
    )


async def find_near(memories: MemoryStore, reach: MemoryReach, memory: NewMemory) -> Sequence[Memory]:
    """Return what in reach shares words with a memory about to be stored and still holds, the best first.

    What a newer memory updates is left out: somebody may have changed their mind once more.
    """
    found = [one for one, _ in await memories.search(reach, memory.content, _MAX_COMPARED)]
    if not found:
        return ()
    old = superseded_memories(await memories.edges([one.id for one in found], reach))
    return [one for one in found if one.id not in old]


def same_memory(near: Sequence[Memory], memory: NewMemory) -> Memory | None:
    """Return the memory that says the same already; None where there is none.

    What is said to update or to contradict something is said anew.
    """
    if any(one.kind in {RelationKind.UPDATES, RelationKind.CONTRADICTS} for one in memory.relations):
        return None
    return next((one for one in near if says_same(one.body, memory)), None)


def says_same(one: NewMemory, other: NewMemory) -> bool:
    """Say whether two memories say the same to everybody who reads them.

    What somebody says of themselves in the first person is somebody else's when others say it.
    """
    if MemoryScope.USER in {one.scope, other.scope} or not same_fact.says_same(one.content, other.content):
        return False
    return not same_fact.is_of_speaker(one.content) or one.provenance.author == other.provenance.author


def subjects(content: str, people: Mapping[UserId, str]) -> tuple[UserId, ...]:
    """Return the ids of the participants that a text names, by id or by name, in the order of `people`."""
    return tuple(user for user, name in people.items() if _mentions(content, user) or _mentions(content, name))


def _mentions(content: str, word: str) -> bool:
    if not word.strip():
        return False
    if is_unspaced(word):
        return len(word.strip()) >= _MIN_UNSPACED_CHARS and word.strip() in content
    return re.search(rf"(?<!\w){re.escape(word.strip())}(?!\w)", content, re.IGNORECASE) is not None
