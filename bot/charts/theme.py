"""The colours of both looks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from bot.charts.chart import Family, Level, Style

Colour = tuple[int, int, int]


@dataclass(frozen=True)
class Theme:
    """Every colour by what it is for."""

    ground: Colour
    panel: Colour
    line: Colour
    text: Colour
    muted: Colour
    mark: Colour
    levels: Mapping[Level, Colour]
    families: Mapping[Family, Colour]

    def shade(self, family: Family, step: int, steps: int) -> Colour:
        """Return one of several shades of a family, the first the strongest."""
        strong = self.families[family]
        if steps < 2:
            return strong
        share = 0.62 * step / (steps - 1)
        red, green, blue = (round(a + (b - a) * share) for a, b in zip(strong, self.panel, strict=True))
        return (red, green, blue)


THEMES: Mapping[Style, Theme] = {
    Style.DARK: Theme(
        ground=(22, 26, 34),
        panel=(38, 44, 56),
        line=(70, 79, 97),
        text=(240, 243, 248),
        muted=(164, 174, 192),
        mark=(255, 214, 102),
        levels={Level.NORMAL: (74, 196, 128), Level.WARNING: (244, 178, 62), Level.CRITICAL: (240, 96, 94)},
        families={
            Family.SYSTEM: (92, 156, 255),
            Family.TOOLS: (240, 160, 76),
            Family.MESSAGES: (62, 198, 178),
            Family.MOVING: (150, 220, 120),
            Family.SUMMARIES: (186, 140, 250),
            Family.GOALS: (244, 132, 190),
            Family.OVERHEAD: (140, 150, 168),
        },
    ),
    Style.LIGHT: Theme(
        ground=(255, 255, 255),
        panel=(232, 236, 242),
        line=(196, 204, 216),
        text=(24, 30, 42),
        muted=(92, 102, 120),
        mark=(166, 92, 0),
        levels={Level.NORMAL: (22, 140, 76), Level.WARNING: (204, 122, 0), Level.CRITICAL: (206, 44, 44)},
        families={
            Family.SYSTEM: (40, 98, 214),
            Family.TOOLS: (222, 122, 20),
            Family.MESSAGES: (8, 146, 132),
            Family.MOVING: (104, 170, 48),
            Family.SUMMARIES: (128, 72, 214),
            Family.GOALS: (208, 60, 140),
            Family.OVERHEAD: (126, 136, 152),
        },
    ),
}
