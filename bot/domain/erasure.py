"""What is kept of one person, and what was taken out at their request."""

from __future__ import annotations

from bot.domain.base import Frozen
from bot.domain.figures import exact_number
from bot.domain.ids import ChannelId, UserId


class Footprint(Frozen):
    """How much of one person is on record: before an erasure what it would take out, after it what it took out.

    `answers` are chunks that answered them, `calls` the tool calls of their turns, `lines` of conversations theirs and
    those that answered them; `requests` hold some of it; `files` and `backups` are names in the data directory.
    """

    messages: int = 0
    lines: int = 0
    answers: int = 0
    requests: int = 0
    calls: int = 0
    memories: int = 0
    files: tuple[str, ...] = ()
    backups: int = 0
    channels: tuple[ChannelId, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing (left) to take out."""
        counts = (self.messages, self.lines, self.answers, self.requests, self.calls, self.memories)
        return not any(counts) and not self.files


def counted(found: Footprint) -> list[str]:
    """Say in numbers what is kept of somebody, or was taken out."""
    numbers = {
        "messages": found.messages,
        "lines of conversations, theirs and the answers": found.lines,
        "answers sent to them": found.answers,
        "recorded requests": found.requests,
        "tool calls": found.calls,
        "memories by or about them": found.memories,
        "exports and other files": len(found.files),
        "backups, whole": found.backups,
    }
    return [f"{exact_number(count)} {what}" for what, count in numbers.items() if count]


class Erasure(Frozen):
    """Somebody is to be forgotten; it is gone on with until it is over."""

    id: int
    platform: str
    user_id: UserId
    at: int
