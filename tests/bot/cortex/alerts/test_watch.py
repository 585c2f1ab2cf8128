"""The words of alerts, whatever has to be said."""

from __future__ import annotations

import pytest

from bot.cortex.alerts.adapter_watch import AdapterHearing, HearingChange, HearingLevel
from bot.cortex.alerts.downtime import MissedMessages
from bot.cortex.alerts.health_watcher import downtime_text, hearing_text
from bot.domain.health import AdapterHealth, AdapterState, BotDowntime
from tests.fakes.clock import START
from tests.golden.golden import matches


@pytest.mark.parametrize("count", [1, 2])
def test_everything_that_can_be_missed_is_counted(request, count):
    silence = BotDowntime(
        since=START, until=START + 300_000 * count, reason="the store failed:\n disk I/O", starts=count
    )
    text = downtime_text(silence, MissedMessages(*[count] * len(MissedMessages._fields)))
    assert matches(request.config, f"alerts/missed_{count}", text)


@pytest.mark.parametrize("level", [HearingLevel.DEAF, HearingLevel.PARTLY])
def test_what_a_platform_says_of_itself_stays_on_its_line(level):
    health = AdapterHealth(name="discord", state=AdapterState.DOWN, since=START, detail="a\n→ b\u202e" + "x" * 999)
    text = hearing_text(HearingChange(HearingLevel.WELL, 0, AdapterHearing(health, level, START, 0.0, START)))
    first, arrow, last = text.splitlines()
    assert "a → b⟨U+202E⟩x" in first and len(first) < 400
    assert arrow.startswith("→ `!cortex doctor`") and last.startswith("I'll write again")
