"""What a channel, or a workspace, rests on: tools, model and settings; or the manifests of a project."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

from bot.inspect.capture.reader_view import InspectedContext
from bot.task_prompt.chunk import ChunkMetadata, ChunkPriority, ChunkType, ContextChunk
from bot.task_prompt.gatherers.gatherer import FoundChunks, GatherGrounds
from bot.task_prompt.gatherers.paths import read_inside
from bot.task_prompt.task import TaskBrief
from bot.text.text import excerpt

MANIFESTS = (
    "pyproject.toml",
    "package.json",
    "requirements.txt",
    "Cargo.toml",
    "go.mod",
    "constraints.txt",
    "Makefile",
)


async def dependencies(task: TaskBrief, grounds: GatherGrounds, priority: ChunkPriority) -> FoundChunks:
    """Return one chunk for tools and model and one for settings, or one for each manifest of a workspace."""
    found = list(_of_capture(grounds.capture, priority)) if grounds.capture is not None else []
    if grounds.root is not None:
        found += await asyncio.to_thread(lambda root: list(_manifests(root, priority)), grounds.root)
    return FoundChunks(tuple(found))


def _of_capture(capture: InspectedContext, priority: ChunkPriority) -> Iterator[ContextChunk]:
    offered = (
        f"- {t.definition.name} ({t.tokens} tokens): {excerpt(t.definition.description, 120)}" for t in capture.tools
    )
    lines = (
        f"model: {capture.model}, window {capture.stats.window}, answer up to {capture.max_output} tokens",
        f"tools offered: {len(capture.tools)}",
        *offered,
    )
    yield _chunk("tools", ChunkType.DEPENDENCY, "\n".join(lines), priority, "")
    if capture.extras.config:
        yield _chunk("config", ChunkType.CONFIG, "\n".join(capture.extras.config), priority, "toml")


def _manifests(root: Path, priority: ChunkPriority) -> Iterator[ContextChunk]:
    for name in MANIFESTS:
        text = read_inside(root, name)
        if text is not None:
            language = name.rpartition(".")[2] if "." in name else "make"
            yield _chunk(name, ChunkType.DEPENDENCY, text.content, priority, language, text.modified_at)


def _chunk(
    source: str, kind: ChunkType, content: str, priority: ChunkPriority, language: str, at: int | None = None
) -> ContextChunk:
    metadata = ChunkMetadata(language=language, modified_at=at)
    return ContextChunk(content=content, source=source, chunk_type=kind, priority=priority, metadata=metadata)
