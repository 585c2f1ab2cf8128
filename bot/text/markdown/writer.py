"""Write an answer as the Markdown that every platform here reads alike, and say what a cut through it has to close."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol, TypeVar

from bot.text.markdown.nodes import (
    BOLD,
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
    bare_text,
    without_bold,
)
from bot.text.markdown.tables import drawable
from bot.text.text import utf16_length

_LANGUAGE = re.compile(r"[\w+#.-]{1,40}")
_TICKS = re.compile("`+")
_MARK = re.compile(r"([ \t]*)(?:[-*+]|(\d{1,9})([.)]))(?:[ \t]+|$)")
_FURTHER_IN = re.compile(r"[ \t]+(\d{1,9})([.)][ \t]*)")
_LEVELS = 3
"""Titles below these are drawn by Telegram alone: they are written as bold words."""
_MAX_SHORT_CODE_CHARS, _MAX_SHORT_LINK_CHARS = 60, 300
QUOTE_PREFIX = "> "
_RULERS = {"left": ":---", "right": "---:", "center": ":---:"}
UNDERLINE_TAGS = ("<u>", "</u>")
"""What is underlined has no mark that two platforms draw alike."""


class MarkdownSpan(NamedTuple):
    """A part of the text that a cut has to close and to open again. Between `body` and `tail` it may be cut.

    `opening` and `closing` is what is written for it; of a `line`, such as one of a quote, only the beginning counts.
    `is_block`: code, which is cut between lines, each of which begins with `line`. `is_drawn`: it is more than words.
    `is_item`: the mark of an item further in; behind a cut it is plain words.
    """

    start: int
    body: int
    tail: int
    end: int
    opening: str = ""
    closing: str = ""
    is_block: bool = False
    is_line: bool = False
    line: str = ""
    is_drawn: bool = True
    is_item: bool = False

    def moved(self, move: Callable[[int], int], before: str) -> MarkdownSpan:
        """Return the span where the text has been moved to, behind something on every line."""
        return self._replace(
            start=move(self.start),
            body=move(self.body),
            tail=move(self.tail),
            end=move(self.end),
            opening=_quoted(self.opening, before) if self.is_block else self.opening,
            closing=self.closing.replace("\n", f"\n{before}"),
            line=before + self.line if self.is_block else self.line,
        )


class KeptTable(NamedTuple):
    """A table that stays one: how it is written, and what holds its place while a text is cut."""

    start: int
    end: int
    source: str


class WrittenMarkdown(NamedTuple):
    """A text, and its spans in the order in which they begin; `tables` take the place of what stands there."""

    text: str
    spans: tuple[MarkdownSpan, ...]
    tables: tuple[KeptTable, ...] = ()


class _Move:
    """Finds where a place of a text is, once something stands before each of its lines."""

    def __init__(self, text: str, width: int) -> None:
        self._breaks = [n for n, one in enumerate(text) if one == "\n"]
        self._width = width

    def __call__(self, at: int) -> int:
        return at + self._width * (1 + bisect_right(self._breaks, at - 1))


class _Out:
    def __init__(self) -> None:
        self.parts: list[str] = []
        self.length = 0
        self.spans: list[MarkdownSpan] = []
        self.tables: list[KeptTable] = []

    def write(self, text: str) -> None:
        self.parts.append(text)
        self.length += len(text)


def write(blocks: Blocks, *, keeps_tables: bool = False) -> WrittenMarkdown:
    """Write an answer; reading it again gives what every platform draws.

    With `keeps_tables` no cut goes through a table, and there is room for it in both forms: drawn, and written.
    """
    out = _Out()
    write_spaced(_told_apart(_all_but_tables(blocks) if keeps_tables else drawable(blocks)), out, _block)
    spans = tuple(sorted(out.spans, key=lambda span: (span.start, -span.end)))
    return WrittenMarkdown("".join(out.parts), spans, tuple(out.tables))


def _told_apart(blocks: Blocks) -> Blocks:
    """Keep two lists from being read as one in which a number stands twice: there it becomes words.

    They are two because of what stood between them, which is not written, or will be read as words of the first.
    """
    found: list[Block] = []
    numbers: dict[int, str] = {}
    for block in blocks:
        if isinstance(block, BlockQuote):
            block = block._replace(inside=_told_apart(block.inside))
        is_title = isinstance(block, Heading) and not block.prefix.strip()
        is_bold = is_title and isinstance(block, Heading) and block.level > _LEVELS
        if is_bold and any(says and column >= len(block.prefix) for column, says in numbers.items()):
            # as bold words it would belong to the list
            block = block._replace(blank=max(1, block.blank))
        if is_title or (block.blank and not block.prefix.strip()):
            _forget(numbers, len(block.prefix))
        found.append(block._replace(prefix=_numbered_once(block.prefix, numbers)) if block.prefix else block)
        if not isinstance(block, Paragraph | Heading):
            # it stands alone, however far in
            numbers.clear()
    return tuple(found)


def _numbered_once(prefix: str, numbers: dict[int, str]) -> str:
    """Write the marks of a block; `numbers` are the last ones of the lists that go on, by the column they stand in."""
    parts, at = list[str](), 0
    while (found := _MARK.match(prefix, at)) is not None:
        column, number, closing = found.end(1), found[2], found[3]
        says = f"{int(number)}{closing}" if number else ""
        _forget(numbers, column if not number else column + 1)
        if says and numbers.get(column) == says:
            parts += (prefix[at : found.end(2)], "\\", prefix[found.end(2) : found.end()])
        else:
            parts.append(found[0])
            numbers[column] = says
        at = found.end()
    return "".join([*parts, prefix[at:]])


def _forget(numbers: dict[int, str], column: int) -> None:
    for ended in [one for one in numbers if one >= column]:
        del numbers[ended]


def _all_but_tables(blocks: Blocks) -> Blocks:
    return tuple(
        one
        for block in blocks
        for one in ((block,) if isinstance(block, TableBlock) and _can_be_kept(block) else drawable((block,)))
    )


def _can_be_kept(table: TableBlock) -> bool:
    """Say whether a table can be written so that it is read as it is: behind a list's mark it cannot."""
    rows = (table.head, *table.rows)
    return not table.prefix.strip() and not any("\n" in bare_text(cell) for row in rows for cell in row)


