"""Write an answer that holds a table as a rich message, which Telegram draws as a document (Bot API 10.1); pure.

https://core.telegram.org/bots/api#rich-message-formatting-options: of its forms HTML is the one in which every letter
can be written without being read as a mark. What can be said in words and marks alone is no rich message.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from typing import Any
from unicodedata import bidirectional

from adapters.telegram.markup import dead_names, followable
from bot.text.markdown.blocks import read
from bot.text.markdown.nodes import (
    BOLD,
    ITALIC,
    SPOILER,
    STRIKE,
    UNDERLINE,
    Block,
    BlockQuote,
    Blocks,
    CodeFence,
    Heading,
    InlineCode,
    InlineLink,
    Inlines,
    MarkedWords,
    Paragraph,
    PlainWords,
    TableBlock,
    ThematicBreak,
)
from bot.text.markdown.tables import drawable
from bot.text.markdown.writer import language_of
from bot.text.times import TIME, spell_time

MAX_LETTERS = 32_768
MAX_BLOCKS = 500
MAX_LEVELS = 16
MAX_COLUMNS = 20
_RULER = re.compile(r"^[ \t]*[|:-][ \t:|]*-[ \t:|-]*$", re.MULTILINE)
_TAGS = {BOLD: "b", ITALIC: "i", STRIKE: "s", UNDERLINE: "u", SPOILER: "tg-spoiler"}
_RIGHT_TO_LEFT = frozenset({"R", "AL"})
_STRONG_DIRECTIONS = _RIGHT_TO_LEFT | {"L"}
_EMPTY_CELL = "&nbsp;"
"""Stands in a cell in which nothing stands: one without a text is not drawn at all."""


class _DocumentWriter:
    """The document as far as it is written.

    `level`: how deep what is written now stands in blocks and marks. `side`: to which its first word is written.
    """

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.letters = 0
        self.blocks = 0
        self.level = self.deepest = 0
        self.last = ""
        self.side = ""

    def tag(self, tag: str) -> None:
        self.parts.append(f"<{tag}>")

    def open(self, tag: str) -> None:
        self.tag(tag)
        self.level += 1
        self.deepest = max(self.deepest, self.level)

    def close(self, tag: str) -> None:
        self.tag(f"/{tag}")
        self.level -= 1

    def block(self, tag: str) -> None:
        self.blocks += 1
        self.last = ""
        self.open(tag)

    def write(self, text: str) -> None:
        """Write letters that are no marks."""
        self.parts.append(escape(text))
        self.letters += len(text)
        self.last = text[-1:] or self.last

    def lines(self, text: str) -> None:
        """Write letters whose lines and indentations are kept, which HTML would not do."""
        for number, line in enumerate(text.split("\n")):
            if number:
                self.tag("br")
                self.last = "\n"
            words = line.lstrip(" ") if number or not self.last else line
            self.parts.append(_EMPTY_CELL * (len(line) - len(words)))
            self.write(words)

    def say(self, text: str) -> None:
        """Write words that call nobody, with every time that is marked in them as the reader's own."""
        self.side = self.side or _side_of(text)
        at, text = 0, dead_names(text, self.last)
        for found in TIME.finditer(text):
            self.lines(text[at : found.start()])
            self.tag(f'tg-time unix="{found[1]}" format="{found[2]}"')
            self.write(spell_time(found))
            self.tag("/tg-time")
            at = found.end()
        self.lines(text[at:])


def _side_of(text: str) -> str:
    """Return the direction of the first letter that has one, as Unicode's algorithm names it; empty for none."""
    return next((side for one in text if (side := bidirectional(one)) in _STRONG_DIRECTIONS), "")


