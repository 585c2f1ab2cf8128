r"""Turn the Markdown that models write into text and entities; pure, and it takes whatever comes.

Nothing is ever lost but the marks themselves: what is no mark stays as it was written. Code is never read for marks.
Only addresses that somebody can follow to a web page become links; a name with an @ calls nobody.
"""

from __future__ import annotations

import re
from collections import defaultdict, deque
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import NamedTuple

from telegram import MessageEntity
from telegram.constants import MessageEntityDateTimeFormats
from yarl import URL

from bot.domain.text import utf16_length
from bot.domain.times import TIME, plain_times, spelled

MOST_ENTITIES = 100  # https://core.telegram.org/api/config#config: later ones are ignored
DEAD_AT = "@\u2060"
"""Stands for the @ of a name: it looks the same, and calls nobody."""
WIDE_AT = "\uff20"
"""Does the same where there is no room for one more character."""

_FENCE = re.compile(r"^( {0,3})(`{3,}|~{3,})[ \t]*([^\n`]*)$")
_HEADING = re.compile(r"^ {0,3}#{1,6}[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*$")
_QUOTE = re.compile(r"^ {0,3}>[ ]?")
_LANGUAGE = re.compile(r"[\w+#.-]{1,40}")
_NAME = re.compile(r"(?<![\w@./])@(?=[A-Za-z]\w{2,31}(?!\w))")
_ESCAPABLE = frozenset(r"""!"#$%&'()*+,-./:;<=>?@[\]^_`{|}~""")
_LINK = re.compile(
    r"\[((?:[^\[\]\\\n]|\\.){1,1000})\]\(<?([^\s()<>]{1,2000}(?:\([^\s()<>]{0,200}\)[^\s()<>]{0,500})?)>?\)"
)
_MARKED = re.compile(r"[\\`*_~\[#>@]|<t:\d")
"""What every mark has one of; a text without them is sent as it is."""
_TICKS = re.compile("`+")
_SPECIAL = re.compile(r"[\\`\[*_~]")
_GOES_ON = re.compile(r"[.:/-]?\w")
_MARKS = {
    "***": (MessageEntity.BOLD, MessageEntity.ITALIC),
    "**": (MessageEntity.BOLD,),
    "__": (MessageEntity.BOLD,),
    "~~": (MessageEntity.STRIKETHROUGH,),
    "*": (MessageEntity.ITALIC,),
    "_": (MessageEntity.ITALIC,),
}
_MARK = re.compile(r"\*{1,3}|_{1,2}|~~")
_DEEPEST = 12


class Span(NamedTuple):
    """A part of the text, in characters, and how it is drawn."""

    kind: str
    start: int
    end: int
    detail: str = ""


class Marked(NamedTuple):
    """What is sent."""

    text: str
    entities: tuple[MessageEntity, ...]


class _Out:
    """The text as far as it is written."""

    def __init__(self, at: str) -> None:
        self.at = at
        self.parts: list[str] = []
        self.length = 0
        self.spans: list[Span] = []

    def write(self, text: str) -> None:
        self.parts.append(text)
        self.length += len(text)

    def say(self, text: str) -> None:
        """Write words, with every time that is marked in them as the reader's own."""
        at = 0
        for found in TIME.finditer(text):
            self.write(text[at : found.start()])
            start, at = self.length, found.end()
            self.write(spelled(found))
            self.span(MessageEntity.DATE_TIME, start, f"{found[1]}{found[2]}")
        self.write(text[at:])

    def span(self, kind: str, start: int, detail: str = "") -> None:
        if self.length > start:
            self.spans.append(Span(kind, start, self.length, detail))


def render(markdown: str, at: str = DEAD_AT) -> Marked:
    """Return the text without its marks, and what they meant; `at` stands for every @ that would call somebody."""
    if _MARKED.search(markdown) is None:
        return Marked(markdown, ())
    out = _Out(at)
    _blocks(markdown.split("\n"), out)
    text = "".join(out.parts)
    return Marked(text, _entities(text, out.spans))


def unmarked(text: str, at: str = DEAD_AT) -> str:
    """Return the text as it was written, but for names that would call somebody, and times."""
    return plain_times(_NAME.sub(at, text))


