"""What the bot remembers: one memory, who caused it, and how much it counts now."""

from __future__ import annotations

from enum import StrEnum

from bot.domain.base import Frozen
from bot.domain.ids import AgentId, ChannelId, UserId

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


class Provenance(Frozen):
    """Who caused a memory and how. `process` is the process kind; `by_admin` was checked when it was saved."""

    author: UserId
    author_name: str = ""
    by_admin: bool = False
    inbound: int = 0
    message_id: str = ""
    turn: int = 0
    process: str = "channel"
    model: str = ""


class NewMemory(Frozen):
    """A memory about to be stored. `subjects` are the people it is about, beside its author.

    `scope_id` is the channel id, user id or guild id of the scope; empty for global.
    """

    agent: AgentId
    content: str
    type: MemoryType
    importance: float
    scope: MemoryScope
    scope_id: str
    channel: ChannelId
    subjects: tuple[UserId, ...] = ()
    provenance: Provenance
    created_at: int


class Memory(Frozen):
    """A stored memory. `forgotten_at` is 0 while it counts; `version` grows with every change."""

    id: int
    body: NewMemory
    last_accessed: int = 0
    access_count: int = 0
    forgotten_at: int = 0
    version: int = 1


class MemoryReach(Frozen):
    """Which memories a reader may see; SQL always filters by it."""

    agent: AgentId
    channel: ChannelId
    guild_id: str = ""
    user_id: UserId | None = None
