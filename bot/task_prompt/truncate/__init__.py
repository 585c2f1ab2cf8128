"""Shorten a chunk by a ladder made for its kind. Add one: a file here, and a line in LADDERS."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from types import MappingProxyType
from typing import NamedTuple

from bot.context.tokens import Count
from bot.task_prompt.block import count_block
from bot.task_prompt.chunk import ChunkType, ContextChunk
from bot.task_prompt.truncate import code, json, listing, logs, memories, python, transcript
from bot.task_prompt.truncate.grammars import GRAMMARS
from bot.task_prompt.truncate.head import MAX_CHARS_PER_TOKEN, head
from bot.task_prompt.truncate.rung import Ladder, LadderRung

LADDERS: Mapping[str, Ladder] = MappingProxyType(
    {
        "python": python.rungs,
        "json": json.rungs,
        "transcript": transcript.rungs,
        "log": logs.rungs,
        "memories": memories.rungs,
        "tree": listing.rungs,
        **{
            language: partial(code.rungs, language)
            for language in (*GRAMMARS, "cpp", "csharp", "kotlin", "swift", "php")
        },
    }
)
"""By the language in a chunk's metadata."""
USUAL: Mapping[ChunkType, str] = MappingProxyType(
    {
        ChunkType.HISTORY: "transcript",
        ChunkType.LEDGER: "log",
        ChunkType.MEMORY: "memories",
        ChunkType.STRUCTURE: "tree",
    }
)
"""The language of a chunk that does not say one."""


class ChunkCut(NamedTuple):
    """A shortened chunk, and which step of the ladder made it."""

    chunk: ContextChunk
    rung: str


def has_structure(chunk: ContextChunk) -> bool:
    """Say whether cutting a chunk leaves something that can be read."""
    return _ladder(chunk) is not None


def truncate(chunk: ContextChunk, room: int, count: Count) -> ChunkCut | None:
    """Return the longest form of a chunk whose block has at most `room` tokens, None if not even a line fits."""
    for rung in steps(chunk, room):
        if len(rung.text) > room * MAX_CHARS_PER_TOKEN:
            continue
        shorter = _shortened(chunk, rung, count)
        if shorter.tokens <= room:
            return ChunkCut(shorter, rung.name)
    last = head(chunk.content, room, lambda rung: _shortened(chunk, rung, count).tokens <= room)
    return ChunkCut(_shortened(chunk, last, count), last.name) if last else None


def steps(chunk: ContextChunk, room: int) -> Iterator[LadderRung]:
    """Yield the steps of a chunk's ladder that are shorter than all before."""
    ladder = _ladder(chunk)
    shortest = len(chunk.content)
    for rung in ladder(chunk.content, room) if ladder else ():
        if len(rung.text) < shortest:
            shortest = len(rung.text)
            yield rung


def _ladder(chunk: ContextChunk) -> Ladder | None:
    return LADDERS.get(chunk.metadata.language or USUAL.get(chunk.chunk_type, ""))


def _shortened(chunk: ContextChunk, rung: LadderRung, count: Count) -> ContextChunk:
    note = "; ".join(filter(None, (chunk.metadata.note, rung.note)))
    shorter = ContextChunk(
        content=rung.text,
        source=chunk.source,
        chunk_type=chunk.chunk_type,
        priority=chunk.priority,
        metadata=chunk.metadata.model_copy(update={"note": note}),
    )
    return shorter.model_copy(update={"tokens": count_block(shorter, count)})
