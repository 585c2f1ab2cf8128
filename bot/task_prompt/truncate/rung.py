"""One step of a ladder: a shorter text that says the same about less."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple


class LadderRung(NamedTuple):
    """A text, the name of the step that made it, and a note that says what was cut."""

    name: str
    text: str
    note: str


Fits = Callable[[LadderRung], bool]
"""Says whether a step fits into what is left."""

Ladder = Callable[[str, int], Iterator[LadderRung]]
"""Takes a content and the room in tokens (a hint); yields ever shorter texts, each made only when it is asked for."""


def count_of(number: int, one: str, many: str = "") -> str:
    """Write `1 line`, `2 lines`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
