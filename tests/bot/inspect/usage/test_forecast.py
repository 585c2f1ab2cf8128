"""The forecast is the plan that compaction would make, now or at the next level at which something would go."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.context.compaction import next_plan
from bot.context.compaction.plan import CompactionThresholds, RequestFullness, view_of
from bot.domain.channel import Turn
from bot.domain.compaction import SummaryType
from bot.inspect.usage.forecast import CompactionForecast, forecast
from tests.bot.context.talk import states
from tests.fakes.contexts import says
from tests.fakes.values import call, result, said

LEVELS = CompactionThresholds()
ROOM = 10_000


def turns(count: int, *, calls: int = 0) -> tuple[Turn, ...]:
    found = []
    for number in range(1, count + 1):
        rounds = [
            m for _ in range(calls) for m in (call("memory_recall", '{"query":"tea"}'), result("- a note\n" * 60))
        ]
        found.append(Turn(id=number, messages=(says(f"question {number}", number), *rounds, said("an answer " * 20))))
    return tuple(found)


def test_nothing_is_foretold_where_nothing_is_compacted():
    assert forecast(turns(50), RequestFullness(9_000, ROOM), None) == CompactionForecast()


def test_a_young_conversation_has_nothing_that_may_go():
    assert forecast(turns(1), RequestFullness(500, ROOM), LEVELS) == CompactionForecast(on=True)


def test_the_next_level_at_which_something_would_go():
    coming = forecast(turns(40), RequestFullness(2_000, ROOM), LEVELS)
    assert (coming.strategy, coming.at, coming.percent) == (SummaryType.HALF, 8_000, 80.0)
    assert (coming.turns, coming.messages) == (20, 40) and coming.tokens > 500
    tools = forecast(turns(40, calls=2), RequestFullness(2_000, ROOM), LEVELS)
    assert (tools.strategy, tools.at) == (SummaryType.TOOL_CALLS, 3_000)


def test_what_is_due_is_due():
    coming = forecast(turns(40), RequestFullness(8_200, ROOM), LEVELS)
    assert (coming.strategy, coming.at, coming.percent) == (SummaryType.HALF, 0, 82.0)


@settings(max_examples=50, deadline=None)
@given(states(), st.integers(0, 200_000), st.integers(0, 100_000), st.integers(0, 3))
def test_it_agrees_with_the_plan_whatever_the_conversation(state, used, room, dropped):
    size = RequestFullness(used, room, dropped)
    coming, plan = forecast(state.turns, size, LEVELS), next_plan(view_of(state.turns, size, LEVELS))
    if plan is not None:
        assert (coming.strategy, coming.at, coming.turns) == (plan.type, 0, len(plan.taken))
    else:
        assert coming.strategy is None or 0 < coming.at <= room
