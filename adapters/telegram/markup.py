r"""Turn the Markdown that models write into text and entities; pure, and it takes whatever comes.

Nothing is ever lost but the marks themselves: what is no mark stays as it was written. Code is never read for marks.
Only addresses that somebody can follow to a web page become links; a name with an @ calls nobody.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import accumulate
from typing import NamedTuple

from telegram import MessageEntity
from telegram.constants import MessageEntityDateTimeFormats
from yarl import URL

from bot.text.links import defang, links_in
from bot.text.markdown.blocks import read
from bot.text.markdown.nodes import (
    BOLD,
    ITALIC,
    SPOILER,
    STRIKE,
    UNDERLINE,
    Block,
    BlockQuote,
    CodeFence,
    Heading,
    InlineCode,
    InlineLink,
    Inlines,
    Paragraph,
    PlainWords,
)
from bot.text.markdown.tables import drawable
from bot.text.markdown.writer import language_of, write_spaced
from bot.text.text import utf16_length
from bot.text.times import TIME, plain_times, spell_time

MAX_ENTITIES = 100  # https://core.telegram.org/api/config#config: later ones are ignored
DEAD_AT = "@\u2060"
"""Stands for the @ of a name: it looks the same, and calls nobody."""
WIDE_AT = "\uff20"
"""Does the same where there is no room for one more character."""

_NAME = re.compile(r"(?<![\w@./])@(?=[A-Za-z]\w{2,31}(?!\w))")
_ENDING = r"\.(?i:ac|am|cc|md|mk|ml|mov|pl|pm|ps|py|rs|sh|so|tf|zip)(?![\w/@-]|\.\w|:\d)"
_TICKS = re.compile(r"`+")
_FILE = re.compile(rf"(?:(?<![\w@./:~-])|(?<=[@:])[\w./-]*~)([\w./~-]*\w{_ENDING})", re.IGNORECASE)
"""A file whose ending is that of a country or so: Telegram makes an address of it, which leads to strangers.

Behind an @ or a colon it begins behind the first `~`.
"""
_SIGN = re.compile(r"[\\`*_~\[#>@$&<|]")
_FILE_ENDING = re.compile(_ENDING)
_KINDS = {
    BOLD: MessageEntity.BOLD,
    ITALIC: MessageEntity.ITALIC,
    STRIKE: MessageEntity.STRIKETHROUGH,
    UNDERLINE: MessageEntity.UNDERLINE,
    SPOILER: MessageEntity.SPOILER,
}


class EntitySpan(NamedTuple):
    """A part of the text, in characters, and how it is drawn."""

    kind: str
    start: int
    end: int
    detail: str = ""


class MarkedText(NamedTuple):
    """A text as it is sent, with its entities."""

    text: str
    entities: tuple[MessageEntity, ...]


class _TextWriter:
    """The text as far as it is written."""

    def __init__(self, at: str) -> None:
        self.at = at
        self.parts: list[str] = []
        self.length = 0
        self.spans: list[EntitySpan] = []

    def write(self, text: str) -> None:
        self.parts.append(text)
        self.length += len(text)

    def say(self, text: str) -> None:
        """Write words that call nobody, with every time that is marked in them as the reader's own."""
        # what stands before the words decides whether an @ in them begins a name
        at, text = 0, dead_names(text, self.parts[-1][-1:] if self.parts else "", self.at)
        for found in TIME.finditer(text):
            self._words(text[at : found.start()])
            start, at = self.length, found.end()
            self.write(spell_time(found))
            self.span(MessageEntity.DATE_TIME, start, f"{found[1]}{found[2]}")
        self._words(text[at:])

    def _words(self, text: str) -> None:
        """Write words; names of files that Telegram would take for addresses are code."""
        at = 0
        for found in _FILE.finditer(text):
            self.write(text[at : found.start(1)])
            start, at = self.length, found.end()
            self.write(found[1])
            self.span(MessageEntity.CODE, start)
        self.write(text[at:])

    def span(self, kind: str, start: int, detail: str = "") -> None:
        if self.length > start:
            self.spans.append(EntitySpan(kind, start, self.length, detail))


def render(markdown: str, at: str = DEAD_AT) -> MarkedText:
    """Return the text without its marks, and what they meant; `at` stands for every @ that would call somebody."""
    if not _has_marks(markdown):
        return MarkedText(markdown, ())
    out = _TextWriter(at)
    write_spaced(drawable(read(markdown)), out, _block)
    text = "".join(out.parts)
    return MarkedText(text, _entities(text, out.spans))


def _has_marks(text: str) -> bool:
    """Say whether a text has what every mark has one of; without them it is sent as it is.

    Four searches: one pattern for all of them takes twice as long on plain words (9.2 against 5.4 us for 800).
    """
    return _SIGN.search(text) is not None or _FILE_ENDING.search(text) is not None or "---" in text or "- - -" in text


def dead_names(text: str, before: str, at: str = DEAD_AT) -> str:
    """Return words that call nobody; `before` is the character that stands before them."""
    return _NAME.sub(at, before + text)[len(before) :] if "@" in text else text


def unmarked_text(text: str, at: str = DEAD_AT) -> str:
    """Return the text as it was written, but for names that would call somebody, and times.

    Nothing is code then: Telegram would make links of those that were written as code so that it does not.
    """
    return plain_times(_NAME.sub(at, _without_links_in_code(text)))


