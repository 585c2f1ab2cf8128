"""Seeded troubles of a bot on Telegram: people talk, the network fails, the process is killed, and it all adds up."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.dialogs.telegram import AT, TelegramBot, a_telegram_bot
from tests.fakes.provider import ScriptedProvider, says
from tests.faults.schedule import Doing, Schedule, answering, live_through
from tests.faults.story import Question, Story
from tests.faults.telegram_story import TelegramStory
from tests.servers.telegram import (
    BACKWARDS,
    CONFLICT,
    TWICE,
    Alters,
    BadGateway,
    Drops,
    Fault,
    Flood,
    Hangs,
    Refuses,
    Truncated,
)

FAST = "poll_timeout = 0.1\nrequest_timeout = 0.25\nconnect_timeout = 0.5"
"""Real time: what hangs, hangs for a quarter of a second."""
SECONDS = 30.0
"""Real time in which a schedule must have come to its end."""
PATIENCE = 1.0
"""Real time in which a send is to be expected, if nothing else has gone wrong."""

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
class TelegramSchedule(Schedule):
    """What may happen on Telegram; `seen` are updates that were given out."""

    story: TelegramStory
    bot: TelegramBot
    seen: list[dict[str, Any]] = field(default_factory=list)

    @property
    def doings(self) -> Sequence[Doing]:
        return (*(self.asks,) * 6, *(self._fails,) * 4, self._edits, self.passes, self._looks)

    @property
    def rare(self) -> Sequence[Doing]:
        return self.is_killed, self._is_killed_in_a_send, self.restarts, self._counts_anew, self.is_refused

    async def ends(self) -> None:
        await self.rests()
        self.bot.server.dispatch.faults.planned.clear()
        self.bot.server.release()

    async def asks(self) -> None:
        bot = self.bot
        who = self.chance.choice((bot.ann, bot.james))
        chat = self.chance.choice((bot.kitchen, bot.kitchen, self.story.yard, bot.dm(who)))
        name = f"q{len(self.story.asked)}"
        self.story.asked.append(Question(name, bot.say(who, f"{AT} {name}", chat)))
        self.story.note(f"{who.name} asks {name} in {chat.title or 'private'}")

    def _looks(self) -> None:
        self.story.looks.append(self.bot.say(self.bot.root, "!cortex why"))
        self.story.note("Root asks the cortex in kitchen")

    def _edits(self) -> None:
        question = self.chance.choice(self.story.asked)
        self.bot.world.edit(question.said, f"{AT} please {question.name}")
        self.story.note(f"{question.name} is edited")

    def _fails(self) -> None:
        method = self.chance.choice(("getUpdates", "getUpdates", "sendMessage", "sendMessage", "aside"))
        method = self.chance.choice(ASIDE) if method == "aside" else method
        updates = (*TO_UPDATES, Alters(self._with_old_ones))
        fault = self.chance.choice(updates if method == "getUpdates" else LOSSES)
        nth, times = self.chance.randint(1, 2), self.chance.choice((1, 1, 1, 2, 3))
        self.bot.server.fault(method, fault, nth=nth, times=times)
        self.story.note(f"{method} no. {nth} from here {times} times: {fault}")

    async def _is_killed_in_a_send(self) -> None:
        fault = Hangs(applied=self.chance.random() < 0.5)
        self.bot.server.fault("sendMessage", fault)
        await self.asks()
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE):
                await self.bot.server.hung()
        self.story.note(f"killed while it sends: {fault}")
        await self.dies_and_lives()

    def _counts_anew(self) -> None:
        inlet = self.bot.me.inlet
        if self.chance.random() < 0.5 or inlet.pending:
            inlet.skip(self.chance.randint(1, 200))
            self.story.note("a gap in the ids")
        else:
            inlet.renumber(self.chance.randint(1, 900_000_000))
            self.story.note(f"ids go on at {inlet.next_id}")

    def _with_old_ones(self, updates: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Give out what was given out before, once more."""
        old = self.chance.sample(self.seen, min(3, len(self.seen)))
        self.seen += [update for update in updates if update not in self.seen]
        return old + updates


async def play(seed: int, directory: Path) -> Story:
    """Live through one schedule and check what came of it; raise AssertionError with the whole story."""
    chance = random.Random(seed)
    streaming = chance.random() < 0.4
    model = ScriptedProvider(says(""))
    async with a_telegram_bot(
        directory / f"seed{seed}", model=model, platform=FAST, streaming=streaming, begins=False
    ) as bot:
        answering(bot, model, streaming=streaming)
        yard = bot.world.group("yard", bot.root, bot.ann, bot.james, bot.me)
        await bot.open()
        story = TelegramStory(seed, bot, [f"streaming: {streaming}"], yard=yard)
        return await live_through(TelegramSchedule(story, bot, chance), SECONDS)
