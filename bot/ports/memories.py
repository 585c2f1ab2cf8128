"""The memories of the bot: kept, searched, forgotten; and the search in what was said."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple, Protocol

from bot.domain.erasure import Erasure
from bot.domain.handles import Handle
from bot.domain.ids import AgentId, ChannelId, ChannelKey, UserId
from bot.domain.imported import PastVersion
from bot.domain.memory import (
    MAX_IN_REACH,
    MadeRoom,
    Memory,
    MemoryEdge,
    MemoryFilter,
    MemoryHit,
    MemoryPlaces,
    MemoryReach,
    MemoryType,
    NewMemory,
    RecallOrder,
)
from bot.domain.memory_file import ImportedMemory, LeftOut
from bot.domain.memory_timeline import MemoryTimeline, TimelineSpan
from bot.domain.revisions import ChangedBy
from bot.domain.spread_items import MemorySpread


class MemoryStore(Protocol):
    """Stored memories. Readers are always limited to a reach; a broken store raises, an empty one returns ()."""

    async def add(self, memories: Sequence[NewMemory]) -> Sequence[int]:
        """Store memories; return their numbers."""

    async def in_reach(self, reach: MemoryReach, limit: int = MAX_IN_REACH) -> Sequence[Memory]:
        """Return the newest memories that count and may be seen, newest first."""

    async def weightiest(self, reach: MemoryReach, limit: int) -> tuple[Sequence[Memory], int]:
        """Return memories in reach that no newer one in reach updates, by importance, type and number.

        And how many are in reach in all, with those that are updated. Of when and how often a memory was read, it may
        say what was so some time ago.
        """

    async def foremost(
        self, reach: MemoryReach, order: RecallOrder, kind: MemoryType | None, now: int, limit: int
    ) -> Sequence[Memory]:
        """Return memories in reach, of one kind if one is given, in an order; how important they are fades with time.

        Both together: by the sum of 1 / (60 + place) among the first 100 of each; of equals the newer comes first.
        """

    async def find(self, reach: MemoryReach, handle: Handle) -> Memory | None:
        """Return the newest memory of a handle's slot that counts and may be seen."""

    async def search(self, reach: MemoryReach, words: str, limit: int) -> Sequence[tuple[Memory, float]]:
        """Return what holds any of the words, best first, with how well it fits (more is better).

        Any text is a valid query. Best is what holds the words that are rare in this reach, in few other words; of
        equals the newer comes first. Who said it counts like a word of it. Of words that are in very many memories
        only the newest are looked at: what holds no other word of the query, and is older, may be left out.
        """

    async def hits(self, reach: MemoryReach, words: str, kind: MemoryType | None, limit: int) -> Sequence[MemoryHit]:
        """Return what is said of memories that hold any of the words, of one kind if one is given; as `search` does."""

    async def hits_between(
        self, reach: MemoryReach, since: int, until: int, kind: MemoryType | None, limit: int
    ) -> Sequence[MemoryHit]:
        """Return what is said of the newest memories of a time, of one kind if one is given."""

    async def several(self, rows: Sequence[int]) -> Sequence[Memory]:
        """Return memories in the order in which they are named, without those that are gone, forgotten or altered."""

    async def get(self, row: int) -> Memory | None:
        """Return a memory, forgotten or not."""

    async def by_handle(self, handle: Handle) -> Memory | None:
        """Return the newest memory of a handle's slot, forgotten or not."""

    async def listed(self, agent: AgentId, channel: ChannelId, guild_id: str) -> Sequence[Memory]:
        """Return all memories of a channel's reach, forgotten ones too, newest first; for the audit."""

    async def edges(self, rows: Sequence[int], reach: MemoryReach | None) -> Sequence[MemoryEdge]:
        """Return the edges from or to some memories, by number.

        Neither end is forgotten; with a reach, both may be seen.
        """

    async def make_room(self, per_channel: int, now: int) -> Sequence[MadeRoom]:
        """Forget of each channel what counts for the least at `now`, until no more than so many are left; 0: no limit.

        Each has a version that says so, and can be brought back like all that is forgotten. Not forgotten are an
        identity, what an admin caused, and what somebody brought back; so more may be left than there should be.
        """

    async def touched(self, rows: Sequence[int], at: int) -> None:
        """Note that memories were read."""

    async def by_author_since(self, agent: AgentId, author: UserId, since: int) -> int:
        """Count what one person caused."""

    async def requests_with(self, row: int, limit: int) -> Sequence[int]:
        """Return the newest requests whose bulletin held the memory; those of a replay only repeat another."""


