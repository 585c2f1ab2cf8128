"""Choose which optional sections of a channel stay, by the context protocol's own rule."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from bot.context.protocol.chunk import ContextChunk


class Optional(NamedTuple):
    """A section as the budget sees it."""

    priority: int
    tokens: int


def kept(sections: Mapping[int, Optional], room: int) -> frozenset[int]:
    """Return which sections stay in `room` tokens, by their places: best first, skip what does not fit, go on.

    A section's score is its priority alone. Whether the newest message mentions it, and how old it is, changes from
    message to message; with it the opening of a prompt would change, and providers would read all of it anew.
    """
    # hardly a request is ever too full, and no start waits for what only that needs (30 ms)
    from bot.context.protocol.compress import choose

    chunks = [_chunk(at, section) for at, section in sections.items()]
    chosen = choose(chunks, room, lambda chunk: sections[int(chunk.source)].tokens)
    return frozenset(int(one.source) for one in chosen.chunks)


def _chunk(at: int, section: Optional) -> ContextChunk:
    from bot.context.protocol.chunk import ChunkType, ContextChunk, Metadata, Priority, Score, ScorePart

    # its words are not looked at: they are counted already, and it goes whole or stays whole
    score = Score(parts=(ScorePart(name="section", points=section.priority),))
    return ContextChunk(
        content="",
        source=f"{at:03}",
        chunk_type=ChunkType.SECTION,
        priority=Priority.MEDIUM,
        tokens=section.tokens,
        metadata=Metadata(score=score),
    )
