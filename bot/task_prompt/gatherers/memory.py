"""What the model was told that it remembers."""

from __future__ import annotations

from bot.domain.snapshot import SectionFate
from bot.task_prompt.chunk import ChunkMetadata, ChunkPriority, ChunkType, ContextChunk
from bot.task_prompt.gatherers.gatherer import NOTHING, FoundChunks, GatherGrounds
from bot.task_prompt.task import TaskBrief

BULLETIN = "memory_bulletin"


async def memory(task: TaskBrief, grounds: GatherGrounds, priority: ChunkPriority) -> FoundChunks:
    """Return the bulletin of a capture: each line has an id, a type and an importance."""
    sections = grounds.capture.sections if grounds.capture else ()
    text = next((s.text for s in sections if s.trace.name == BULLETIN and s.trace.fate is SectionFate.KEPT), "")
    if not text:
        return NOTHING
    chunk = ContextChunk(
        content=text,
        source=f"section:{BULLETIN}",
        chunk_type=ChunkType.MEMORY,
        priority=priority,
        metadata=ChunkMetadata(language="memories"),
    )
    return FoundChunks((chunk,))
