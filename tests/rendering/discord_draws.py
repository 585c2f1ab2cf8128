"""Draw a message as Discord's own app does: the rules of its parser, in their order, as far as a bot can write them.

After `markdown/rules` of the client, whose parser is `simple-markdown` with Discord's own rules: a first pattern that
matches at the beginning of what is left wins; code is not read; a quote or a title begins a line.
"""

from __future__ import annotations

import re
from typing import NamedTuple


class Drawn(NamedTuple):
    """What is read, and how parts of it look, in the order in which they begin."""

    text: str
    looks: tuple[tuple[str, str], ...]


_BLOCK = re.compile(r"```(?:([a-z0-9_+\-.#]+?)\n)?\n*([^\n][^\0]*?)\n*```", re.IGNORECASE)
_CODE = re.compile(r"(`+)([\s\S]*?[^`])\1(?!`)")
_QUOTE = re.compile(r"(?: *>>> ([\s\S]*))|((?: *> [^\n]*(?:\n|$))+)")
_TITLE = re.compile(r" {0,3}(#{1,3}) +([^\n]+?)#*(?=\n|$)")
_BEGINNING = re.compile(r"(?:^|\n) *(?:(?:[-*]|\d+\.) +)?$")
_ESCAPE = re.compile(r"\\([^0-9A-Za-z\s])")
_ANGLED = re.compile(r"<(https?://[^\s>]+)>")
_URL = re.compile(r"https?://[^\s<]+[^<.,:;\"'\]\s]")
_LINK = re.compile(
    r"\[((?:\[[^\]]*\]|[^\[\]]|\](?=[^\[]*\]))*)\]\(\s*<?((?:\([^)]*\)|[^\s\\]|\\.)*?)>?(?:\s+['\"](.*?)['\"])?\s*\)"
)
_STRONG = re.compile(r"\*\*((?:\\[\s\S]|[^\\])+?)\*\*(?!\*)")
_UNDER = re.compile(r"__((?:\\[\s\S]|[^\\])+?)__(?!_)")
_EM = re.compile(
    r"_((?:__|\\[\s\S]|[^\\_])+?)_\b|\*(?=\S)((?:\*\*|\\[\s\S]|\s+(?:\\[\s\S]|[^\s*\\]|\*\*)|[^\s*\\])+?)\*(?!\*)"
)
_STRIKE = re.compile(r"~~([\s\S]+?)~~(?!_)")
_SPOILER = re.compile(r"\|\|([\s\S]+?)\|\|")
_WORDS = re.compile(r"[\s\S]+?(?=[^0-9A-Za-z\s\u00c0-\uffff-]|\n\n|\n|\w+:\S|$)")
_PLAIN = (("strong", _STRONG), ("underline", _UNDER), ("em", _EM), ("strike", _STRIKE), ("spoiler", _SPOILER))


def drawn(text: str) -> Drawn:
    """Return what people read."""
    looks: list[tuple[str, str]] = []
    shown = _draw(text, looks, in_quote=False, at_start=True)
    return Drawn(shown, tuple(looks))


def _draw(text: str, looks: list[tuple[str, str]], *, in_quote: bool, at_start: bool) -> str:
    out: list[str] = []
    at = 0
    while at < len(text):
        begins = bool(_BEGINNING.search(text, 0, at)) and (at_start or "\n" in text[:at])
        at += _step(text, at, out, looks, begins=begins, in_quote=in_quote)
    return "".join(out)


def _step(text: str, at: int, out: list[str], looks: list[tuple[str, str]], *, begins: bool, in_quote: bool) -> int:
    if begins and not in_quote and (found := _QUOTE.match(text, at)):
        inside = found[1] if found[1] is not None else re.sub(r"^ *> ", "", found[2], flags=re.MULTILINE)
        _look("quote", inside, out, looks, in_quote=True, at_start=True)
        return len(found[0])
    if begins and (found := _TITLE.match(text, at)):
        _look("title", found[2], out, looks, in_quote=in_quote)
        return len(found[0])
    if found := _BLOCK.match(text, at):
        looks.append((f"block {found[1] or ''}".strip(), found[2]))
        out.append(found[2])
        return len(found[0])
    if found := _CODE.match(text, at):
        looks.append(("code", found[2].strip() if found[2].strip() else found[2]))
        out.append(looks[-1][1])
        return len(found[0])
    if found := _ESCAPE.match(text, at):
        out.append(found[1])
        return len(found[0])
    if found := _ANGLED.match(text, at):
        looks.append(("url", found[1]))
        out.append(found[1])
        return len(found[0])
    if found := _URL.match(text, at):
        looks.append(("url", found[0]))
        out.append(found[0])
        return len(found[0])
    if (found := _LINK.match(text, at)) and re.match(r"https?://", found[2]):
        _look("link", found[1], out, looks, in_quote=in_quote)
        return len(found[0])
    # what stands before is not looked at: `\\b_` fits within a word, too; of those that begin here the longest is taken
    left = text[at:]
    marked = [(kind, found) for kind, pattern in _PLAIN if (found := pattern.match(left))]
    if marked:
        kind, longest = max(marked, key=lambda one: len(one[1][0]))
        _look(kind, next(one for one in longest.groups() if one is not None), out, looks, in_quote=in_quote)
        return len(longest[0])
    words = _WORDS.match(text, at)
    size = len(words[0]) if words and words[0] else 1
    out.append(text[at : at + size])
    return size


def _look(
    kind: str, inside: str, out: list[str], looks: list[tuple[str, str]], *, in_quote: bool, at_start: bool = False
) -> None:
    place = len(looks)
    looks.append((kind, ""))
    shown = _draw(inside, looks, in_quote=in_quote, at_start=at_start)
    looks[place] = (kind, shown)
    out.append(shown)
