"""Say which compaction comes next, when, and what would go; pure, and by the same plan that compaction follows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.context.compaction import STRATEGIES, next_plan
from bot.context.compaction.plan import (
    CompactionStrategy,
    CompactionThresholds,
    CompactionView,
    RequestFullness,
    level_of,
    percent_of,
    view_of,
)
from bot.domain.channel import Turn
from bot.domain.compaction import SummaryType


@dataclass(frozen=True)
class CompactionForecast:
    """The next compaction. `at` is from how many tokens on (0: it is due); `tokens` of what would go are estimated.

    Without a `strategy` there is nothing that could be compacted; `on` says whether anything ever is.
    """

    on: bool = False
    strategy: SummaryType | None = None
    at: int = 0
    percent: float = 0.0
    turns: int = 0
    messages: int = 0
    tokens: int = 0


def forecast(
    turns: tuple[Turn, ...], size: RequestFullness, thresholds: CompactionThresholds | None
) -> CompactionForecast:
    """Look at what is due now, or else at the first level on the way up at which something would go."""
    if thresholds is None:
        return CompactionForecast()
    view = view_of(turns, size, thresholds)
    plan = next_plan(view)
    if plan is not None:
        return _forecast(plan.type, plan.taken, 0, view.percent)
    for strategy in sorted(STRATEGIES, key=lambda one: one.threshold(thresholds)):
        share = strategy.threshold(thresholds)
        if share > view.percent and (taken := strategy.choose(_grown(view, strategy))):
            return _forecast(strategy.type, taken, round(size.room * share / 100), share)
    return CompactionForecast(on=True)


def _grown(view: CompactionView, strategy: CompactionStrategy) -> CompactionView:
    """The same turns in a request that has become large enough for a strategy."""
    tokens = -(-round(view.room * strategy.threshold(view.thresholds)) // 100)
    level = level_of(percent_of(tokens, view.room), view.thresholds)
    return view._replace(tokens=tokens, level=level)


def _forecast(kind: SummaryType, taken: Sequence[Turn], at: int, percent: float) -> CompactionForecast:
    tokens = sum(turn.quarter_bytes for turn in taken)
    return CompactionForecast(True, kind, at, percent, len(taken), sum(len(turn.messages) for turn in taken), tokens)
