"""The files of a workspace that a task means."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from bot.task_prompt.chunk import ChunkMark, ChunkMetadata, ChunkPriority, ChunkType, ContextChunk
from bot.task_prompt.compressed_context import ChunkExclusion, ExclusionReason
from bot.task_prompt.gatherers.gatherer import NOTHING, FoundChunks, GatherGrounds
from bot.task_prompt.gatherers.paths import FileText, matching_files, read_inside
from bot.task_prompt.task import TaskBrief

MAX_FILES = 50
LANGUAGES = {
    "py": "python", "pyi": "python", "js": "javascript", "mjs": "javascript", "ts": "typescript", "rs": "rust",
    "md": "markdown", "yml": "yaml", "sh": "bash", "c": "c", "h": "c", "cpp": "cpp", "rb": "ruby", "kt": "kotlin",
    "txt": "", "log": "log", "j2": "jinja",
}  # fmt: skip
_PROSE = frozenset({"md", "rst", "txt"})


async def files(task: TaskBrief, grounds: GatherGrounds, priority: ChunkPriority) -> FoundChunks:
    """Return a chunk for each file that a pattern names, fifty at most; a pattern that leads out is a UserError."""
    if grounds.root is None or not grounds.patterns:
        return NOTHING
    return await asyncio.to_thread(_files, task, grounds.root, grounds.patterns, priority)


def language_of(name: str) -> str:
    """Say how a file's fence is labelled, by the ending of its name."""
    ending = name.rpartition(".")[2].lower() if "." in name else ""
    return LANGUAGES.get(ending, ending)


def _files(task: TaskBrief, root: Path, patterns: tuple[str, ...], priority: ChunkPriority) -> FoundChunks:
    names = list(dict.fromkeys(name for pattern in patterns for name in matching_files(root, pattern)))
    named = sorted(names, key=lambda name: not _is_named(task, name))
    chunks: list[ContextChunk] = []
    for at, name in enumerate(named):
        if len(chunks) == MAX_FILES:
            return FoundChunks(tuple(chunks), tuple(_beyond(named[at:])))
        text = read_inside(root, name)
        if text is not None:
            chunks.append(_chunk(task, text, priority))
    return FoundChunks(tuple(chunks))


def _beyond(names: list[str]) -> Iterator[ChunkExclusion]:
    """Say of what was not read that it is there."""
    for name in names[:MAX_FILES]:
        detail = f"more than {MAX_FILES} files match; this one was not read"
        yield ChunkExclusion(source=name, reason=ExclusionReason.NO_BUDGET, detail=detail, chunk_type=ChunkType.FILE)


def _chunk(task: TaskBrief, text: FileText, priority: ChunkPriority) -> ContextChunk:
    named = _is_named(task, text.path)
    ending = text.path.rpartition(".")[2].lower()
    weight = ChunkPriority.HIGH if named else min(priority, ChunkPriority.LOW) if ending in _PROSE else priority
    metadata = ChunkMetadata(
        language=language_of(text.path),
        modified_at=text.modified_at,
        marks=(*_marks(text.path), *((ChunkMark.TARGET,) if named else (ChunkMark.RELATED,))),
        note="" if text.whole else "only the beginning of the file was read",
    )
    return ContextChunk(
        content=text.content, source=text.path, chunk_type=ChunkType.FILE, priority=weight, metadata=metadata
    )


def _marks(name: str) -> Iterator[ChunkMark]:
    path = PurePosixPath(name)
    if "fixtures" in path.parts or path.stem in {"conftest", "fixtures"}:
        yield ChunkMark.FIXTURE
    elif path.stem.startswith("test_") or path.stem.endswith("_test") or {"tests", "test"} & set(path.parts):
        yield ChunkMark.TEST
    elif path.stem in {"ports", "protocol", "interface", "interfaces", "types"} or path.suffix == ".pyi":
        yield ChunkMark.INTERFACE


def _is_named(task: TaskBrief, name: str) -> bool:
    path = PurePosixPath(name)
    return any(word in {name.lower(), path.name.lower(), path.stem.lower()} for word in task.keywords)
