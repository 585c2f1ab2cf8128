"""What became of the newest messages, and what was sent to the model and came back."""

from __future__ import annotations

from bot.task_prompt.chunk import ChunkType, ContextChunk, Mark, Metadata, Priority
from bot.task_prompt.gatherers.gatherer import NOTHING, Found, Grounds
from bot.task_prompt.task import Task

_TROUBLE = ("failed", "interrupted", "uncertain", "cancelled", "skipped", "gated")


async def ledger(task: Task, grounds: Grounds, priority: Priority) -> Found:
    """Return the lines of the ledger and of the journal, as two chunks; newest first, as they were captured."""
    if grounds.capture is None:
        return NOTHING
    extras = grounds.capture.extras
    both = (("ledger", extras.ledger), ("journal", extras.journal))
    return Found(tuple(_chunk(source, lines, priority) for source, lines in both if lines))


def _chunk(source: str, lines: tuple[str, ...], priority: Priority) -> ContextChunk:
    trouble = any(word in line for line in lines for word in _TROUBLE)
    return ContextChunk(
        content="\n".join(lines),
        source=source,
        chunk_type=ChunkType.LEDGER,
        priority=priority,
        metadata=Metadata(language="log", marks=(Mark.FAILED_TURN,) if trouble else ()),
    )
