"""Say in a few words what was left out, by the names under which it can be read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

_RANGE = re.compile(r"history:(\d+)-(\d+)")
_MAX_NAMED = 14


def left_out(sources: Iterable[str]) -> str:
    """Name parts of a capture: neighbouring pieces of the history as one, the history first; empty for nothing."""
    ranges, others = [], []
    for source in dict.fromkeys(sources):
        found = _RANGE.fullmatch(source)
        if found:
            ranges.append((int(found[1]), int(found[2])))
        elif "#" not in source:
            # a call or a file stands in a piece of the history that is shown or named itself
            others.append(source)
    named = [*(f"history:{first}-{last}" for first, last in _joined(sorted(ranges))), *others]
    rest = f" and {len(named) - _MAX_NAMED} more parts" if len(named) > _MAX_NAMED else ""
    return ", ".join(named[:_MAX_NAMED]) + rest


def _joined(ranges: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    first, last = 0, -1
    for begins, ends in ranges:
        if begins > last + 1:
            if last > 0:
                yield first, last
            first, last = begins, ends
        else:
            last = max(last, ends)
    if last > 0:
        yield first, last
