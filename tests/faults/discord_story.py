"""What happened to a bot on Discord, and whether it adds up: answered once, in order, nothing lost, nothing twice."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field

from bot.domain.ledger import Outcome, StoredInbound
from tests.dialogs.discord import DiscordBot
from tests.servers.discord import Channel, Message

ANSWER = "the answer to {} is that nobody knows it for certain"
_UNHAPPY = frozenset({Outcome.UNCERTAIN, Outcome.FAILED, Outcome.INTERRUPTED})
_ANSWERED = re.compile(ANSWER.format(r"(q\d+)"))


@dataclass
class Question:
    """Something that somebody asked; its name stands in the answer. `is_gone`: somebody deleted it."""

    name: str
    said: Message
    is_gone: bool = False


@dataclass
class Story:
    """One run: what happened, in words, and what was asked."""

    seed: int
    bot: DiscordBot
    places: list[Channel]
    diary: list[str] = field(default_factory=list)
    asked: list[Question] = field(default_factory=list)

    def note(self, what: str) -> None:
        self.diary.append(what)

    def __str__(self) -> str:
        said = (f"--- {place.name or self.bot.key(place).channel}\n{place.transcript()}" for place in self.places)
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
        self.bot.server.gateway.beat()  # the clock may have leapt over the patience with a silent gateway
        await self.bot.server.until(lambda: self.bot.discord.health().state == "up", "it is not well again")
        answers = self._answers()
        for question in self.asked:
            await self._adds_up(question, answers[question.name])
        for place in self.places:
            self._is_in_order(place)
            await self._is_heard_in_order(place)

    def _answers(self) -> Counter[str]:
        texts = [message.text for message in self.bot.written()]
        return Counter(match[1] for text in texts if (match := _ANSWERED.fullmatch(text)))

    async def _adds_up(self, question: Question, answers: int) -> None:
        rows = await self._rows(question.said)
        ends = [row.outcome for row in rows]
        assert answers <= 1, f"{question.name} was answered {answers} times: {ends}"
        if question.is_gone:
            return  # who takes a question back may have been answered, or not heard at all
        assert rows, f"{question.name} was never heard"
        if Outcome.REPLIED in ends:
            assert answers == 1, f"{question.name} was replied to, and nobody sees it: {ends}"
        elif not answers and set(ends) & _UNHAPPY:
            assert self._is_told(question), f"{question.name} is lost, and nobody was told: {ends}"
        elif not answers:
            reasons = [row.outcome_reason for row in rows]
            assert any(reason.startswith("coalesced into") for reason in reasons), f"{question.name} is lost: {reasons}"

    def _is_told(self, question: Question) -> bool:
        """Somebody reads of it: who asked, by a mark or a word, or an admin."""
        place = question.said.channel
        if any(self.bot.me in who for who in question.said.reactions.values()):
            return True
        words = [text for text in self.bot.texts(place) if not _ANSWERED.fullmatch(text)]
        return bool(words) or self.bot.key(place).channel in self.bot.private(self.bot.root)

    async def _rows(self, said: Message) -> list[StoredInbound]:
        found = await self.bot.store.ledger.recent(self.bot.key(said.channel), 500)
        return [row for row in found if row.inbound.message_id == str(said.id)]

    def _is_in_order(self, place: Channel) -> None:
        said = [match[1] for text in self.bot.texts(place) if (match := _ANSWERED.fullmatch(text))]
        order = [question.name for question in self.asked]
        assert said == sorted(said, key=order.index), f"answers out of order: {said}"

    async def _is_heard_in_order(self, place: Channel) -> None:
        """What was heard of a place stands in the ledger in the order in which it was written."""
        found = await self.bot.store.ledger.recent(self.bot.key(place), 500)
        first = [int(row.inbound.message_id) for row in reversed(found) if row.inbound.kind == "message"]
        mixed = self.shuffled
        assert mixed or first == sorted(first), f"heard out of order: {first}"
        assert len(first) == len(set(first)), f"heard twice: {first}"

    shuffled: bool = False
    """Whether events were delivered in another order, so that nobody can know better."""
