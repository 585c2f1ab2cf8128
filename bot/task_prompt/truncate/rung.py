"""One step of a ladder: a shorter text that says the same about less."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
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


_CHARS_A_TOKEN = (4, 3)
"""Characters of code in a token: usual, and where it says much in little."""


def short_bodies(lines: Sequence[int], characters: Sequence[int], without: int, room: int) -> Iterator[int]:
    """Yield up to which length, in lines, bodies may stay in what has `without` characters when all of them are cut.

    The shortest say most for their size, and stay first. Nothing is counted here: a text that turns out too large for
    the room is followed by a shorter one. Bodies of one length stay or go together.
    """
    sizes = sorted(zip(lines, characters, strict=True))
    found: set[int] = set()
    for each in _CHARS_A_TOKEN:
        left, most = room * each - without, 0
        for length in sorted({number for number, _ in sizes}):
            left -= sum(size for number, size in sizes if number == length)
            if left < 0:
                break
            most = length
        if most and most < sizes[-1][0] and most not in found:
            found.add(most)
            yield most