def _blocks(lines: list[str], out: _Out) -> None:
    at = 0
    while at < len(lines):
        if at:
            out.write("\n")
        fence = _FENCE.match(lines[at])
        if fence is not None and (end := _closing(lines, at, fence)) is not None:
            _code_block(lines[at + 1 : end], fence, out)
            at = end + 1
        elif _QUOTE.match(lines[at]):
            end = next((n for n in range(at, len(lines)) if not _QUOTE.match(lines[n])), len(lines))
            start = out.length
            _paragraph([_QUOTE.sub("", line, count=1) for line in lines[at:end]], out)
            out.span(MessageEntity.BLOCKQUOTE, start)
            at = end
        else:
            end = _paragraph_end(lines, at)
            _paragraph(lines[at:end], out)
            at = end


def _closing(lines: list[str], at: int, fence: re.Match[str]) -> int | None:
    """Find the line that closes a fence; a fence that is never closed holds the rest, if there is any."""
    marks = fence[2]
    for n in range(at + 1, len(lines)):
        bare = lines[n].strip()
        if len(bare) >= len(marks) and not bare.strip(marks[0]) and len(lines[n]) - len(lines[n].lstrip(" ")) <= 3:
            return n
    return len(lines) if at + 1 < len(lines) else None


def _code_block(lines: list[str], fence: re.Match[str], out: _Out) -> None:
    start, label = out.length, fence[3].strip()
    language = _LANGUAGE.match(label)
    if not any(line.strip() for line in lines):
        out.write(label)  # Telegram draws no empty block
        return
    out.write("\n".join(lines))
    out.span(MessageEntity.PRE, start, language[0] if language else "")


def _paragraph_end(lines: list[str], at: int) -> int:
    """Marks reach over lines, but not over an empty one, a heading, a quote or a fence."""
    if _ends_paragraph(lines[at]):
        return at + 1
    return next((n for n in range(at + 1, len(lines)) if _ends_paragraph(lines[n])), len(lines))


def _ends_paragraph(line: str) -> bool:
    return not line.strip() or any(pattern.match(line) for pattern in (_HEADING, _QUOTE, _FENCE))


def _paragraph(lines: list[str], out: _Out) -> None:
    heading = _HEADING.match(lines[0]) if len(lines) == 1 else None
    start = out.length
    _inline(heading[1] if heading else "\n".join(lines), out, 0)
    if heading:
        out.span(MessageEntity.BOLD, start)


class _Code(NamedTuple):
    """Where inline code and what it holds begin and end."""

    start: int
    inside: int
    outside: int
    end: int


