"""Turn a page into what a person would read of it: its main text, and apart from that what stands around it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple

from yarl import URL

from adapters.web.markup import HtmlTag, tokens


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


_SKIPPED_TAGS = _names(
    "script style noscript template svg math iframe object embed canvas audio video select datalist map xmp "
    "noembed noframes textarea"
)
_AROUND_TAGS = _names("nav footer aside")
_MAIN_TAGS = _names("main article")
_VOID_TAGS = _names("area base br col embed hr img input link meta param source track wbr")
_BLOCK_TAGS = _names(
    "address article aside blockquote body center dd details dialog div dl dt fieldset figcaption figure footer form "
    "header hgroup html legend main menu nav ol p section summary table tbody tfoot thead tr ul"
)
_HEADINGS = {f"h{n}": "#" * n + " " for n in range(1, 7)}
_HIDDEN_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_SPACE = re.compile(r"[ \t\n\r\f\xa0]+")
_MIN_MAIN_CHARS = 400
"""Characters from which on a page's own mark of its main part is believed."""
_MAX_LINK_CHARS = 400
_MAX_DEPTH = 200
_MAX_TOKENS = 100_000
_MAX_LINKS = 3_000
"""No page that is meant for people has more; one that is not shall not keep a core busy."""


class ReadableText(NamedTuple):
    """A page as text. `aside` are menus, footers and whatever else is not its main part."""

    title: str
    text: str
    aside: str
    cut: bool = False


@dataclass
class _Writer:
    """Lays text out: paragraphs, lists, tables and code; one for each part of the page."""

    pieces: list[str] = field(default_factory=list)
    size: int = 0
    breaks: int = 2
    """Line breaks that stand at the end already; the beginning counts as a paragraph's."""
    gap: bool = False

    def text(self, words: str) -> None:
        flat = _SPACE.sub(" ", words)
        if flat.startswith(" ") or self.gap:
            flat = flat.lstrip(" ") if self.breaks else " " + flat.lstrip(" ")
        self.gap = False
        if not flat.strip(" "):
            self.gap = bool(flat) and not self.breaks
            return
        if flat.endswith(" "):
            flat, self.gap = flat.rstrip(" "), True
        self._put(flat)

    def verbatim(self, words: str) -> None:
        self.gap = False
        if words:
            self._put(words)

    def line(self, count: int = 1) -> None:
        self.gap = False
        if self.breaks < count and self.pieces:
            self.pieces.append("\n" * (count - self.breaks))
        self.breaks = max(self.breaks, count)

    def _put(self, words: str) -> None:
        self.pieces.append(words)
        self.size += len(words)
        self.breaks = 0


