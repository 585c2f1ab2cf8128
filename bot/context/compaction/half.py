"""Make one summary of the older half of the turns."""

from __future__ import annotations

from collections.abc import Sequence

from bot.context.compaction.plan import (
    CompactionThresholds,
    CompactionView,
    SummaryPiece,
    is_block,
    numbers_of,
    old_turns,
)
from bot.domain.channel import Turn
from bot.domain.compaction import SummaryType
from bot.domain.messages import Message

MIN_MESSAGES = 4
MIN_SHARE = 0.03
"""Of the room; to free less is not worth a request."""


class HalfStrategy:
    """Milestones, decisions, findings, dead ends, the state of things, open items."""

    type = SummaryType.HALF

    def threshold(self, thresholds: CompactionThresholds) -> float:
        """From which share of the window on this is done: that of a compaction in the background."""
        return thresholds.background

    def choose(self, view: CompactionView) -> tuple[Turn, ...]:
        """Take the older half of what was not summarised as a whole yet, as far as it may be taken."""
        begin = 1 + max((index for index, turn in enumerate(view.turns) if is_block(turn)), default=-1)
        may_go = old_turns(view)[begin:]
        taken = may_go[: (len(view.turns) - begin + 1) // 2]
        while len(taken) < len(may_go) and not _is_worth_it(taken, view.room):
            taken = may_go[: len(taken) + 1]
        return taken if _is_worth_it(taken, view.room) else ()

    def pieces(self, taken: Sequence[Turn]) -> tuple[SummaryPiece, ...]:
        """All of it is one piece."""
        return whole_piece(taken)

    def replaced(self, taken: Sequence[Turn], blocks: Sequence[Message]) -> tuple[Turn, ...]:
        """Put one turn in the place of those that were taken."""
        return (Turn(id=taken[0].id, messages=tuple(blocks)),)


def whole_piece(taken: Sequence[Turn]) -> tuple[SummaryPiece, ...]:
    """Return all of some turns as one piece, which keeps the number of the first."""
    messages = tuple(message for turn in taken for message in turn.messages)
    return (SummaryPiece(tuple(number for turn in taken for number in numbers_of(turn)), messages, messages),)


def _is_worth_it(turns: Sequence[Turn], room: int) -> bool:
    messages = sum(len(turn.messages) for turn in turns)
    return messages >= MIN_MESSAGES and sum(turn.quarter_bytes for turn in turns) >= MIN_SHARE * room
