"""Which tools were called in the channel, with what, and what came back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.domain.messages import ToolCall, ToolResult
from bot.inspect.capture.reader_view import ShownMessage
from bot.task_prompt.chunk import ChunkMark, ChunkMetadata, ChunkPriority, ChunkType, ContextChunk
from bot.task_prompt.gatherers.gatherer import NOTHING, FoundChunks, GatherGrounds
from bot.task_prompt.task import TaskBrief


async def tool_records(task: TaskBrief, grounds: GatherGrounds, priority: ChunkPriority) -> FoundChunks:
    """Return a chunk for each call of a capture with its result; one that failed is marked."""
    if grounds.capture is None:
        return NOTHING
    return FoundChunks(tuple(records_of(grounds.capture.messages, priority)))


def records_of(messages: Sequence[ShownMessage], priority: ChunkPriority) -> Iterator[ContextChunk]:
    """Yield a chunk for each result."""
    asked: dict[str, tuple[ShownMessage, ToolCall]] = {}
    for shown in messages:
        asked |= {call.call_id: (shown, call) for call in shown.message.calls}
        for result in shown.message.results:
            found = asked.pop(result.call_id, None)
            # of a compacted turn a result may be left without its call
            first, name = (found[0].index, found[1].name) if found else (shown.index, "unknown tool")
            arguments = found[1].arguments if found else ""
            yield _chunk(f"history:{first}-{shown.index}#{result.call_id}", (name, arguments), result, shown, priority)


def _chunk(
    source: str, called: tuple[str, str], result: ToolResult, shown: ShownMessage, priority: ChunkPriority
) -> ContextChunk:
    outcome = "ok" if result.ok else "failed"
    return ContextChunk(
        content=f"{called[0]} {called[1]}\n{outcome}: {result.text}",
        source=source,
        chunk_type=ChunkType.TOOL_RECORD,
        priority=priority,
        metadata=ChunkMetadata(
            language="log", modified_at=shown.message.at or None, marks=() if result.ok else (ChunkMark.ERROR,)
        ),
    )
