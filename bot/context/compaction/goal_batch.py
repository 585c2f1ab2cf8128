"""Put three to six turns that are completed and summarised already into one block, which stays for good."""

from __future__ import annotations

from collections.abc import Sequence

from bot.context.compaction.half import whole_piece
from bot.context.compaction.plan import (
    CompactionThresholds,
    CompactionView,
    SummaryPiece,
    is_goal_batch,
    old_turns,
    runs,
)
from bot.domain.channel import Turn
from bot.domain.compaction import SummaryType
from bot.domain.messages import Message, Role

MIN_TURNS, MAX_TURNS = 3, 6


class GoalBatchStrategy:
    """What was wanted, what came of it, and what has to be known of it later."""

    type = SummaryType.GOAL_BATCH

    def threshold(self, thresholds: CompactionThresholds) -> float:
        """Before it gets narrow, as these turns are over and told of already."""
        return thresholds.goal_batch

    def choose(self, view: CompactionView) -> tuple[Turn, ...]:
        """Take the oldest stretch that is long enough."""
        found = runs(old_turns(view), _is_over)
        return next((run[:MAX_TURNS] for run in found if len(run) >= MIN_TURNS), ())

    def pieces(self, taken: Sequence[Turn]) -> tuple[SummaryPiece, ...]:
        """All of it is one piece."""
        return whole_piece(taken)

    def replaced(self, taken: Sequence[Turn], blocks: Sequence[Message]) -> tuple[Turn, ...]:
        """Put one turn in the place of those that were taken."""
        return (Turn(id=taken[0].id, messages=tuple(blocks)),)


def _is_over(turn: Turn) -> bool:
    if not turn.is_shortened or is_goal_batch(turn) or any(message.calls for message in turn.messages):
        return False
    summaries = [message.summary.type for message in turn.messages if message.summary is not None]
    if SummaryType.EMERGENCY in summaries:
        return False
    return turn.messages[-1].role is Role.ASSISTANT or SummaryType.HALF in summaries
