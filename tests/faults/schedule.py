"""A run of troubles: what happens next is left to chance, and the story tells it."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from bot.domain.llm import LLMRequest
from tests.dialogs.chat_bot import ChatBot
from tests.dialogs.live import words_of
from tests.fakes.provider import ScriptedProvider, Writes, says
from tests.faults.story import ANSWER, Story

STEPS = 14
LONGEST_WALK = 400
"""Turns of the loop within which a process is killed or something else happens."""
Doing = Callable[[], Any]


@dataclass
class Schedule:
    """One run; each platform says what may happen there."""

    story: Any
    bot: Any
    chance: random.Random

    # what each platform says

    @property
    def doings(self) -> Sequence[Doing]:
        """What happens often; what stands there twice happens twice as often."""
        raise NotImplementedError

    @property
    def rare(self) -> Sequence[Doing]:
        raise NotImplementedError

    async def asks(self) -> None:
        """Let somebody ask something."""
        raise NotImplementedError

    async def ends(self) -> None:
        """Let all be well from here on."""
        raise NotImplementedError

    # what holds everywhere

    async def happen(self) -> None:
        """Live through it, and let everything come to rest at the end."""
        await self.asks()
        for _ in range(STEPS):
            doing = self.chance.choice(self.doings if self.chance.random() < 0.8 else self.rare)
            done = doing()
            if done is not None:
                await done
            await self.chance.choice((self.walks, self.walks, self.rests, self.goes_on))()
        await self.ends()
        await self.bot.settled()
        await self.bot.delivered()

    async def is_killed(self) -> None:
        await self.walks()
        self.story.note("killed")
        await self.dies_and_lives()

    async def dies_and_lives(self) -> None:
        self.story.kills += 1
        await self.bot.dies()
        for _ in range(self.chance.randint(0, 2)):
            await self.asks()
        self.bot.server.release()
        await self.bot.lives_again()

    async def restarts(self) -> None:
        self.story.note("restarted")
        self.bot.server.release()
        await self.bot.restart()

    async def is_refused(self) -> None:
        self.story.note("connections are refused for a while")
        await self.bot.server.refuse()
        await self.asks()
        await self.walks()
        await self.bot.server.accept()

    def passes(self) -> None:
        self.bot.clock.advance(self.chance.choice((1, 10, 50, 100)))
        self.story.note("time passes")

    async def walks(self) -> None:
        for _ in range(self.chance.randint(0, LONGEST_WALK)):
            await asyncio.sleep(0)

    async def rests(self) -> None:
        """Let everything happen that is under way, with all that goes wrong in it."""
        await self.bot.settled()

    async def goes_on(self) -> None:
        """Wait for nothing."""


async def live_through(schedule: Schedule, seconds: float) -> Story:
    """Play a schedule and check what came of it; raise AssertionError with the whole story.

    It must come to its end within some seconds of real time.
    """
    story: Story = schedule.story
    try:
        async with asyncio.timeout(seconds):
            await schedule.happen()
    except TimeoutError:
        raise AssertionError(f"it never came to rest: {schedule.bot.adapter.health()}\n{story}") from None
    await story.check()
    return story


def answering(bot: ChatBot, model: ScriptedProvider, *, streaming: bool) -> None:
    """Let the model answer every question by its name, at once or in pieces."""

    def answer(request: LLMRequest) -> Any:
        text = ANSWER.format(words_of(request).rsplit(" ", 1)[-1])
        return Writes(bot.clock, text, 0.3) if streaming else says(text)

    model.script = [answer]
