"""Keep Discord from drawing what an answer says and does not mark: `2*3*4` is a product, and not a 3 in italics.

Its parser takes the first rule that fits at the beginning of what is left. Here it is followed through a text, and
where it would find a mark that the answer does not have, that mark gets a backslash; nothing else does.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from bot.text.markdown.blocks import read
from bot.text.markdown.writer import UNDERLINE_TAGS, MarkdownSpan, WrittenMarkdown, write

UNDERLINE = "__"
"""What Discord draws a line under, and other readers take for bold."""
_STRAY_MARK = re.compile(r"[*_~]")
_NEXT_SIGN = re.compile(r"[\\`*_~\[]|https?://|^ *>(?:>>)? ", re.MULTILINE)
_QUOTE = re.compile(r"(?: *>>> [\s\S]*)|(?: *> [^\n]*(?:\n|$))+")
_URL_PATTERN = r"https?://[^\s<]+[^<.,:;\"'\]\s]"
_URL = re.compile(_URL_PATTERN, re.IGNORECASE)
_CODE_BLOCK = re.compile(r"```(?:[a-z0-9_+\-.#]+?\n)?\n*[^\n][^\0]*?```", re.IGNORECASE)
_TICKS = re.compile(r"`+")
_ESCAPED = re.compile(r"\\[^0-9A-Za-z\s]")
_ADDRESS = re.compile(r"\]\(\s*<?(?:\([^)]*\)|[^\s\\]|\\.)*?>?(?:\s+['\"].*?['\"])?\s*\)")
_MARKS = tuple(
    (mark, re.compile(pattern))
    for mark, pattern in (
        ("**", r"\*\*(?:\\[\s\S]|[^\\])+?\*\*(?!\*)"),
        ("__", r"__(?:\\[\s\S]|[^\\])+?__(?!_)"),
        ("_", r"_(?:__|\\[\s\S]|[^\\_])+?_\b"),
        ("*", r"\*(?=\S)(?:\*\*|\\[\s\S]|\s+(?:\\[\s\S]|[^\s*\\]|\*\*)|[^\s*\\])+?\*(?!\*)"),
        ("~~", r"~~[\s\S]+?~~(?!_)"),
    )
)
_PLAIN = "\ue000"
"""Stands for a sign that has its backslash, while the rest is read."""
_PLAIN_UNDERLINE = (f"{UNDERLINE}{_PLAIN}", f"{_PLAIN * 2}{UNDERLINE}")
"""Stand for tags, which are as long."""
_MAX_ESCAPES = 100
"""Of a message that is made of signs no more are looked at: nobody waits for that."""
_MAX_ESCAPES_TRIED = 12
"""Of more backslashes none is taken away again."""


class _Text:
    """A text with what it means, and which of its signs have a backslash; `seen` is how Discord reads it by then."""

    def __init__(self, written: WrittenMarkdown, escapes: Iterable[int] = ()) -> None:
        self.written = written
        self.meant = {span.start: span for span in written.spans if span.is_drawn}
        self.own = {
            at for span in self.meant.values() for at in (*range(span.start, span.body), *range(span.tail, span.end))
        }
        self.seen = written.text
        self.escapes: set[int] = set()
        for span in written.spans:
            if span.opening == UNDERLINE_TAGS[0]:
                self._put(span.start, _PLAIN_UNDERLINE[0])
                self._put(span.tail, _PLAIN_UNDERLINE[1])
        for at in escapes:
            self.escape(at)

    def may_escape(self, at: int) -> bool:
        """Say whether a backslash before a sign would be none of what is read to the letter: code, or an address."""
        around = (span for span in self.meant.values() if span.start <= at < span.end)
        return not any(span.is_block or not span.opening or "`" in span.opening for span in around)

    def escape(self, at: int) -> None:
        self.escapes.add(at)
        self._put(at, _PLAIN)

    def escape_within(self, span: MarkdownSpan) -> bool:
        """Escape what is like the sign of a mark between its two ends; False where nothing is."""
        sign, inside = span.opening[0], range(span.body, span.tail)
        found = [at for at in inside if self.seen[at] == sign and at not in self.own and self.may_escape(at)]
        for at in found:
            self.escape(at)
        return bool(found)

    def follow(self) -> bool:
        """Read it as Discord does, and escape what it would draw; False where there is nothing to escape."""
        before = len(self.escapes)
        _follow(self, _Part(0, len(self.seen)))
        return len(self.escapes) > before

    def _put(self, at: int, instead: str) -> None:
        self.seen = f"{self.seen[:at]}{instead}{self.seen[at + len(instead) :]}"


class _Part(NamedTuple):
    """What Discord reads by itself: all, a quote, or what stands between two marks."""

    start: int
    end: int
    in_quote: bool = False

    def inner(self, start: int, end: int) -> _Part:
        return _Part(start, end, self.in_quote)


def escape_unmarked(text: str, *, strays: bool = True) -> str:
    """Return a text of which Discord draws what it marks, and as what it marks it; `strays`: and nothing else."""
    if not any(sign in text for sign in ("*", "_", "~", UNDERLINE_TAGS[0])):
        return text
    written = write(read(text))
    if written.text != text:
        return text  # no part of an answer: nobody has read it as one
    written = _with_other_signs(written)
    lines = [span for span in written.spans if span.opening == UNDERLINE_TAGS[0]]
    escapes = _needed_escapes(written) if strays else set[int]()
    if not escapes and not lines:
        return written.text
    changes = [(at, at, "\\") for at in escapes]
    changes += [(span.start, span.body, UNDERLINE) for span in lines] + [
        (span.tail, span.end, UNDERLINE) for span in lines
    ]
    pieces, at = [], 0
    for start, end, instead in sorted(changes):
        pieces += [written.text[at:start], instead]
        at = end
    return "".join([*pieces, written.text[at:]])


def _with_other_signs(written: WrittenMarkdown) -> WrittenMarkdown:
    """Write `_` as `*` where an underscore stands within that can have no backslash: Discord would never see the end.

    What is marked with `*` within gets `_` instead.
    """
    shut = [at for span in written.spans if span.is_drawn for at in _shut_places(written, span)]
    shut += [at for url in _URL.finditer(written.text) for at in range(*url.span())]
    shut = [at for at in shut if written.text[at] == "_"]
    outer = [span for span in written.spans if span.opening == "_" and any(span.body <= at < span.tail for at in shut)]
    if not outer:
        return written
    signs, spans = list(written.text), list(written.spans)
    for number, span in enumerate(spans):
        within = any(one.body <= span.start and span.end <= one.tail for one in outer)
        if span in outer or (within and span.opening == "*"):
            sign = "*" if span in outer else "_"
            signs[span.start] = signs[span.tail] = sign
            spans[number] = span._replace(opening=sign, closing=sign)
    return written._replace(text="".join(signs), spans=tuple(spans))


def _shut_places(written: WrittenMarkdown, span: MarkdownSpan) -> range:
    """Return where no backslash may stand: in code, and in the address of a link."""
    if span.is_block or "`" in span.opening or not span.opening:
        return range(span.start, span.end)
    return range(span.tail, span.end) if span.opening == "[" else range(0)


def _needed_escapes(written: WrittenMarkdown) -> set[int]:
    """Return where a backslash is needed: what a sign means may depend on one behind it that has one."""
    found = _Text(written)
    while found.follow() and len(found.escapes) < _MAX_ESCAPES:
        pass
    escapes = found.escapes
    for at in sorted(escapes) * 2 if len(escapes) <= _MAX_ESCAPES_TRIED else ():
        if at in escapes and not _Text(written, fewer := escapes - {at}).follow():
            escapes = fewer
    return escapes


def _follow(text: _Text, part: _Part) -> None:
    """Read a part of a text as Discord does."""
    at = part.start
    while len(text.escapes) < _MAX_ESCAPES and (sign := _NEXT_SIGN.search(text.seen, at, part.end)) is not None:
        at = _step(text, sign.start(), part)


def _step(text: _Text, at: int, part: _Part) -> int:
    span = text.meant.get(at)
    if text.seen[at] in " >":
        return _quote(text, at, part)
    # its patterns see nothing of what stands before
    left = text.seen[at : part.end]
    if skipped := _skipped(left):
        return at + skipped
    if left[0] == "[":
        return _link(text, span, at, part)
    while (drawn := _drawn_mark(left)) is not None:
        mark, size = drawn
        if span is None:
            text.escape(at)
            return at + 1
        ends = at + size - len(mark)
        opening = UNDERLINE if span.opening == UNDERLINE_TAGS[0] else span.opening
        if opening != mark or at + size >= span.end or not text.may_escape(ends):
            _follow(text, part.inner(span.body, span.tail))
            return span.end
        # it would end at a sign within, which ends nothing
        text.escape(ends)
        left = text.seen[at : part.end]
    if span is None or _STRAY_MARK.match(span.opening) is None:
        return at + 1
    # what would keep Discord from seeing the end of it
    return at if text.escape_within(span) else at + 1


def _skipped(left: str) -> int:
    """Return how much at the beginning is drawn as it is written, so that no mark in it counts."""
    if left[0] == "`":
        block = _CODE_BLOCK.match(left)
        return block.end() if block else _code(left)
    found = _ESCAPED.match(left) or _URL.match(left)
    return found.end() if found else 0


def _code(left: str) -> int:
    """Return the length of the code at the beginning: as many backticks end it as it has, or the most below that."""
    runs = _TICKS.finditer(left)
    size = len(next(runs)[0])
    ends: dict[int, int] = {}
    for run in runs:
        if len(run[0]) == size:
            return run.end()
        ends.setdefault(len(run[0]), run.end())
    return ends.get(max((ticks for ticks in ends if ticks < size), default=0), 0)


def _quote(text: _Text, at: int, part: _Part) -> int:
    quote = None if part.in_quote else _QUOTE.match(text.seen, at, part.end)
    if quote is None:
        return text.seen.index(">", at) + 1
    _follow(text, _Part(text.seen.index(">", at) + 1, quote.end(), in_quote=True))
    return quote.end()


def _link(text: _Text, span: MarkdownSpan | None, at: int, part: _Part) -> int:
    closing = _ADDRESS.search(text.seen, at) if span is not None else None
    if span is None or closing is None:
        return at + 1
    _follow(text, part.inner(at + 1, min(closing.start(), span.end)))
    return span.end


def _drawn_mark(left: str) -> tuple[str, int] | None:
    """Return which mark Discord finds at the beginning, and how much it takes for its words."""
    for mark, pattern in _MARKS:
        if left.startswith(mark) and (found := pattern.match(left)):
            return mark, found.end()
    return None