def rich_message(markdown: str) -> dict[str, Any] | None:
    """Return the answer as an `InputRichMessage`; None where it holds no table, or more than such a message may."""
    if "|" not in markdown or _RULER.search(markdown) is None:
        return None
    blocks = read(markdown)
    tables = [block for block in blocks if isinstance(block, TableBlock)]
    if not tables or any(len(table.sides) > MAX_COLUMNS for table in tables):
        return None
    out = _DocumentWriter()
    _document(blocks, out)
    is_full = out.letters > MAX_LETTERS or out.blocks > MAX_BLOCKS or out.deepest > MAX_LEVELS
    if is_full:
        return None
    return {"html": "".join(out.parts), **({"is_rtl": True} if out.side in _RIGHT_TO_LEFT else {})}


def _document(blocks: Blocks, out: _DocumentWriter) -> None:
    at = 0
    while at < len(blocks):
        end = at + 1
        if isinstance(blocks[at], Paragraph):
            # lines of a list are one paragraph: each of its own would stand far from the next
            while end < len(blocks) and isinstance(blocks[end], Paragraph) and not blocks[end].blank:
                end += 1
            _paragraph([one for one in blocks[at:end] if isinstance(one, Paragraph)], out)
        else:
            _block(blocks[at], out)
        at = end


def _paragraph(paragraphs: Sequence[Paragraph], out: _DocumentWriter) -> None:
    out.block("p")
    for number, paragraph in enumerate(paragraphs):
        if number:
            out.tag("br")
            out.last = ""
        out.lines(paragraph.prefix)
        _inline(paragraph.inside, out)
    out.close("p")


def _block(block: Block, out: _DocumentWriter) -> None:
    if block.prefix.strip():
        # a list's mark stands on a line of its own
        _paragraph([Paragraph(0, block.prefix.rstrip(), ())], out)
    if isinstance(block, Heading):
        out.block(f"h{block.level}")
        _inline(block.inside, out)
        out.close(f"h{block.level}")
    elif isinstance(block, CodeFence):
        _code(block, out)
    elif isinstance(block, BlockQuote):
        out.block("blockquote")
        _document(drawable(block.inside), out)
        out.close("blockquote")
    elif isinstance(block, TableBlock):
        _table(block, out)
    else:
        assert isinstance(block, ThematicBreak), "paragraphs are written together"
        out.blocks += 1
        out.tag("hr/")


def _code(block: CodeFence, out: _DocumentWriter) -> None:
    if not block.text.strip():
        _paragraph([Paragraph(0, "", (PlainWords(block.info, block.info),))], out)
        return
    language = language_of(block.info)
    out.block("pre")
    if language:
        out.open(f'code class="language-{escape(language)}"')
    out.write(block.text)
    if language:
        out.close("code")
    out.close("pre")


def _table(table: TableBlock, out: _DocumentWriter) -> None:
    out.block("table bordered striped")
    for number, row in enumerate((table.head, *table.rows)):
        out.block("tr")
        for side, cell in zip(table.sides, row, strict=True):
            _cell(cell, "td" if number else "th", side, out)
        out.close("tr")
    out.close("table")


def _cell(cell: Inlines, tag: str, side: str, out: _DocumentWriter) -> None:
    out.open(f'{tag} align="{side}"' if side else tag)
    out.last = ""
    before = out.letters
    _inline(cell, out)
    if out.letters == before:
        out.parts.append(_EMPTY_CELL)
    out.close(tag)


def _inline(inlines: Inlines, out: _DocumentWriter) -> None:
    for one in inlines:
        if isinstance(one, PlainWords):
            out.say(one.text)
        elif isinstance(one, InlineCode):
            out.open("code")
            out.write(one.text)
            out.close("code")
        elif isinstance(one, InlineLink):
            _link(one, out)
        else:
            assert isinstance(one, MarkedWords)
            out.open(_TAGS[one.kind])
            _inline(one.inside, out)
            out.close(_TAGS[one.kind])


def _link(link: InlineLink, out: _DocumentWriter) -> None:
    address = followable(link.address)
    if address is None:
        _inline(link.label, out)
        return
    out.open(f'a href="{escape(address)}"')
    _inline(link.label, out)
    out.close("a")
