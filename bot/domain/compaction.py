"""What stands in the place of messages that were taken out of a conversation, and where it came from."""

from __future__ import annotations

from enum import StrEnum

from bot.domain.base import Digest, FrozenModel


class SummaryType(StrEnum):
    """How a summary came about: which strategy took its sources out."""

    TOOL_CALLS = "tool_calls"
    HALF = "half"
    GOAL_BATCH = "goal_batch"
    EMERGENCY = "emergency"


class CompactionLevel(StrEnum):
    """How full a context was when a compaction was planned, in rising order."""

    EARLY = "early"
    BACKGROUND = "background"
    AGGRESSIVE = "aggressive"
    EMERGENCY = "emergency"


class CompactionSummary(FrozenModel):
    """What a summary message stands for. Its sources are kept; by them it can be shown, checked and undone.

    `compaction` is the row of the event; `count` how many messages (for a goal batch: completed summaries) it stands
    for; `method` how it was written (`model`, or `rules` where no model was asked) and `model` by whom.
    `sources` are the digests of those messages, `source_ids` their platform's ids, `turns` the turns they were part of.
    Tokens are those of the sources and of the summary itself, counted the same way; `created_at` is UTC ms.
    """

    type: SummaryType
    compaction: int
    count: int
    method: str
    model: str = ""
    created_at: int
    sources: tuple[Digest, ...]
    source_ids: tuple[str, ...] = ()
    turns: tuple[int, ...] = ()
    tokens_before: int = 0
    tokens_after: int = 0
