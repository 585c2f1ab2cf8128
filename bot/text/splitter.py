"""Split a text for a platform: every part whole in itself, no broken characters, nothing lost."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from bot.text.markdown.blocks import read
from bot.text.markdown.nodes import Block, Blocks, TableBlock
from bot.text.markdown.partial_answer import whole_so_far
from bot.text.markdown.tables import drawable
from bot.text.markdown.writer import MarkdownSpan, WrittenMarkdown, write
from bot.text.text import utf16_length

_MIN_LIMIT_UNITS = 16
_SPACE = re.compile(r"\s*")
_EMPTY_QUOTE = re.compile(r"(?:> ?(?:\n|$)\s*)*")
_ITEM = r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]"
_NO_NUMBER = r"(?<!\n\d\.)(?<!\n\d\d\.)"
"""The number of an item ends no sentence, and stays with its words."""
_TITLE_LAST = re.compile(r"(?<=\n)\#{1,3} [^\n]*\s*\Z")
_PARAGRAPH_CUT = re.compile(r".*(?=\n\n)", re.DOTALL)
_ITEM_CUT = re.compile(rf".*(?=\n{_ITEM})", re.DOTALL)
_LINE_CUT = re.compile(r".*(?=\n)", re.DOTALL)
_SENTENCE_CUT = re.compile(rf".*(?:(?<=[.!?…]){_NO_NUMBER}(?=\s)|(?<=[。！？])(?=.))", re.DOTALL)
_WORD_CUT = re.compile(rf".*{_NO_NUMBER}(?=\s)", re.DOTALL)
_MAX_GRAPHEME_CHARS = 32
_REGIONAL = "".join(map(chr, range(0x1F1E6, 0x1F200)))
_JOINING = re.compile(r"[\u200c\u200d\u1160-\u11ff\udc00-\udfff\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]")
_MAX_TRIES = 8
_MAX_TITLE_CHARS = 200

_MARKED = re.compile(r"[\\`*_~\[>|$&<]|^\#", re.MULTILINE)
"""What every mark has one of whose end a cut could part from its beginning."""
_LINE = r"^[ \t>]*(?:(?:[-*+]|\d+[.)])[ \t]+)*"
_DRAWN_OTHERWISE = tuple(
    (sign, re.compile(pattern, re.MULTILINE))
    for sign, pattern in (
        ("|", r"^[ \t>]*[|:-][ \t:|]*-[ \t:|-]*$"),  # a table
        *((sign, rf"{_LINE}(?:{re.escape(sign[0])}[ \t]*){{3,}}$") for sign in ("---", "***", "___", "- - -", "* * *")),
        ("####", rf"{_LINE}\#{{4,}}[ \t]"),
        ("\\", r"\\[\[(]|\\begin\{"),
        ("$", r"\$"),
        ("![", r"!\["),
        ("[^", r"\[\^"),
        ("__", r"(?<![^\W_])__|[^\W_]__"),
        ("_", r"[^\s_]_(?!\w)"),
        ("*", r"\w\*+\w|[/(]\*|(?<!\S)\*+[.,/)]|\*{3}"),
        ("**", r"(?<!\S)\*\*+(?!\S)"),
        ("://", r"https?://[^\s<]*[!。，、；：！？）」』】》]"),
        ("](", r"\]\((?!https?://)"),
        (">\n", r"^[ \t>]*>$"),
        (">>", r"^ {0,3}>>(?!>)"),
        ("> >", r"^ {0,3}> >"),
        ("&", r"&\#?\w"),
        ("<", r"</?[a-zA-Z]"),
        ("~~~", r"~~~"),
        ("````", r"````"),
        ("```", r"^[^\n`]+```|^```[^\n`]*[^\n`\w+\#.-]|^```[^\n`]*\n\s*```$"),
    )
)
"""What chats do not draw as it is written, and a sign that it has; everything else is sent to the letter."""
_SIGN = re.compile("|".join(re.escape(sign) for sign, _ in _DRAWN_OTHERWISE))
_ITEMS = re.compile(r"\n([ \t>]*)(?:[-*+]|(\d{1,9})[.)])(?!\S)")
_NUMBERED = re.compile(r"\n[ \t>]*\d{1,9}[.)](?!\S)")
_FENCE_LINE = re.compile(r"^```(.*)$", re.MULTILINE)


class TextPiece(NamedTuple):
    """One chunk: a slice of the text between what had to be opened again and closed around it."""

    opening: str
    start: int
    end: int
    closing: str


class _Source(NamedTuple):
    text: str
    limit: int
    blocks: Sequence[MarkdownSpan]
    marks: Sequence[MarkdownSpan]
    widest: int
    drawn: Sequence[int]
    most: int

    def last_block(self, index: int) -> MarkdownSpan | None:
        """Find the last block of code that starts before here."""
        before = bisect_left(self.blocks, index, key=lambda block: block.start)
        return self.blocks[before - 1] if before else None

    def block_around(self, index: int) -> MarkdownSpan | None:
        """Find the block of code that a cut here would break."""
        block = self.last_block(index)
        return block if block and index < block.end else None

    def marks_around(self, index: int) -> list[MarkdownSpan]:
        """Find the marks that a cut here would part, outer ones first; a line comes before everything that is in it."""
        first = bisect_left(self.marks, index - self.widest, key=lambda mark: mark.start)
        end = bisect_left(self.marks, index, key=lambda mark: mark.start)
        found = [mark for mark in self.marks[first:end] if index < mark.end]
        return sorted(found, key=lambda mark: not mark.is_line)

    def line_at(self, index: int) -> MarkdownSpan | None:
        """Find the line of a quote that begins here."""
        first = bisect_left(self.marks, index, key=lambda mark: mark.start)
        if first < len(self.marks) and self.marks[first].start == index and self.marks[first].is_line:
            return self.marks[first]
        return None


def split(text: str, limit: int, most_marks: int = 0, *, tables: bool = False) -> tuple[str, ...]:
    """Cut an answer into parts of at most `limit` UTF-16 units, as chats draw it: each part is whole in itself.

    What is plain, or short and drawn as it is written, is left as it is; everything else is read and written anew:
    see `bot.text.markdown`. No part has more than `most_marks` marks, links and blocks (0: as many as it likes).
    With `tables` they stay tables, each whole in its part, and a part has room for what every chat draws instead.
    """
    if limit < _MIN_LIMIT_UNITS:
        raise ValueError(f"a chunk needs at least {_MIN_LIMIT_UNITS} units, not {limit}")
    text = text.strip()
    is_short = utf16_length(text) <= limit
    if is_short and not _is_drawn_otherwise(text) and not (most_marks and _has_many(text, most_marks)):
        return (text,) if text else ()
    is_read = is_short or _MARKED.search(text) is not None or _is_numbered_otherwise(text, is_cut=True)
    written = _written(text, limit, most_marks, tables) if is_read else WrittenMarkdown(text, ())
    pieces = plan_split(written, limit, most_marks)
    if written.tables:
        return tuple(_with_tables(written, piece) for piece in pieces)
    return tuple(piece.opening + written.text[piece.start : piece.end] + piece.closing for piece in pieces)


def _written(text: str, limit: int, most_marks: int, tables: bool) -> WrittenMarkdown:
    blocks = read(text)
    if not tables or not any(isinstance(block, TableBlock) for block in blocks):
        return write(blocks)
    fitting = (part for block in blocks for part in _fitting(block, limit, most_marks))
    return write(tuple(fitting), keeps_tables=True)


def _fitting(block: Block, limit: int, most_marks: int) -> Blocks:
    """Cut a table between rows, evenly, into parts for which messages have room; a row that has none is drawn."""
    if not isinstance(block, TableBlock) or (need := _messages(block, limit, most_marks)) == 1:
        return (block,)
    if len(block.rows) < 2:
        return drawable((block,))
    parts = _in_parts(block, min(need, len(block.rows)))
    return tuple(one for part in parts for one in _fitting(part, limit, most_marks))


def _messages(table: TableBlock, limit: int, most_marks: int) -> int:
    """Say how many messages a table fills at least."""
    written = write((table,), keeps_tables=True)
    marks = sum(span.is_drawn for span in written.spans) if most_marks else 0
    return max(1, -(-utf16_length(written.text) // limit), -(-marks // max(most_marks - 1, 1)))


def _in_parts(table: TableBlock, many: int) -> tuple[TableBlock, ...]:
    rows, count = table.rows, len(table.rows)
    cuts = [count * n // many for n in range(many + 1)]
    return tuple(
        table._replace(blank=1 if start else table.blank, rows=rows[start:end]) for start, end in pairwise(cuts)
    )


def _with_tables(written: WrittenMarkdown, piece: TextPiece) -> str:
    parts, at = [piece.opening], piece.start
    for table in written.tables:
        if piece.start <= table.start and table.end <= piece.end:
            parts += (written.text[at : table.start], table.source)
            at = table.end
    return "".join([*parts, written.text[at : piece.end], piece.closing])


def so_far(text: str, limit: int, most_marks: int = 0) -> str:
    """Return what of an answer that goes on may be shown: nothing that is half, and one part of it."""
    return next(iter(split(whole_so_far(text), limit, most_marks)), "")


def plan_split(written: WrittenMarkdown, limit: int, most_marks: int = 0) -> tuple[TextPiece, ...]:
    r"""Choose the cuts, preferring paragraph, line, sentence and word, and keeping blocks of code whole where they fit.

    Promised: the pieces are slices of the text in order, and what lies before, between and behind them is whitespace
    and the marks of quotes and of items further in, which are opened again; inside a block of code it is at most the
    one newline that the added closing line replaces. A piece that ends inside a mark, a quote or a block is closed and
    the next one opens it again.
    """
    source = _source(written, limit, most_marks)
    text = source.text
    pieces: list[TextPiece] = []
    at = _skip(text, 0)
    while at < len(text):
        piece, following = _next_piece(source, at)
        if piece.end > piece.start:
            pieces.append(piece)
        at = max(following, at + 1)
    return tuple(pieces)


def _has_many(text: str, most: int) -> bool:
    return sum(map(text.count, "*_`[~|")) > most


def _source(written: WrittenMarkdown, limit: int, most: int) -> _Source:
    """Leave out what cannot be opened again for want of room: then it is ordinary text."""
    blocks = [fitted for span in written.spans if span.is_block and (fitted := _fitted(span, limit)) is not None]
    marks = [
        span for span in written.spans if not span.is_block and utf16_length(span.opening + span.closing) <= limit // 4
    ]
    widest = max((mark.end - mark.start for mark in marks), default=0)
    drawn = [span.start for span in written.spans if span.is_drawn] if most else []
    return _Source(written.text.rstrip(), limit, blocks, marks, widest, drawn, most)


def _fitted(block: MarkdownSpan, limit: int) -> MarkdownSpan | None:
    """Return a block whose own lines leave room for content: without its first lines, or its language, if need be."""
    first = block.opening.partition("\n")[0]
    marks = first[: len(first) - len(first.lstrip("> `"))]
    for opening in (block.opening, f"{first}\n", f"{marks}\n"):
        if utf16_length(opening + block.closing) <= limit // 2 and limit - utf16_length(opening + block.closing) > 2:
            return block._replace(opening=opening)
    return None


def _is_numbered_otherwise(text: str, *, is_cut: bool = False) -> bool:
    """Say whether a number of a list stands twice, or a message may begin with one that stood further in."""
    text = f"\n{text}"
    if _NUMBERED.search(text) is None:
        return False
    numbers: dict[int, str] = {}
    for found in _ITEMS.finditer(text):
        column, number = len(found[1]), found[2]
        if number and (numbers.get(column) == number or (is_cut and column)):
            return True
        if len(numbers) > (column in numbers):
            numbers = {one: numbers[one] for one in numbers if one < column}
        numbers[column] = number
    return False


def _is_drawn_otherwise(text: str) -> bool:
    if _SIGN.search(text) and any(sign in text and pattern.search(text) for sign, pattern in _DRAWN_OTHERWISE):
        return True
    if (". " in text or ") " in text) and _is_numbered_otherwise(text):
        return True
    if "**" in text and any(paragraph.count("**") % 2 for paragraph in text.split("\n\n")):
        return True
    # a fence that opens within a fence, or is never closed
    lines = _FENCE_LINE.findall(text) if "```" in text else ()
    return len(lines) % 2 == 1 or any(label.strip() for label in lines[1::2])


def _next_piece(source: _Source, at: int) -> tuple[TextPiece, int]:
    text, inside, around = source.text, source.block_around(at), source.marks_around(at)
    # an item further in begins a message as words: without its spaces it would belong to the list around it
    at = max((mark.end for mark in around if mark.is_item), default=at)
    line = source.line_at(at) if around and inside is None else None
    if line is not None:
        # what is open across lines is opened behind the mark of the quote
        around, at = [line, *around], line.body
    if inside is not None:
        opening = inside.opening + (inside.line if text[at - 1] != "\n" else "")
    else:
        opening = "".join(mark.opening for mark in around)
    end = _reach(text, at, source.limit - utf16_length(opening))
    if source.most:
        end = _reach_of_marks(source, at, end, len(around) + 1)
    if end == len(text):
        return TextPiece(opening, at, end, ""), end
    broken = source.block_around(end)
    if broken and (broken.start <= at or _is_begun_here(source, broken, end)):
        return _cut_inside(source, broken, at, opening)
    if broken:
        return TextPiece(opening, at, _trimmed(text, at, broken.start), ""), _skip(text, broken.start)
    return _cut_outside(source, at, end, opening)


def _is_begun_here(source: _Source, block: MarkdownSpan, end: int) -> bool:
    """Say whether a block that is too long for any message begins in this one, instead of leaving it almost empty."""
    is_long = utf16_length(source.text[block.start : block.end]) > source.limit
    return is_long and utf16_length(source.text[block.body : end]) > source.limit // 3


def _reach_of_marks(source: _Source, at: int, end: int, opened: int) -> int:
    last = bisect_left(source.drawn, at) + max(source.most - opened, 1)
    return max(min(end, source.drawn[last]), at + 1) if last < len(source.drawn) else end


def _cut_inside(source: _Source, block: MarkdownSpan, at: int, opening: str) -> tuple[TextPiece, int]:
    """Cut before the last newline that leaves some content, else anywhere; indentation is content here."""
    text, floor = source.text, max(at, block.body)
    reserve = max(utf16_length(block.closing), utf16_length(text[block.tail : block.end]))
    end = min(_reach(text, at, source.limit - utf16_length(opening) - reserve), block.tail)
    newline = text.rfind("\n", floor + 1, end + 1)
    if newline >= 0 and newline < block.tail:
        return TextPiece(opening, at, newline, block.closing), newline + 1
    cut = _whole_grapheme(text, min(floor, end - 1), end)
    return TextPiece(opening, at, cut, block.closing), cut


def _cut_outside(source: _Source, at: int, end: int, opening: str) -> tuple[TextPiece, int]:
    """Cut between words, where no mark is cut itself and what has to be closed finds room."""
    text, reach = source.text, end
    for _ in range(_MAX_TRIES):
        cut = _settled(source, at, _preferred(source, at, reach))
        if cut <= at:
            break
        kept = _trimmed(text, at, cut)
        closing = "".join(mark.closing for mark in reversed(source.marks_around(cut)))
        excess = utf16_length(opening + text[at:kept] + closing) - source.limit
        if excess <= 0:
            return TextPiece(opening, at, kept, closing), _skip(text, cut)
        reach = min(reach, cut) - excess
        if reach <= at:
            break
    cut = _whole_grapheme(text, at, end)
    return TextPiece(opening, at, _trimmed(text, at, cut), ""), _skip(text, cut)


def _settled(source: _Source, at: int, cut: int) -> int:
    """Move a cut to where no mark, link or list is cut through; `at` where there is no such place."""
    while cut > at:
        if source.text[cut - 1] == "\\" and not source.text[cut : cut + 1].isspace():
            cut -= 1
            continue
        for mark in source.marks_around(cut):
            if mark.is_line:
                moved = mark.start if cut <= mark.body else cut
            elif cut <= mark.body or mark.body == mark.tail:
                moved = mark.start
            else:
                moved = mark.end if cut >= mark.tail else cut
            if moved != cut:
                cut = moved
                break
        else:
            title = (
                _TITLE_LAST.search(source.text[max(at, cut - _MAX_TITLE_CHARS) : cut]) if "#" in source.text else None
            )
            # a title stays with what it is the title of
            return cut - len(title[0]) if title and cut - len(title[0]) > at + (cut - at) // 4 else cut
    return at


def _preferred(source: _Source, at: int, end: int) -> int:
    text, last = source.text, source.last_block(end)
    floor = max(at, last.end) if last else at
    middle = max(floor, at + (end - at) // 2)
    preferred = (_PARAGRAPH_CUT.match, _ITEM_CUT.match, _LINE_CUT.match, _SENTENCE_CUT.match)
    for last_cut, lowest in (*((one, middle) for one in preferred), (_WORD_CUT.match, floor)):
        found = last_cut(text, lowest, end + 1)
        if found and found.end() > lowest:
            return found.end()
    return floor if floor > at else _whole_grapheme(text, at, end)


def _trimmed(text: str, start: int, end: int) -> int:
    """Leave out the space at the end of a piece, and the empty lines of a quote."""
    while True:
        end = start + len(text[start:end].rstrip())
        if not text.endswith("\n>", start, end):
            return end
        end -= 2


def _skip(text: str, at: int) -> int:
    """Leave out the space at the beginning of a piece, and the empty lines of a quote."""
    found = _SPACE.match(text, at)
    at = found.end() if found else at
    if at and text[at : at + 1] != ">":
        return at
    empty = _EMPTY_QUOTE.match(text, at)
    return empty.end() if empty else at


def _reach(text: str, start: int, room: int) -> int:
    """Find the furthest end that fits; a step back never drops more than the excess."""
    end = min(len(text), start + room)
    while (excess := utf16_length(text[start:end]) - room) > 0:
        end -= (excess + 1) // 2
    return end


def _whole_grapheme(text: str, start: int, end: int) -> int:
    """Step back to where one drawn character ends, unless it is longer than any real one."""
    for cut in range(end, max(start, end - _MAX_GRAPHEME_CHARS), -1):
        if cut == len(text) or not _joined(text, start, cut):
            return cut
    return end


def _joined(text: str, start: int, cut: int) -> bool:
    following = text[cut]
    if text[cut - 1] == "\u200d" or _JOINING.match(following) or unicodedata.category(following)[0] == "M":
        return True
    flags = text[start:cut] if following in _REGIONAL else ""
    return (len(flags) - len(flags.rstrip(_REGIONAL))) % 2 == 1