@dataclass
class _Reader:
    """Walks through the tokens of one page."""

    base: URL
    title: str = ""
    parts: dict[str, _Writer] = field(default_factory=lambda: {name: _Writer() for name in ("main", "body", "around")})
    skipping: list[str] = field(default_factory=list)
    around: int = 0
    inside_main: int = 0
    pre: int = 0
    lists: list[int] = field(default_factory=list)
    link: tuple[_Writer, str, int, int] | None = None
    links: int = 0
    in_title: bool = False

    @property
    def out(self) -> _Writer:
        return self.parts["around" if self.around else "main" if self.inside_main else "body"]

    def take(self, token: HtmlTag | str) -> None:
        if isinstance(token, str):
            self._words(token)
        elif self.skipping:
            self._skip(token)
        elif token.closes:
            self._close(token.name)
        elif token.name in _SKIPPED_TAGS or _is_hidden(token):
            if token.name not in _VOID_TAGS:
                self.skipping.append(token.name)
        else:
            self._open(token)

    def _words(self, words: str) -> None:
        if self.in_title and not self.title:
            self.title = _SPACE.sub(" ", words).strip()[:300]
        elif not self.skipping and not self.in_title:
            (self.out.verbatim if self.pre else self.out.text)(words)

    def _skip(self, tag: HtmlTag) -> None:
        if tag.name != self.skipping[0] or tag.name in _VOID_TAGS:
            return
        if tag.closes:
            self.skipping.pop()
        elif len(self.skipping) < _MAX_DEPTH:
            self.skipping.append(tag.name)

    def _open(self, tag: HtmlTag) -> None:
        name = tag.name
        if name == "title":
            self.in_title = True
        elif name == "a":
            self._open_link(tag)
        elif name == "br":
            self.out.line()
        elif name == "img" and (words := tag.attributes.get("alt", "").strip()):
            self.out.text(f" [image: {words[:200]}] ")
        elif name == "base" and (href := tag.attributes.get("href")):
            self.base = _joined_url(self.base, href) or self.base
        else:
            self._open_block(name)

    def _open_block(self, name: str) -> None:
        self._enter(name, 1)
        if name in _HEADINGS or name in ("p", "pre", "hr"):
            self.out.line(2)
            self.out.verbatim(_HEADINGS.get(name, ""))
            self.pre += name == "pre"
        elif name == "li":
            self.out.line()
            self.out.verbatim(self._bullet())
        elif name in ("td", "th"):
            self.out.verbatim("" if self.out.breaks else " | ")
        elif name in _BLOCK_TAGS:
            self.out.line()
            if name in ("ul", "ol") and len(self.lists) < _MAX_DEPTH:
                self.lists.append(0 if name == "ol" else -1)

    def _close(self, name: str) -> None:
        if name == "title":
            self.in_title = False
        elif name == "a":
            self._close_link()
        elif name in ("ul", "ol"):
            if self.lists:
                self.lists.pop()
            self.out.line(1 if self.lists else 2)
        elif name == "pre":
            self.pre = max(0, self.pre - 1)
            self.out.line(2)
        elif name in _HEADINGS or name == "p":
            self.out.line(2)
        elif name in _BLOCK_TAGS or name == "li":
            self.out.line()
        self._enter(name, -1)

    def _enter(self, name: str, step: int) -> None:
        if name in _AROUND_TAGS:
            self.around = max(0, self.around + step)
        elif name in _MAIN_TAGS:
            self.inside_main = max(0, self.inside_main + step)

    def _bullet(self) -> str:
        depth = "  " * min(max(0, len(self.lists) - 1), 8)
        if self.lists and self.lists[-1] >= 0:
            self.lists[-1] += 1
            return f"{depth}{self.lists[-1]}. "
        return f"{depth}- "

    def _open_link(self, tag: HtmlTag) -> None:
        self._close_link()
        self.links += 1
        if self.links > _MAX_LINKS:
            return
        target = _joined_url(self.base, tag.attributes.get("href", ""))
        if target is None or len(str(target)) > _MAX_LINK_CHARS or self.pre:
            return
        self.link = (self.out, str(target), len(self.out.pieces), self.out.size)
        self.out.pieces.append(" [" if self.out.gap else "[")
        self.out.gap = False

    def _close_link(self) -> None:
        if self.link is None:
            return
        out, target, place, before = self.link
        self.link = None
        if out.size == before:
            out.gap, out.pieces[place] = out.gap or out.pieces[place] == " [", ""
        else:
            out.pieces.append(f"]({target})")


def read_page(markup: str, url: str) -> ReadableText:
    """Read a page; menus and hidden parts are kept apart or left out."""
    reader = _Reader(URL(url))
    found = tokens(markup)
    for token in islice(found, _MAX_TOKENS):
        reader.take(token)
    cut = next(found, None) is not None
    reader.take(HtmlTag("a", closes=True))
    main, body, around = (_tidy_part(reader.parts[name]) for name in ("main", "body", "around"))
    if len(main) >= _MIN_MAIN_CHARS:
        return ReadableText(reader.title, main, _join_parts(body, around), cut)
    text = _join_parts(body, main)
    return ReadableText(reader.title, text or around, around if text else "", cut)


def _join_parts(*parts: str) -> str:
    return "\n\n".join(part for part in parts if part)


def _tidy_part(part: _Writer) -> str:
    lines = (line.rstrip() for line in "".join(part.pieces).split("\n"))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip("\n")


def _is_hidden(tag: HtmlTag) -> bool:
    has = tag.attributes
    if tag.name in ("html", "body"):
        return False
    return "hidden" in has or has.get("aria-hidden") == "true" or bool(_HIDDEN_STYLE.search(has.get("style", "")))


def _joined_url(base: URL, href: str) -> URL | None:
    href = href.strip()
    if not href or href.startswith("#") or len(href) > 2 * _MAX_LINK_CHARS:
        return None
    try:
        target = base.join(URL(href)).with_fragment(None)
    except ValueError:
        return None
    return target if target.scheme in ("http", "https") and target.host and target != base else None
