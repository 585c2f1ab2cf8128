"""What a conversation is made of: messages as they were said, summaries, and goal batches."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from bot.domain.compaction import CompactionSummary, SummaryType
from bot.inspect.capture.reader_view import ShownMessage


class MessagePile(NamedTuple):
    """Some messages and their tokens; `before` is what those that they stand for had."""

    messages: int = 0
    tokens: int = 0
    before: int = 0


@dataclass(frozen=True)
class Composition:
    """A conversation in three piles, which add up to it."""

    raw: MessagePile
    summaries: MessagePile
    goal_batches: MessagePile

    @property
    def conversation(self) -> int:
        """The tokens of the whole conversation."""
        return self.raw.tokens + self.summaries.tokens + self.goal_batches.tokens

    @property
    def compressed(self) -> int:
        """The tokens of what stands for something else."""
        return self.summaries.tokens + self.goal_batches.tokens


def composition(messages: Iterable[ShownMessage]) -> Composition:
    """Sort messages into piles; who may not read them learns the same numbers."""
    said: list[ShownMessage] = []
    summaries: list[tuple[ShownMessage, CompactionSummary]] = []
    batches: list[tuple[ShownMessage, CompactionSummary]] = []
    for shown in messages:
        summary = shown.message.summary
        if summary is None:
            said.append(shown)
        else:
            (batches if summary.type is SummaryType.GOAL_BATCH else summaries).append((shown, summary))
    raw = MessagePile(len(said), sum(shown.tokens for shown in said))
    return Composition(raw, _pile(summaries), _pile(batches))


def _pile(blocks: Sequence[tuple[ShownMessage, CompactionSummary]]) -> MessagePile:
    before = sum(summary.tokens_before for _, summary in blocks)
    return MessagePile(len(blocks), sum(shown.tokens for shown, _ in blocks), before)
