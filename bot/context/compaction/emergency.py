"""Let the oldest turns go without asking a model: what is left has to fit."""

from __future__ import annotations

from collections.abc import Sequence

from bot.context.compaction.half import whole_piece
from bot.context.compaction.plan import CompactionThresholds, CompactionView, SummaryPiece, old_turns
from bot.context.tokens import PER_MESSAGE
from bot.domain.channel import Turn
from bot.domain.compaction import SummaryType
from bot.domain.messages import Message

FREED_POINTS = 10
"""Points below the background level that are freed, so that there is time for a model's summary next time."""


class EmergencyStrategy:
    """A line that says how much is missing."""

    type = SummaryType.EMERGENCY

    def threshold(self, thresholds: CompactionThresholds) -> float:
        """When the next request might not fit."""
        return thresholds.emergency

    def choose(self, view: CompactionView) -> tuple[Turn, ...]:
        """Take from the oldest on, goal batches too, until there is room; never the newest turn."""
        too_much = view.tokens - view.room * (view.thresholds.background - FREED_POINTS) / 100
        taken: list[Turn] = []
        for turn in old_turns(view):
            if too_much <= 0:
                break
            too_much -= turn.quarter_bytes + PER_MESSAGE * len(turn.messages)
            taken.append(turn)
        # to put one such line in the place of another frees nothing
        return tuple(taken) if sum(turn.quarter_bytes for turn in taken) > _LINE_TOKENS else ()

    def pieces(self, taken: Sequence[Turn]) -> tuple[SummaryPiece, ...]:
        """All of it is one piece."""
        return whole_piece(taken)

    def replaced(self, taken: Sequence[Turn], blocks: Sequence[Message]) -> tuple[Turn, ...]:
        """Put one turn in the place of those that were taken."""
        return (Turn(id=taken[0].id, messages=tuple(blocks)),)


_LINE_TOKENS = 80
