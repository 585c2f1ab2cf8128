"""Pictures are compared by what they show: their size, their colours, and how much of each there is."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.inspect.charts import context as layout
from bot.inspect.charts.chart import ChartSlice, ChartStyle, ContextChart, FillLevel, PartFamily, ScaleLine, TurnColumn
from bot.inspect.charts.context import WIDTH, draw
from bot.inspect.charts.theme import THEMES
from tests.bot.inspect.charts.reading import Pixels

INNER, TOP = layout._INNER, layout._EDGE + layout._HEAD

CHART = ContextChart(
    title="#general",
    subtitle="next · a/model",
    percent=45.2,
    level=FillLevel.NORMAL,
    used="45.2K of 100K tokens",
    free="50.7K free, 4.1K for the answer",
    slices=(
        ChartSlice("contract", 5000, "5K", PartFamily.SYSTEM),
        ChartSlice("bulletin", 3000, "3K", PartFamily.SYSTEM),
        ChartSlice("tools", 4000, "4K", PartFamily.TOOLS),
        ChartSlice("messages as said", 15000, "15K", PartFamily.MESSAGES),
        ChartSlice("moving", 1000, "1K", PartFamily.MOVING),
        ChartSlice("2 summaries", 8000, "8K", PartFamily.SUMMARIES),
        ChartSlice("1 goal batch", 3000, "3K", PartFamily.GOALS),
        ChartSlice("overhead", 1000, "1K", PartFamily.OVERHEAD),
    ),
    columns=tuple(TurnColumn(12_000, 2000 * n, compacted=n == 6) for n in range(1, 11)),
    scales=(ScaleLine(10_000, "10K"), ScaleLine(20_000, "20K")),
    notes=("cache hits 50 %",),
)


@pytest.mark.parametrize("style", list(ChartStyle))
def test_every_part_has_its_colour_and_its_share(style):
    theme, pixels = THEMES[style], Pixels(draw(CHART, style))
    found = pixels.colours()
    assert pixels.width == WIDTH and 900 < pixels.height <= 1280
    assert found.most_common(1)[0][0] == theme.ground
    stack = [y for y in range(pixels.height) if pixels.run(y, theme.families[PartFamily.SUMMARIES]) > 100]
    assert len(stack) == layout._STACK, "the bar is one, and as high as it is"
    middle = stack[30]
    # 40,000 tokens on the whole width, with a gap of 3 behind each part
    for family, tokens in ((PartFamily.MESSAGES, 15_000), (PartFamily.SUMMARIES, 8000), (PartFamily.TOOLS, 4000)):
        assert abs(pixels.run(middle, theme.families[family]) - (tokens / 40_000 * INNER - 3)) <= 2
    assert pixels.run(middle, theme.shade(PartFamily.SYSTEM, 1, 2)) > 50
    assert found[theme.mark] > 100, "the compaction is marked"


@pytest.mark.parametrize(
    ("percent", "level", "filled"),
    [
        (0.0, FillLevel.NORMAL, 0),
        (45.2, FillLevel.NORMAL, 0.452),
        (71.0, FillLevel.WARNING, 0.71),
        (250.0, FillLevel.CRITICAL, 1),
    ],
)
def test_the_bar_is_as_full_as_the_context(percent, level, filled):
    theme = THEMES[ChartStyle.DARK]
    pixels = Pixels(draw(replace(CHART, percent=percent, level=level), ChartStyle.DARK))
    rows = [pixels.run(y, theme.levels[level]) for y in range(TOP + 4, TOP + 36)]
    # the mark of the other level may stand on it
    assert max(rows) == pytest.approx(filled * INNER, abs=6)


def test_columns_are_as_high_as_their_turns():
    theme, pixels = THEMES[ChartStyle.LIGHT], Pixels(draw(replace(CHART, slices=CHART.slices[2:3]), ChartStyle.LIGHT))
    blue, green = theme.families[PartFamily.SYSTEM], theme.families[PartFamily.MESSAGES]
    last = next(x for x in range(pixels.width - 1, 0, -1) if pixels.column(x, green) > 60)
    # 32,000 tokens in the height of the plot: 12,000 that always stay, 20,000 that were said
    assert pixels.column(last, blue) == pytest.approx(layout._PLOT * 12 / 32, abs=3)
    assert pixels.column(last, green) == pytest.approx(layout._PLOT * 20 / 32, abs=3)


def test_without_a_past_there_is_no_plot():
    whole, bare = (
        Pixels(draw(chart, ChartStyle.DARK)) for chart in (CHART, replace(CHART, columns=(), scales=(), notes=()))
    )
    assert bare.height < whole.height - 250 and not bare.colours()[THEMES[ChartStyle.DARK].mark]


def test_nothing_at_all_can_be_drawn_too():
    empty = ContextChart("", "", 0.0, FillLevel.NORMAL, "", "", (), (), (), ())
    assert Pixels(draw(empty, ChartStyle.LIGHT)).width == WIDTH


def test_the_same_chart_is_the_same_picture():
    assert draw(CHART, ChartStyle.DARK) == draw(CHART, ChartStyle.DARK)
    assert draw(CHART, ChartStyle.DARK) != draw(CHART, ChartStyle.LIGHT)


@pytest.mark.parametrize("style", list(ChartStyle))
def test_everything_can_be_told_from_its_ground(style):
    theme = THEMES[style]
    for colour in (theme.text, theme.muted):
        assert contrast(colour, theme.ground) >= 4.5
    for colour in (*theme.levels.values(), *theme.families.values(), theme.mark):
        assert contrast(colour, theme.ground) >= 2.5
    for family in PartFamily:
        assert len({theme.shade(family, step, 6) for step in range(6)}) == 6


def contrast(one, other) -> float:
    """https://www.w3.org/TR/WCAG21/#dfn-contrast-ratio."""

    def light(colour):
        parts = (part / 255 for part in colour)
        red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    brighter, darker = sorted((light(one), light(other)), reverse=True)
    return (brighter + 0.05) / (darker + 0.05)