class MemoryAuditStore(Protocol):
    """Memories as those look through them who may: page by page, forgotten ones too."""

    async def sources(self, places: MemoryPlaces) -> Mapping[ChannelId, int]:
        """Count the memories of some places by the channel in which each was learnt."""

    async def page(
        self, places: MemoryPlaces, learnt_in: Collection[ChannelId], wanted: MemoryFilter, skip: int, limit: int
    ) -> tuple[Sequence[Memory], int]:
        """Return a part of the memories that were learnt in some channels and fit, and how many there are in all.

        The newest come first; where words are looked for, the best.
        """

    async def timeline(
        self, places: MemoryPlaces, learnt_in: Collection[ChannelId], span: TimelineSpan, most: int
    ) -> MemoryTimeline:
        """Count what was learnt in some channels, by who taught it and when; `most` people are told apart.

        What belonged to somebody who wished to be forgotten is not counted.
        """


class ArchivedMemory(NamedTuple):
    """A memory with its versions, and what it is to others that go along."""

    memory: Memory
    versions: tuple[PastVersion, ...]
    edges: tuple[MemoryEdge, ...]


class MemoryArchive(Protocol):
    """Memories as a file takes them along and brings them back."""

    async def page(
        self, agent: AgentId, channels: Collection[ChannelId] | None, after: int, limit: int
    ) -> Sequence[ArchivedMemory]:
        """Return memories that count and were learnt in some channels (None: all), oldest first, behind row `after`."""

    def sign(self, text: str) -> str:
        """Sign a text with the key of this instance; raise StoreError where it is not there."""

    async def erased(self) -> Sequence[Erasure]:
        """Return everybody who was forgotten, and where."""

    async def standing(self, agent: AgentId, bodies: Sequence[NewMemory]) -> Sequence[tuple[int, LeftOut | None]]:
        """Say of memories whether they are here already, in which row, or were here until somebody was forgotten."""

    async def take_in(
        self, memories: Sequence[ImportedMemory], rows: Mapping[int, int], at: int, by: ChangedBy
    ) -> Mapping[int, int]:
        """Store memories of a file but for those that are here or were erased, each with its first version.

        Edges may also lead to `rows`, by their numbers in the file; return these with the new ones.
        """


class SpreadStore(Protocol):
    """Where memories have been, from the records alone: nothing is guessed from words."""

    async def spread(self, memories: Sequence[int]) -> MemorySpread:
        """Return everything that some memories (the seeds) went into; the seeds themselves are not among it.

        Direct is

        - a request whose bulletin held a seed, or that followed, in its turn, a search that returned one;
        - what the turns of such requests, and those that searched, left behind: the answer that was posted, the
          memories that were saved in them, the branches and workers that they sent out, and each summary, with its
          compaction, that took messages of them out of a conversation.

        Derived is what came of that, again and again until nothing is new:

        - of a memory that was saved: all that is said above, as of a seed;
        - of a branch or worker: its own requests, and the turn that read its result;
        - of a compaction: the request that wrote it; of its summary: the turns that began in that conversation while it
          stood there, and every summary that took it;
        - what all of these turns left behind, as above.

        What is both is direct. A compaction that was undone, and what is forgotten, counts: it was there. Not followed
        are an answer and a search's result that only stand in a conversation and in no summary yet, requests that
        repeat others to prove something, and a summary that says nothing of what it stands for (`emergency`). What
        retention has removed is not known any more.
        """

    async def undoable(self, compactions: Sequence[int]) -> Sequence[int]:
        """Return those of some compactions that can be undone together, newest first."""


class HistorySearch(Protocol):
    """Messages at rest, for `channel_recall`."""

    async def search(self, key: ChannelKey, words: str, limit: int) -> Sequence[tuple[int, str, str, int]]:
        """Return (inbound or turn number, speaker, text, at) of matching messages of one channel, best first."""
