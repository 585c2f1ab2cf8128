"""Seeded troubles of a bot on Discord: people talk, the gateway fails, the process is killed, and it all adds up."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.domain.llm import LLMRequest
from tests.dialogs.discord import DiscordBot, a_discord_bot
from tests.dialogs.live import words_of
from tests.fakes.provider import ScriptedProvider, Writes, says
from tests.faults.discord_story import ANSWER, Question, Story
from tests.servers.discord import Closes, Cuts, Drops, Flood, Garbled, Hangs, Late, Refuses, Twice

FAST = "request_timeout = 0.25\nconnect_timeout = 0.5\nstalled_after = 0.6"
"""Real time: what hangs, hangs for a quarter of a second; a silent gateway is left after four tenths."""
STEPS = 14
SECONDS = 40.0
"""Real time in which a schedule must have come to its end."""
LONGEST_WALK = 400
"""Turns of the loop within which a process is killed or something else happens."""
CODES = (4000, 4001, 4002, 4003, 4005, 4007, 4008, 4009, 1000, 1001)
"""Close codes after which the connection comes back; those that need a person are tried one by one elsewhere."""
TO_EVENTS = (Twice(), Cuts(), Cuts(after=True), Closes(4000), Closes(4009), Garbled())
TO_SENDS = (
    Drops(),
    Drops(applied=True),
    Hangs(),
    Hangs(applied=True),
    Flood(0.01),
    Refuses(503),
    Refuses(503, applied=True),
)
TO_READS = (Drops(), Hangs(), Flood(0.01), Refuses(503))


@dataclass
class Schedule:
    """What happens next is left to chance; the story tells it."""

    story: Story
    bot: DiscordBot
    chance: random.Random

    async def happen(self) -> None:
        """Live through it, and let everything come to rest at the end."""
        doings: tuple[Callable[[], Any], ...] = (
            (self._asks,) * 6 + (self._breaks,) * 4 + (self._fails,) * 3 + (self._edits, self._deletes, self._passes)
        )
        rare = (self._is_killed, self._restarts, self._is_refused, self._falls_silent, self._goes_down)
        await self._asks()
        for _ in range(STEPS):
            doing = self.chance.choice(doings if self.chance.random() < 0.8 else rare)
            done = doing()
            if done is not None:
                await done
            await self.chance.choice((self._walks, self._walks, self._rests, self._goes_on))()
        self._clears()
        await self.bot.settled()

    async def _asks(self) -> None:
        bot = self.bot
        who = self.chance.choice((bot.ann, bot.james))
        place = self.chance.choice((*self.story.places[:3], bot.kitchen, bot.dm(who)))
        name = f"q{len(self.story.asked)}"
        words = name if place.guild is None else f"{bot.at} {name}"
        self.story.note(f"{who.name} asks {name} in {place.name or 'private'}")
        self.story.asked.append(Question(name, await bot.says(who, words, bot.me if place.guild is None else place)))

    async def _edits(self) -> None:
        question = self.chance.choice([one for one in self.story.asked if not one.is_gone])
        self.story.note(f"{question.name} is edited")
        self.bot.clock.advance(1)
        await question.said.author.edits(question.said, f"{self.bot.at} please {question.name}")

    async def _deletes(self) -> None:
        asked = [one for one in self.story.asked if not one.is_gone]
        if len(asked) > 3:
            question = self.chance.choice(asked)
            self.story.note(f"{question.name} is deleted")
            question.is_gone = True
            await question.said.author.deletes(question.said)

    def _breaks(self) -> None:
        gateway, chance = self.bot.server.gateway, self.chance
        match chance.choice(
            ("drop", "close", "reconnect", "resumable", "invalid", "forget", "again", "beat", "event", "event")
        ):
            case "drop":
                gateway.drop()
                self.story.note("the line breaks")
            case "close":
                code = chance.choice(CODES)
                gateway.close(code)
                self.story.note(f"closed with {code}")
            case "reconnect":
                gateway.reconnect()
                self.story.note("asked to reconnect (op 7)")
            case "resumable" | "invalid" as kind:
                gateway.invalidate(resumable=kind == "resumable")
                self.story.note(f"the session is invalid (op 9), {kind}")
            case "forget":
                gateway.forget()
                gateway.drop()
                self.story.note("the session is forgotten and the line breaks")
            case "again":
                gateway.again(chance.randint(1, 5))
                self.story.note("the last events come again")
            case "beat":
                gateway.beat()
            case _:
                fault, nth = chance.choice((*TO_EVENTS, Late(chance.randint(1, 3)))), chance.randint(1, 3)
                self.story.shuffled |= isinstance(fault, Late)
                kind = chance.choice(("MESSAGE_CREATE", "MESSAGE_CREATE", "MESSAGE_UPDATE", "GUILD_CREATE", "READY"))
                self.bot.server.fault_event(kind, fault, nth=nth)
                self.story.note(f"{kind} no. {nth} from here: {fault}")

    def _fails(self) -> None:
        operation = self.chance.choice(
            ("create_message", "create_message", "get_messages", "get_gateway_bot", "typing")
        )
        fault = self.chance.choice(TO_SENDS if operation == "create_message" else TO_READS)
        nth, times = self.chance.randint(1, 2), self.chance.choice((1, 1, 2, 3))
        self.bot.server.fault(operation, fault, nth=nth, times=times)
        self.story.note(f"{operation} no. {nth} from here {times} times: {fault}")

    async def _is_killed(self) -> None:
        await self._walks()
        self.story.note("killed")
        await self.bot.dies()
        for _ in range(self.chance.randint(0, 2)):
            await self._asks()
        self.bot.server.release()
        await self.bot.lives_again()

    async def _restarts(self) -> None:
        self.story.note("restarted")
        self.bot.server.release()
        await self.bot.restart()

    async def _is_refused(self) -> None:
        self.story.note("connections are refused for a while")
        await self.bot.server.refuse()
        await self._asks()
        await self._walks()
        await self.bot.server.accept()

    async def _falls_silent(self) -> None:
        self.story.note("the gateway falls silent")
        self.bot.server.gateway.zombie()
        await self._asks()

    async def _goes_down(self) -> None:
        await self._rests()  # who answers into a house that is down is told that there is none
        self.story.note("the house is down for a while")
        self.bot.house.go_down()
        await self._walks()
        self.bot.house.come_back()

    def _passes(self) -> None:
        self.bot.clock.advance(self.chance.choice((1, 10, 50)))
        self.story.note("time passes")

    def _clears(self) -> None:
        self.story.note("from here on all is well")
        self.bot.server._dispatch.faults.planned.clear()
        self.bot.server.gateway.faults.planned.clear()
        self.bot.server.release()

    async def _walks(self) -> None:
        for _ in range(self.chance.randint(0, LONGEST_WALK)):
            await asyncio.sleep(0)

    async def _rests(self) -> None:
        """Let everything happen that is under way, with all that goes wrong in it."""
        await self.bot.settled()

    async def _goes_on(self) -> None:
        """Wait for nothing."""


async def play(seed: int, directory: Path) -> Story:
    """Live through one schedule and check what came of it; raise AssertionError with the whole story."""
    chance = random.Random(seed)
    streaming = chance.random() < 0.3
    model = ScriptedProvider(says(""))
    async with a_discord_bot(
        directory / f"seed{seed}", model=model, platform=FAST, streaming=streaming, begins=False
    ) as bot:
        bot.server.gateway.interval = 100
        model.script = [_answering(bot, streaming=streaming)]
        yard = bot.house.channel("yard")
        thread = await bot.ann.starts_thread(yard, "side")
        # a private chat that was never heard from shows itself only by what is written while somebody listens
        await bot.open()
        await bot.settled()
        places = [bot.kitchen, yard, thread, bot.dm(bot.ann), bot.dm(bot.james)]
        for who in (bot.ann, bot.james):
            await bot.hears(who, "hello", bot.me)
        story = Story(seed, bot, places, [f"streaming: {streaming}"])
        try:
            async with asyncio.timeout(SECONDS):
                await Schedule(story, bot, chance).happen()
        except TimeoutError:
            raise AssertionError(f"it never came to rest: {bot.discord.health()}\n{story}") from None
        await story.check()
    return story


def _answering(bot: DiscordBot, *, streaming: bool) -> Callable[[LLMRequest], Any]:
    def answer(request: LLMRequest) -> Any:
        name = words_of(request).rsplit(" ", 1)[-1]
        text = ANSWER.format(name)
        return Writes(bot.clock, text, 0.3) if streaming else says(text)

    return answer
