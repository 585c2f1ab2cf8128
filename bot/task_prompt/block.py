"""A chunk as a model reads it: a header, a fence longer than any inside, and a note on what was cut."""

from __future__ import annotations

from bot.context.tokens import Count
from bot.task_prompt.chunk import ContextChunk
from bot.text.joined_text import BLANK_LINE
from bot.text.text import fence, file_name

_MAX_SOURCE_CHARS = 200


def block(chunk: ContextChunk) -> str:
    """Render a chunk. It begins with `#`, ends with a fence or a note, and holds no words of ours inside the fence."""
    text = f"## {title(chunk)}\n{fence(chunk.content, chunk.metadata.language)}"
    return f"{text}\n[{chunk.metadata.note}]" if chunk.metadata.note else text


def title(chunk: ContextChunk) -> str:
    """Return where a chunk is from, on one line."""
    return file_name(chunk.source, _MAX_SOURCE_CHARS)


def count_block(chunk: ContextChunk, count: Count) -> int:
    """Count a block with the blank line behind it.

    The next block begins with `#`, where every tokenizer ends a token after line breaks: so the counts of blocks add up
    to the count of what they are joined to (see `bot.context.tokens.system_pieces`).
    """
    return count(block(chunk) + BLANK_LINE)
