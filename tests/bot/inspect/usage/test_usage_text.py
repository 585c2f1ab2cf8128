"""The live view gives the same numbers as the export, short, in lines that fit a phone."""

from __future__ import annotations

from dataclasses import replace

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.context.compaction.plan import CompactionThresholds, RequestFullness
from bot.domain.channel import ProcessKind
from bot.domain.compaction import SummaryType
from bot.domain.snapshot import CaptureKind
from bot.domain.turn import TurnSize, UsageRow
from bot.inspect.usage.export import export
from bot.inspect.usage.forecast import CompactionForecast, forecast
from bot.inspect.usage.usage_json import view_values
from bot.inspect.usage.usage_text import COLUMNS, LiveView, fold_line, live_view
from tests.bot.context.shown import capture, talk
from tests.bot.context.summed import shortened
from tests.fakes import values as v
from tests.fakes.clock import START
from tests.golden.golden import matches


def row(kind, requests=1, input=1000, cached=0, cost=0.0, day="2026-11-21", model="openai/gpt-5-mini"):
    return UsageRow(
        kind=kind, model=model, day=day, requests=requests, input=input, output=10, cached=cached, cost_usd=cost
    )


USED = [
    row(ProcessKind.INSPECTION, 2, 3000),
    row(ProcessKind.CHANNEL, 3, 1_200_000, 600_000, 0.031),
    row(ProcessKind.CHANNEL, 1, 800, 0, 0.01, day="2026-11-20"),
]
SIZES = [TurnSize(turn=n, at=START + n, stats=v.stats(900 * n, 128_000)) for n in (1, 2, 3, 5)]


async def test_the_whole_view(pytestconfig):
    assert matches(pytestconfig, "context/live_view", live_view(LiveView(await capture(), USED, SIZES)))


async def test_the_view_of_a_conversation_with_summaries(pytestconfig):
    state = shortened()
    shown = await capture(CaptureKind.NEXT, state)
    coming = forecast(state.turns, RequestFullness(90_000, 120_000), CompactionThresholds())
    view = LiveView(shown, USED, SIZES, coming, (START + 2,))
    assert matches(pytestconfig, "context/live_view_compacted", live_view(view))


async def test_no_line_is_wider_than_a_phone():
    shown = await capture(state=talk().replace(name="#a-channel-with-quite-a-long-name-indeed 日本"))
    shown = replace(shown, model="a-provider/a-model-with-a-name-that-goes-on-and-on-20250929", dropped_turns=(1, 2))
    for coming in (
        CompactionForecast(),
        CompactionForecast(on=True),
        CompactionForecast(True, SummaryType.EMERGENCY, 0, 97.0, 120, 4000, 123_456),
    ):
        text = live_view(LiveView(shown, [row(ProcessKind.INSPECTION, 10**6, 10**12, 5, 12_345.678)], SIZES, coming))
        assert max(map(len, text.splitlines())) <= COLUMNS


@given(st.text(max_size=200))
def test_folding_loses_no_word(text):
    line = " ".join(text.split())
    assert "".join("".join(fold_line(line)).split()) == "".join(line.split())


async def test_the_view_and_the_export_of_a_revision_have_the_same_numbers():
    for shown in (await capture(), await capture(CaptureKind.SENT), await capture(state=shortened())):
        document = orjson.loads(export(shown, "2026-11-21T03:00:00+01:00", "01"))
        view = LiveView(shown, USED, SIZES)
        values = orjson.loads(orjson.dumps(view_values(view)))
        assert values["token_summary"] == document["token_summary"]
        assert values["history"]["raw"]["tokens"] == document["token_summary"]["raw_messages"]
        assert values["history"]["tokens"] == document["token_summary"]["conversation"]
        assert f"· {document['token_summary']['usage_percent']} %" in live_view(view)
        assert [s["tokens"] for s in values["sections"]] == [s["tokens"] for s in document["sections"]]
        assert sorted(t["name"] for t in values["tools"]) == [t["name"] for t in document["tools"]]


async def test_the_values_say_what_the_view_says():
    values = view_values(
        LiveView(await capture(), USED, SIZES, CompactionForecast(True, SummaryType.HALF, 80, 80.0, 2, 8, 99))
    )
    assert values["forecast"] == {
        "configured": True,
        "strategy": "half",
        "from_tokens": 80,
        "from_percent": 80.0,
        "turns": 2,
        "messages": 8,
        "tokens": 99,
    }
    assert [size["turn"] for size in values["growth"]] == [1, 2, 3, 5]
    assert (values["level"], values["usage"]["cache_hit_percent"]) == ("normal", 49.8)
    assert [one["name"] for one in values["usage"]["by_kind"]] == ["channel", "inspection"]
    unpriced = view_values(LiveView(await capture(), [row(ProcessKind.CHANNEL)]))
    assert unpriced["usage"]["by_kind"][0]["cost_usd"] is None


async def test_nothing_used_is_said():
    text = live_view(LiveView(await capture()))
    assert "Used so far: nothing recorded" in text and "turns:" not in text


async def test_what_nobody_has_priced_is_not_called_free():
    text = live_view(LiveView(await capture(), [row(ProcessKind.CHANNEL), row(ProcessKind.INSPECTION)]))
    assert "$" not in text and "cost not known: no price is set" in text


async def test_turns_that_were_left_out_are_said():
    cut = replace(await capture(), dropped_turns=(1, 2), turns=5)
    text = live_view(LiveView(cut))
    assert "Already left out: the oldest 2 turns" in text
    assert "messages, 3 turns" in text


@pytest.mark.parametrize(
    ("coming", "said"),
    [
        (CompactionForecast(), "No compaction configured"),
        (CompactionForecast(on=True), "No compaction due"),
        (CompactionForecast(True, SummaryType.HALF, 0, 82.0, 3, 9, 4000), "Next compaction: the older half, due now"),
        (
            CompactionForecast(True, SummaryType.TOOL_CALLS, 38_400, 30.0, 3, 9, 4000),
            "tool calls, at 38.4K (30 %)",
        ),
    ],
)
async def test_what_comes_next(coming, said):
    text = live_view(LiveView(await capture(), forecast=coming))
    assert said in " ".join(text.split())
