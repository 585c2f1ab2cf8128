"""Seeded troubles of a bot on Telegram: people talk, the network fails, the process is killed, and it all adds up."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bot.domain.llm import LLMRequest
from tests.dialogs.live import words_of
from tests.dialogs.telegram import AT, TelegramBot, a_telegram_bot
from tests.fakes.provider import ScriptedProvider, Writes, says
from tests.faults.telegram_story import ANSWER, Question, Story
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
STEPS = 14
SECONDS = 30.0
"""Real time in which a schedule must have come to its end."""
PATIENCE = 1.0
"""Real time in which a send is to be expected, if nothing else has gone wrong."""
LONGEST_WALK = 400
"""Turns of the loop within which a process is killed or something else happens."""

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
class Schedule:
    """What happens next is left to chance; the story tells it."""

    story: Story
    bot: TelegramBot
    chance: random.Random
    seen: list[dict[str, Any]] = field(default_factory=list)

    async def happen(self) -> None:
        """Live through it, and let everything come to rest at the end."""
        doings: tuple[Callable[[], Any], ...] = (
            (self._asks,) * 6 + (self._fails,) * 4 + (self._edits, self._passes, self._looks)
        )
        rare = (self._is_killed, self._is_killed_in_a_send, self._restarts, self._counts_anew, self._is_refused)
        self._asks()
        for _ in range(STEPS):
            doing = self.chance.choice(doings if self.chance.random() < 0.8 else rare)
            done = doing()
            if done is not None:
                await done
            await self.chance.choice((self._walks, self._walks, self._rests, self._goes_on))()
        await self._rests()
        self.bot.server._dispatch.faults.planned.clear()
        self.bot.server.release()
        await self.bot.settled()

    def _asks(self) -> None:
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

    async def _is_killed(self) -> None:
        await self._walks()
        self.story.note("killed")
        await self._dies_and_lives()

    async def _is_killed_in_a_send(self) -> None:
        fault = Hangs(applied=self.chance.random() < 0.5)
        self.bot.server.fault("sendMessage", fault)
        self._asks()
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE):
                await self.bot.server.hung()
        self.story.note(f"killed while it sends: {fault}")
        await self._dies_and_lives()

    async def _dies_and_lives(self) -> None:
        self.story.kills += 1
        await self.bot.dies()
        if self.chance.random() < 0.5:
            self._asks()
        self.bot.server.release()
        await self.bot.lives_again()

    async def _restarts(self) -> None:
        self.story.note("restarted")
        self.bot.server.release()
        await self.bot.restart()

    async def _is_refused(self) -> None:
        self.story.note("connections are refused for a while")
        await self.bot.server.refuse()
        await self._walks()
        await self.bot.server.accept()

    def _counts_anew(self) -> None:
        inlet = self.bot.me.inlet
        if self.chance.random() < 0.5 or inlet.pending:
            inlet.skip(self.chance.randint(1, 200))
            self.story.note("a gap in the ids")
        else:
            inlet.renumber(self.chance.randint(1, 900_000_000))
            self.story.note(f"ids go on at {inlet.next_id}")

    def _passes(self) -> None:
        self.bot.clock.advance(self.chance.choice((1, 10, 100)))
        self.story.note("time passes")

    async def _walks(self) -> None:
        for _ in range(self.chance.randint(0, LONGEST_WALK)):
            await asyncio.sleep(0)

    async def _rests(self) -> None:
        """Let everything happen that is under way, with all that goes wrong in it."""
        await self.bot.settled()

    async def _goes_on(self) -> None:
        """Wait for nothing."""

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
        model.script = [_answering(bot, streaming=streaming)]
        yard = bot.world.group("yard", bot.root, bot.ann, bot.james, bot.me)
        await bot.open()
        story = Story(seed, bot, yard, [f"streaming: {streaming}"])
        try:
            async with asyncio.timeout(SECONDS):
                await Schedule(story, bot, chance).happen()
        except TimeoutError:
            raise AssertionError(f"it never came to rest\n{story}") from None
        await story.check()
    return story


def _answering(bot: TelegramBot, *, streaming: bool) -> Callable[[LLMRequest], Any]:
    def answer(request: LLMRequest) -> Any:
        name = words_of(request).rsplit(" ", 1)[-1]
        text = ANSWER.format(name)
        return Writes(bot.clock, text, 0.3) if streaming else says(text)

    return answer
