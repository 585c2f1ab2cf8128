"""Run gatherers side by side; one that fails or takes too long is an exclusion with its reason, and no more."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import NamedTuple, Protocol

import structlog

from bot.errors import BotError
from bot.task_prompt.chunk import ContextChunk
from bot.task_prompt.compressed_context import ChunkExclusion, CompressedContext, ExclusionReason
from bot.task_prompt.task import TaskBrief

GATHERER_SECONDS = 5.0
"""What one gatherer may take."""

log = structlog.get_logger(__name__)


class ChunkGatherer(Protocol):
    """Collects one kind of context. It may be given a task that it has nothing for."""

    @property
    def name(self) -> str:
        """What its exclusions are called."""

    async def gather(self, task: TaskBrief) -> Sequence[ContextChunk]:
        """Return chunks, neither redacted nor counted yet; an error is a BotError that says what to do."""


class GatheredChunks(NamedTuple):
    """What was found, in the order of the gatherers, and who failed."""

    chunks: tuple[ContextChunk, ...]
    excluded: tuple[ChunkExclusion, ...]


async def gather_all(
    gatherers: Sequence[ChunkGatherer], task: TaskBrief, seconds: float = GATHERER_SECONDS
) -> GatheredChunks:
    """Ask all gatherers at once."""
    found = await asyncio.gather(*(_gather(gatherer, task, seconds) for gatherer in gatherers))
    chunks = tuple(chunk for one in found for chunk in one.chunks)
    return GatheredChunks(chunks, tuple(exclusion for one in found for exclusion in one.excluded))


async def _gather(gatherer: ChunkGatherer, task: TaskBrief, seconds: float) -> GatheredChunks:
    try:
        async with asyncio.timeout(seconds):
            return GatheredChunks(tuple(await gatherer.gather(task)), ())
    except TimeoutError:
        detail = f"not done within {seconds:g} s"
    except BotError as error:
        detail = str(error)
    except Exception as error:
        log.error("gatherer_broke", gatherer=gatherer.name, error_type=type(error).__name__, exc_info=error)
        detail = f"something in it failed: {type(error).__name__}"
    return GatheredChunks(
        (), (ChunkExclusion(source=gatherer.name, reason=ExclusionReason.GATHERER_FAILED, detail=detail),)
    )


def log_compressed(compressed: CompressedContext, chunks_in: int) -> None:
    """Say in the log what a compression did."""
    log.info(
        "context_compressed",
        chunks_in=chunks_in,
        chunks_out=len(compressed.chunks),
        tokens=compressed.tokens_used,
        budget=compressed.budget,
        utilization=compressed.utilization,
        excluded=len(compressed.excluded),
    )
