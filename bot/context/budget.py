"""Make a request fit, and say what was left out: oldest turns first, then ambient talk, then optional sections."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from bot.context.optional_sections import Optional, kept
from bot.context.section import ESSENTIAL


class Load(NamedTuple):
    """What is asked to fit into `room` tokens. `turn` prices one turn; it is asked from the newest back, while it fits.

    `fixed` is what always stays: tools, the trigger, the rounds, and what the format adds to them.
    """

    room: int
    fixed: int
    turns: int
    turn: Callable[[int], int]
    ambient: Sequence[int]
    sections: Sequence[Optional]


class Cut(NamedTuple):
    """Where to cut: whole turns before `first_turn`, ambient messages before `first_ambient`, sections by index."""

    first_turn: int
    first_ambient: int
    sections: frozenset[int]


def plan_cut(load: Load) -> Cut:
    """Choose what goes. A turn goes as a whole, so a tool call is never parted from its result."""
    left = load.room - load.fixed - sum(load.ambient) - sum(section.tokens for section in load.sections)
    first_turn = load.turns
    while first_turn > 0 and left > 0:
        price = load.turn(first_turn - 1)
        if price > left:
            break
        left -= price
        first_turn -= 1
    first_ambient = 0
    while left < 0 and first_ambient < len(load.ambient):
        left += load.ambient[first_ambient]
        first_ambient += 1
    return Cut(first_turn, first_ambient, _drop_sections(load.sections, left))


def _drop_sections(sections: Sequence[Optional], left: int) -> frozenset[int]:
    if left >= 0:
        return frozenset()
    optional = {at: section for at, section in enumerate(sections) if section.priority < ESSENTIAL}
    room = left + sum(section.tokens for section in optional.values())
    return frozenset(optional) - kept(optional, room)
