"""What the model was told that it remembers."""

from __future__ import annotations

from bot.domain.snapshot import Fate
from bot.task_prompt.chunk import ChunkType, ContextChunk, Metadata, Priority
from bot.task_prompt.gatherers.gatherer import NOTHING, Found, Grounds
from bot.task_prompt.task import Task

BULLETIN = "memory_bulletin"


async def memory(task: Task, grounds: Grounds, priority: Priority) -> Found:
    """Return the bulletin of a capture: each line has an id, a type and an importance."""
    sections = grounds.capture.sections if grounds.capture else ()
    text = next((s.text for s in sections if s.trace.name == BULLETIN and s.trace.fate is Fate.KEPT), "")
    if not text:
        return NOTHING
    chunk = ContextChunk(
        content=text,
        source=f"section:{BULLETIN}",
        chunk_type=ChunkType.MEMORY,
        priority=priority,
        metadata=Metadata(language="memories"),
    )
    return Found((chunk,))
