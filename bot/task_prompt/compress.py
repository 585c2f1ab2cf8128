"""Choose what of the gathered chunks fits a budget. Pure: the same chunks give the same bytes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial

from bot.context.tokens import Count
from bot.errors import UserError
from bot.task_prompt.block import count_block
from bot.task_prompt.chunk import ChunkPriority, ContextChunk
from bot.task_prompt.compressed_context import ChunkExclusion, ChunkTruncation, CompressedContext, ExclusionReason
from bot.task_prompt.truncate import ChunkCut, has_structure, truncate

Price = Callable[[ContextChunk], int]
"""Says what a chunk costs, in tokens."""
Shorten = Callable[[ContextChunk, int], ChunkCut | None]
"""Cuts a chunk to so many tokens, if that leaves anything."""
MIN_CUT_TOKENS = 50
"""Tokens below which nothing is cut to fit: what remains would say nothing."""


class MandatoryTooLarge(UserError):
    """What must be in the context does not fit, however short it is cut."""


def compress(
    chunks: Iterable[ContextChunk], budget: int, count: Count, excluded: Sequence[ChunkExclusion] = ()
) -> CompressedContext:
    """Take chunks by score while they fit; cut what has structure, skip the rest, go on. `excluded` is handed on.

    CRITICAL ones come first, whatever their scores, and are cut if they must be; raise MandatoryTooLarge if they do not
    fit even so.
    """
    filling = _Filling(budget, partial(count_block, count=count), partial(truncate, count=count), list(excluded))
    ordered = filling.without_repetitions(sorted(chunks, key=chunk_order))
    mandatory = [chunk for chunk in ordered if chunk.priority is ChunkPriority.CRITICAL]
    filling.admit_all(mandatory)
    for chunk in ordered:
        if chunk.priority is not ChunkPriority.CRITICAL:
            filling.admit(chunk)
    return filling.result()


def chunk_order(chunk: ContextChunk) -> tuple[bool, float, str, str, int, str]:
    """Sort by this: what must be there, then by score; ties by source and id; of what says the same the newest."""
    about = chunk.metadata
    newest = -(about.modified_at or 0)
    return (chunk.priority is not ChunkPriority.CRITICAL, -chunk.points, chunk.source, chunk.id, newest, str(about))


def _never(chunk: ContextChunk, room: int) -> None:
    """Leave the chunk out: nothing of it is cut."""


@dataclass
class _Filling:
    """A budget that is being filled."""

    budget: int
    price: Price
    shorten: Shorten = _never
    excluded: list[ChunkExclusion] = field(default_factory=list)
    chunks: list[ContextChunk] = field(default_factory=list)
    truncated: list[ChunkTruncation] = field(default_factory=list)
    used: int = 0

    @property
    def left(self) -> int:
        return self.budget - self.used

    def result(self) -> CompressedContext:
        return CompressedContext(
            chunks=tuple(self.chunks),
            tokens_used=self.used,
            budget=self.budget,
            excluded=tuple(self.excluded),
            truncated=tuple(self.truncated),
        )

    def without_repetitions(self, ordered: Sequence[ContextChunk]) -> list[ContextChunk]:
        """Leave out what is said already, and what a newer one of the same source has replaced."""
        newest: dict[tuple[str, str], int] = {}
        for chunk in ordered:
            key = (chunk.chunk_type, chunk.source)
            newest[key] = max(newest.get(key, 0), chunk.metadata.modified_at or 0)
        seen: dict[tuple[str, str], str] = {}
        kept = []
        for chunk in ordered:
            said, modified = (chunk.chunk_type, chunk.content), chunk.metadata.modified_at
            stale = modified is not None and modified < newest[chunk.chunk_type, chunk.source]
            if said in seen:
                self.exclude(chunk, ExclusionReason.DUPLICATE, f"the same as {seen[said]}")
            elif stale and chunk.priority is not ChunkPriority.CRITICAL:
                self.exclude(chunk, ExclusionReason.STALE, "there is a newer one of the same source")
            else:
                seen[said] = chunk.source
                kept.append(chunk)
        return kept

    def admit_all(self, mandatory: Sequence[ContextChunk]) -> None:
        """Admit what must be there: each gets what it needs, or a fair share where not all can have that."""
        sizes = [self.size(chunk) for chunk in mandatory]
        shares = fair_shares(sizes, self.left)
        for index, chunk in enumerate(mandatory):
            # what the others did not use of their shares is there for the next
            room = self.left - sum(shares[index + 1 :])
            if not self.fit(chunk, sizes[index], room):
                raise MandatoryTooLarge(
                    f"{chunk.source} must be in the context ({sizes[index]} tokens) and does not fit: of {self.budget} "
                    f"tokens {max(room, 0)} are left for it. Raise the budget or ask about less."
                )

    def admit(self, chunk: ContextChunk) -> None:
        """Admit a chunk as a whole or cut, or say why not."""
        tokens = self.size(chunk)
        cutting = has_structure(chunk) and self.left >= MIN_CUT_TOKENS
        if not self.fit(chunk, tokens, self.left, cutting=cutting):
            self.exclude(chunk, ExclusionReason.NO_BUDGET, f"{tokens} tokens, {self.left} left")

    def fit(self, chunk: ContextChunk, tokens: int, room: int, *, cutting: bool = True) -> bool:
        # counted again, because nothing over the budget may come of a number that was wrong
        if tokens <= room and (real := self.price(chunk)) <= room:
            self.take(chunk.model_copy(update={"tokens": real}))
            return True
        cut = self.shorten(chunk, room) if cutting else None
        if cut is None:
            return False
        self.take(cut.chunk)
        self.truncated.append(
            ChunkTruncation(
                source=chunk.source,
                chunk_type=chunk.chunk_type,
                rung=cut.rung,
                note=cut.chunk.metadata.note,
                tokens_before=tokens,
                tokens_after=cut.chunk.tokens,
            )
        )
        return True

    def size(self, chunk: ContextChunk) -> int:
        return chunk.tokens or self.price(chunk)

    def take(self, chunk: ContextChunk) -> None:
        self.chunks.append(chunk)
        self.used += chunk.tokens

    def exclude(self, chunk: ContextChunk, reason: ExclusionReason, detail: str) -> None:
        self.excluded.append(
            ChunkExclusion(
                source=chunk.source,
                reason=reason,
                detail=detail,
                chunk_type=chunk.chunk_type,
                priority=chunk.priority,
                tokens=chunk.tokens,
            )
        )


def fair_shares(sizes: Sequence[int], room: int) -> list[int]:
    """Divide a room so that small ones get what they need and large ones share the rest alike."""
    shares = [0] * len(sizes)
    left = max(room, 0)
    waiting = sorted(range(len(sizes)), key=lambda index: sizes[index])
    for place, index in enumerate(waiting):
        shares[index] = min(sizes[index], left // (len(sizes) - place))
        left -= shares[index]
    return shares
