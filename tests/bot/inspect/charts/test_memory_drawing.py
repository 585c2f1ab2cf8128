"""Pictures of memories are compared by what they show: how high a bar is, in whose colour, and with which pattern."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.domain.access import Authority
from bot.inspect.charts import memory_drawing as layout
from bot.inspect.charts.chart import ChartStyle
from bot.inspect.charts.memory_drawing import WIDTH, draw_spread, draw_teaching
from bot.inspect.charts.memory_values import (
    AxisMark,
    SpreadChart,
    SpreadLayer,
    SpreadPlace,
    TeacherBand,
    TeachingChart,
)
from bot.inspect.charts.theme import THEMES
from tests.bot.inspect.charts.reading import Pixels
from tests.bot.inspect.charts.test_context import contrast

DARK = THEMES[ChartStyle.DARK]


def band(name: str, role: Authority | None, kept, forgotten=(0, 0, 0, 0)) -> TeacherBand:
    return TeacherBand(name, role, kept, forgotten, f"{sum(kept) + sum(forgotten)}")


ANN = band("ann", Authority.EVERYONE, (10, 0, 20, 40))
CHART = TeachingChart(
    title="#general: who taught it",
    subtitle="4 days to 9 Oct, one bar a day (UTC)",
    total="70",
    rest=("remembered in that time", "none forgotten"),
    bars=4,
    bands=(ANN,),
    marks=(AxisMark(0, "6 Oct"), AxisMark(3, "9 Oct")),
    notes=("70 facts",),
)
SPREAD = SpreadChart(
    title="What came of m27d4",
    subtitle="a fact by ann",
    seed=("m27d4", "by ann"),
    layers=(
        SpreadLayer("requests", 100, 0),
        SpreadLayer("answers", 25, 0),
        SpreadLayer("summaries", 0, 0),
        SpreadLayer("memories", 0, 1),
        SpreadLayer("work", 0, 0),
    ),
    places=(SpreadPlace("#general", (90, 25, 0, 1, 0)), SpreadPlace("#second", (10, 0, 0, 0, 0))),
    notes=(),
)


def bars(pixels: Pixels, colour) -> list[int]:
    """How high the bars of a colour are, from the left: what is no higher than the sign of a legend is none."""
    heights = [pixels.column(x, colour) for x in range(layout.EDGE + 60, pixels.width)]
    found: list[int] = []
    for before, height in zip([0, *heights], heights, strict=False):
        if height > 10 and before <= 10:
            found.append(0)
        if height > 10:
            found[-1] = max(found[-1], height)
    return found


@pytest.mark.parametrize("style", list(ChartStyle))
def test_a_bar_is_as_high_as_what_was_taught(style):
    theme, pixels = THEMES[style], Pixels(draw_teaching(CHART, style))
    assert pixels.width == WIDTH and pixels.height <= 1280
    assert pixels.colours().most_common(1)[0][0] == theme.ground
    found = bars(pixels, theme.people[0])
    assert found == pytest.approx([layout.PLOT_HEIGHT * share for share in (0.25, 0.5, 1)], abs=6)


def test_a_bar_is_stacked_by_who_taught():
    bands = (ANN, band("bob", Authority.EVERYONE, (10, 0, 20, 0)), band("3 others", None, (20, 0, 0, 0)))
    pixels = Pixels(draw_teaching(replace(CHART, bands=bands), ChartStyle.DARK))
    ann, bob, others = DARK.people[0], DARK.people[1], DARK.people[-1]
    scale = layout.PLOT_HEIGHT / 40
    assert bars(pixels, ann) == pytest.approx([10 * scale, 20 * scale, 40 * scale], abs=6)
    assert bars(pixels, bob) == pytest.approx([10 * scale, 20 * scale], abs=6)
    assert bars(pixels, others) == pytest.approx([20 * scale], abs=6)


def test_what_was_forgotten_is_hatched():
    pixels = Pixels(
        draw_teaching(
            replace(CHART, bands=(band("ann", Authority.EVERYONE, (0, 0, 0, 40), (0, 0, 40, 0)),)), ChartStyle.DARK
        )
    )
    hatched, whole = bars(pixels, DARK.people[0])
    assert whole == pytest.approx(layout.PLOT_HEIGHT, abs=6)
    # of each nine pixels three are of the ground
    assert hatched == pytest.approx(layout.PLOT_HEIGHT * 6 / 9, abs=12)


@pytest.mark.parametrize(
    ("role", "share"), [(Authority.OWNER, 1), (Authority.ADMIN, 1), (Authority.MODERATOR, 0.5), (Authority.EVERYONE, 0)]
)
def test_who_decides_is_told_without_colours(role, share):
    """In the light look nothing of the plot has the colour of the text but these lines."""
    theme = THEMES[ChartStyle.LIGHT]
    pixels = Pixels(draw_teaching(replace(CHART, bands=(replace(ANN, role=role),)), ChartStyle.LIGHT))
    last = max(x for x in range(pixels.width) if pixels.column(x, theme.people[0]) > 150)
    top = next(y for y in range(pixels.height) if colour_at(pixels, last, y) == theme.people[0])
    line = [x for x in range(last - 120, last) if inked(pixels, x, top, theme.ink) > 100]
    found = max((inked(pixels, x, top, theme.ink) for x in line), default=0)
    assert found == pytest.approx(share * layout.PLOT_HEIGHT, abs=8)


def colour_at(pixels: Pixels, x: int, y: int) -> tuple[int, ...]:
    return tuple(pixels.rows[y][3 * x : 3 * x + 3])


def inked(pixels: Pixels, x: int, top: int, ink) -> int:
    return sum(colour_at(pixels, x, y) == ink for y in range(top, top + layout.PLOT_HEIGHT))


def test_one_beside_a_thousand_is_seen():
    bands = (band("ann", Authority.EVERYONE, (0, 0, 0, 1)), band("bob", Authority.EVERYONE, (0, 0, 0, 100_000)))
    pixels = Pixels(draw_teaching(replace(CHART, bands=bands), ChartStyle.DARK))
    rows = [y for y in range(pixels.height) if pixels.run(y, DARK.people[0]) > 40]
    assert len(rows) >= layout.LEAST_HEIGHT - 1
    assert bars(pixels, DARK.people[1]) == pytest.approx([layout.PLOT_HEIGHT - layout.LEAST_HEIGHT], abs=4)


def test_as_much_as_there_can_be_keeps_its_size():
    names = ("W" * 200, "a\u0301" * 100, "\u202eevil", "日本語" * 60, "", "<@123> **x**")
    many = tuple(
        TeacherBand(name, Authority(n % 4), (10**9,) * 53, (10**9,) * 53, "1,000,000,000, 999,999,999 forgotten")
        for n, name in enumerate(names)
    )
    marks = tuple(AxisMark(n, f"{n} Nov 2025") for n in range(53))
    chart = TeachingChart("#" * 300, "s" * 300, "9" * 40, ("x" * 300,) * 2, 53, many, marks, ("n" * 300,) * 3)
    pixels = Pixels(draw_teaching(chart, ChartStyle.DARK))
    assert pixels.width == WIDTH and pixels.height <= 1280
    assert_margins_are_free(pixels)


def test_nothing_can_be_drawn_too():
    empty = TeachingChart("", "", "0", (), 0, (), (), ())
    assert Pixels(draw_teaching(empty, ChartStyle.LIGHT)).width == WIDTH
    assert Pixels(draw_spread(SpreadChart("", "", (), (), (), ()), ChartStyle.LIGHT)).width == WIDTH


@pytest.mark.parametrize("style", list(ChartStyle))
def test_a_layer_is_as_large_as_its_count(style):
    theme, pixels = THEMES[style], Pixels(draw_spread(SPREAD, style))
    colour = theme.people[0]
    assert pixels.width == WIDTH and pixels.height <= 1280
    requests, answers = (height for height in bars(pixels, colour) if height > 40)
    assert (requests, answers) == pytest.approx((layout.FLOW_HEIGHT, layout.FLOW_HEIGHT / 2), abs=2), "by the root"
    # the memory that came of another is hatched: rows where beside the larger blocks some of a third one is
    blocks = [x for x in range(pixels.width) if pixels.column(x, colour) > 40]
    hatched = sum(pixels.column(x, colour) for x in range(max(blocks) + 20, pixels.width))
    whole = layout.FLOW_HEIGHT * 0.1 * (layout.INNER - layout.SEED_WIDTH) / 5
    assert 0.3 * whole < hatched < 0.8 * whole


def test_a_spread_without_end_keeps_its_size():
    layers = tuple(SpreadLayer("w" * 90, 10**9, 10**9) for _ in range(5))
    places = tuple(SpreadPlace("\u202e#" + "x" * 200, (10**9,) * 5) for _ in range(7))
    chart = SpreadChart("t" * 300, "s" * 300, ("m27d4", "by " + "n" * 200), layers, places, ("n" * 300,) * 4)
    pixels = Pixels(draw_spread(chart, ChartStyle.DARK))
    assert pixels.width == WIDTH and pixels.height <= 1280
    assert_margins_are_free(pixels)


def test_the_same_chart_is_the_same_picture():
    assert draw_teaching(CHART, ChartStyle.DARK) == draw_teaching(CHART, ChartStyle.DARK)
    assert draw_spread(SPREAD, ChartStyle.DARK) == draw_spread(SPREAD, ChartStyle.DARK)


@pytest.mark.parametrize("style", list(ChartStyle))
def test_lines_on_a_colour_can_be_seen(style):
    theme = THEMES[style]
    assert len(set(theme.people)) == 7
    for colour in theme.people:
        assert contrast(colour, theme.ink) >= 2.5 and contrast(colour, theme.ground) >= 2.5


def test_who_has_a_name_that_cannot_be_drawn_is_called_by_their_id():
    def drawn(name: str, stand_in: str = "") -> bytes:
        return draw_teaching(replace(CHART, bands=(replace(ANN, name=name, stand_in=stand_in),)), ChartStyle.DARK)

    assert drawn("日本語", "id 201") == drawn("id 201") != drawn("日本語")
    assert drawn("ann", "id 201") == drawn("ann")


def assert_margins_are_free(pixels: Pixels) -> None:
    """Nothing is cut off by the edge of the picture."""
    ground = DARK.ground
    for x in (*range(layout.EDGE // 2), *range(pixels.width - layout.EDGE // 2, pixels.width)):
        assert pixels.column(x, ground) == pixels.height, x
