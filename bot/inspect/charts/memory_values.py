"""What the pictures of memories show; plain values, made without any library."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.domain.access import Authority

MAX_TEACHERS = 6
"""So many people have a colour of their own; everybody else shares one."""


@dataclass(frozen=True)
class TeacherBand:
    """Somebody's part of every bar: how much of it counts, and how much was forgotten since; oldest bar first.

    `role` is their tier, and None where they are several people. `stand_in` is what they are called where nothing of
    their name can be drawn.
    """

    name: str
    role: Authority | None
    kept: Sequence[int]
    forgotten: Sequence[int]
    amount: str
    stand_in: str = ""


@dataclass(frozen=True)
class AxisMark:
    """A word below a bar, by its number."""

    bar: int
    label: str


@dataclass(frozen=True)
class TeachingChart:
    """Who taught how much, and when. Texts are ready to be shown; the first band is the lowest one of each bar."""

    title: str
    subtitle: str
    total: str
    rest: tuple[str, ...]
    bars: int
    bands: tuple[TeacherBand, ...]
    marks: tuple[AxisMark, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True)
class SpreadLayer:
    """One kind of record: how many held the memory by themselves, and how many came of others."""

    name: str
    direct: int
    derived: int

    @property
    def total(self) -> int:
        return self.direct + self.derived


@dataclass(frozen=True)
class SpreadPlace:
    """A channel, or several together, with its part of every layer."""

    name: str
    counts: Sequence[int]


@dataclass(frozen=True)
class SpreadChart:
    """Where a memory went: layer by layer, and in which channels. Texts are ready to be shown."""

    title: str
    subtitle: str
    seed: tuple[str, ...]
    layers: tuple[SpreadLayer, ...]
    places: tuple[SpreadPlace, ...]
    notes: tuple[str, ...]
