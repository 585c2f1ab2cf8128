"""Every version of what the bot knows and how it behaves: read, compared, and gone back to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from bot.domain.base import FrozenModel
from bot.domain.ids import AgentId, ChannelId
from bot.domain.memory import Memory
from bot.domain.revisions import Revision, RevisionKind
from bot.domain.rollback import RollbackPlan, RollbackScope, SubjectHistory


class PastMemory(FrozenModel):
    """A memory as it was at some time; its words are empty where they are wiped since. `now` is what it is today."""

    then: Revision
    now: Memory


class ChainHead(FrozenModel):
    """Where a chain of records ends: its newest row and that row's hash, as the instance's key signed them."""

    table: str
    row: int
    hash: str


class RevisionLog(Protocol):
    """The versions of memories, settings and summaries; each was written with its change, in one transaction."""

    async def since(self) -> int:
        """Return since when versions are kept (UTC ms); 0: from the beginning."""

    async def newest(self) -> int:
        """Return the number of the newest version."""

    async def of(self, kind: RevisionKind, subject: int) -> Sequence[Revision]:
        """Return every version of one thing, the oldest first."""

    async def changed(self, agent: AgentId, channels: Sequence[ChannelId], since: int) -> Sequence[SubjectHistory]:
        """Return what was changed in some channels since a time, each thing with the version before."""

    async def memories_at(self, agent: AgentId, channels: Sequence[ChannelId], at: int) -> Sequence[PastMemory]:
        """Return what counted at a time of what was learnt in some channels, newest first."""

    async def plan(self, scope: RollbackScope) -> RollbackPlan:
        """Say what going back would do now; nothing changes."""

    async def heads(self) -> Sequence[ChainHead]:
        """Return where each chain ends; raise StoreError where its signature does not hold."""
