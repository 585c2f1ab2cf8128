"""Read the words of a rich message, of which the library knows nothing; it takes whatever comes, and bounded."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from telegram import Message

_DEEPEST = 24
_MOST_PIECES = 4000
_MOST_LETTERS = 8000


def rich_words(message: Message) -> str:
    """Return what a message says if it is a rich one: a line for each block, and for each row of a table."""
    rich = message.api_kwargs.get("rich_message")
    lines = islice(_lines(rich.get("blocks"), _DEEPEST), _MOST_PIECES) if isinstance(rich, dict) else ()
    return "\n".join(lines)[:_MOST_LETTERS]


def _lines(blocks: Any, depth: int) -> Iterator[str]:
    for block in blocks if isinstance(blocks, list) and depth else ():
        if not isinstance(block, dict):
            continue
        for name in ("summary", "text", "expression"):
            if line := _text(block.get(name), depth):
                yield line
        for row in block["cells"] if isinstance(block.get("cells"), list) else ():
            cells = [one.get("text") for one in row if isinstance(one, dict)] if isinstance(row, list) else []
            yield f"| {' | '.join(_text(cell, depth) for cell in cells)} |"
        for item in block["items"] if isinstance(block.get("items"), list) else ():
            if isinstance(item, dict):
                yield f"{item.get('label') or '-'} {' '.join(_lines(item.get('blocks'), depth - 1))}"
        yield from _lines(block.get("blocks"), depth - 1)


def _text(text: Any, depth: int) -> str:
    return "".join(islice(_pieces(text, depth), _MOST_PIECES))


def _pieces(text: Any, depth: int) -> Iterator[str]:
    if isinstance(text, str):
        yield text
    elif isinstance(text, list) and depth:
        for one in text:
            yield from _pieces(one, depth - 1)
    elif isinstance(text, dict) and depth:
        for name in ("text", "expression", "alternative_text"):
            yield from _pieces(text.get(name), depth - 1)
