"""What became of the newest messages, and what was sent to the model and came back."""

from __future__ import annotations

from bot.task_prompt.chunk import ChunkMark, ChunkMetadata, ChunkPriority, ChunkType, ContextChunk
from bot.task_prompt.gatherers.gatherer import NOTHING, FoundChunks, GatherGrounds
from bot.task_prompt.task import TaskBrief

_TROUBLE = ("failed", "interrupted", "uncertain", "cancelled", "skipped", "gated")


async def ledger(task: TaskBrief, grounds: GatherGrounds, priority: ChunkPriority) -> FoundChunks:
    """Return the lines of the ledger and of the journal, as two chunks; newest first, as they were captured."""
    if grounds.capture is None:
        return NOTHING
    extras = grounds.capture.extras
    both = (("ledger", extras.ledger), ("journal", extras.journal))
    return FoundChunks(tuple(_chunk(source, lines, priority) for source, lines in both if lines))


def _chunk(source: str, lines: tuple[str, ...], priority: ChunkPriority) -> ContextChunk:
    trouble = any(word in line for line in lines for word in _TROUBLE)
    return ContextChunk(
        content="\n".join(lines),
        source=source,
        chunk_type=ChunkType.LEDGER,
        priority=priority,
        metadata=ChunkMetadata(language="log", marks=(ChunkMark.FAILED_TURN,) if trouble else ()),
    )
