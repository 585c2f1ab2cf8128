"""The parts of the system prompt, each by itself."""

from __future__ import annotations

from bot.domain.snapshot import SectionFate, SectionStability
from bot.inspect.capture.reader_view import ShownSection
from bot.inspect.capture.redact_view import OWN_SECTIONS
from bot.task_prompt.chunk import ChunkMetadata, ChunkPriority, ChunkType, ContextChunk
from bot.task_prompt.gatherers.gatherer import NOTHING, FoundChunks, GatherGrounds
from bot.task_prompt.gatherers.memory import BULLETIN
from bot.task_prompt.task import TaskBrief


async def sections(task: TaskBrief, grounds: GatherGrounds, priority: ChunkPriority) -> FoundChunks:
    """Return the sections that stand in the prompt, without memories and what moves; what we wrote matters least."""
    if grounds.capture is None:
        return NOTHING
    shown = (section for section in grounds.capture.sections if _is_wanted(section))
    return FoundChunks(tuple(_chunk(section, priority) for section in shown))


def _is_wanted(section: ShownSection) -> bool:
    trace = section.trace
    stable = trace.stability is not SectionStability.VOLATILE
    return bool(section.text) and trace.fate is SectionFate.KEPT and stable and trace.name != BULLETIN


def _chunk(section: ShownSection, priority: ChunkPriority) -> ContextChunk:
    name = section.trace.name
    return ContextChunk(
        content=section.text,
        source=f"section:{name}",
        chunk_type=ChunkType.SECTION,
        priority=min(priority, ChunkPriority.MINIMAL) if name in OWN_SECTIONS else priority,
        metadata=ChunkMetadata(
            language="markdown", more=tuple(("from", source) for source in section.trace.sources[:5])
        ),
    )
