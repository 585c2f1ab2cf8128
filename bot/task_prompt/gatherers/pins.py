"""The message that the task is about; it has to be there whatever else is not."""

from __future__ import annotations

from bot.task_prompt.chunk import ChunkMetadata, ChunkPriority, ChunkType, ContextChunk
from bot.task_prompt.gatherers.gatherer import NOTHING, FoundChunks, GatherGrounds
from bot.task_prompt.gatherers.history_pieces import name_of, written_message
from bot.task_prompt.task import TaskBrief


async def pins(task: TaskBrief, grounds: GatherGrounds, priority: ChunkPriority) -> FoundChunks:
    """Return the newest form of that message in a capture, if it is in it."""
    messages = grounds.capture.messages if grounds.capture and grounds.about else ()
    found = next((shown for shown in reversed(messages) if shown.message.inbound == grounds.about), None)
    if found is None:
        return NOTHING
    chunk = ContextChunk(
        content=written_message(found),
        source=name_of((found,)),
        chunk_type=ChunkType.PINNED,
        priority=priority,
        metadata=ChunkMetadata(language="transcript", modified_at=found.message.at or None),
    )
    return FoundChunks((chunk,))
