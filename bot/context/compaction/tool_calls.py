"""Take the calls and results out of old turns; what people and the bot said stays as it was."""

from __future__ import annotations

from collections.abc import Sequence

from bot.context.compaction.plan import CompactionThresholds, CompactionView, SummaryPiece, old_turns, parts_of_calls
from bot.domain.channel import Turn
from bot.domain.compaction import SummaryType
from bot.domain.messages import Message

VERBATIM_PAIRS = 10
MAX_VERBATIM_MESSAGES = 40
MIN_TURN_TOKENS = 120
"""Tokens; a turn whose calls and results take less would not become shorter."""
MAX_TURNS = 12
"""How many turns are shortened at once."""


class ToolCallsStrategy:
    """One block a turn: what was tried, found, failed, must be kept."""

    type = SummaryType.TOOL_CALLS

    def threshold(self, thresholds: CompactionThresholds) -> float:
        """Long before it gets narrow: old results are what is needed least."""
        return thresholds.tool_calls

    def choose(self, view: CompactionView) -> tuple[Turn, ...]:
        """Wait for ten pairs, or until the oldest is forty messages back; then take from the first to the last."""
        old = old_turns(view)
        wanted = [index for index, turn in enumerate(old) if _is_worth_it(turn)]
        if not wanted:
            return ()
        pairs = sum(len(message.results) for index in wanted for message in old[index].messages)
        if (
            pairs < VERBATIM_PAIRS
            and sum(len(turn.messages) for turn in view.turns[wanted[0] :]) < MAX_VERBATIM_MESSAGES
        ):
            return ()
        return old[wanted[0] : wanted[:MAX_TURNS][-1] + 1]

    def pieces(self, taken: Sequence[Turn]) -> tuple[SummaryPiece, ...]:
        """Show the whole turn, so that it can be told what the calls were for."""
        return tuple(
            SummaryPiece((turn.id,), turn.messages, parts_of_calls(turn)) for turn in taken if _is_worth_it(turn)
        )

    def replaced(self, taken: Sequence[Turn], blocks: Sequence[Message]) -> tuple[Turn, ...]:
        """Put each block where the first call of its turn stood."""
        left = list(blocks)
        return tuple(_without_calls(turn, left.pop(0)) if _is_worth_it(turn) else turn for turn in taken)


def _is_worth_it(turn: Turn) -> bool:
    return turn.quarter_bytes_of_calls >= MIN_TURN_TOKENS


def _without_calls(turn: Turn, block: Message) -> Turn:
    gone = parts_of_calls(turn)
    messages = [block if message is gone[0] else message for message in turn.messages]
    return Turn(id=turn.id, messages=tuple(message for message in messages if message not in gone[1:]))
