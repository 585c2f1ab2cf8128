"""The colours of both looks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from bot.inspect.charts.chart import ChartStyle, FillLevel, PartFamily

Colour = tuple[int, int, int]


@dataclass(frozen=True)
class ChartTheme:
    """Every colour by what it is for."""

    ground: Colour
    panel: Colour
    line: Colour
    text: Colour
    muted: Colour
    mark: Colour
    ink: Colour
    levels: Mapping[FillLevel, Colour]
    families: Mapping[PartFamily, Colour]

    @property
    def people(self) -> tuple[Colour, ...]:
        """One colour for each of a few people, and the last for everybody else."""
        return tuple(self.families[family] for family in _PEOPLE)

    def shade(self, family: PartFamily, step: int, steps: int) -> Colour:
        """Return one of several shades of a family, the first the strongest."""
        strong = self.families[family]
        if steps < 2:
            return strong
        share = 0.62 * step / (steps - 1)
        red, green, blue = (round(a + (b - a) * share) for a, b in zip(strong, self.panel, strict=True))
        return (red, green, blue)


_SURFACES = {
    "ground": ("161a22", "ffffff"),
    "panel": ("262c38", "e8ecf2"),
    "line": ("464f61", "c4ccd8"),
    "text": ("f0f3f8", "181e2a"),
    "muted": ("a4aec0", "5c6678"),
    "mark": ("ffd666", "a65c00"),
    "ink": ("161a22", "181e2a"),
}
"""The dark colour, then the light one."""
_LEVELS = {
    FillLevel.NORMAL: ("4ac480", "168c4c"),
    FillLevel.WARNING: ("f4b23e", "cc7a00"),
    FillLevel.CRITICAL: ("f0605e", "ce2c2c"),
}
_FAMILIES = {
    PartFamily.SYSTEM: ("5c9cff", "2862d6"),
    PartFamily.TOOLS: ("f0a04c", "de7a14"),
    PartFamily.MESSAGES: ("3ec6b2", "089284"),
    PartFamily.MOVING: ("96dc78", "68aa30"),
    PartFamily.SUMMARIES: ("ba8cfa", "8048d6"),
    PartFamily.GOALS: ("f484be", "d03c8c"),
    PartFamily.OVERHEAD: ("8c96a8", "7e8898"),
}
_PEOPLE = (
    PartFamily.SYSTEM,
    PartFamily.TOOLS,
    PartFamily.MESSAGES,
    PartFamily.GOALS,
    PartFamily.SUMMARIES,
    PartFamily.MOVING,
    PartFamily.OVERHEAD,
)


def _theme(look: int) -> ChartTheme:
    levels = {level: _colour(pair[look]) for level, pair in _LEVELS.items()}
    families = {family: _colour(pair[look]) for family, pair in _FAMILIES.items()}
    surfaces = {name: _colour(pair[look]) for name, pair in _SURFACES.items()}
    return ChartTheme(**surfaces, levels=levels, families=families)


def _colour(written: str) -> Colour:
    red, green, blue = bytes.fromhex(written)
    return red, green, blue


THEMES: Mapping[ChartStyle, ChartTheme] = {ChartStyle.DARK: _theme(0), ChartStyle.LIGHT: _theme(1)}
