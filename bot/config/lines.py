"""Find the line on which a key of a TOML file is written, cheaply: good enough to point a person at it."""

from __future__ import annotations

import re

# a quote that is never closed reaches to the end, so that none behind it is tried again
_PART = r"""(?:[A-Za-z0-9_-]+|"(?:[^"\\]|\\.?)*+(?:"|$)|'[^']*+(?:'|$))"""
_DOTTED = rf"{_PART}(?:\s*\.\s*{_PART})*"
_TABLE = re.compile(rf"\s*\[\s*({_DOTTED})\s*\]\s*(?:#.*)?")
_KEY = re.compile(rf"\s*({_DOTTED})\s*=(.*)")
_MULTILINE = re.compile(r'"""|\'\'\'')


def key_lines(text: str) -> dict[str, int]:
    """Return the line of every key that stands on a line of its own, by its dotted name; inline tables are one key."""
    found: dict[str, int] = {}
    table, closing = "", ""
    for number, line in enumerate(text.split("\n"), 1):
        if closing:
            closing = "" if closing in line else closing
            continue
        if header := _TABLE.fullmatch(line):
            table = _plain(header[1]) + "."
        elif entry := _KEY.fullmatch(line):
            found.setdefault(table + _plain(entry[1]), number)
            marks = _MULTILINE.findall(entry[2])
            closing = marks[0] if len(marks) == 1 else ""
    return found


def _plain(dotted: str) -> str:
    return ".".join(part.strip("\"'") for part in re.findall(_PART, dotted))
