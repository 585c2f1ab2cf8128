"""What changed last: settings, prompt, memories and what admins did; or the commits of a workspace."""

from __future__ import annotations

import asyncio
from pathlib import Path

from bot.context.transcript import utc
from bot.task_prompt.chunk import ChunkMetadata, ChunkPriority, ChunkType, ContextChunk
from bot.task_prompt.gatherers.gatherer import FoundChunks, GatherGrounds
from bot.task_prompt.gatherers.paths import read_inside
from bot.task_prompt.task import TaskBrief
from bot.text.text import excerpt, visible

MAX_COMMITS = 5
_LOG = ".git/logs/HEAD"


async def changes(task: TaskBrief, grounds: GatherGrounds, priority: ChunkPriority) -> FoundChunks:
    """Return the last five changes, newest first, as one chunk."""
    lines = list(grounds.capture.extras.changes[:MAX_COMMITS]) if grounds.capture else []
    if grounds.root is not None:
        lines += await asyncio.to_thread(_commits, grounds.root)
    if not lines:
        return FoundChunks()
    chunk = ContextChunk(
        content=visible("\n".join(lines)),
        source="recent_changes",
        chunk_type=ChunkType.CONFIG,
        priority=priority,
        metadata=ChunkMetadata(language="log"),
    )
    return FoundChunks((chunk,))


def _commits(root: Path) -> list[str]:
    """Read the newest commits from the log that git itself keeps; its program is not asked."""
    log = read_inside(root, _LOG)
    lines = log.content.splitlines()[-MAX_COMMITS:] if log else []
    return [line for one in reversed(lines) if (line := _commit(one))]


def _commit(line: str) -> str:
    # old new name <mail> seconds zone \t what
    head, _, said = line.partition("\t")
    words = head.split()
    if len(words) < 5 or not words[-2].isdigit():
        return ""
    return f"{utc(int(words[-2]) * 1000)} {words[1][:10]} {excerpt(said, 160)}"
