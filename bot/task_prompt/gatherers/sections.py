"""The parts of the system prompt, each by itself."""

from __future__ import annotations

from bot.domain.snapshot import Fate, Stability
from bot.inspect.capture.reader_view import ShownSection
from bot.inspect.capture.redact_view import OURS
from bot.task_prompt.chunk import ChunkType, ContextChunk, Metadata, Priority
from bot.task_prompt.gatherers.gatherer import NOTHING, Found, Grounds
from bot.task_prompt.gatherers.memory import BULLETIN
from bot.task_prompt.task import Task


async def sections(task: Task, grounds: Grounds, priority: Priority) -> Found:
    """Return the sections that stand in the prompt, without memories and what moves; what we wrote matters least."""
    if grounds.capture is None:
        return NOTHING
    shown = (section for section in grounds.capture.sections if _is_wanted(section))
    return Found(tuple(_chunk(section, priority) for section in shown))


def _is_wanted(section: ShownSection) -> bool:
    trace = section.trace
    stable = trace.stability is not Stability.VOLATILE
    return bool(section.text) and trace.fate is Fate.KEPT and stable and trace.name != BULLETIN


def _chunk(section: ShownSection, priority: Priority) -> ContextChunk:
    name = section.trace.name
    return ContextChunk(
        content=section.text,
        source=f"section:{name}",
        chunk_type=ChunkType.SECTION,
        priority=min(priority, Priority.MINIMAL) if name in OURS else priority,
        metadata=Metadata(language="markdown", more=tuple(("from", source) for source in section.trace.sources[:5])),
    )
