"""Draw what chats do not draw: a table is a block of columns where a phone has room, else a list of its rows."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence

from bot.text.markdown.nodes import (
    BOLD,
    Block,
    BlockQuote,
    Blocks,
    CodeFence,
    Inline,
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

MAX_PHONE_COLUMNS = 38
"""How many letters of code stand side by side on a phone before they are wrapped."""
_GAP = "  "
_RULE_LINE = "─" * 12
_WIDE = {"W": 2, "F": 2}


def drawable(blocks: Blocks) -> Blocks:
    """Replace tables, rules and empty blocks of code by what every chat draws."""
    if not any(isinstance(one, TableBlock | ThematicBreak | BlockQuote) or _is_empty(one) for one in blocks):
        return blocks
    return tuple(drawn for block in blocks for drawn in _drawn(block))


def _is_empty(block: Block) -> bool:
    return isinstance(block, CodeFence) and not block.text.strip()


def columns(text: str) -> int:
    """Count the columns that a text takes where all letters are equally wide."""
    if text.isascii():
        return len(text)
    return sum(_WIDE.get(unicodedata.east_asian_width(one), 1) for one in text if not _is_joined(one))


def _is_joined(character: str) -> bool:
    return unicodedata.category(character) in {"Mn", "Me", "Cf"}


def _is_from_the_right(text: str) -> bool:
    """Say whether a cell is read from the right: beside others its columns change places, and it has no fixed width."""
    return not text.isascii() and any(unicodedata.bidirectional(one) in {"R", "AL"} for one in text)


def _drawn(block: Block) -> Iterator[Block]:
    if isinstance(block, TableBlock):
        yield from _table(block)
    elif isinstance(block, ThematicBreak):
        yield Paragraph(block.blank, block.prefix, (PlainWords(_RULE_LINE, _RULE_LINE),))
    elif isinstance(block, CodeFence) and _is_empty(block):
        # nobody draws an empty one: what it is called is all that there is to read
        yield Paragraph(block.blank, block.prefix, (PlainWords(block.info, block.info),) if block.info else ())
    elif isinstance(block, BlockQuote):
        # neither platform draws a quote in a quote
        inner = (one for inside in drawable(block.inside) for one in (_opened(inside)))
        yield block._replace(inside=tuple(inner))
    else:
        yield block


def _opened(block: Block) -> Iterator[Block]:
    if not isinstance(block, BlockQuote):
        yield block
        return
    for number, one in enumerate(block.inside):
        yield one._replace(blank=block.blank, prefix=block.prefix + one.prefix) if number == 0 else one


def _table(table: TableBlock) -> Iterator[Block]:
    cells = [[bare_text(cell) for cell in row] for row in (table.head, *table.rows)]
    widths = [max(map(columns, column)) for column in zip(*cells, strict=True)]
    links = [(row, link) for row in (table.head, *table.rows) for cell in row for link in _links(cell)]
    is_wide = sum(widths) + len(_GAP) * (len(widths) - 1) > MAX_PHONE_COLUMNS
    if is_wide or any("\n" in one or _is_from_the_right(one) for row in cells for one in row):
        yield from _rows(table)
        return
    lines = [_line(row, widths, table.sides) for row in cells]
    head = f"{lines[0]}\n{_GAP.join('─' * width for width in widths)}"
    yield CodeFence(table.blank, table.prefix, "", "\n".join([head, *lines[1:]]), head)
    if links:
        # nothing in a block can be followed
        yield Paragraph(0, "", tuple(_joined(_told_apart(links))))


def _told_apart(links: Sequence[tuple[tuple[Inlines, ...], InlineLink]]) -> Sequence[Inlines]:
    """Put what a row is about before its link where several are called the same."""
    names = [bare_text(link.label) for _, link in links]
    found: list[Inlines] = []
    for row, link in links:
        about = bare_text(row[0]).strip()
        is_alone = names.count(bare_text(link.label)) == 1 or not about or link in row[0]
        found.append((link,) if is_alone else (*row[0], PlainWords(": ", ": "), link))
    return found


def _line(cells: Sequence[str], widths: Sequence[int], sides: Sequence[str]) -> str:
    return _GAP.join(_padded(*one) for one in zip(cells, widths, sides, strict=True)).rstrip()


def _padded(cell: str, width: int, side: str) -> str:
    room = width - columns(cell)
    before = {"right": room, "center": room // 2}.get(side, 0)
    return " " * before + cell + " " * (room - before)


def _links(inlines: Inlines) -> Iterator[InlineLink]:
    for one in inlines:
        if isinstance(one, InlineLink):
            yield one
        elif isinstance(one, MarkedWords):
            yield from _links(one.inside)


def _rows(table: TableBlock) -> Iterator[Block]:
    """Write each row as a list: what each column is called, and what stands in it."""
    if not table.rows:
        yield Paragraph(table.blank, table.prefix, tuple(_joined(table.head)))
        return
    is_first = True
    filled = [any(column) for column in zip(*table.rows, strict=True)]
    for row in table.rows:
        named = [
            (head, cell)
            for head, cell, is_filled in zip(table.head, row, filled, strict=True)
            # a column in which nothing stands is named once
            if cell or (is_first and not is_filled)
        ]
        for number, (head, cell) in enumerate(named):
            blank = table.blank if is_first else 0
            called = _called(head) if cell else _called(head)[:1]
            yield Paragraph(blank, "  " if number else "- ", (*called, *cell))
            is_first = False


def _called(head: Inlines) -> Inlines:
    name = bare_text(head).strip()
    return (MarkedWords(BOLD, "**", (*without_bold(head), PlainWords(":", ":"))), PlainWords(" ", " ")) if name else ()


def _joined(cells: Sequence[Inlines]) -> Iterator[Inline]:
    for number, cell in enumerate(cells):
        if number:
            yield PlainWords(" · ", " · ")
        yield from cell
