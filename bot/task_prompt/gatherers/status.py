"""How the channel is: its status block and how full its context is."""

from __future__ import annotations

from bot.context.usage_figures import counted_by
from bot.task_prompt.chunk import ChunkMark, ChunkMetadata, ChunkPriority, ChunkType, ContextChunk
from bot.task_prompt.gatherers.gatherer import NOTHING, FoundChunks, GatherGrounds
from bot.task_prompt.task import TaskBrief


async def status(task: TaskBrief, grounds: GatherGrounds, priority: ChunkPriority) -> FoundChunks:
    """Return the status of a capture; how the last turn failed is part of it."""
    capture = grounds.capture
    if capture is None:
        return NOTHING
    stats, last = capture.stats, capture.last
    usage = (
        f"- Context: {stats.total} of {stats.window} tokens ({stats.usage_percent} %), {counted_by(stats)}; "
        f"{len(capture.messages)} messages, {len(capture.dropped_turns)} turns left out"
    )
    metadata = ChunkMetadata(
        modified_at=last.at if last else None, marks=(ChunkMark.FAILED_TURN,) if last and last.error else ()
    )
    content = f"{capture.status}\n{usage}"
    return FoundChunks(
        (
            ContextChunk(
                content=content, source="status", chunk_type=ChunkType.STATUS, priority=priority, metadata=metadata
            ),
        )
    )
