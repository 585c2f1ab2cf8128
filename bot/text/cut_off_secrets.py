"""Find the beginnings of secrets that somebody cut off: what quotes a text on one line shows the half of a key."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

SHORTEST_BEGINNING = 8
"""Characters; a shorter beginning is a word like others, and of no use to anybody."""
_LONGEST = 600
_CUT = re.compile(r"…|\\u2026|(?:\n|\\n)\[cut: ")
"""How our own program marks the end of what it has cut (`excerpt`, tool results)."""


class Beginnings(NamedTuple):
    """Every spelling of a secret with its name, by its first characters; and every piece of that length in any of them.

    What stands before a cut is looked at only where its end is such a piece: nearly no cut needs more than that.
    """

    spellings: Mapping[str, Sequence[tuple[str, str]]]
    pieces: frozenset[str]


class Begun(NamedTuple):
    """Where the beginning of a secret stands, up to the mark of the cut."""

    start: int
    end: int
    name: str


def beginnings(spellings: Iterable[tuple[str, str]]) -> Beginnings:
    """Sort spellings (text, name) by their first characters."""
    found: dict[str, list[tuple[str, str]]] = {}
    pieces: set[str] = set()
    for text, name in spellings:
        if len(text) > SHORTEST_BEGINNING:
            found.setdefault(text[:SHORTEST_BEGINNING], []).append((text, name))
            pieces.update(text[at : at + SHORTEST_BEGINNING] for at in range(len(text) - SHORTEST_BEGINNING + 1))
    return Beginnings(found, frozenset(pieces))


def cut_off(text: str, known: Beginnings) -> Iterator[Begun]:
    """Yield what stands right before a cut and is the beginning of a secret; each place is looked at once."""
    before = 0
    for mark in _CUT.finditer(text) if known.pieces else ():
        end = mark.start()
        if text[max(0, end - SHORTEST_BEGINNING) : end] in known.pieces:
            for start in range(max(before, end - _LONGEST), end - SHORTEST_BEGINNING + 1):
                for whole, name in known.spellings.get(text[start : start + SHORTEST_BEGINNING], ()):
                    if whole.startswith(text[start:end]):
                        yield Begun(start, end, name)
        before = mark.end()
