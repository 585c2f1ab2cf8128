"""What happened to a bot on Telegram, and whether it adds up: answered once, or somebody is told; never twice."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field

from bot.domain.ledger import Outcome, StoredInbound
from bot.domain.turn import OutboxState
from tests.dialogs.telegram import TelegramBot
from tests.servers.telegram import Chat, Message

ANSWER = "the answer to {} is that nobody knows it for certain"
REPORT = "rules only, no model asked"
_ANSWERED = re.compile(ANSWER.format(r"(q\d+)"))
_UNHAPPY = frozenset({Outcome.UNCERTAIN, Outcome.FAILED, Outcome.INTERRUPTED})


@dataclass
class Question:
    """Something that somebody asked; its name stands in the answer."""

    name: str
    said: Message


@dataclass
class Story:
    """One run: what happened, in words, what was asked, and what was asked of the cortex."""

    seed: int
    bot: TelegramBot
    yard: Chat
    diary: list[str] = field(default_factory=list)
    asked: list[Question] = field(default_factory=list)
    looks: list[Message] = field(default_factory=list)
    kills: int = 0

    def note(self, what: str) -> None:
        self.diary.append(what)

    def __str__(self) -> str:
        chats = (self.bot.kitchen, self.yard, *map(self.bot.dm, (self.bot.ann, self.bot.james, self.bot.root)))
        said = (f"--- {chat.title or chat.id}\n{self.bot.transcript(chat)}" for chat in chats)
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
        assert self.bot.me.inlet.pending == [], "something still waits at the platform"
        assert not any(REPORT in message.text for message in self._public()), "a report stands where others read it"
        for look in self.looks:
            (row,) = await self._rows(look)
            assert row.outcome in {Outcome.COMMAND, Outcome.INTERRUPTED}
        answers = self._answers()
        for question in self.asked:
            await self._adds_up(question, answers[question.name])
        for chat in (self.bot.kitchen, self.yard, self.bot.dm(self.bot.ann), self.bot.dm(self.bot.james)):
            self._is_in_order(chat)

    def _public(self) -> list[Message]:
        """What the bot wrote anywhere but in the private chat of the one who asks the cortex."""
        asker = self.bot.dm(self.bot.root)
        return [message for chat in self.bot.chats() if chat is not asker for message in self.bot.written(chat)]

    def _answers(self) -> Counter[str]:
        texts = [message.text for chat in self.bot.chats() for message in self.bot.written(chat)]
        return Counter(match[1] for text in texts if (match := _ANSWERED.fullmatch(text)))

    async def _adds_up(self, question: Question, answers: int) -> None:
        rows = await self._rows(question.said)
        assert rows, f"{question.name} was never heard"
        ends = [row.outcome for row in rows]
        assert answers <= 1, f"{question.name} was answered {answers} times: {ends}"
        if Outcome.REPLIED in ends:
            assert answers == 1, f"{question.name} was replied to, and nobody sees it: {ends}"
        elif not answers and set(ends) & _UNHAPPY:
            assert await self._is_told(question), f"{question.name} is lost, and nobody was told: {ends}"
        elif not answers:
            await self._is_covered(question, rows)

    async def _is_covered(self, question: Question, rows: list[StoredInbound]) -> None:
        """A question without an answer of its own is answered with a later one of its chat."""
        reasons = [row.outcome_reason for row in rows]
        assert any(reason.startswith("coalesced into") for reason in reasons), f"{question.name} is lost: {reasons}"

    async def _rows(self, said: Message) -> list[StoredInbound]:
        found = await self.bot.store.ledger.recent(self.bot.key(said.chat), 500)
        return [row for row in found if row.inbound.message_id == str(said.id)]

    async def _is_told(self, question: Question) -> bool:
        """Somebody reads of it: who asked, by an answer or a mark, or an admin."""
        said = question.said
        if said.reactions.get(self.bot.me.id):
            return True
        words = [one for one in self.bot.written(said.chat) if not _ANSWERED.fullmatch(one.text)]
        if any(one.reply_to == said.id for one in words):
            return True
        if self.bot.key(said.chat).channel in self.bot.private(self.bot.root):
            return True
        return any([await self._was_lost_too(row) for row in await self._rows(said)])

    async def _was_lost_too(self, row: StoredInbound) -> bool:
        """The notice was lost like the answer, and the process was killed before it could tell an admin of both."""
        chunks = await self.bot.store.outbox.of_inbound(row.id)
        notices = [chunk.state for chunk in chunks if chunk.body.kind == "notice"]
        return self.kills > 0 and bool(notices) and OutboxState.SENT not in notices

    def _is_in_order(self, chat: Chat) -> None:
        said = [match[1] for text in self.bot.texts(chat) if (match := _ANSWERED.fullmatch(text))]
        order = [question.name for question in self.asked]
        assert said == sorted(said, key=order.index), f"answers out of order: {said}"
