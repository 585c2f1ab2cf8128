"""What was used, summed in narrow lines."""

from __future__ import annotations

from bot.domain.channel import ProcessKind
from bot.inspect.usage.usage import account, spent_by_kind
from bot.inspect.usage.usage_text import COLUMNS
from tests.bot.inspect.usage.test_usage_text import USED, row
from tests.golden.golden import matches

COMPACTED = row(ProcessKind.COMPACTOR, 4, 9000, 0, 0.0005, day="2026-11-19", model="simulated/small")


def test_usage_is_summed_by_kind_the_channel_first():
    spent = spent_by_kind(USED)
    assert [(s.name, s.requests, s.input) for s in spent] == [("channel", 4, 1_200_800), ("inspection", 2, 3000)]
    assert round(spent[0].cost_usd, 3) == 0.041


def test_the_whole_account(pytestconfig):
    text = account("#general", [*USED, COMPACTED])
    assert max(map(len, text.splitlines())) <= COLUMNS
    assert matches(pytestconfig, "context/usage", text)


def test_an_account_of_nothing():
    assert account("#general", []) == "#general · usage\nNothing recorded."


def test_of_many_days_the_last_ones_are_named():
    text = account("#general", [row(ProcessKind.CHANNEL, day=f"2026-11-{day:02}") for day in range(1, 21)])
    assert "By day (UTC), last 7 of 20" in text and "2026-11-20" in text and "2026-11-13" not in text
    assert "cost not known" in text
