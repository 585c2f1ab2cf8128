"""Read what a service says when it refuses: its words and codes, out of JSON of any shape, text, or a page."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pydantic import TypeAdapter, ValidationError

MAX_WORDS_CHARS = 2000
"""Characters of a refusal that are read; the rest is a repetition of what was asked, or a stack of theirs."""
_MAX_TITLE_CHARS = 40
_MAX_DEPTH = 8
_MAX_ITEMS = 20
_WORDS = (
    *("message", "msg", "detail", "details", "error", "error_message", "errorMessage", "error_msg", "Message"),
    *("error_description", "description", "status_msg", "title", "reason", "reasons", "blockReason", "raw"),
)
_NESTED_KEYS = ("error", "errors", "detail", "details", "metadata", "base_resp", "innererror", "promptFeedback", "raw")
_CODES = ("code", "type", "status", "object", "error_code", "errorCode", "reason", "blockReason", "estimated_time")
_LAST_RESORT = ("type", "status", "code")
_ANYTHING: TypeAdapter[Any] = TypeAdapter(Any)
_TITLE = re.compile(r"<title[^>]{0,200}>([^<]{0,300})", re.IGNORECASE)
_UNSEEN_TAGS = re.compile(r"<(script|style)\b.{0,20000}?</\1>|<!--.{0,2000}?-->", re.IGNORECASE | re.DOTALL)
_TAG = re.compile(r"<[^<>]{0,2000}>")
_PAGE = re.compile(r"\s*<(?:!doctype|html|head|body|\?xml|center|title)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class RefusalText:
    """`words` are what a person would read; `all` is everything that can be looked up, the codes first.

    `status` is the number that a body gives itself; `value` is what it holds, where it is JSON.
    """

    words: str = ""
    all: str = ""
    status: int | None = None
    value: object = None
    is_page: bool = False


def read_body(body: bytes, kind: str = "") -> RefusalText:
    """Read the body of a refusal, whatever its content type says that it is."""
    try:
        value = _ANYTHING.validate_json(body)
    except ValidationError:
        return _of_text(_decoded(body), kind)
    return read_value(value)


def read_value(value: object) -> RefusalText:
    """Read a refusal that is JSON: an object, a list of them, or a text that is JSON once more."""
    value = _unpacked(value)
    if isinstance(value, str):
        return _of_text(value, "")
    words = list(dict.fromkeys(_texts(value, 0)))
    codes = list(dict.fromkeys(_codes(value, 0)))
    statuses = [int(code) for code in codes if code.isdecimal() and len(code) == 3 and 400 <= int(code) <= 599]
    said = words[0] if words else next(iter(_last_resort(value)), "")
    looked_up = " | ".join([*codes, *words])[:MAX_WORDS_CHARS]
    return RefusalText(said[:MAX_WORDS_CHARS], looked_up, statuses[0] if statuses else None, value)


def _of_text(text: str, kind: str) -> RefusalText:
    text = text[: 16 * MAX_WORDS_CHARS]
    if not (_PAGE.match(text) or "text/html" in kind):
        text = text.strip()[:MAX_WORDS_CHARS]
        return RefusalText(text, text)
    title = _TITLE.search(text)
    shown = html.unescape(" ".join(_TAG.sub(" ", _UNSEEN_TAGS.sub(" ", text)).split()))[:MAX_WORDS_CHARS]
    named = " ".join(html.unescape(title[1]).split())[:100] if title else ""
    if not any(map(str.isalpha, named)):
        named = shown.lstrip("0123456789 -:")
    named = named[:_MAX_TITLE_CHARS].strip()
    words = f'an HTML page: "{named}"' if named else "an HTML page instead of an answer"
    return RefusalText(words, shown, is_page=True)


def _decoded(body: bytes) -> str:
    """Return the text of bytes; nothing where they are no text, as what is compressed."""
    if body.startswith((b"\xff\xfe", b"\xfe\xff")):
        text = body.decode("utf-16", "replace")
    else:
        text = body.decode("utf-8", "replace")
    text = text.removeprefix("\ufeff")
    odd = sum(character == "\ufffd" or (character < " " and character not in "\t\r\n") for character in text[:400])
    return "" if odd * 5 > len(text[:400]) else text.replace("\ufffd", "")


def _unpacked(value: object) -> object:
    """Read a text that is JSON itself, as relays put the words of another service into their own."""
    if not isinstance(value, str) or not value.lstrip().startswith(("{", "[")):
        return value
    try:
        return _ANYTHING.validate_json(value)
    except ValidationError:
        return value


def _texts(value: object, depth: int) -> Iterator[str]:
    """Yield the sentences, the outermost first."""
    value = _unpacked(value)
    if depth > _MAX_DEPTH:
        return
    if isinstance(value, list):
        for item in value[:_MAX_ITEMS]:
            yield from [item] if isinstance(item, str) and item.strip() else _texts(item, depth + 1)
    if not isinstance(value, dict):
        return
    inner = value.get("error")
    if isinstance(inner, dict | list):
        yield from _texts(inner, depth + 1)
    for key in _WORDS:
        found = _unpacked(value.get(key))
        if isinstance(found, str) and found.strip():
            where = value.get("loc") if key == "msg" else None
            named = ".".join(str(part) for part in where[:6]) + ": " if isinstance(where, list) else ""
            yield named + found.strip()
        elif isinstance(found, list) and key == "reasons":
            yield from (str(item) for item in found[:_MAX_ITEMS] if isinstance(item, str))
    for key in _NESTED_KEYS:
        if isinstance(_unpacked(value.get(key)), dict | list):
            yield from _texts(value[key], depth + 1)


def _codes(value: object, depth: int) -> Iterator[str]:
    value = _unpacked(value)
    if depth > _MAX_DEPTH:
        return
    if isinstance(value, list):
        for item in value[:_MAX_ITEMS]:
            yield from _codes(item, depth + 1)
    if not isinstance(value, dict):
        return
    for key in _CODES:
        found = value.get(key)
        if isinstance(found, str | int | float) and not isinstance(found, bool) and len(str(found)) <= 100:
            yield f"estimated_time {found}" if key == "estimated_time" else str(found)
    for key in _NESTED_KEYS:
        yield from _codes(value.get(key), depth + 1)


def _last_resort(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        inner = value.get("error")
        if isinstance(inner, dict):
            yield from _last_resort(inner)
        yield from (str(value[key]) for key in _LAST_RESORT if isinstance(value.get(key), str) and value[key])
