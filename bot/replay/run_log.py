"""Keep the runs of a program that may not write into the bot's store: in memory, and of requests no words.

What a request said stands in the bot's store, where its people can have it erased; here are digests, sizes and costs.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from bot.domain.dialect import DialectLesson
from bot.domain.ledger import StageRow
from bot.domain.turn import AttemptRecord, RequestRecord


class RunLog:
    """Implements `bot.ports.journal.RequestBook`."""

    def __init__(self) -> None:
        self.requests: list[RequestRecord] = []
        self.attempts: list[AttemptRecord] = []

    async def record_request(self, record: RequestRecord, stages: Sequence[StageRow]) -> int:
        """Keep digest, size and time of a request; return its number, from 1."""
        bare = record.request.model_copy(update={"system": (), "messages": (), "tools": ()})
        # model_copy: every value is validated already
        kept = record.model_copy(update={"request": bare, "sections": (), "message_tokens": (), "words": False})
        self.requests.append(kept)
        return len(self.requests)

    async def record_attempt(self, attempt: AttemptRecord) -> None:
        self.attempts.append(attempt)

    def attempts_of(self, turn: int, number: int) -> list[AttemptRecord]:
        """Return what came back for a run, oldest first."""
        rows = {row for row, one in enumerate(self.requests, 1) if (one.turn, one.round) == (turn, number)}
        return [one for one in self.attempts if one.request in rows]

    @property
    def cost(self) -> float:
        """What the answers cost in US dollars, as far as prices are known."""
        return sum(one.cost_usd or 0.0 for one in self.attempts)


class BorrowedLessons:
    """Implements `bot.ports.bookkeeping.LessonStore`: knows what the bot has learnt, and keeps more to itself."""

    def __init__(self, known: Sequence[DialectLesson]) -> None:
        self.known: Sequence[DialectLesson] = tuple(known)

    async def load(self) -> None:
        """Know what was handed over."""

    async def learn(self, lessons: Sequence[DialectLesson]) -> None:
        """Know these for as long as this program runs."""
        self.known = (*self.known, *lessons)

    async def forget(self, models: Collection[str]) -> int:
        """Forget what was learnt of these models; return how much that was."""
        left = tuple(lesson for lesson in self.known if lesson.model not in models)
        gone, self.known = len(self.known) - len(left), left
        return gone
