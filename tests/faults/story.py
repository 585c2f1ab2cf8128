"""What happened to a bot, and whether it adds up: answered once, in order, or somebody is told; never twice."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from bot.domain.ledger import Outcome, StoredInbound

ANSWER = "the answer to {} is that nobody knows it for certain"
ANSWERED = re.compile(ANSWER.format(r"(q\d+)"))
UNHAPPY = frozenset({Outcome.UNCERTAIN, Outcome.FAILED, Outcome.INTERRUPTED})


@dataclass
class Question:
    """Something that somebody asked; its name stands in the answer. `is_gone`: somebody deleted it."""

    name: str
    said: Any
    is_gone: bool = False


@dataclass
class Story:
    """One run: what happened, in words, and what was asked."""

    seed: int
    bot: Any
    diary: list[str] = field(default_factory=list)
    asked: list[Question] = field(default_factory=list)

    # what each platform says

    @property
    def places(self) -> Sequence[Any]:
        """Where people talk."""
        raise NotImplementedError

    def place_of(self, said: Any) -> Any:
        """Where something was said."""
        raise NotImplementedError

    async def is_told(self, question: Question) -> bool:
        """Somebody reads that there will be no answer: who asked, by a mark or a word, or an admin."""
        raise NotImplementedError

    async def check_more(self) -> None:
        """Check what only this platform promises."""

    # what holds everywhere

    def note(self, what: str) -> None:
        self.diary.append(what)

    def __str__(self) -> str:
        said = (f"--- {self.bot.key(place).channel}\n{self.bot.transcript(place)}" for place in self.places)
        return "\n".join((f"SEED={self.seed}", *self.diary, *said))

    async def check(self) -> None:
        """Check everything; raise AssertionError with the whole story."""
        try:
            await self._check()
        except AssertionError as error:
            raise AssertionError(f"{error}\n{self}") from error

    async def _check(self) -> None:
        assert await self.bot.store.ledger.unsettled() == [], "a message has no outcome"
        assert await self.bot.store.outbox.pending() == [], "something still waits to be sent"
        await self.check_more()
        texts = [message.text for message in self.bot.written()]
        answers = Counter(match[1] for text in texts if (match := ANSWERED.fullmatch(text)))
        for question in self.asked:
            await self._adds_up(question, answers[question.name])
        for place in self.places:
            self._is_in_order(place)

    async def _adds_up(self, question: Question, answers: int) -> None:
        rows = await self.rows(question.said)
        ends, reasons = [row.outcome for row in rows], [row.outcome_reason for row in rows]
        assert answers <= 1, f"{question.name} was answered {answers} times: {ends}"
        if question.is_gone:
            return  # who takes a question back may have been answered, or not heard at all
        assert rows, f"{question.name} was never heard"
        if Outcome.REPLIED in ends:
            assert answers == 1, f"{question.name} was replied to, and nobody sees it: {ends}"
        elif not answers and set(ends) & UNHAPPY:
            assert await self.is_told(question), f"{question.name} is lost, and nobody was told: {ends}"
        elif not answers:
            # a question without an answer of its own is answered with a later one of its chat
            assert any(reason.startswith("coalesced into") for reason in reasons), f"{question.name} is lost: {reasons}"

    async def rows(self, said: Any) -> list[StoredInbound]:
        """Everything that the ledger knows of a message."""
        found = await self.bot.store.ledger.recent(self.bot.key(self.place_of(said)), 500)
        return [row for row in found if row.inbound.message_id == str(said.id)]

    def _is_in_order(self, place: Any) -> None:
        said = [match[1] for text in self.bot.texts(place) if (match := ANSWERED.fullmatch(text))]
        order = [question.name for question in self.asked]
        assert said == sorted(said, key=order.index), f"answers out of order: {said}"
