"""The last step of every ladder: whole lines from the beginning, as many as fit; of a long line its beginning."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable

from bot.task_prompt.truncate.rung import Fits, LadderRung, count_of

MAX_CHARS_PER_TOKEN = 16
"""More than a text has on average; no longer one is counted, so that a huge one costs no more than what can stay."""
_LINE_END = re.compile("\n")
_USUAL_CHARS_PER_TOKEN = 4


def head(content: str, room: int, fits: Fits) -> LadderRung | None:
    """Return the longest beginning that fits, None if not even one character does; `room` is in tokens."""
    tried = content[: max(room, 0) * MAX_CHARS_PER_TOKEN]
    ends = [found.start() for found in _LINE_END.finditer(tried)]
    if len(tried) == len(content):
        ends.append(len(content))
    total = content.count("\n") + 1
    usual = max(room, 1) * _USUAL_CHARS_PER_TOKEN

    def by_lines(number: int) -> LadderRung:
        note = f"cut: the last {count_of(total - number, 'line')} of {total:,}"
        return LadderRung("head", content[: ends[number - 1]], note)

    lines = most(len(ends), bisect_right(ends, usual), lambda number: fits(by_lines(number)))
    if lines:
        return by_lines(lines)

    def by_characters(number: int) -> LadderRung:
        note = f"cut: all but the first {count_of(number, 'character')} of {len(content):,}"
        return LadderRung("head", content[:number], note)

    first = ends[0] if ends else len(tried)
    characters = most(first, usual, lambda number: fits(by_characters(number)))
    return by_characters(characters) if characters else None


def most(limit: int, guess: int, holds: Callable[[int], bool]) -> int:
    """Return a number up to `limit` for which `holds` while it does not for the next; 0 if there is none.

    Looks near the guess first, because every look counts a text.
    """
    low, high, step = 0, limit + 1, 1
    probe = min(max(guess, 1), limit)
    while high - low > 1:
        if holds(probe):
            low, probe = probe, probe + step
        else:
            high, probe = probe, probe - step
        step *= 2
        if not low < probe < high or (low and high <= limit):
            probe = (low + high) // 2
    return low