class MarkdownSink(Protocol):
    """Where blocks are written to; `length` is how much stands there."""

    length: int

    def write(self, text: str) -> None:
        """Put a text behind the rest."""


S = TypeVar("S", bound=MarkdownSink)


def write_spaced(blocks: Sequence[Block], out: S, write_block: Callable[[Block, S], None]) -> None:
    """Write blocks with the empty lines between them; a block that draws nothing takes none."""
    is_first = True
    for block in blocks:
        out.write("\n" * (block.blank + (not is_first)))
        before = out.length
        write_block(block, out)
        is_first = is_first and out.length == before


def _block(block: Block, out: _Out) -> None:
    if isinstance(block, Paragraph):
        _prefix(block.prefix, out)
        _inline(block.inside, out)
    elif isinstance(block, Heading):
        _prefix(block.prefix, out)
        if block.level <= _LEVELS:
            out.write("#" * block.level + " ")
            _inline(block.inside, out)
        else:
            _inline((MarkedWords(BOLD, "**", without_bold(block.inside)),), out)
    elif isinstance(block, CodeFence):
        _alone(block.prefix, out)
        _fence(block, out)
    elif isinstance(block, BlockQuote):
        _alone(block.prefix, out)
        _quote(block, out)
    elif isinstance(block, TableBlock):
        _table(block, out)
    else:
        assert not isinstance(block, ThematicBreak), "drawable() leaves none"


def _prefix(prefix: str, out: _Out) -> None:
    start = out.length
    out.write(prefix)
    if prefix.strip():
        # a message begins without spaces, which tells a list further in from the one around it
        found = _FURTHER_IN.match(prefix)
        plain = f"{found[1]}\\{found[2]}" if found and found.end() == len(prefix) else ""
        out.spans.append(MarkdownSpan(start, start, start, out.length, plain, is_drawn=False, is_item=bool(plain)))


def _alone(prefix: str, out: _Out) -> None:
    """Leave a list's mark on a line of its own; an indentation is none of the code's."""
    if prefix.strip():
        out.write(prefix.rstrip() + "\n")


def fence_marks(text: str) -> str:
    """Return marks for a block of code that nothing in it ends."""
    return "`" * max(3, 1 + max((len(one) for one in _TICKS.findall(text)), default=0) if "```" in text else 3)


def language_of(info: str) -> str:
    """Return the language that a block names, without what else is written there."""
    found = _LANGUAGE.match(info)
    return found[0] if found else ""


