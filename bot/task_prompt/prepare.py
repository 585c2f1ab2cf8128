"""Make gathered chunks fit to be shown: secrets out first, then invisible characters shown, then counted."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple, Protocol

from bot.context.tokens import Count
from bot.task_prompt.block import count_block
from bot.task_prompt.chunk import ContextChunk
from bot.task_prompt.compressed_context import ChunkExclusion, ExclusionReason
from bot.text.redaction import RedactedText
from bot.text.text import visible

_NOTHING_LEFT = re.compile(r"(?:\s|\[redacted:[^\]\n]*\])*")


class ChunkRedactor(Protocol):
    """Takes secrets out of a text."""

    def redact(self, text: str) -> RedactedText:
        """Return the text that may be shown."""


class PreparedChunks(NamedTuple):
    """Chunks that may be shown, counted; and those of which nothing is left."""

    chunks: tuple[ContextChunk, ...]
    excluded: tuple[ChunkExclusion, ...]


def prepare(chunks: Iterable[ContextChunk], redactor: ChunkRedactor, count: Count) -> PreparedChunks:
    """Redact, then count: whatever is cut later is cut from what may be shown."""
    kept, excluded = [], []
    for chunk in chunks:
        content = redactor.redact(chunk.content)
        source = redactor.redact(chunk.source).text
        if content.count and _NOTHING_LEFT.fullmatch(content.text):
            excluded.append(_redacted(chunk, source))
            continue
        clean = ContextChunk(
            content=visible(content.text.replace("\r\n", "\n")),
            source=source,
            chunk_type=chunk.chunk_type,
            priority=chunk.priority,
            metadata=chunk.metadata,
        )
        kept.append(clean.model_copy(update={"tokens": count_block(clean, count)}))
    return PreparedChunks(tuple(kept), tuple(excluded))


def _redacted(chunk: ContextChunk, source: str) -> ChunkExclusion:
    return ChunkExclusion(
        source=source,
        reason=ExclusionReason.REDACTED,
        detail="it held nothing but secrets",
        chunk_type=chunk.chunk_type,
        priority=chunk.priority,
    )
