"""Tell which line of a template, or which value in it, gave the words of a rendered section."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from bot.prompts import template_lines

_TOKENS = re.compile(r"(\{\{(?:[^{}]|\{(?!\{)|\}(?!\}))*+\}\}|\{%(?:[^%{]|%(?!\}))*+%\})")
_LOOP = re.compile(r"\{%-?\s*(for|endfor)\b")
_NAME = re.compile(r"[a-z_][\w.]*", re.IGNORECASE)
_QUOTED = re.compile(r'"[^"]*"')


class Written(NamedTuple):
    """What gave some words: a line of the template (from 1), and the value in it that they are (empty: none)."""

    line: int
    value: str


class _Line(NamedTuple):
    """A line of a template: what it can become, which values stand in it, and how much of it is fixed."""

    number: int
    pattern: re.Pattern[str]
    values: tuple[str, ...]
    fixed: int
    repeats: bool


def written(template: str, text: str, line: int, start: int, end: int) -> Written | None:
    """Say what gave the characters `start:end` of a line (from 0) of a section that was rendered from a template.

    None when no line of the template can have given it.
    """
    found = _aligned(template, text)[line : line + 1]
    match = found[0] if found else None
    if match is None:
        return None
    source, groups = match
    for value, (begins, ends) in zip(source.values, groups, strict=True):
        if start < ends and end > begins:
            shown = text.split("\n")[line][max(start, begins) : min(end, ends)]
            # words that the template itself chooses between
            if not any(shown in words for words in _QUOTED.findall(value)):
                return Written(source.number, _named(value))
    return Written(source.number, "")


Aligned = tuple[_Line, tuple[tuple[int, int], ...]]


@lru_cache(maxsize=256)
def _aligned(template: str, text: str) -> tuple[Aligned | None, ...]:
    """Match rendered lines with the template's, in order; each is used once, but for loops and values of many lines."""
    lines, at = _lines(template), 0
    found: list[Aligned | None] = []
    for rendered in text.split("\n"):
        best = _best(lines, rendered, at)
        found.append(best)
        if best is not None and not best[0].repeats:
            at = best[0].number
    return tuple(found)


def _best(lines: Sequence[_Line], rendered: str, at: int) -> Aligned | None:
    """Take the line with the most fixed words, among those that can still come."""
    best: Aligned | None = None
    for line in lines:
        if line.number <= at or (best is not None and line.fixed <= best[0].fixed):
            continue
        if match := line.pattern.fullmatch(rendered):
            best = line, tuple(match.span(group) for group in range(1, len(line.values) + 1))
    return best


@lru_cache(maxsize=64)
def _lines(template: str) -> tuple[_Line, ...]:
    return tuple(_read(template))


def _read(template: str) -> Iterator[_Line]:
    within = 0
    for number, raw in enumerate(template_lines(template), 1):
        for word in _LOOP.findall(raw):
            within += 1 if word == "for" else -1
        tokens = _TOKENS.split(raw.rstrip())
        fixed = [token for token in tokens if token and not token.startswith(("{{", "{%"))]
        values = tuple(token[2:-2].strip() for token in tokens if token.startswith("{{"))
        if not values and not "".join(fixed).strip():
            continue
        pattern = "".join(_pattern(token) for token in tokens)
        repeats = within > 0 or (len(values) == 1 and not "".join(fixed).strip())
        yield _Line(number, re.compile(pattern), values, len("".join(fixed).strip()), repeats)


def _pattern(token: str) -> str:
    if token.startswith("{{"):
        return "(.*?)"
    return "" if token.startswith("{%") else re.escape(token)


def _named(expression: str) -> str:
    """Return the name of the value in an expression: `line.content`, `channel`."""
    found = _NAME.search(_QUOTED.sub("", expression))
    return found[0] if found else expression
