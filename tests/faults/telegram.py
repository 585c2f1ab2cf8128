"""Seeded troubles of a bot on Telegram: people talk, the network fails, the process is killed, and it all adds up."""

from __future__ import annotations

import asyncio
import random
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bot.domain.ledger import Outcome, StoredInbound
from bot.domain.llm import LLMRequest
from tests.dialogs.live import words_of
from tests.dialogs.telegram import AT, TelegramBot, a_telegram_bot
from tests.fakes.provider import ScriptedProvider, Writes, says
from tests.servers.telegram import (
    BACKWARDS,
    CONFLICT,
    TWICE,
    Alters,
    BadGateway,
    Chat,
    Drops,
    Fault,
    Flood,
    Hangs,
    Message,
    Refuses,
    Truncated,
)

FAST = "poll_timeout = 0.1\nrequest_timeout = 0.25\nconnect_timeout = 0.5"
"""Real time: what hangs, hangs for a quarter of a second."""
STEPS = 14
SECONDS = 30.0
"""Real time in which a schedule must have come to its end."""
LONGEST_WALK = 400
"""Turns of the loop within which a process is killed or something else happens."""
ANSWER = "the answer to {} is that nobody knows it for certain"
REPORT = "rules only, no model asked"
_ANSWERED = re.compile(ANSWER.format(r"(q\d+)"))
_UNHAPPY = frozenset({Outcome.UNCERTAIN, Outcome.FAILED, Outcome.INTERRUPTED})

LOSSES: tuple[Fault, ...] = (
    Drops(),
    Drops(applied=True),
    Drops(reset=True),
    Drops(applied=True, reset=True),
    BadGateway(),
    BadGateway(applied=True),
    Flood(2),
    Hangs(),
    Hangs(applied=True),
    Truncated(),
    Truncated(cut=True),
    Refuses(500, "Internal Server Error"),
)
TO_UPDATES: tuple[Fault, ...] = (*LOSSES, CONFLICT, CONFLICT, TWICE, BACKWARDS)
ASIDE = ("sendChatAction", "editMessageText", "setMessageReaction", "getMe", "getWebhookInfo", "sendMessageDraft")


@dataclass
class Question:
    """Something that somebody asked; its name stands in the answer."""

    name: str
    said: Message


