"""What the picture of a context shows; plain values, made without any library."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

_STEPS = (1, 2, 2.5, 5, 10)


class PartFamily(StrEnum):
    """What a part of a context belongs to; each has a colour of its own, and its members are shades of it."""

    SYSTEM = "system"
    TOOLS = "tools"
    MESSAGES = "messages"
    MOVING = "moving"
    SUMMARIES = "summaries"
    GOALS = "goals"
    OVERHEAD = "overhead"


class FillLevel(StrEnum):
    """How full a context is."""

    NORMAL = "normal"
    WARNING = "warning"
    CRITICAL = "critical"


class ChartStyle(StrEnum):
    """Which of the two looks; both have a ground of their own, so that either reads in every client."""

    DARK = "dark"
    LIGHT = "light"


@dataclass(frozen=True)
class ChartSlice:
    """A part of a context; `amount` is its tokens as people read them."""

    name: str
    tokens: int
    amount: str
    family: PartFamily


@dataclass(frozen=True)
class TurnColumn:
    """One turn's request: what always stays, what was said, and whether a compaction came before it."""

    fixed: int
    history: int
    compacted: bool = False

    @property
    def total(self) -> int:
        return self.fixed + self.history


@dataclass(frozen=True)
class ScaleLine:
    """A line of the growth plot, and the tokens that it stands for."""

    tokens: int
    label: str


@dataclass(frozen=True)
class ContextChart:
    """One context. Texts are ready to be shown; `percent` is 0..100 and may be more; the newest column is the last."""

    title: str
    subtitle: str
    percent: float
    level: FillLevel
    used: str
    free: str
    slices: tuple[ChartSlice, ...]
    columns: tuple[TurnColumn, ...]
    scales: tuple[ScaleLine, ...]
    notes: tuple[str, ...]


def round_marks(most: int) -> tuple[int, ...]:
    """Choose two or three round numbers up to the largest; one where it is that small."""
    if most <= 0:
        return ()
    unit = 10 ** (len(str(most)) - 1)
    step = max(1, round(next(s * unit / 2 for s in _STEPS if s * unit * 1.5 >= most)))
    return tuple(step * n for n in range(1, most // step + 1))[-3:]
