"""Choose which optional sections of a channel stay where there is no room for all."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class OptionalSection(NamedTuple):
    """A section as the budget sees it."""

    priority: int
    tokens: int


def sections_that_fit(sections: Mapping[int, OptionalSection], room: int) -> frozenset[int]:
    """Return which sections stay in `room` tokens, by their places: best first, skip what does not fit, go on.

    A section's score is its priority alone. Whether the newest message mentions it, and how old it is, changes from
    message to message; with it the opening of a prompt would change, and providers would read all of it anew.
    """
    chosen, left = set[int](), room
    for at, section in sorted(sections.items(), key=lambda one: (-one[1].priority, one[0])):
        if section.tokens <= left:
            chosen.add(at)
            left -= section.tokens
    return frozenset(chosen)
