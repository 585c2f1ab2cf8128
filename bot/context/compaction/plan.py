"""What compaction decides from: turns, how full a request is, and what counts as old enough."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from bot.domain.channel import Turn
from bot.domain.compaction import CompactionLevel, SummaryType
from bot.domain.messages import Message, Role

VERBATIM_MESSAGES = 20
"""So many of the newest messages stay as they were said while there is room."""
BLOCKS = frozenset({SummaryType.HALF, SummaryType.GOAL_BATCH, SummaryType.EMERGENCY})
"""Summaries that stand for whole turns."""


class CompactionThresholds(NamedTuple):
    """From how much usage on (percent) what is done."""

    tool_calls: float = 30
    goal_batch: float = 60
    background: float = 80
    aggressive: float = 85
    emergency: float = 95


class RequestFullness(NamedTuple):
    """How full a request was: all of its input tokens, the most that it may have, and how many turns did not fit."""

    used: int
    room: int
    dropped: int = 0


class CompactionView(NamedTuple):
    """What strategies see. `tokens` is what all turns and everything around them would take."""

    turns: tuple[Turn, ...]
    tokens: int
    room: int
    level: CompactionLevel
    thresholds: CompactionThresholds

    @property
    def percent(self) -> float:
        """How much of the room is taken."""
        return percent_of(self.tokens, self.room)


class CompactionPlan(NamedTuple):
    """Whole turns that follow each other, and what is to become of them."""

    type: SummaryType
    level: CompactionLevel
    taken: tuple[Turn, ...]
    percent: float

    @property
    def ids(self) -> tuple[int, ...]:
        """The numbers of the turns."""
        return tuple(turn.id for turn in self.taken)


class SummaryPiece(NamedTuple):
    """What one summary is to stand for. `shown` is what its writer reads, `sources` what it takes the place of.

    `turns` are the numbers of the turns that they come from.
    """

    turns: tuple[int, ...]
    shown: tuple[Message, ...]
    sources: tuple[Message, ...]


class CompactionStrategy(Protocol):
    """One way to make a conversation shorter."""

    @property
    def type(self) -> SummaryType:
        """What its summaries are called."""

    def threshold(self, thresholds: CompactionThresholds) -> float:
        """From how much usage on it is tried."""

    def choose(self, view: CompactionView) -> tuple[Turn, ...]:
        """Return the turns to take: contiguous, in order; none when there is nothing for it."""

    def pieces(self, taken: Sequence[Turn]) -> tuple[SummaryPiece, ...]:
        """Return what has to be summarised, one piece for each summary."""

    def replaced(self, taken: Sequence[Turn], blocks: Sequence[Message]) -> tuple[Turn, ...]:
        """Return what stands in the place of the turns, given the summary of each piece (in order)."""


def percent_of(used: int, room: int) -> float:
    """Return the share that is used, one decimal."""
    return round(100 * used / room, 1) if room > 0 else 100.0


def level_of(percent: float, thresholds: CompactionThresholds) -> CompactionLevel:
    """Return how urgent a compaction is."""
    if percent >= thresholds.emergency:
        return CompactionLevel.EMERGENCY
    if percent >= thresholds.aggressive:
        return CompactionLevel.AGGRESSIVE
    return CompactionLevel.BACKGROUND if percent >= thresholds.background else CompactionLevel.EARLY


def view_of(turns: tuple[Turn, ...], size: RequestFullness, thresholds: CompactionThresholds) -> CompactionView:
    """Measure a conversation; turns that did not fit into the last request count as well."""
    left_out = sum(turn.quarter_bytes for turn in turns[: size.dropped])
    tokens = size.used + left_out
    return CompactionView(turns, tokens, size.room, level_of(percent_of(tokens, size.room), thresholds), thresholds)


def old_turns(view: CompactionView) -> tuple[Turn, ...]:
    """Return the turns that may be taken: all whose messages stand before the newest twenty; in haste all but one."""
    if view.level in {CompactionLevel.AGGRESSIVE, CompactionLevel.EMERGENCY}:
        return view.turns[:-1]
    recent, end = 0, len(view.turns)
    while end > 0 and recent < VERBATIM_MESSAGES:
        end -= 1
        recent += len(view.turns[end].messages)
    return view.turns[:end]


def is_block(turn: Turn) -> bool:
    """Say whether a turn is nothing but a summary of turns."""
    return turn.is_shortened and all(m.summary is not None and m.summary.type in BLOCKS for m in turn.messages)


def is_goal_batch(turn: Turn) -> bool:
    """Say whether a goal batch stands in a turn."""
    return turn.is_shortened and any(m.summary and m.summary.type is SummaryType.GOAL_BATCH for m in turn.messages)


def standing_for(turns: Sequence[Turn], message_id: str) -> tuple[int, ...]:
    """Return the numbers of the compactions whose summaries stand for a message, by its platform's id."""
    summaries = (m.summary for turn in turns if turn.is_shortened for m in turn.messages if m.summary is not None)
    return tuple(dict.fromkeys(one.compaction for one in summaries if message_id in one.source_ids))


def parts_of_calls(turn: Turn) -> tuple[Message, ...]:
    """Return the messages of a turn that are calls or results; orphans of an older version among them."""
    return tuple(message for message in turn.messages if message.calls or message.role is Role.TOOL)


def numbers_of(turn: Turn) -> tuple[int, ...]:
    """Return the numbers of the turns that a turn stands for; its own, unless it is a summary of several."""
    found = [number for m in turn.messages if m.summary is not None for number in m.summary.turns]
    return tuple(dict.fromkeys((turn.id, *found)))


def runs(turns: Sequence[Turn], fits: Callable[[Turn], bool]) -> list[tuple[Turn, ...]]:
    """Cut turns into the longest stretches in which every one fits."""
    found: list[list[Turn]] = [[]]
    for turn in turns:
        if fits(turn):
            found[-1].append(turn)
        elif found[-1]:
            found.append([])
    return [tuple(run) for run in found if run]