def _fence(block: CodeFence, out: _Out) -> None:
    marks, start = fence_marks(block.text), out.length
    opening = f"{marks}{language_of(block.info)}\n"
    out.write(opening)
    body = out.length
    out.write(block.text)
    tail = out.length
    out.write(f"\n{marks}")
    head = f"{block.head}\n" if block.head else ""
    out.spans.append(
        MarkdownSpan(start, body + len(head), tail, out.length, opening + head, f"\n{marks}", is_block=True)
    )


def _quote(block: BlockQuote, out: _Out) -> None:
    inner = _Out()
    write_spaced(block.inside, inner, _block)
    text = "".join(inner.parts)
    move, base = _Move(text, len(QUOTE_PREFIX)), out.length
    at = base
    for line in text.split("\n"):
        end = at + len(QUOTE_PREFIX) + len(line)
        out.spans.append(
            MarkdownSpan(at, at + len(QUOTE_PREFIX), end, end, QUOTE_PREFIX, "", is_line=True, is_drawn=False)
        )
        at = end + 1
    out.write(_quoted(text, QUOTE_PREFIX))
    for span in inner.spans:
        out.spans.append(span.moved(lambda at: base + move(at), QUOTE_PREFIX))


def _table(table: TableBlock, out: _Out) -> None:
    """Hold the place of a table: what is longer of how every chat draws it and how it is written, never to be cut."""
    drawn, source = write((table._replace(blank=0),)), table_source(table)
    start = out.length
    out.write(max(drawn.text.rstrip(), source, key=utf16_length))
    out.tables.append(KeptTable(start, out.length, source))
    out.spans.append(MarkdownSpan(start, start, out.length, out.length, is_block=True))
    # the marks in it count, wherever they are
    out.spans += [MarkdownSpan(start, start, start, start)] * (sum(span.is_drawn for span in drawn.spans) - 1)


def table_source(table: TableBlock) -> str:
    """Write a table with strokes between its cells."""
    ruler = "|".join(_RULERS.get(side, "---") for side in table.sides)
    rows = [_row(table.head), f"|{ruler}|", *map(_row, table.rows)]
    return "\n".join(table.prefix + row for row in rows)


def _row(cells: Sequence[Inlines]) -> str:
    return f"| {' | '.join(map(_cell, cells))} |"


def _cell(inlines: Inlines) -> str:
    inner = _Out()
    _inline(inlines, inner)
    # a stroke in a cell is written so, in code too
    return "".join(inner.parts).replace("|", "\\|")


def _quoted(text: str, before: str) -> str:
    lines = text.split("\n")
    last = len(lines) - 1
    return "\n".join(before + line if line or n < last or not n else line for n, line in enumerate(lines))


def _inline(inlines: Inlines, out: _Out) -> None:
    for one in inlines:
        if isinstance(one, PlainWords):
            out.write(one.source)
        elif isinstance(one, InlineCode):
            _code(one, out)
        elif isinstance(one, MarkedWords):
            opening, closing = UNDERLINE_TAGS if one.kind == UNDERLINE else (one.mark, one.mark)
            start = out.length
            out.write(opening)
            body = out.length
            _inline(one.inside, out)
            tail = out.length
            out.write(closing)
            out.spans.append(MarkdownSpan(start, body, tail, out.length, opening, closing))
        else:
            _link(one, out)


def _code(code: InlineCode, out: _Out) -> None:
    ticks = "`" * (1 + max((len(one) for one in _TICKS.findall(code.text)), default=0))
    pad = " " if code.text[:1] in "` " or code.text[-1:] in "` " else ""
    pad = pad if code.text.strip() else ""
    start = out.length
    out.write(ticks + pad)
    body = out.length
    out.write(code.text)
    tail = out.length
    out.write(pad + ticks)
    if len(code.text) <= _MAX_SHORT_CODE_CHARS:
        out.spans.append(MarkdownSpan(start, start, start, out.length))
    else:
        out.spans.append(MarkdownSpan(start, body, tail, out.length, ticks + pad, pad + ticks))


def _link(link: InlineLink, out: _Out) -> None:
    start, closing = out.length, f"]({link.address})"
    out.write("[")
    body = out.length
    _inline(link.label, out)
    tail = out.length
    out.write(closing)
    if out.length - start <= _MAX_SHORT_LINK_CHARS:
        out.spans.append(MarkdownSpan(start, start, start, out.length))
    else:
        out.spans.append(MarkdownSpan(start, body, tail, out.length, "[", closing))
