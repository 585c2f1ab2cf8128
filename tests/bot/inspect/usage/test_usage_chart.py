"""The picture shows the numbers of the view: its slices add up to what is used."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings

from bot.domain.compaction import SummaryType
from bot.domain.turn import TurnSize
from bot.inspect.capture.redact_view import view_for_reader
from bot.inspect.charts.chart import FillLevel, PartFamily, TurnColumn
from bot.inspect.usage.forecast import CompactionForecast
from bot.inspect.usage.usage_chart import MAX_TURNS, _scales, chart_of
from bot.inspect.usage.usage_text import LiveView
from tests.bot.context.shown import EVERYTHING, NOTHING, capture
from tests.bot.context.summed import shortened, shortened_states
from tests.bot.inspect.usage.test_usage_text import SIZES, USED
from tests.fakes import values as v
from tests.fakes.clock import START
from tests.fakes.contexts import Looking


@settings(max_examples=30, deadline=None)
@given(shortened_states())
async def test_the_slices_add_up(state):
    shown = view_for_reader(await Looking(state).inspector.inspect(state.key), EVERYTHING, NOTHING)
    chart, stats = chart_of(LiveView(shown)), shown.stats
    assert sum(one.tokens for one in chart.slices) == stats.total
    of = {family: sum(one.tokens for one in chart.slices if one.family is family) for family in PartFamily}
    assert (of[PartFamily.SYSTEM], of[PartFamily.TOOLS]) == (stats.system_prompt, stats.tools)
    assert (
        of[PartFamily.MESSAGES] + of[PartFamily.MOVING] + of[PartFamily.SUMMARIES] + of[PartFamily.GOALS]
        == stats.history
    )
    assert len(chart.slices) <= 14 and all(one.tokens > 0 for one in chart.slices)


async def test_what_a_picture_says():
    shown = replace(await capture(state=shortened()), dropped_turns=(1,))
    coming = CompactionForecast(True, SummaryType.HALF, 102_400, 80.0, 3, 9, 4000)
    chart = chart_of(LiveView(shown, USED, SIZES, coming, (START + 3,)))
    assert (chart.title, chart.subtitle, chart.level) == ("#general", "next request · simulated/echo", FillLevel.NORMAL)
    assert chart.percent == shown.stats.usage_percent and chart.used.endswith("of 128.0K tokens")
    assert {"2 summaries", "1 goal batch", "1 tool", "messages as said"} <= {one.name for one in chart.slices}
    assert [column.total for column in chart.columns] == [900, 1800, 2700, 4500]
    assert [column.compacted for column in chart.columns] == [False, False, True, False]
    assert chart.notes == (
        "left out already: the oldest turn",
        "next compaction: the older half, at 102.4K",
        "cache hits 49.8 % · $0.04 so far",
    )


async def test_only_the_last_turns_are_drawn():
    sizes = [TurnSize(turn=n, at=START + n, stats=v.stats(100 + n)) for n in range(90)]
    columns = chart_of(LiveView(await capture(), sizes=sizes)).columns
    assert [column.total for column in columns] == list(range(150, 190)) and len(columns) == MAX_TURNS


@pytest.mark.parametrize("most", [1, 7, 99, 100, 1499, 1501, 36_010, 999_999, 12_345_678])
def test_lines_at_round_numbers(most):
    scales = _scales((TurnColumn(most, 0),))
    assert scales and all(0 < scale.tokens <= most for scale in scales) and len(scales) <= 3
    assert scales[-1].tokens * 2 > most
    assert len({scale.label for scale in scales}) == len(scales)


def test_nothing_has_no_lines():
    assert _scales(()) == ()
