"""What happened to a bot, and whether it adds up: answered once, in order, or somebody is told; never twice."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bot.domain.ledger import Outcome, StoredInbound
from tests.faults.family import Verdict, seed_of

ANSWER = "the answer to {} is that nobody knows it for certain"
ANSWERED = re.compile(ANSWER.format(r"(q\d+)"))
ANY_ANSWER = re.compile(ANSWER.format(r"\S+"))
"""An answer to a question of a story, or to a greeting before it: nobody learns from it that something was lost."""
UNHAPPY = frozenset({Outcome.UNCERTAIN, Outcome.FAILED, Outcome.INTERRUPTED})


class Wrong(AssertionError):
    """Something does not add up; `count` is what the scorecard calls it."""

    def __init__(self, words: str, count: str) -> None:
        super().__init__(words)
        self.count = count


@dataclass
class Question:
    """Something that somebody asked; its name stands in the answer.

    `is_gone`: somebody deleted it. `is_unheard`: the bot heard of that before it heard the question.
    """

    name: str
    said: Any
    is_gone: bool = False
    is_unheard: bool = False


@dataclass
class Story:
    """One run: what happened, in words, what was asked, and how often the process was killed."""

    seed: int
    bot: Any
    diary: list[str] = field(default_factory=list)
    asked: list[Question] = field(default_factory=list)
    kills: int = 0

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
        written = ((place, self.bot.transcript(place)) for place in self.places)
        said = (f"--- {self.bot.key(place).channel}\n{words}" for place, words in written if words)
        return "\n".join((f"SEED={self.seed}", *self.diary, *said))

    async def check(self) -> None:
        """Check everything; raise AssertionError with the whole story."""
        try:
            await self._check()
        except Wrong as error:
            raise Wrong(f"{error}\n{self}", error.count) from error
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
            await self._is_in_order(place)

    async def _adds_up(self, question: Question, answers: int) -> None:
        rows = await self.rows(question.said)
        ends, reasons = [row.outcome for row in rows], [row.outcome_reason for row in rows]
        _must(answers <= 1, "twice", f"{question.name} was answered {answers} times: {ends}")
        assert not (answers and question.is_unheard), (
            f"{question.name} was deleted before it was heard, and is answered"
        )
        if question.is_gone:
            return  # who takes a question back may have been answered, or not heard at all
        _must(rows, "lost", f"{question.name} was never heard")
        if Outcome.UNCERTAIN in ends:
            # whether it arrived or not: nobody can be sure, so a person has to look
            _must(await self.is_told(question), "lost", f"{question.name} is uncertain, and nobody was told: {ends}")
        if Outcome.REPLIED in ends:
            _must(answers == 1, "lost", f"{question.name} was replied to, and nobody sees it: {ends}")
        elif not answers and set(ends) & UNHAPPY:
            _must(await self.is_told(question), "lost", f"{question.name} is lost, and nobody was told: {ends}")
        elif not answers:
            # a question without an answer of its own is answered with a later one of its chat
            is_with_another = any(reason.startswith("coalesced into") for reason in reasons)
            _must(is_with_another, "lost", f"{question.name} is lost: {ends} {reasons}")

    async def rows(self, said: Any) -> list[StoredInbound]:
        """Everything that the ledger knows of a message."""
        found = await self.bot.store.ledger.recent(self.bot.key(self.place_of(said)), 500)
        return [row for row in found if row.inbound.message_id == str(said.id)]

    async def orders(self, place: Any) -> Sequence[Sequence[str]]:
        """Name the questions in each order in which a place's may be answered."""
        return [[question.name for question in self.asked]]

    async def _is_in_order(self, place: Any) -> None:
        said = [match[1] for text in self.bot.texts(place) if (match := ANSWERED.fullmatch(text))]
        orders = await self.orders(place)
        for one, next_one in itertools.pairwise(said):
            in_order = any(order.index(one) < order.index(next_one) for order in orders)
            _must(in_order, "disorder", f"answers out of order: {said}")


async def verdict(play: Callable[[int, Path], Awaitable[Story]], key: str, directory: Path) -> Verdict:
    """Live through a seed, and count what does not add up."""
    counts = {"questions": 0, "kills": 0, "lost": 0, "twice": 0, "disorder": 0}
    try:
        story = await play(seed_of(key), directory)
    except Wrong as wrong:
        return Verdict(counts=counts | {wrong.count: 1}, trouble=str(wrong))
    return Verdict(counts=counts | {"questions": len(story.asked), "kills": story.kills})


def _must(holds: object, count: str, words: str) -> None:
    if not holds:
        raise Wrong(words, count)
