"""Shorten a log: errors stay, with the lines around them; then fewer of both."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from bot.task_prompt.truncate.rung import LadderRung, count_of

_ERROR = re.compile(
    r"error|exception|traceback|fatal|critical|panic|fail|denied|refused|forbidden|timed? ?out|uncertain|interrupted"
    r"|cancelled|\bwarn",
    re.IGNORECASE,
)
_MAX_LINE_CHARS = 300
_MAX_FOLLOWING = 20
_HEAD, _TAIL = 3, 8


class _Step(NamedTuple):
    """Lines around an error, and how many errors: the last ones."""

    name: str
    around: int
    errors: int


_STEPS = (
    _Step("errors with context", 3, 1000),
    _Step("errors with context", 1, 40),
    _Step("errors", 0, 20),
    _Step("errors", 0, 5),
    _Step("errors", 0, 1),
)
_ENDS = (40, 15, 5, 2)
"""Lines at either end of a log without errors."""


def rungs(content: str, room: int) -> Iterator[LadderRung]:
    """Yield errors with context; of a log without errors its head and tail."""
    lines = content.split("\n")
    errors = [number for number, line in enumerate(lines) if _ERROR.search(line)]
    if errors:
        for step in _STEPS:
            if kept := _around(lines, errors, step):
                note = f"cut: {count_of(len(lines) - len(kept), 'line')} of {len(lines):,}"
                shown = f"the last {step.errors} of " if len(errors) > step.errors else ""
                yield LadderRung(
                    step.name, _joined(lines, kept), f"{note}; {shown}{count_of(len(errors), 'line')} with errors"
                )
        return
    for ends in _ENDS:
        if len(lines) > 2 * ends:
            kept = {*range(ends), *range(len(lines) - ends, len(lines))}
            note = f"cut: {count_of(len(lines) - len(kept), 'line')} of {len(lines):,} in the middle; none has an error"
            yield LadderRung("head and tail", _joined(lines, kept), note)


def _around(lines: Sequence[str], errors: Sequence[int], step: _Step) -> set[int]:
    kept: set[int] = set()
    for number in errors[-step.errors :]:
        kept.update(range(max(0, number - step.around), min(len(lines), number + step.around + 1)))
        kept.update(_following(lines, number) if step.around else ())
    if step.around > 1:
        kept.update(range(min(_HEAD, len(lines))))
        kept.update(range(max(0, len(lines) - _TAIL), len(lines)))
    return kept


def _following(lines: Sequence[str], number: int) -> range:
    """Return the indented lines behind an error: a traceback, the rest of a record."""
    end = number + 1
    while end < len(lines) and end - number <= _MAX_FOLLOWING and lines[end][:1].isspace():
        end += 1
    return range(number, min(end + 1, len(lines)))


def _joined(lines: Sequence[str], kept: set[int]) -> str:
    shown: list[str] = []
    before = -1
    for number in sorted(kept):
        if number > before + 1:
            shown.append(f"... {count_of(number - before - 1, 'line')} ...")
        line = lines[number]
        shown.append(
            line
            if len(line) <= _MAX_LINE_CHARS
            else f"{line[:_MAX_LINE_CHARS]}... {len(line) - _MAX_LINE_CHARS:,} more"
        )
        before = number
    if before + 1 < len(lines):
        shown.append(f"... {count_of(len(lines) - before - 1, 'line')} ...")
    return "\n".join(shown)
