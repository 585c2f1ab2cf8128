"""Seeded troubles of a bot on Discord: people talk, the gateway fails, the process is killed, and it all adds up."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.dialogs.discord import DiscordBot, a_discord_bot
from tests.fakes.provider import ScriptedProvider, says
from tests.faults.discord_story import DiscordStory
from tests.faults.schedule import Doing, Schedule, answering, live_through
from tests.faults.story import Question, Story
from tests.servers.discord import Closes, Cuts, Drops, Flood, Garbled, Hangs, Late, Refuses, Twice

FAST = "request_timeout = 0.25\nconnect_timeout = 0.5\nstalled_after = 0.6"
"""Real time: what hangs, hangs for a quarter of a second; a silent gateway is left after four tenths."""
SECONDS = 40.0
"""Real time in which a schedule must have come to its end."""
CODES = (4000, 4001, 4002, 4003, 4005, 4006, 4007, 4008, 4009, 1000, 1001, 1006, 1012)
"""Close codes after which the connection comes back at once."""
REFUSALS = (4004, 4010, 4011, 4012, 4013, 4014)
"""Those after which a person would have to do something; it is tried again after some minutes all the same."""
TO_EVENTS = (Twice(), Twice(renumbered=True), Cuts(), Cuts(after=True), Closes(4000), Closes(4009), Garbled())
LATEST = 3
"""Events that overtake one that is late."""
SHOWN = ("MESSAGE_CREATE", "MESSAGE_CREATE", "MESSAGE_UPDATE", "MESSAGE_DELETE", "GUILD_CREATE", "READY")
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
class DiscordSchedule(Schedule):
    """What may happen on Discord."""

    story: DiscordStory
    bot: DiscordBot

    @property
    def doings(self) -> Sequence[Doing]:
        often = (self.asks,) * 6 + (self._breaks,) * 4 + (self._fails,) * 3
        return (*often, self._edits, self._deletes, self._shuffles, self.passes)

    @property
    def rare(self) -> Sequence[Doing]:
        return (
            self.is_killed,
            self.restarts,
            self.is_refused,
            self._is_shown_out,
            self._falls_silent,
            self._goes_down,
        )

    async def asks(self) -> None:
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

    async def _shuffles(self) -> None:
        """Let a question and what becomes of it be told in another order, together with whatever else is told."""
        gateway, chance = self.bot.server.gateway, self.chance
        gateway.hold()
        await self.asks()
        question = self.story.asked[-1]
        if chance.random() < 0.6:
            self.bot.clock.advance(1)
            await question.said.author.edits(question.said, f"{self.bot.at} please {question.name}")
        if chance.random() < 0.6:
            question.is_gone = True
            await question.said.author.deletes(question.said)
        if chance.random() < 0.5:
            await self.asks()
        gateway.release(lambda held: self._in_any_order(held, question))

    def _in_any_order(self, held: list[Any], question: Question) -> list[Any]:
        told = self.chance.sample(held, len(held))
        names = [event.name for _, event in told if event.data.get("id") == str(question.said.id)]
        self.story.note(f"held back and told in another order: {', '.join(event.name for _, event in told)}")
        self.story.shuffled = True
        # what breaks the line in between may let the rest be read back, or told again in order
        is_steady = all(connection.is_open and not connection.is_left for connection, _ in held)
        if names[:1] == ["MESSAGE_DELETE"] and is_steady and not self.bot.server.gateway.faults.planned:
            question.is_unheard = True
        return told

    def _is_shown_out(self) -> None:
        code = self.chance.choice(REFUSALS)
        self.bot.server.gateway.close(code)
        self.story.note(f"closed with {code}, as if somebody had to do something")

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
                self._harms_an_event()

    def _harms_an_event(self) -> None:
        chance = self.chance
        kind, nth = chance.choice(SHOWN), chance.randint(1, 3)
        # nothing that the gateway says overtakes how a session begins
        late = (Late(chance.randint(1, LATEST)),) if kind.startswith("MESSAGE") else ()
        fault = chance.choice((*TO_EVENTS, *late))
        self.story.shuffled |= isinstance(fault, Late)
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

    async def _falls_silent(self) -> None:
        self.story.note("the gateway falls silent")
        self.bot.server.gateway.zombie()
        await self.asks()

    async def _goes_down(self) -> None:
        await self.rests()  # who answers into a house that is down is told that there is none
        self.story.note("the house is down for a while")
        self.bot.house.go_down()
        await self.walks()
        self.bot.house.come_back()

    async def rests(self) -> None:
        if self.story.shuffled:
            # who heard the newest thing before older ones is not known to have heard it, until it comes again
            self.bot.server.gateway.again(LATEST + 1)
            self.bot.server.gateway.again()
        await super().rests()

    async def ends(self) -> None:
        self.story.note("from here on all is well")
        self.bot.server.dispatch.faults.planned.clear()
        self.bot.server.gateway.faults.planned.clear()
        self.bot.server.release()
        is_down = True
        while is_down:
            await self.story.is_well()
            await self.rests()
            # a refusal may have been under way, and who is down has nothing to read
            is_down = self.bot.discord.health().state == "down"


async def play(seed: int, directory: Path) -> Story:
    """Live through one schedule and check what came of it; raise AssertionError with the whole story."""
    chance = random.Random(seed)
    streaming = chance.random() < 0.3
    model = ScriptedProvider(says(""))
    async with a_discord_bot(
        directory / f"seed{seed}", model=model, platform=FAST, streaming=streaming, begins=False
    ) as bot:
        bot.server.gateway.interval = 100
        answering(bot, model, streaming=streaming)
        yard = bot.house.channel("yard")
        thread = await bot.ann.starts_thread(yard, "side")
        # a private chat that was never heard from shows itself only by what is written while somebody listens
        await bot.open()
        await bot.settled()
        rooms = [bot.kitchen, yard, thread, bot.dm(bot.ann), bot.dm(bot.james)]
        for who in (bot.ann, bot.james):
            await bot.hears(who, "hello", bot.me)
        story = DiscordStory(seed, bot, [f"streaming: {streaming}"], rooms=rooms)
        return await live_through(DiscordSchedule(story, bot, chance), SECONDS)
