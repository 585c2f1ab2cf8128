"""The live view gives the same numbers as the export, short."""

from __future__ import annotations

from bot.context.view import live_view, spent_by_kind
from bot.domain.channel import ProcessKind
from bot.domain.turn import UsageRow
from tests.bot.context.shown import capture
from tests.golden.golden import matches


def row(kind, requests=1, input=1000, cached=0, cost=0.0, day="2026-11-21"):
    return UsageRow(
        kind=kind, model="m", day=day, requests=requests, input=input, output=10, cached=cached, cost_usd=cost
    )


USED = [
    row(ProcessKind.INSPECTION, 2, 3000),
    row(ProcessKind.CHANNEL, 3, 1_200_000, 600_000, 0.031),
    row(ProcessKind.CHANNEL, 1, 800, 0, 0.01, day="2026-11-20"),
]


async def test_the_whole_view(pytestconfig):
    assert matches(pytestconfig, "context/live_view", live_view(await capture(), USED))


async def test_nothing_used_is_said():
    assert "Used so far: nothing recorded" in live_view(await capture(), [])


async def test_what_nobody_has_priced_is_not_called_free():
    text = live_view(await capture(), [row(ProcessKind.CHANNEL), row(ProcessKind.INSPECTION)])
    assert "$" not in text and "cost not known: no price is configured" in text


async def test_turns_that_were_left_out_are_said():
    shown = await capture()
    cut = type(shown)(**{**vars(shown), "dropped_turns": (1, 2), "turns": 5})
    assert "Already left out: the oldest 2 turns" in live_view(cut, [])
    assert "messages, 3 turns" in live_view(cut, [])


def test_usage_is_summed_by_kind_the_channel_first():
    spent = spent_by_kind(USED)
    assert [(s.kind, s.requests, s.input) for s in spent] == [
        (ProcessKind.CHANNEL, 4, 1_200_800),
        (ProcessKind.INSPECTION, 2, 3000),
    ]
    assert round(spent[0].cost_usd, 3) == 0.041
