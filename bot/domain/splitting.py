"""Split a text for a platform: whole code fences, no broken characters, nothing lost."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from typing import NamedTuple

from bot.domain.text import utf16_length

_SMALLEST_LIMIT = 16
_SPACE = re.compile(r"\s*")
_FENCE_LINE = re.compile(r"^[ \t]{0,12}(`{3,400})([^`\n]{0,400})$", re.MULTILINE)
_PREFERRED_CUTS = tuple(
    re.compile(pattern, re.DOTALL)
    for pattern in (r".*(?=\n\n)", r".*(?=\n)", r".*(?:(?<=[.!?…])(?=\s)|(?<=[。！？])(?=.))")
)
_WORD_CUT = re.compile(r".*(?=\s)", re.DOTALL)
_LONGEST_GRAPHEME = 32
_REGIONAL = "".join(map(chr, range(0x1F1E6, 0x1F200)))
_JOINING = re.compile(r"[\u200c\u200d\u1160-\u11ff\udc00-\udfff\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]")


class Piece(NamedTuple):
    """One chunk: a slice of the text between the fence lines that had to be added around it."""

    opening: str
    start: int
    end: int
    closing: str


class _Fence(NamedTuple):
    start: int
    body: int
    end: int  # past the end of the text while the fence is never closed
    opening: str
    closing: str
    reserve: int  # what closing may cost: our line, or the author's own


class _Source(NamedTuple):
    text: str
    limit: int
    fences: tuple[_Fence, ...]

    def last_fence(self, index: int) -> _Fence | None:
        """Find the last fence that starts before here."""
        before = bisect_left(self.fences, index, key=lambda fence: fence.start)
        return self.fences[before - 1] if before else None

    def fence_around(self, index: int) -> _Fence | None:
        """Find the fence that a cut here would break."""
        fence = self.last_fence(index)
        return fence if fence and index < fence.end else None


def split(text: str, limit: int) -> tuple[str, ...]:
    """Cut text into chunks of at most `limit` UTF-16 units; see `plan_split` for what is promised."""
    return tuple(piece.opening + text[piece.start : piece.end] + piece.closing for piece in plan_split(text, limit))


def plan_split(text: str, limit: int) -> tuple[Piece, ...]:
    r"""Choose the cuts, preferring paragraph, line, sentence and word, and keeping ``` fences whole where they fit.

    Promised: the pieces are slices of `text` in order, and what lies before, between and behind them is whitespace;
    inside a fence it is at most the one newline that the added closing line replaces. A piece that ends inside a fence
    is closed and the next one reopened with the same info string (a bare one if the string takes half the limit).
    """
    if limit < _SMALLEST_LIMIT:
        raise ValueError(f"a chunk needs at least {_SMALLEST_LIMIT} units, not {limit}")
    text = text.rstrip()
    source = _Source(text, limit, _find_fences(text, limit))
    pieces: list[Piece] = []
    at = _skip_space(text, 0)
    while at < len(text):
        piece, at = _next_piece(source, at)
        pieces.append(piece)
    return tuple(pieces)


def with_closed_fence(text: str, limit: int) -> str:
    """Close the fence that a text which goes on is still in the middle of; `limit` is what it will be split by."""
    fences = _find_fences(text.rstrip(), limit)
    return text + fences[-1].closing if fences and fences[-1].end > len(text.rstrip()) else text


def _find_fences(text: str, limit: int) -> tuple[_Fence, ...]:
    fences: list[_Fence | None] = []
    first: re.Match[str] | None = None
    for line in _FENCE_LINE.finditer(text) if "```" in text else ():
        if first is None:
            first = line
        elif len(line[1]) >= len(first[1]) and not line[2].strip():
            fences.append(_fence(text, limit, first, line))
            first = None
    if first is not None:
        fences.append(_fence(text, limit, first, None))
    return tuple(fence for fence in fences if fence)


def _fence(text: str, limit: int, first: re.Match[str], last: re.Match[str] | None) -> _Fence | None:
    """Describe a fence, or None if its own lines leave no room for content: then it is ordinary text."""
    start, body = first.start(1), min(first.end() + 1, len(text))
    opening, closing = f"{first[1]}{first[2].strip()}\n", f"\n{first[1]}"
    if utf16_length(opening + closing) > limit // 2:
        opening = f"{first[1]}\n"
    end = last.end(1) if last else len(text) + 1
    reserve = max(len(closing), last.end(1) - last.start() + 1 if last else 0)
    room = limit - reserve - max(utf16_length(opening), utf16_length(text[start:body]))
    if room < 2 or len(opening + closing) > limit // 2:
        return None
    return _Fence(start, body, end, opening, closing, reserve)


def _next_piece(source: _Source, at: int) -> tuple[Piece, int]:
    text, inside = source.text, source.fence_around(at)
    opening = inside.opening if inside else ""
    end = _reach(text, at, source.limit - utf16_length(opening))
    if end == len(text) and (inside is None or inside.end <= end):
        return Piece(opening, at, end, ""), end
    broken = source.fence_around(end)
    if broken and broken.start <= at:
        return _cut_inside(source, broken, at, opening)
    cut = broken.start if broken else _cut_outside(source, at, end)
    return Piece(opening, at, at + len(text[at:cut].rstrip()), ""), _skip_space(text, cut)


def _cut_inside(source: _Source, fence: _Fence, at: int, opening: str) -> tuple[Piece, int]:
    """Cut before the last newline that leaves some content, else anywhere; indentation is content here."""
    text, floor = source.text, max(at, fence.body)
    end = _reach(text, at, source.limit - utf16_length(opening) - fence.reserve)
    newline = -1 if end == len(text) else text.rfind("\n", floor + 1, end + 1)
    if newline >= 0:
        return Piece(opening, at, newline, fence.closing), newline + 1
    cut = _whole_grapheme(text, floor, end)
    return Piece(opening, at, cut, fence.closing), cut


def _cut_outside(source: _Source, at: int, end: int) -> int:
    text, last = source.text, source.last_fence(end)
    floor = max(at, last.end) if last else at
    middle = max(floor, at + (end - at) // 2)
    tries = [(pattern, middle) for pattern in _PREFERRED_CUTS] + [(_WORD_CUT, floor)]
    for pattern, lowest in tries:
        found = pattern.match(text, lowest, end + 1)
        if found and found.end() > lowest:
            return found.end()
    return floor if floor > at else _whole_grapheme(text, at, end)


def _skip_space(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _reach(text: str, start: int, room: int) -> int:
    """Find the furthest end that fits; a step back never drops more than the excess."""
    end = min(len(text), start + room)
    while (excess := utf16_length(text[start:end]) - room) > 0:
        end -= (excess + 1) // 2
    return end


def _whole_grapheme(text: str, start: int, end: int) -> int:
    """Step back to where one drawn character ends, unless it is longer than any real one."""
    for cut in range(end, max(start, end - _LONGEST_GRAPHEME), -1):
        if cut == len(text) or not _joined(text, start, cut):
            return cut
    return end


def _joined(text: str, start: int, cut: int) -> bool:
    following = text[cut]
    if text[cut - 1] == "\u200d" or _JOINING.match(following) or unicodedata.category(following)[0] == "M":
        return True
    flags = text[start:cut] if following in _REGIONAL else ""
    return (len(flags) - len(flags.rstrip(_REGIONAL))) % 2 == 1
