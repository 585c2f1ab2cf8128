"""What a gatherer is: it looks at some grounds, for a task, and returns pieces of context with where they are from."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from bot.inspect.capture.reader_view import InspectedContext
from bot.task_prompt.chunk import ChunkPriority, ContextChunk
from bot.task_prompt.compressed_context import ChunkExclusion
from bot.task_prompt.task import TaskBrief


@dataclass(frozen=True)
class GatherGrounds:
    """Where gatherers look; what is not there is gathered by nobody, and nobody sees more than the asker may.

    `capture` is a channel as it was captured for one reader. `root` is a workspace, `patterns` which of its files are
    meant. `about` is the ledger row of the message that the task is about (0: none).
    """

    capture: InspectedContext | None = None
    root: Path | None = None
    patterns: tuple[str, ...] = ()
    about: int = 0


class FoundChunks(NamedTuple):
    """What a gatherer brought, and what it left where it was."""

    chunks: tuple[ContextChunk, ...] = ()
    excluded: tuple[ChunkExclusion, ...] = ()


Gather = Callable[[TaskBrief, GatherGrounds, ChunkPriority], Awaitable[FoundChunks]]
"""Gathers one kind of thing, which matters that much to the task before anything else is known of it."""
NOTHING = FoundChunks()
