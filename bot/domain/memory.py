"""What the bot remembers: one memory, who caused it, and how much it counts now."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import NamedTuple

from pydantic import Field

from bot.domain.base import FrozenModel
from bot.domain.ids import AgentId, ChannelId, UserId
from bot.domain.imported import MemoryImport
from bot.domain.word_origins import WordOrigins

MAX_CONTENT_BYTES = 50_000


class MemoryType(StrEnum):
    """What kind of thing is remembered."""

    IDENTITY = "identity"
    GOAL = "goal"
    HUMAN = "human"
    DECISION = "decision"
    TODO = "todo"
    PREFERENCE = "preference"
    FACT = "fact"
    EVENT = "event"
    OBSERVATION = "observation"


DEFAULT_IMPORTANCE: dict[MemoryType, float] = {
    MemoryType.IDENTITY: 1.0,
    MemoryType.GOAL: 0.9,
    MemoryType.HUMAN: 0.85,
    MemoryType.DECISION: 0.8,
    MemoryType.TODO: 0.8,
    MemoryType.PREFERENCE: 0.7,
    MemoryType.FACT: 0.6,
    MemoryType.EVENT: 0.4,
    MemoryType.OBSERVATION: 0.3,
}


class MemoryScope(StrEnum):
    """Where a memory is known."""

    CHANNEL = "channel"
    USER = "user"
    GUILD = "guild"
    GLOBAL = "global"


class RelationKind(StrEnum):
    """What a memory is to an older one. `resembles`: both may be one fact; code finds it, and people decide."""

    RELATED_TO = "related_to"
    UPDATES = "updates"
    CONTRADICTS = "contradicts"
    CAUSED_BY = "caused_by"
    RESULT_OF = "result_of"
    PART_OF = "part_of"
    RESEMBLES = "resembles"


class Treatment(StrEnum):
    """How a memory would have somebody else treated, in words for people."""

    SILENCE = "silence towards somebody"
    PRIORITY = "who comes first"
    MONEY = "money or prices"
    RIGHTS = "what somebody may do"
    IDENTITY = "who somebody is"
    DIRECTIONS = "where people are sent"
    NAMING = "what somebody is called"
    CONDUCT = "how others are answered"
    SPREADING = "that it is passed on"


class MemoryRelation(FrozenModel):
    """What a memory about to be stored is to a stored one (row `target`). `weight`: how much, 0 to 1."""

    kind: RelationKind
    target: int
    weight: float = Field(ge=0, le=1)


class MemoryEdge(FrozenModel):
    """A stored relation: what memory `source` is to memory `target`, and who caused it, in which turn (0: none)."""

    id: int
    source: int
    target: int
    kind: RelationKind
    weight: float
    author: UserId
    turn: int
    at: int


class MemoryProvenance(FrozenModel):
    """Who caused a memory and how. `process` is the process kind.

    `by_admin` was checked when it was saved: an admin caused it, and nobody's words who counts for less are in it.
    `origins` are set where such words may be: then it counts for no more than the least of them. `imported`: it came
    in by a file, from where these are the author and the times.
    """

    author: UserId
    author_name: str = ""
    by_admin: bool = False
    inbound: int = 0
    message_id: str = ""
    turn: int = 0
    process: str = "channel"
    model: str = ""
    # left out where they are the author's own words
    origins: WordOrigins | None = Field(None, exclude_if=lambda origins: origins is None)
    # left out where it was said here
    imported: MemoryImport | None = Field(None, exclude_if=lambda imported: imported is None)


class NewMemory(FrozenModel):
    """A memory about to be stored. `subjects` are the people it is about, beside its author.

    `confirmed` is how often it was said, the first time included, and `confirmed_at` when last (0: once). `treatment`
    says how it would have others treated, where that is put before admins and moderators.

    `scope_id` is the channel id, user id or guild id of the scope; empty for global. `relations` (a kind and target at
    most once) become edges when it is stored, and are read as those from then on.
    """

    agent: AgentId
    content: str
    type: MemoryType
    importance: float
    scope: MemoryScope
    scope_id: str
    channel: ChannelId
    subjects: tuple[UserId, ...] = ()
    provenance: MemoryProvenance
    created_at: int
    relations: tuple[MemoryRelation, ...] = ()
    # left out where it was said once, so that what was stored before reads as it always did
    confirmed: int = Field(1, ge=1, exclude_if=lambda times: times == 1)
    confirmed_at: int = Field(0, exclude_if=lambda at: not at)
    treatment: tuple[Treatment, ...] = Field((), exclude_if=lambda kinds: not kinds)


class Memory(FrozenModel):
    """A stored memory. `forgotten_at` is 0 while it counts; `version` grows with every change."""

    id: int
    body: NewMemory
    last_accessed: int = 0
    access_count: int = 0
    forgotten_at: int = 0
    version: int = 1


class MadeRoom(NamedTuple):
    """How many memories of a channel were forgotten because there were too many, and how many are left."""

    agent: AgentId
    channel: ChannelId
    forgotten: int
    left: int


class MemoryHit(NamedTuple):
    """What a search says of a memory without reading all of it; `score` is how well its words fit."""

    id: int
    score: float
    created_at: int
    last_accessed: int
    importance: float
    kind: str

    def importance_at(self, now: int) -> float:
        """Return the importance at a time, by how long ago it was stored or read."""
        return faded_importance(self.importance, self.kind, now - max(self.created_at, self.last_accessed))


_HALF_LIFE_MS = 90.0 * 86_400_000
_FLOOR = 0.1
"""A memory fades to a tenth of its importance, never to nothing."""


def faded_importance(importance: float, kind: str, idle_ms: int) -> float:
    """Return what an importance is after a time in which nobody read it: halved every 90 days, but of an identity."""
    if kind == MemoryType.IDENTITY:
        return importance
    kept: float = 0.5 ** (max(0, idle_ms) / _HALF_LIFE_MS)
    return importance * (_FLOOR + (1 - _FLOOR) * kept)


class RecallOrder(StrEnum):
    """What comes first where no words are asked for: by time, by importance, or by both together."""

    RECENT = "recent"
    IMPORTANT = "important"
    HYBRID = "hybrid"


RANK_FUSION_K = 60
"""Cormack, Clarke and Büttcher, SIGIR 2009: with 60 no single ranking dominates."""
MAX_FUSED_PLACES = 100
"""Where rankings of everything are fused, so many places of each count: what stands behind adds nothing."""
MAX_IN_REACH = 500
"""How many memories are read at most where all that can be seen are wanted."""


class MemoryReach(FrozenModel):
    """Which memories a reader may see; SQL always filters by it."""

    agent: AgentId
    channel: ChannelId
    guild_id: str = ""
    user_id: UserId | None = None


class MemoryPlaces(FrozenModel):
    """Where an audit looks: what is remembered in some channels of one agent and of their guild, on one platform."""

    agent: AgentId
    platform: str
    channels: tuple[ChannelId, ...]
    guild_id: str = ""


class StandsOut(StrEnum):
    """Why somebody should look at a memory."""

    FLAGGED = "flagged"
    DISPUTED = "disputed"
    ALIKE = "alike"


class MemoryFilter(FrozenModel):
    """What an audit looks for. `author` is a numeric id or a name; times are UTC ms (0: any); `words`: any of them."""

    words: str = ""
    type: MemoryType | None = None
    author: str = ""
    since: int = 0
    until: int = 0
    scope: MemoryScope | None = None
    forgotten: bool | None = None
    stands_out: StandsOut | None = None


def superseded_memories(edges: Iterable[MemoryEdge]) -> frozenset[int]:
    """Return the memories that newer ones update. They stay out of the bulletin, and are found when looked for."""
    return frozenset(edge.target for edge in edges if edge.kind is RelationKind.UPDATES)


def fuse(rankings: Iterable[Sequence[int]]) -> list[int]:
    """Merge rankings by the sum of 1 / (60 + rank); ties go to the newer row."""
    scores: dict[int, float] = {}
    for ranking in rankings:
        for rank, row in enumerate(ranking, start=1):
            scores[row] = scores.get(row, 0.0) + 1 / (RANK_FUSION_K + rank)
    return sorted(scores, key=lambda row: (-scores[row], -row))