@dataclass
class Schedule:
    """One run: what happened, in words, and what was asked."""

    seed: int
    bot: TelegramBot
    chance: random.Random
    yard: Chat
    diary: list[str] = field(default_factory=list)
    asked: list[Question] = field(default_factory=list)
    looks: list[Message] = field(default_factory=list)
    seen: list[dict[str, Any]] = field(default_factory=list)

    async def happen(self) -> None:
        """Live through it, and let everything come to rest at the end."""
        doings: tuple[Callable[[], Any], ...] = (
            (self._asks,) * 6 + (self._fails,) * 4 + (self._edits, self._passes, self._looks)
        )
        rare = (self._is_killed, self._is_killed, self._restarts, self._counts_anew, self._is_refused)
        self._asks()
        for _ in range(STEPS):
            doing = self.chance.choice(doings if self.chance.random() < 0.8 else rare)
            done = doing()
            if done is not None:
                await done
            if self.chance.random() < 0.5:
                await self._walks()
        self.bot.server._dispatch.faults.planned.clear()
        self.bot.server.release()
        await self.bot.settled()

    def _note(self, what: str) -> None:
        self.diary.append(what)

    def _asks(self) -> None:
        bot = self.bot
        who = self.chance.choice((bot.ann, bot.james))
        chat = self.chance.choice((bot.kitchen, bot.kitchen, self.yard, bot.dm(who)))
        name = f"q{len(self.asked)}"
        self.asked.append(Question(name, bot.say(who, f"{AT} {name}", chat)))
        self._note(f"{who.name} asks {name} in {chat.title or 'private'}")

    def _looks(self) -> None:
        self.looks.append(self.bot.say(self.bot.root, "!cortex why"))
        self._note("Root asks the cortex in kitchen")

    def _edits(self) -> None:
        question = self.chance.choice(self.asked)
        self.bot.world.edit(question.said, f"{AT} please {question.name}")
        self._note(f"{question.name} is edited")

    def _fails(self) -> None:
        method = self.chance.choice(("getUpdates", "getUpdates", "sendMessage", "sendMessage", "aside"))
        method = self.chance.choice(ASIDE) if method == "aside" else method
        updates = (*TO_UPDATES, Alters(self._with_old_ones))
        fault = self.chance.choice(updates if method == "getUpdates" else LOSSES)
        nth, times = self.chance.randint(1, 2), self.chance.choice((1, 1, 1, 2, 3))
        self.bot.server.fault(method, fault, nth=nth, times=times)
        self._note(f"{method} no. {nth} from here {times} times: {fault}")

    async def _is_killed(self) -> None:
        await self._walks()
        self._note("killed")
        await self.bot.dies()
        if self.chance.random() < 0.5:
            self._asks()
        self.bot.server.release()
        await self.bot.lives_again()

    async def _restarts(self) -> None:
        self._note("restarted")
        self.bot.server.release()
        await self.bot.restart()

    async def _is_refused(self) -> None:
        self._note("connections are refused for a while")
        await self.bot.server.refuse()
        await self._walks()
        await self.bot.server.accept()

    def _counts_anew(self) -> None:
        inlet = self.bot.me.inlet
        if self.chance.random() < 0.5 or inlet.pending:
            inlet.skip(self.chance.randint(1, 200))
            self._note("a gap in the ids")
        else:
            inlet.renumber(self.chance.randint(1, 900_000_000))
            self._note(f"ids go on at {inlet.next_id}")

    def _passes(self) -> None:
        self.bot.clock.advance(self.chance.choice((1, 10, 100)))
        self._note("time passes")

    async def _walks(self) -> None:
        for _ in range(self.chance.randint(0, LONGEST_WALK)):
            await asyncio.sleep(0)

    def _with_old_ones(self, updates: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Give out what was given out before, once more."""
        old = self.chance.sample(self.seen, min(3, len(self.seen)))
        self.seen += [update for update in updates if update not in self.seen]
        return old + updates

    # what must hold afterwards

    async def check(self) -> None:
        """Check everything, with the story as the reason."""
        try:
            await self._check()
        except AssertionError as error:
            story = "\n".join((f"SEED={self.seed}", *self.diary, self._transcripts()))
            raise AssertionError(f"{error}\n{story}") from error

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
        return self.bot.key(said.chat).channel in self.bot.private(self.bot.root)

    def _is_in_order(self, chat: Chat) -> None:
        said = [match[1] for text in self.bot.texts(chat) if (match := _ANSWERED.fullmatch(text))]
        order = [question.name for question in self.asked]
        assert said == sorted(said, key=order.index), f"answers out of order: {said}"

    def _transcripts(self) -> str:
        chats = (self.bot.kitchen, self.yard, *map(self.bot.dm, (self.bot.ann, self.bot.james, self.bot.root)))
        return "\n".join(f"--- {chat.title or chat.id}\n{self.bot.transcript(chat)}" for chat in chats)


async def play(seed: int, directory: Path) -> Schedule:
    """Live through one schedule and check what came of it; raise AssertionError with the whole story."""
    chance = random.Random(seed)
    streaming = chance.random() < 0.4
    model = ScriptedProvider(says(""))
    async with a_telegram_bot(
        directory / f"seed{seed}", model=model, platform=FAST, streaming=streaming, begins=False
    ) as bot:
        model.script = [_answering(bot, streaming=streaming)]
        yard = bot.world.group("yard", bot.root, bot.ann, bot.james, bot.me)
        await bot.open()
        schedule = Schedule(seed, bot, chance, yard, [f"streaming: {streaming}"])
        try:
            async with asyncio.timeout(SECONDS):
                await schedule.happen()
        except TimeoutError:
            raise AssertionError("\n".join((f"SEED={seed} never came to rest", *schedule.diary))) from None
        await schedule.check()
    return schedule


def _answering(bot: TelegramBot, *, streaming: bool) -> Callable[[LLMRequest], Any]:
    def answer(request: LLMRequest) -> Any:
        name = words_of(request).rsplit(" ", 1)[-1]
        text = ANSWER.format(name)
        return Writes(bot.clock, text, 0.3) if streaming else says(text)

    return answer
