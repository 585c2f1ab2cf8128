"""Shrink what was said: pure decisions about whole turns. Add a strategy: a file here, a line in STRATEGIES."""

from __future__ import annotations

from bot.context.compaction.emergency import EmergencyStrategy
from bot.context.compaction.goal_batch import GoalBatchStrategy
from bot.context.compaction.half import HalfStrategy
from bot.context.compaction.plan import (
    CompactionPlan,
    CompactionStrategy,
    CompactionThresholds,
    CompactionView,
    RequestFullness,
    view_of,
)
from bot.context.compaction.tool_calls import ToolCallsStrategy
from bot.domain.compaction import CompactionLevel, SummaryType

__all__ = [
    "BY_TYPE",
    "STRATEGIES",
    "CompactionPlan",
    "CompactionThresholds",
    "CompactionView",
    "RequestFullness",
    "next_plan",
    "view_of",
]

STRATEGIES: tuple[CompactionStrategy, ...] = (
    ToolCallsStrategy(),
    HalfStrategy(),
    GoalBatchStrategy(),
    EmergencyStrategy(),
)
"""In the order in which they are tried; from the aggressive level on, what frees most comes first."""

BY_TYPE = {strategy.type: strategy for strategy in STRATEGIES}
_HASTE_ORDER = (SummaryType.EMERGENCY, SummaryType.HALF, SummaryType.TOOL_CALLS, SummaryType.GOAL_BATCH)


def next_plan(view: CompactionView) -> CompactionPlan | None:
    """Choose what to compact next; None while nothing has to be, or nothing may."""
    order = STRATEGIES
    if view.level in {CompactionLevel.AGGRESSIVE, CompactionLevel.EMERGENCY}:
        order = tuple(BY_TYPE[kind] for kind in _HASTE_ORDER)
    for strategy in order:
        if view.percent >= strategy.threshold(view.thresholds) and (taken := strategy.choose(view)):
            return CompactionPlan(strategy.type, view.level, taken, view.percent)
    return None
