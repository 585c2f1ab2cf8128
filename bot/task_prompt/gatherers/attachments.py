"""The files that came with messages."""

from __future__ import annotations

from collections.abc import Iterator

import orjson

from bot.domain.messages import ImagePart, Message, Role, TextPart
from bot.inspect.capture.reader_view import ShownMessage
from bot.task_prompt.chunk import ChunkMetadata, ChunkPriority, ChunkType, ContextChunk
from bot.task_prompt.gatherers.files import language_of
from bot.task_prompt.gatherers.gatherer import NOTHING, FoundChunks, GatherGrounds
from bot.task_prompt.task import TaskBrief


async def attachments(task: TaskBrief, grounds: GatherGrounds, priority: ChunkPriority) -> FoundChunks:
    """Return the text files of a capture as they were shown to the model, and the names of its pictures."""
    if grounds.capture is None:
        return NOTHING
    return FoundChunks(tuple(_files(grounds.capture.messages, priority)))


def _files(messages: tuple[ShownMessage, ...], priority: ChunkPriority) -> Iterator[ContextChunk]:
    for shown in messages:
        for number, (name, content) in enumerate(_of(shown.message), 1):
            yield ContextChunk(
                content=content,
                source=f"history:{shown.index}-{shown.index}#{number} {name}",
                chunk_type=ChunkType.ATTACHMENT,
                priority=priority,
                metadata=ChunkMetadata(language=language_of(name), modified_at=shown.message.at or None),
            )


def _of(message: Message) -> Iterator[tuple[str, str]]:
    # files stand before the words, see bot.context.transcript
    for part in message.parts[:-1] if message.role is Role.USER else ():
        match part:
            case TextPart(text=text):
                found = _file(text)
                if found is not None:
                    yield found
            case ImagePart(name=name):
                yield name, part.text


def _file(text: str) -> tuple[str, str] | None:
    try:
        value = orjson.loads(text) if text.startswith('{"content":') else None
    except ValueError:
        return None
    if not isinstance(value, dict) or not isinstance(value.get("content"), str):
        return None
    return str(value.get("file", "file")), value["content"]
