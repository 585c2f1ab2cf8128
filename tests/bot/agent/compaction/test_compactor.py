"""Three failures in a row are enough; time or a success ends the rest."""

from __future__ import annotations

from bot.agent.compaction.compactor import CompactionCooldowns
from bot.domain.ids import ChannelId, ChannelKey
from tests.fakes import values as v
from tests.fakes.clock import FakeClock

OTHER = ChannelKey(v.KEY.agent, ChannelId("console:#other"))


def test_the_third_failure_in_a_row_begins_a_rest_that_time_ends():
    clock = FakeClock()
    rests = CompactionCooldowns(clock)
    assert [rests.failed(v.KEY, f"why {n}", 60) for n in range(3)] == [False, False, True]
    assert rests.resting(v.KEY) and not rests.resting(OTHER)
    (rest,) = rests.now().values()
    assert (rest.failures, rest.reason, rest.until_ms) == (3, "why 2", clock.now() + 60_000)
    clock.advance(61)
    assert not rests.resting(v.KEY) and not rests.now()
    assert rests.failed(v.KEY, "again", 60) and rests.resting(v.KEY)


def test_a_success_forgets_the_failures():
    rests = CompactionCooldowns(FakeClock())
    for _ in range(2):
        rests.failed(v.KEY, "why", 60)
    rests.succeeded(v.KEY)
    assert [rests.failed(v.KEY, "why", 60) for _ in range(2)] == [False, False]
