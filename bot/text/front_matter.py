"""Read the head of a text file: lines `key: value` between two lines of dashes, as people write them. Pure.

It is the part of YAML that such heads are made of: plain, quoted, continued, folded (`>`) and literal (`|`) texts.
Lists and tables are somebody else's keys, and passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple

_DASHES = re.compile(r"---\s*")
_KEY = re.compile(r"([A-Za-z][\w-]*)\s*:(?:\s+(.*))?")
_BLOCK = re.compile(r"([|>])[+-]?\d?\s*(?:#.*)?")
_COMMENT = re.compile(r"(?<=\s)#.*")
_QUOTED = re.compile(r"""("(?:[^"\\]|\\.)*"|'(?:[^']|'')*')\s*(?:#.*)?""", re.DOTALL)
_ESCAPES = {'\\"': '"', "\\\\": "\\", "\\n": "\n", "\\t": "\t", "\\/": "/"}


class FrontMatter(NamedTuple):
    """The texts of the head by their keys, and what stands below it."""

    values: dict[str, str]
    body: str


class HeadFault(StrEnum):
    """What can be wrong with a head."""

    MISSING = "missing"
    NOT_CLOSED = "not_closed"
    KEY_TWICE = "key_twice"
    NO_KEY = "no_key"
    QUOTES_OPEN = "quotes_open"


class WrongHead(ValueError):
    """A head that cannot be read: what is wrong with it, and at which key or line."""

    def __init__(self, fault: HeadFault, at: str = "") -> None:
        super().__init__(fault, at)
        self.fault = fault
        self.at = at


def read_front_matter(text: str) -> FrontMatter:
    """Take a text apart; raise WrongHead."""
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    if not _DASHES.fullmatch(lines[0]):
        raise WrongHead(HeadFault.MISSING)
    end = next((at for at, line in enumerate(lines[1:], 1) if _DASHES.fullmatch(line)), 0)
    if not end:
        raise WrongHead(HeadFault.NOT_CLOSED)
    found: dict[str, str] = {}
    for key, value in _entries(lines[1:end]):
        if key in found:
            raise WrongHead(HeadFault.KEY_TWICE, key)
        found[key] = value
    return FrontMatter(found, "\n".join(lines[end + 1 :]).strip("\n"))


def _entries(lines: Sequence[str]) -> Iterator[tuple[str, str]]:
    at = 0
    while at < len(lines):
        line, number = lines[at], at + 2
        at += 1
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        key = _KEY.fullmatch(line.rstrip())
        if key is None:
            raise WrongHead(HeadFault.NO_KEY, str(number))
        start = at
        while at < len(lines) and (not lines[at].strip() or lines[at][0] in " \t-"):
            at += 1
        yield key[1], _value(key[1], (key[2] or "").strip(), lines[start:at])


def _value(key: str, first: str, more: Sequence[str]) -> str:
    block = _BLOCK.fullmatch(first)
    if block:
        return _literal(more) if block[1] == "|" else _folded(more)
    whole = " ".join((first, *(line.strip() for line in more if line.strip()))).strip()
    if whole[:1] in {'"', "'"}:
        quoted = _QUOTED.fullmatch(whole)
        if quoted is None:
            raise WrongHead(HeadFault.QUOTES_OPEN, key)
        return _unquoted(quoted[1])
    return _COMMENT.sub("", whole).rstrip()


def _literal(lines: Sequence[str]) -> str:
    depth = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    return "\n".join(line[depth:].rstrip() for line in lines).strip("\n")


def _folded(lines: Sequence[str]) -> str:
    paragraphs = _literal(lines).split("\n\n")
    return "\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)


def _unquoted(text: str) -> str:
    inside = text[1:-1]
    if text[0] == "'":
        return inside.replace("''", "'")
    return re.sub(r"\\.", lambda found: _ESCAPES.get(found[0], found[0]), inside)
