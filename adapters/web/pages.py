"""Make a page of an answer: find its characters, and of HTML what a person would read."""

from __future__ import annotations

import re
from typing import Literal

from adapters.web.bodies import charset_of, decoded, looks_binary
from adapters.web.fetching import Raw, is_text
from adapters.web.readable import Readable, readable
from bot.ports.web import Page

_UNSEEN = re.compile("[\xad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\U000e0000-\U000e0fff]")
"""Characters that nobody sees: soft hyphens, marks of direction, and those that only carry a message to a model."""
_HTML = re.compile(r"\s{0,99}(?:<!doctype html|<html|<head|<body)", re.IGNORECASE)

Kind = Literal["html", "json", "text", "binary", "empty"]


def page_of(asked: str, raw: Raw) -> Page:
    """Return what there is to read; pure."""
    charset = charset_of(raw.data, raw.charset, is_html="html" in raw.content_type or not raw.content_type)
    kind = _kind(raw, charset)
    found, unseen = Readable("", "", ""), 0
    if kind in ("html", "json", "text"):
        words, unseen = _UNSEEN.subn("", decoded(raw.data, charset))
        if kind == "text" and not raw.content_type and _HTML.match(words):
            kind = "html"
        found = readable(words, raw.url) if kind == "html" else Readable("", words, "")
    return Page(
        asked=asked,
        url=raw.url,
        status=raw.status,
        kind=kind,
        content_type=raw.content_type,
        charset=charset if kind in ("html", "json", "text") else "",
        title=found.title,
        text=found.text,
        aside=found.aside,
        size=len(raw.data),
        announced=raw.announced,
        cut=raw.cut or found.cut,
        hops=raw.hops,
        invisible=unseen,
    )


def _kind(raw: Raw, charset: str) -> Kind:
    kind = raw.content_type
    if not is_text(kind) or looks_binary(raw.data, charset):
        return "binary"
    if not raw.data:
        return "empty"
    if kind in ("text/html", "application/xhtml+xml"):
        return "html"
    return "json" if kind.endswith(("json", "+json")) else "text"
