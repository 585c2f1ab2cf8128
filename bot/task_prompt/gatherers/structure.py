"""Where things are: the server with its categories, channels and threads; or the folders of a workspace."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from bot.task_prompt.chunk import ChunkPriority, ChunkType, ContextChunk
from bot.task_prompt.gatherers.gatherer import FoundChunks, GatherGrounds
from bot.task_prompt.gatherers.paths import SKIPPED_FOLDERS
from bot.task_prompt.task import TaskBrief
from bot.text.text import file_name

MAX_DEPTH = 3
_MAX_ENTRIES = 60


async def structure(task: TaskBrief, grounds: GatherGrounds, priority: ChunkPriority) -> FoundChunks:
    """Return the tree of a capture's server, and that of a workspace, three levels deep."""
    found: list[ContextChunk] = []
    places = grounds.capture.extras.places if grounds.capture else ()
    if places:
        found.append(_chunk("structure", "\n".join(places), priority))
    if grounds.root is not None:
        tree = await asyncio.to_thread(lambda root: "\n".join(_folder(root, 0)), grounds.root)
        found.append(_chunk("workspace", tree, priority))
    return FoundChunks(tuple(found))


def _chunk(source: str, content: str, priority: ChunkPriority) -> ContextChunk:
    return ContextChunk(content=content, source=source, chunk_type=ChunkType.STRUCTURE, priority=priority)


def _folder(folder: Path, depth: int) -> Iterator[str]:
    """Write one folder; links are named and never followed."""
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: (not entry.is_dir(follow_symlinks=False), entry.name))
    except OSError:
        return
    wanted = [entry for entry in entries if entry.name not in SKIPPED_FOLDERS]
    for entry in islice(wanted, _MAX_ENTRIES):
        folded = entry.is_dir(follow_symlinks=False)
        yield f"{'  ' * depth}{file_name(entry.name, 80)}{'/' if folded else ''}"
        if folded and depth + 1 < MAX_DEPTH:
            yield from _folder(folder / entry.name, depth + 1)
    if len(wanted) > _MAX_ENTRIES:
        yield f"{'  ' * depth}… {len(wanted) - _MAX_ENTRIES} more"
