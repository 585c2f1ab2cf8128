"""Split HTML into tags and text, as browsers do, in time that grows with its length and nothing else.

The standard library's parser takes seconds for 20 kB of `<a ` (it looks ahead to the end again at every `<`). Here
whatever is not closed swallows the rest, as in browsers, so nothing is looked at twice.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

_START = re.compile(r"<(?=[a-zA-Z!?/])")
_NAME = re.compile(r"[a-zA-Z][^\s/>\x00]{0,63}")
_ATTRIBUTE_GAP = re.compile(r"[\s/]*+")
_ATTRIBUTE = re.compile(r"=?[^\s/>=]*+")
_EQUALS = re.compile(r"\s*+=\s*+")
_BARE_VALUE = re.compile(r"[^\s>]*+")
_HUGE_REFERENCE = re.compile(r"&#(?:\d{8,}+|[xX][0-9a-fA-F]{7,}+);?")
"""No character has such a number, and Python refuses to read the longest of them at all."""
_RAW_TAGS = frozenset({"script", "style", "xmp", "iframe", "noembed", "noframes", "noscript"})
_TEXT_ONLY_TAGS = frozenset({"title", "textarea"})
_MAX_ATTRIBUTES = 64


class HtmlTag(NamedTuple):
    """A tag; a closing one has no attributes."""

    name: str
    closes: bool
    attributes: Mapping[str, str] = {}


def tokens(markup: str) -> Iterator[HtmlTag | str]:
    """Yield tags and the text between them; comments, scripts and styles are left out."""
    at, size = 0, len(markup)
    while at < size:
        opening = _START.search(markup, at)
        start = opening.start() if opening else size
        if start != at:
            yield unescape_text(markup[at:start])
        if opening is None:
            return
        tag, at = _tag(markup, start)
        if tag is None:
            continue
        yield tag
        if not tag.closes and (tag.name in _RAW_TAGS or tag.name in _TEXT_ONLY_TAGS):
            inside, at = _raw_text(markup, tag.name, at)
            if tag.name in _TEXT_ONLY_TAGS:
                yield unescape_text(inside)


def unescape_text(text: str) -> str:
    """Resolve character references."""
    return html.unescape(_HUGE_REFERENCE.sub("\ufffd", text)) if "&" in text else text


def _tag(markup: str, start: int) -> tuple[HtmlTag | None, int]:
    """Read what begins with `<`; return where it ends. What is no tag is a comment."""
    after = markup[start + 1 : start + 2]
    if markup.startswith("<!--", start):
        return None, _end_of(markup, "-->", start + 2)
    closes = after == "/"
    name = _NAME.match(markup, start + 1 + closes)
    if name is None:
        return None, _end_of(markup, ">", start)
    attributes, end = _attributes(markup, name.end())
    return HtmlTag(name[0].lower(), closes, attributes), end


def _attributes(markup: str, at: int) -> tuple[Mapping[str, str], int]:
    found: dict[str, str] = {}
    while True:
        at = _skip_pattern(_ATTRIBUTE_GAP, markup, at)
        if at >= len(markup):
            return {}, len(markup)
        if markup[at] == ">":
            return found, at + 1
        end = _skip_pattern(_ATTRIBUTE, markup, at)
        name, at, value = markup[at:end].lower(), end, ""
        if equals := _EQUALS.match(markup, at):
            value, at = _value(markup, equals.end())
        if len(found) < _MAX_ATTRIBUTES:
            found.setdefault(name, value)


def _value(markup: str, at: int) -> tuple[str, int]:
    quote = markup[at : at + 1]
    if quote in ('"', "'"):
        end = markup.find(quote, at + 1)
        return ("", len(markup)) if end < 0 else (unescape_text(markup[at + 1 : end]), end + 1)
    end = _skip_pattern(_BARE_VALUE, markup, at)
    return unescape_text(markup[at:end]), end


def _raw_text(markup: str, name: str, at: int) -> tuple[str, int]:
    closing = re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE).search(markup, at)
    return (markup[at:], len(markup)) if closing is None else (markup[at : closing.start()], closing.start())


def _end_of(markup: str, end: str, at: int) -> int:
    found = markup.find(end, at)
    return len(markup) if found < 0 else found + len(end)


def _skip_pattern(pattern: re.Pattern[str], markup: str, at: int) -> int:
    found = pattern.match(markup, at)
    return found.end() if found else at
