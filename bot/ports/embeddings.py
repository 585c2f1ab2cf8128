"""Searching by what is meant: a model that makes vectors, where they are kept, and what a search asks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from bot.domain.embedding import TextVectors, Vector, VectorCount, VectorQuery
from bot.domain.ids import ChannelKey
from bot.domain.llm import WireRequest
from bot.domain.memory import Memory, MemoryHit, MemoryReach, MemoryType


class Embedder(Protocol):
    """A model that makes vectors: a service's, or one on this machine. `name` is written `provider/model`."""

    name: str
    encoder: str

    def encode(self, texts: Sequence[str]) -> WireRequest:
        """Return what `embed` sends; pure."""

    async def embed(self, wire: WireRequest, count: int) -> TextVectors:
        """Return as many vectors, all of one length and none of them zero; raise ProviderError. Never retries."""

    async def close(self) -> None:
        """Let go of connections."""


class VectorStore(Protocol):
    """The vectors of memories. One goes with the words that it was made of: when these are forgotten, wiped or erased.

    `model` is the name of the model with the length of its vectors; those of others are as good as none.
    """

    async def missing(self, model: str, after: int, limit: int) -> Sequence[Memory]:
        """Return memories that count and have no vector, by number, behind row `after`."""

    async def put(self, model: str, vectors: Sequence[tuple[Memory, Vector]]) -> int:
        """Keep vectors of memories that count and still say the same; return how many."""

    async def drop_others(self, model: str) -> int:
        """Remove the vectors of other models; return how many."""

    async def count(self, name: str) -> VectorCount:
        """Count memories, and the vectors of a model, whatever their length."""

    async def nearest(
        self, reach: MemoryReach, query: VectorQuery, kind: MemoryType | None, limit: int
    ) -> Sequence[MemoryHit]:
        """Return what is said of memories in reach that come nearest, of one kind if one is given, the nearest first.

        The score is the cosine. Looked at closely are those whose numbers have the same signs as the question's; what
        is near although many signs differ may be left out.
        """


class MeaningSearch(Protocol):
    """What a search asks beside words."""

    async def nearest(
        self, reach: MemoryReach, words: str, kind: MemoryType | None, asked_in: ChannelKey | None
    ) -> Sequence[MemoryHit]:
        """Return what means about the same as a question, the nearest first; () where that cannot be told in time.

        `asked_in` is the conversation in which it was asked; None where it was asked in private.
        """


class ByWordsAlone:
    """Implements `MeaningSearch` where nothing is configured."""

    async def nearest(
        self, reach: MemoryReach, words: str, kind: MemoryType | None, asked_in: ChannelKey | None
    ) -> Sequence[MemoryHit]:
        """Find nothing."""
        return ()


BY_WORDS_ALONE: MeaningSearch = ByWordsAlone()
