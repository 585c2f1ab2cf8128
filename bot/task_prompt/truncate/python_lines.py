"""Read Python by its lines: blank out what is no code, and leave out the bodies of functions before anything is parsed.

Parsing is the slow part (3 MB/s, and no other thread runs meanwhile). A body that is left out need not be parsed; a cut
at the wrong place leaves a bracket or a string open, and then the parser says so.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

# What is never closed goes on to the end of its line or of the text, so that no text is searched twice.
_LITERAL = re.compile(
    r"#[^\n]*"
    r'|"""[^"\\]*+(?:(?:\\.|"(?!""))[^"\\]*+)*+(?:"""|\\?\Z)'
    r"|'''[^'\\]*+(?:(?:\\.|'(?!''))[^'\\]*+)*+(?:'''|\\?\Z)"
    r'|"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+(?:"|(?=\n)|\\?\Z)'
    r"|'[^'\\\n]*+(?:\\.[^'\\\n]*+)*+(?:'|(?=\n)|\\?\Z)",
    re.DOTALL,
)
_DOC = re.compile(r"""\s*[rRuU]?(?:" *"|' *')\s*\\?$""")
_HEADER = re.compile(r"[ \t]*(?:async[ \t]+)?def[ \t]+\w+(?=[ \t]*[(\[])")
"""Of a header in whose brackets nothing is missing; what stands in them need not be parsed either."""
_OPENS, _CLOSES = "([{", ")]}"
_MAX_HEADER_LINES = 200
_MAX_DEPTH = 1_000_000


class LineRange(NamedTuple):
    """Lines by index, the last included."""

    first: int
    last: int

    @property
    def number(self) -> int:
        """How many lines these are."""
        return self.last - self.first + 1


class FunctionLines(NamedTuple):
    """Where a function stands: its header, its docstring, and what comes after that."""

    header: LineRange
    doc: LineRange | None
    body: LineRange | None


class StrippedSource(NamedTuple):
    """Source without bodies. `first` and `last` name, for each of its lines, the original ones that it stands for."""

    lines: list[str]
    first: list[int]
    last: list[int]
    functions: list[FunctionLines]

    def keep(self, lines: Sequence[str], start: int, end: int) -> None:
        """Take over lines as they are, `end` left out."""
        self.lines.extend(lines[start:end])
        self.first.extend(range(start, end))
        self.last.extend(range(start, end))

    def stand_in(self, line: str, lines: LineRange) -> None:
        """Let one line stand for several."""
        self.lines.append(line)
        self.first.append(lines.first)
        self.last.append(lines.last)


def blank(source: str) -> list[str]:
    """Return the lines of a source with comments and the insides of strings blanked out.

    Lines and columns stay; where a string goes on, its line ends with a backslash and what follows is blank.
    """
    return _LITERAL.sub(_blanked, source).split("\n")


def _blanked(found: re.Match[str]) -> str:
    text = found[0]
    quote, size = text[0], len(text)
    if quote == "#":
        return " " * size
    if size < 2 or text[-1] != quote:
        # never closed, and that is what the parser is to see
        return quote + re.sub("[^\n]", " ", text[1:])
    if "\n" not in text:
        return quote + " " * (size - 2) + quote
    first, *rest = text.split("\n")
    # at least the quote and the backslash stand in the first line
    opened = quote * 2 + " " * (len(first) - 2)
    return "\\\n".join([opened, *[" " * len(line) for line in rest]])


def strip_bodies(lines: Sequence[str]) -> StrippedSource:
    """Replace the body of each function by `...`, by its indentation alone; `lines` are blanked ones."""
    kept = StrippedSource([], [], [], [])
    depths = _depths(lines)
    taken = 0
    for at, line in enumerate(lines):
        if at >= taken and "def " in line and line.lstrip().startswith(("def ", "async def ")):
            kept.keep(lines, taken, at)
            taken = _function(lines, depths, at, kept)
    kept.keep(lines, taken, len(lines))
    return _squeezed(kept)


def _squeezed(source: StrippedSource) -> StrippedSource:
    """Let one line stand for those of a string that ends its line, and none for blank ones: most of what is left."""
    kept = StrippedSource([], [], [], source.functions)
    lines, count = source.lines, len(source.lines)
    at = 0
    while at < count:
        line, end = lines[at], at
        if line[-1:] == "\\":
            while end + 1 < count and lines[end][-1:] == "\\" and not lines[end + 1].strip(" \t\\"):
                end += 1
            if lines[end][-1:] == "\\":
                end = at
            else:
                line = line[:-1]
        elif not line.strip() and not (kept.lines and kept.lines[-1][-1:] == "\\"):
            at += 1
            continue
        kept.lines.append(line)
        kept.first.append(source.first[at])
        kept.last.append(source.last[end])
        at = end + 1
    return kept


def _depths(lines: Sequence[str]) -> list[int]:
    """Return how deep each line is indented; one that begins no statement is as deep as can be."""
    depths = [
        len(line) - len(text) if (text := line.lstrip()) and text[0] not in _CLOSES else _MAX_DEPTH for line in lines
    ]
    for number, line in enumerate(lines[:-1]):
        if line[-1:] == "\\":
            depths[number + 1] = _MAX_DEPTH
    return depths


def logical_end(lines: Sequence[str], at: int) -> int:
    """Return the last line of the statement that ends in line `at`, or of the string in which it does."""
    while at + 1 < len(lines) and lines[at].endswith("\\"):
        at += 1
    return at


def _function(lines: Sequence[str], depths: Sequence[int], at: int, kept: StrippedSource) -> int:
    """Take over the header and the docstring of the function in line `at`; return the line after its body."""
    line = lines[at]
    indent = len(line) - len(line.lstrip())
    closed = _header_end(lines, at)
    header = LineRange(at, at if closed is None else closed)
    end = _block_end(lines, depths, header.last + 1, indent)
    is_block = lines[header.last].rstrip().endswith(":")
    start = next((n for n in range(header.last + 1, end) if lines[n].strip()), end) if is_block else end
    doc = LineRange(start, logical_end(lines, start)) if start < end and _DOC.match(lines[start]) else None
    if doc:
        start = next((n for n in range(doc.last + 1, end) if lines[n].strip()), end)
    body = LineRange(start, end - 1) if is_block and start < end else None
    kept.functions.append(FunctionLines(header, doc, body))
    named = _HEADER.match(line) if closed is not None and (body or doc) else None
    if named:
        kept.stand_in(f"{named[0]}():", header)
    kept.keep(lines, header.last + 1 if named else at, start)
    if body:
        opening = lines[start]
        kept.stand_in(opening[: len(opening) - len(opening.lstrip())] + "...", body)
    return max(end, header.last + 1)


def _header_end(lines: Sequence[str], at: int) -> int | None:
    """Return the line in which the brackets of a header are closed, None if they are not."""
    depth = 0
    for number in range(at, min(at + _MAX_HEADER_LINES, len(lines))):
        line = lines[number]
        depth += sum(map(line.count, _OPENS)) - sum(map(line.count, _CLOSES))
        if depth <= 0 and not line.endswith("\\"):
            return number
    return None


def _block_end(lines: Sequence[str], depths: Sequence[int], start: int, indent: int) -> int:
    """Return the line after the last one that is indented deeper, blank ones at the end left out."""
    end = start
    while end < len(lines) and depths[end] > indent:
        end += 1
    # a blank line inside a string that goes on is none
    while end > start and not lines[end - 1].strip() and lines[end - 2][-1:] != "\\":
        end -= 1
    return end
