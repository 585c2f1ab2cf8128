"""Compactions at rest: what took the place of what, so that it can be shown, checked and undone."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Protocol

from bot.domain.base import Digest, FrozenModel
from bot.domain.channel import Turn
from bot.domain.compaction import CompactionLevel, SummaryType
from bot.domain.handles import Handle
from bot.domain.ids import AgentId, ChannelId, ChannelKey
from bot.domain.ledger import StageRow
from bot.domain.messages import Message
from bot.domain.turn import TurnEnd

UNDONE_BY_ADMIN = "undone by an admin"
"""The reason of a compaction that somebody took back: what it had taken is left alone for a day, if there is room."""


class CompactionState(StrEnum):
    """What became of a compaction. `stale`: it stands, but something that it stands for was edited since."""

    DONE = "done"
    STALE = "stale"
    UNDONE = "undone"
    FAILED = "failed"
    ABANDONED = "abandoned"

    @property
    def stands(self) -> bool:
        """Whether its summaries are part of the conversation."""
        return self in {CompactionState.DONE, CompactionState.STALE}


class NewCompaction(FrozenModel):
    """A compaction to be kept. `taken` are turns that follow each other, `before` the names of all their messages.

    `turns` take their place; their new summaries have no number of a compaction yet. `missing` is what the sources name
    and no summary mentions. `reason` says why it failed; such a one has no turns. Tokens are those of the sources and
    of the summaries. `percent` is how full the context was. `turn` is the journal's number of the compactor's turn.
    """

    agent: AgentId
    channel: ChannelId
    epoch: int
    type: SummaryType
    level: CompactionLevel
    method: str
    model: str = ""
    started_at: int
    at: int
    taken: tuple[int, ...]
    before: tuple[Digest, ...] = ()
    turns: tuple[Turn, ...] = ()
    missing: tuple[str, ...] = ()
    reason: str = ""
    percent: float = 0.0
    sources: int = 0
    tokens_before: int = 0
    tokens_after: int = 0
    requests: int = 0
    turn: int = 0

    @property
    def key(self) -> ChannelKey:
        """The channel it is of."""
        return ChannelKey(self.agent, self.channel)


class StoredCompaction(FrozenModel):
    """A compaction as the store has it. `body.turns` is empty: the store tells what stood before and after.

    `decided_at` is when its state last changed, and `reason` why.
    """

    id: int
    body: NewCompaction
    state: CompactionState
    reason: str = ""
    decided_at: int = 0


class CompactionSides(FrozenModel):
    """The messages that a compaction took out, as they are now, and those that it put in; of both what is still kept.

    `lost` counts those of the sources that were wiped since: with them it cannot be undone.
    """

    before: tuple[Message, ...]
    after: tuple[Message, ...]
    lost: int = 0


class CompactionStore(Protocol):
    """What is kept of compactions. The sources stay in the store, marked; loading a channel leaves them out."""

    async def commit(
        self, new: NewCompaction, end: TurnEnd | None, stages: Sequence[StageRow]
    ) -> tuple[StoredCompaction, tuple[Turn, ...]]:
        """Keep a compaction, the end of its turn and its stage rows, in ONE transaction; return it with its turns.

        It is `abandoned`, and changes nothing, where the turns do not stand so any more: something was edited, the
        conversation began anew or moved. One with a `reason` has failed, and changes nothing either.
        """

    async def recent(self, key: ChannelKey, limit: int) -> Sequence[StoredCompaction]:
        """Return the newest ones of a channel, newest first."""

    async def get(self, row: int) -> StoredCompaction | None:
        """Return a compaction by its row."""

    async def by_handle(self, handle: Handle) -> StoredCompaction | None:
        """Return the newest one of a handle's slot."""

    async def sides(self, row: int) -> CompactionSides:
        """Return what stood before and what stands after."""

    async def source(self, rows: Sequence[int], message_id: str) -> Message | None:
        """Return a message that compactions took out, by its platform's id, as it is now; None where it is wiped.

        It may have been taken out by one inside them: a summary is summarised in its turn.
        """

    async def withdraw(self, rows: Sequence[int], message_id: str, *, deleted: bool, at: int) -> int:
        """Undo compactions, and those inside them, because a source of theirs was edited or deleted; return how many.

        Where sources were wiped meanwhile, an edit leaves them standing, marked as stale; a deletion does not.
        """