def _without_links_in_code(text: str) -> str:
    parts, at = [], 0
    for start, end, ticks in _code_spans(text):
        if any(True for _ in links_in(text[start + ticks : end - ticks])):
            parts += [text[at:start], defang(text[start:end])]
            at = end
    return "".join([*parts, text[at:]])


def _code_spans(text: str) -> Iterator[tuple[int, int, int]]:
    """Yield where code stands, and between how many backticks: as many as also stand somewhere behind it."""
    runs = [found.span() for found in _TICKS.finditer(text)]
    # the longest of a run and those behind it, so that none of them is looked at twice
    longest = list(accumulate((end - start for start, end in reversed(runs)), max))[::-1]
    first = 0
    while first + 1 < len(runs):
        start, end = runs[first]
        ticks, last = min(end - start, longest[first + 1]), first + 1
        if 2 * ticks < end - start:
            first += 1  # nothing but backticks
            continue
        while runs[last][1] - runs[last][0] < ticks:
            last += 1
        yield start, runs[last][1], ticks
        first = last + 1


def _block(block: Block, out: _TextWriter) -> None:
    if isinstance(block, CodeFence):
        _write_alone(block.prefix, out)
        _code_block(block, out)
        return
    if isinstance(block, BlockQuote):
        _write_alone(block.prefix, out)
        start = out.length
        write_spaced(block.inside, out, _block)
        out.span(MessageEntity.BLOCKQUOTE, start)
        return
    assert isinstance(block, Paragraph | Heading), "drawable() leaves nothing else"
    out.write(block.prefix)
    start = out.length
    _inline(block.inside, out)
    if isinstance(block, Heading):
        out.span(MessageEntity.BOLD, start)


def _write_alone(prefix: str, out: _TextWriter) -> None:
    if prefix.strip():
        out.write(prefix.rstrip() + "\n")


def _code_block(block: CodeFence, out: _TextWriter) -> None:
    start = out.length
    out.write(block.text)
    out.span(MessageEntity.PRE, start, language_of(block.info))


def _inline(inlines: Inlines, out: _TextWriter) -> None:
    for one in inlines:
        if isinstance(one, PlainWords):
            out.say(one.text)
            continue
        start = out.length
        if isinstance(one, InlineCode):
            out.write(one.text)
            out.span(MessageEntity.CODE, start)
        elif isinstance(one, InlineLink):
            _inline(one.label, out)
            if (address := followable(one.address)) is not None:
                out.span(MessageEntity.TEXT_LINK, start, address)
        else:
            _inline(one.inside, out)
            out.span(_KINDS[one.kind], start)


def followable(address: str) -> str | None:
    """Return an address that leads somebody to a web page; None for any other."""
    try:
        url = URL(address)
    except ValueError:
        return None
    return address if url.scheme in ("http", "https") and url.host and not url.user else None


def _entities(text: str, spans: list[EntitySpan]) -> tuple[MessageEntity, ...]:
    """Write spans as the API counts: in UTF-16 units, without the space around them, outer ones first."""
    kept = [trimmed for span in spans if (trimmed := _trimmed_span(text, span)) is not None]
    # of code and a link that are as long Telegram keeps the code, and nobody could follow it
    links = {(span.start, span.end) for span in kept if span.kind == MessageEntity.TEXT_LINK}
    kept = [span for span in kept if span.kind != MessageEntity.CODE or (span.start, span.end) not in links]
    # of two that are as long, the outer one was written last
    kept = sorted(reversed(kept), key=lambda span: (span.start, -span.end))
    offsets = _offsets(text, {place for span in kept for place in (span.start, span.end)})
    return tuple(_entity(span, offsets) for span in kept[:MAX_ENTITIES])


def _trimmed_span(text: str, span: EntitySpan) -> EntitySpan | None:
    piece = text[span.start : span.end]
    start = span.start + len(piece) - len(piece.lstrip())
    end = span.end - (len(piece) - len(piece.rstrip()))
    if span.kind in {MessageEntity.PRE, MessageEntity.BLOCKQUOTE}:
        # an indentation is code, and a quote may begin with it
        start = span.start
    return span._replace(start=start, end=end) if start < end else None


def _offsets(text: str, places: set[int]) -> dict[int, int]:
    found, units, at = {}, 0, 0
    for place in sorted(places):
        units += utf16_length(text[at:place])
        found[place], at = units, place
    return found


def _entity(span: EntitySpan, offsets: dict[int, int]) -> MessageEntity:
    start, end = offsets[span.start], offsets[span.end]
    url = span.detail if span.kind == MessageEntity.TEXT_LINK else None
    language = span.detail or None if span.kind == MessageEntity.PRE else None
    if span.kind == MessageEntity.DATE_TIME:
        return _time(span.detail, start, end - start)
    return MessageEntity(span.kind, start, end - start, url=url, language=language)


def _time(detail: str, offset: int, length: int) -> MessageEntity:
    when, how = datetime.fromtimestamp(int(detail[:-1]), UTC), MessageEntityDateTimeFormats(detail[-1])
    return MessageEntity(MessageEntity.DATE_TIME, offset, length, unix_time=when, date_time_format=how)
