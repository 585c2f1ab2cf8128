"""What came out of a compression: what is in, what was cut, what was left out, and why."""

from __future__ import annotations

from enum import StrEnum

from bot.domain.base import FrozenModel
from bot.task_prompt.chunk import ChunkPriority, ChunkType, ContextChunk


class ExclusionReason(StrEnum):
    """Why a chunk is not in the context."""

    NO_BUDGET = "no_budget"
    DUPLICATE = "duplicate"
    STALE = "stale"
    REDACTED = "redacted"
    GATHERER_FAILED = "gatherer_failed"


class ChunkExclusion(FrozenModel):
    """What was left out. For `gatherer_failed` the source is the gatherer's name; `detail` says it in words."""

    source: str
    reason: ExclusionReason
    detail: str
    chunk_type: ChunkType | None = None
    priority: ChunkPriority | None = None
    tokens: int = 0


class ChunkTruncation(FrozenModel):
    """What was cut: `rung` names how far down the ladder, `note` says it in words; tokens of the block."""

    source: str
    chunk_type: ChunkType
    rung: str
    note: str
    tokens_before: int
    tokens_after: int


class ContextSummary(FrozenModel):
    """The figures of a context, as a checkpoint keeps them."""

    chunks_included: int
    tokens_used: int
    utilization: float


class CompressedContext(FrozenModel):
    """A context within its budget, best chunk first. `tokens_used` never exceeds `budget`."""

    chunks: tuple[ContextChunk, ...] = ()
    tokens_used: int = 0
    budget: int = 0
    excluded: tuple[ChunkExclusion, ...] = ()
    truncated: tuple[ChunkTruncation, ...] = ()

    @property
    def utilization(self) -> float:
        """The share of the budget in use, 0..1, at most four decimals: 3,500 of 4,000 are 0.875."""
        return round(self.tokens_used / self.budget, 4) if self.budget else 0.0

    @property
    def summary(self) -> ContextSummary:
        """The figures that are shown for it."""
        return ContextSummary(
            chunks_included=len(self.chunks), tokens_used=self.tokens_used, utilization=self.utilization
        )
