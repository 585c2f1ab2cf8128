"""Rich messages (Bot API 10.1) in HTML: from tags to the blocks that apps draw, with what Telegram refuses of them.

After https://core.telegram.org/bots/api#rich-message-formatting-options. The words of the refusals that begin with
`RICH_MESSAGE_` are those that people report (`..._URL_INVALID`, `..._DATE_INVALID`); the others are guessed from them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

from .refusals import Refused, bad

Json = dict[str, Any]
LETTERS, BLOCKS, LEVELS, COLUMNS = 32_768, 500, 16, 20
INLINE = {
    "b": "bold",
    "strong": "bold",
    "i": "italic",
    "em": "italic",
    "u": "underline",
    "ins": "underline",
    "s": "strikethrough",
    "strike": "strikethrough",
    "del": "strikethrough",
    "code": "code",
    "mark": "marked",
    "sub": "subscript",
    "sup": "superscript",
    "tg-spoiler": "spoiler",
    "a": "url",
    "tg-time": "date_time",
}
TITLES = frozenset(f"h{n}" for n in range(1, 7))
HOLDS_WORDS = frozenset({"p", "pre", "td", "th", *TITLES})
_URL = re.compile(r"(?:https?://[^\s/]|mailto:|tel:|tg://|#)")
_TIME = re.compile(r"r|w?[dD]?[tT]?")


@dataclass(slots=True)
class _Node:
    tag: str
    attributes: dict[str, str | None] = field(default_factory=dict)
    inside: list[_Node | str] = field(default_factory=list)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = _Node("")
        self.stack = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in {"br", "hr", "table", "tr", "blockquote", *HOLDS_WORDS, *INLINE}:
            raise _cannot(f'unsupported start tag "{tag}"')
        if tag in {"br", "hr"}:
            self.stack[-1].inside.append("\n" if tag == "br" else _Node(tag))
            return
        node = _Node(tag, dict(attrs))
        self.stack[-1].inside.append(node)
        self.stack.append(node)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in {"br", "hr"}:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        opened = self.stack.pop()
        if opened.tag != tag:
            raise _cannot(f'unmatched end tag, expected "</{opened.tag}>", found "</{tag}>"')

    def handle_data(self, data: str) -> None:
        # a line break of the source is a space, one that is asked for is a line break
        is_code = any(node.tag == "pre" for node in self.stack)
        self.stack[-1].inside.append(data if is_code else re.sub(r"[ \t\r\n]+", " ", data))


@dataclass(slots=True)
class _Limits:
    letters: int = 0
    blocks: int = 0

    def block(self, level: int) -> None:
        self.blocks += 1
        self.level(level)
        if self.blocks > BLOCKS:
            raise bad("RICH_MESSAGE_BLOCKS_TOO_MANY")

    def level(self, level: int) -> None:
        if level > LEVELS:
            raise bad("RICH_MESSAGE_DEPTH_INVALID")

    def words(self, text: str) -> str:
        self.letters += len(text)
        if self.letters > LETTERS:
            raise bad("RICH_MESSAGE_TOO_LONG")
        return text


def parsed(message: Any) -> Json:
    """Read an InputRichMessage into a RichMessage, or refuse it."""
    if not isinstance(message, dict):
        raise bad("object expected as rich message")
    forms = [name for name in ("html", "markdown", "blocks") if message.get(name)]
    if len(forms) != 1:
        raise bad("rich message must be non-empty" if not forms else "exactly one form of rich message is expected")
    if forms != ["html"]:
        raise NotImplementedError(f"nobody sends rich messages as {forms[0]} here")
    reader = _Reader()
    reader.feed(message["html"])
    reader.close()
    if len(reader.stack) > 1:
        raise _cannot(f'can\'t find end tag corresponding to start tag "{reader.stack[-1].tag}"')
    blocks = list(_blocks(reader.root, _Limits(), 1))
    if not blocks:
        raise bad("RICH_MESSAGE_EMPTY")
    return {"blocks": blocks} | ({"is_rtl": True} if message.get("is_rtl") is True else {})


def _blocks(node: _Node, limits: _Limits, level: int) -> Iterator[Json]:
    for one in node.inside:
        if isinstance(one, str):
            if one.strip():
                limits.block(level)
                yield {"type": "paragraph", "text": limits.words(one)}
        elif one.tag in HOLDS_WORDS - {"td", "th"} or one.tag in {"hr", "blockquote", "table"}:
            limits.block(level)
            yield _block(one, limits, level)
        else:
            raise _cannot(f'unexpected tag "{one.tag}"')


def _block(node: _Node, limits: _Limits, level: int) -> Json:
    if node.tag == "hr":
        return {"type": "divider"}
    if node.tag == "blockquote":
        return {"type": "blockquote", "blocks": list(_blocks(node, limits, level + 1))}
    if node.tag == "table":
        return _table(node, limits, level)
    if node.tag == "pre":
        return _code(node, limits)
    text = _text(node, limits, level)
    return {"type": "paragraph", "text": text} if node.tag == "p" else _title(node, text)


def _title(node: _Node, text: Any) -> Json:
    return {"type": "heading", "text": text, "size": int(node.tag[1])}


def _code(node: _Node, limits: _Limits) -> Json:
    (inner,) = node.inside if len(node.inside) == 1 else (None,)
    if isinstance(inner, _Node) and inner.tag == "code":
        language = (inner.attributes.get("class") or "").removeprefix("language-")
        text = "".join(one for one in inner.inside if isinstance(one, str))
        return {"type": "pre", "text": limits.words(text)} | ({"language": language} if language else {})
    return {"type": "pre", "text": limits.words("".join(one for one in node.inside if isinstance(one, str)))}


def _table(node: _Node, limits: _Limits, level: int) -> Json:
    cells = []
    for row in _only(node, "tr"):
        limits.block(level + 1)
        found = [_cell(cell, limits, level + 2) for cell in _only(row, "td", "th")]
        if len(found) > COLUMNS:
            raise bad("RICH_MESSAGE_TABLE_COLS_TOO_MANY")
        cells.append(found)
    flags = {f"is_{name}": True for name in ("bordered", "striped") if name in node.attributes}
    return {"type": "table", "cells": cells, **flags}


def _cell(node: _Node, limits: _Limits, level: int) -> Json:
    align = node.attributes.get("align") or "left"
    if align not in {"left", "center", "right"}:
        raise _cannot(f'wrong alignment "{align}"')
    cell: Json = {"align": align, "valign": "middle"}
    text = _text(node, limits, level)
    return cell | ({"text": text} if text else {}) | ({"is_header": True} if node.tag == "th" else {})


def _only(node: _Node, *tags: str) -> Iterator[_Node]:
    for one in node.inside:
        if isinstance(one, str):
            if one.strip():
                raise _cannot(f'unexpected text in "{node.tag}"')
        elif one.tag in tags:
            yield one
        else:
            raise _cannot(f'unexpected tag "{one.tag}" in "{node.tag}"')


def _text(node: _Node, limits: _Limits, level: int) -> Any:
    """Write a RichText: a string, a list, or an object with a type."""
    found: list[Any] = []
    for one in node.inside:
        if isinstance(one, str):
            found.append(limits.words(one))
        elif one.tag in INLINE:
            limits.level(level + 1)
            found.append(_marked(one, _text(one, limits, level + 1)))
        else:
            raise _cannot(f'unexpected tag "{one.tag}" in "{node.tag}"')
    return found[0] if len(found) == 1 else found if found else ""


def _marked(node: _Node, text: Any) -> Json:
    marked: Json = {"type": INLINE[node.tag], "text": text}
    if node.tag == "a":
        marked["url"] = node.attributes.get("href") or ""
        if not _URL.match(marked["url"]):
            raise bad("RICH_MESSAGE_URL_INVALID")
    if node.tag == "tg-time":
        unix, how = node.attributes.get("unix") or "", node.attributes.get("format") or ""
        if not unix.isdecimal() or not _TIME.fullmatch(how):
            raise bad("RICH_MESSAGE_DATE_INVALID")
        marked |= {"unix_time": int(unix), "date_time_format": how}
    return marked


def plain(message: Json) -> str:
    """Write a rich message as somebody reads it: rows of a table with strokes between the cells."""
    return "\n".join(_read(block) for block in message["blocks"])


def _read(block: Json) -> str:
    match block["type"]:
        case "table":
            return "\n".join(f"| {' | '.join(words(cell.get('text', '')) for cell in row)} |" for row in block["cells"])
        case "blockquote":
            return plain(block)
        case "divider":
            return "---"
    return words(block["text"])


def words(text: Any) -> str:
    """Write a RichText without its marks."""
    if isinstance(text, list):
        return "".join(map(words, text))
    return str(text) if isinstance(text, str) else words(text["text"])


def _cannot(what: str) -> Refused:
    return bad(f"can't parse rich message: {what}")