class _Line:
    """A text to be read for marks. What would be searched for again and again is found once."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.code = {code.start: code for code in _codes(text)}
        bare = list(text)
        for code in self.code.values():
            bare[code.start : code.end] = "\0" * (code.end - code.start)
        self._bare = "".join(bare)
        self._endings: dict[str, list[int]] = {}

    def closing(self, mark: str, at: int) -> int | None:
        """Return the first place from here on where a mark can end; `at` never goes back."""
        places = self._endings.get(mark)
        if places is None:
            places = self._endings[mark] = list(_endings(self._bare, mark))[::-1]
        while places and places[-1] < at:
            places.pop()
        return places[-1] if places else None


def _codes(text: str) -> Iterator[_Code]:
    runs = list(_TICKS.finditer(text))
    later: dict[int, deque[re.Match[str]]] = defaultdict(deque)
    for run in runs:
        later[len(run[0])].append(run)
    at = 0
    for run in runs:
        same = later[len(run[0])]
        while same and same[0].start() <= run.start():
            same.popleft()
        if run.start() >= at and same:
            at = same[0].end()
            yield _Code(run.start(), run.end(), same[0].start(), at)


def _endings(text: str, mark: str) -> Iterator[int]:
    for run in re.compile(re.escape(mark[0]) + "+").finditer(text):
        before = text[run.start() - 1] if run.start() else " "
        in_a_word = mark[0] == "_" and _GOES_ON.match(text, run.end())
        fits = len(run[0]) == len(mark) or (len(run[0]) == 3 and mark[0] != "~")
        if fits and not before.isspace() and before != "\\" and not in_a_word:
            yield run.end() - len(mark)


def _inline(text: str, out: _Out, depth: int) -> None:
    """Write a text, reading its marks from left to right; a mark without its end is a character like any other."""
    line, at = _Line(text), 0
    while at < len(text):
        character = text[at]
        if character == "\\" and text[at + 1 : at + 2] in _ESCAPABLE:
            out.write(text[at + 1])
            at += 2
        elif character == "`":
            at = _inline_code(line, at, out)
        elif character == "[" and depth < _DEEPEST and (link := _LINK.match(text, at)) is not None:
            _link(link, out, depth)
            at = link.end()
        elif character in "*_~" and depth < _DEEPEST:
            at = _marked(line, at, out, depth)
        else:
            at = _plain(text, at, out)


def _plain(text: str, at: int, out: _Out) -> int:
    found = _SPECIAL.search(text, at + 1)
    end = found.start() if found else len(text)
    # what stands before the piece decides whether an @ in it begins a name
    before = text[at - 1] if at else ""
    out.say(_NAME.sub(out.at, before + text[at:end])[len(before) :])
    return end


def _inline_code(line: _Line, at: int, out: _Out) -> int:
    found = line.code.get(at)
    if found is None:
        ticks = _TICKS.match(line.text, at)
        assert ticks is not None
        out.write(ticks[0])
        return ticks.end()
    start, code = out.length, line.text[found.inside : found.outside]
    # CommonMark: one space on both sides only keeps backticks apart
    if code.startswith(" ") and code.endswith(" ") and code.strip():
        code = code[1:-1]
    out.write(code)
    out.span(MessageEntity.CODE, start)
    return found.end


def _link(link: re.Match[str], out: _Out, depth: int) -> None:
    start = out.length
    _inline(link[1], out, depth + 1)
    if (address := _followable(link[2])) is not None:
        out.span(MessageEntity.TEXT_LINK, start, address)


def _followable(address: str) -> str | None:
    try:
        url = URL(address)
    except ValueError:
        return None
    return address if url.scheme in ("http", "https") and url.host and not url.user else None


def _marked(line: _Line, at: int, out: _Out, depth: int) -> int:
    text, run = line.text, _MARK.match(line.text, at)
    close = line.closing(run[0], run.end() + 1) if run is not None and _can_open(text, run) else None
    if run is None or close is None:
        end = next((n for n in range(at + 1, len(text)) if text[n] != text[at]), len(text))
        out.write(text[at:end])
        return end
    start = out.length
    _inline(text[run.end() : close], out, depth + 1)
    for kind in _MARKS[run[0]]:
        out.span(kind, start)
    return close + len(run[0])


def _can_open(text: str, run: re.Match[str]) -> bool:
    mark, behind = run[0], text[run.end() : run.end() + 1]
    if mark not in _MARKS or behind in (mark[0], "") or behind.isspace():
        return False
    before = text[run.start() - 1] if run.start() else " "
    if mark[0] == "_" and (before.isalnum() or before == "_"):
        return False  # snake_case is a word
    return not (mark == "*" and before.isalnum() and behind.isalnum())  # 2*3 is a product


def _entities(text: str, spans: list[Span]) -> tuple[MessageEntity, ...]:
    """Write spans as the API counts: in UTF-16 units, without the space around them, outer ones first."""
    kept = [trimmed for span in spans if (trimmed := _trimmed(text, span)) is not None]
    kept.sort(key=lambda span: (span.start, -span.end))
    offsets = _offsets(text, {place for span in kept for place in (span.start, span.end)})
    return tuple(_entity(span, offsets) for span in kept[:MOST_ENTITIES])


def _trimmed(text: str, span: Span) -> Span | None:
    piece = text[span.start : span.end]
    start = span.start + len(piece) - len(piece.lstrip())
    end = span.end - (len(piece) - len(piece.rstrip()))
    if span.kind == MessageEntity.PRE:
        start = span.start
    return span._replace(start=start, end=end) if start < end else None


def _offsets(text: str, places: set[int]) -> dict[int, int]:
    found, units, at = {}, 0, 0
    for place in sorted(places):
        units += utf16_length(text[at:place])
        found[place], at = units, place
    return found


def _entity(span: Span, offsets: dict[int, int]) -> MessageEntity:
    start, end = offsets[span.start], offsets[span.end]
    url = span.detail if span.kind == MessageEntity.TEXT_LINK else None
    language = span.detail or None if span.kind == MessageEntity.PRE else None
    if span.kind == MessageEntity.DATE_TIME:
        return _time(span.detail, start, end - start)
    return MessageEntity(span.kind, start, end - start, url=url, language=language)


def _time(detail: str, offset: int, length: int) -> MessageEntity:
    when, how = datetime.fromtimestamp(int(detail[:-1]), UTC), MessageEntityDateTimeFormats(detail[-1])
    return MessageEntity(MessageEntity.DATE_TIME, offset, length, unix_time=when, date_time_format=how)
