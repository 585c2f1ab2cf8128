"""What was said on Discord while the bot was away is taken up: all of it, once, in order, and not faster than may be.

A key says how it was away, for the how manieth time: `downtime/killed/17`. Every third message is a question; the
others are heard and stored. The first chat of every tenth absence holds a thousand messages.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from adapters.discord.base.settings import Settings
from tests.dialogs.discord import DiscordBot, a_discord_bot
from tests.fakes.provider import ScriptedProvider, says
from tests.faults.family import Verdict
from tests.faults.schedule import answering
from tests.faults.story import ANSWERED
from tests.servers.discord import Channel, Drops, Flood, Limit, Message, Refuses

WAYS = ("stopped", "killed", "forgotten", "interrupted", "disturbed")
"""Stopped in order; killed; away without its process noticing, its session lost; killed again while it reads back;
with calls that fail while it reads back."""
MOST, OFTEN = 1000, 10
LONGEST = 24 * 3600 - 600
"""Seconds; what was said earlier than a day before is not asked for."""
PACE = {"get_messages": Limit(5, 0.05), "create_message": Limit(5, 0.05)}
"""As Discord's own, a hundred times as fast; that of all calls is its own."""
ALL_CALLS = Limit(50, 1.0)
FAILURES = (Drops(), Flood(0.01), Refuses(503), Refuses(500))
EACH = 12
USUAL = Settings.model_fields["calls_per_second"].default


@dataclass
class Absence:
    """One time away; `said` is everything that people said meanwhile, by place."""

    bot: DiscordBot
    chance: random.Random
    way: str
    said: dict[int, list[Message]] = field(default_factory=dict)
    rooms: Sequence[Channel] = ()

    async def goes(self) -> None:
        """Let the bot go away while people talk, and come back."""
        leave, come_back = self._ways[self.way]
        await leave()
        await self._talk()
        await come_back()
        await self.bot.settled()

    @property
    def _ways(self) -> dict[str, tuple[Callable, Callable]]:
        bot = self.bot
        return {
            "stopped": (bot.close, bot.open),
            "killed": (bot.dies, bot.open),
            "forgotten": (self._is_cut_off, self._is_let_in),
            "interrupted": (bot.dies, self._is_interrupted),
            "disturbed": (bot.close, self._is_disturbed),
        }

    async def _is_cut_off(self) -> None:
        await self.bot.server.refuse()

    async def _is_let_in(self) -> None:
        self.bot.server.gateway.forget()
        await self.bot.server.accept()

    async def _is_interrupted(self) -> None:
        """Die once more, when some of it is read."""
        pages = self.chance.randint(1, 3)
        before = len(self.bot.server.calls("get_messages"))
        await self.bot.open()
        await self.bot.server.heard("get_messages", before + pages)
        await self.bot.dies()
        await self.bot.open()

    async def _is_disturbed(self) -> None:
        for _ in range(3):
            fault, nth = self.chance.choice(FAILURES), self.chance.randint(1, 4)
            self.bot.server.fault("get_messages", fault, nth=nth, times=self.chance.randint(1, 3))
        await self.bot.open()

    async def _talk(self) -> None:
        many = {room.id: self.chance.randint(0, EACH) for room in self.rooms}
        if self.chance.randrange(OFTEN) == 0:
            many[self.rooms[0].id] = MOST
        turns = [room for room in self.rooms for _ in range(many[room.id])]
        self.chance.shuffle(turns)
        away = self.chance.uniform(60, LONGEST)
        for number, room in enumerate(turns):
            self.bot.clock.advance(away / len(turns))
            await self._says(number, room)

    async def _says(self, number: int, room: Channel) -> None:
        bot, who = self.bot, self.chance.choice((self.bot.ann, self.bot.james))
        is_question = room.guild is None or number % 3 == 0
        if room.guild is None:
            who = next(one for one in room.recipients if one is not bot.me)
        name = f"q{sum(map(len, self.said.values()))}"
        words = (name if room.guild is None else f"{bot.at} {name}") if is_question else f"so much for {name}"
        where = bot.me if room.guild is None else room
        self.said.setdefault(room.id, []).append(await bot.says(who, words, where))

    async def verdict(self) -> Verdict:
        """Count what was missed, and what was taken up twice or answered twice."""
        missed = again = total = 0
        for room in self.rooms:
            said = [str(one.id) for one in self.said.get(room.id, ())]
            rows = await self.bot.store.ledger.recent(self.bot.key(room), 2 * MOST)
            heard = Counter(row.inbound.message_id for row in rows if row.inbound.kind == "message")
            missed += sum(one not in heard for one in said)
            again += sum(count - 1 for count in heard.values())
            order = [row.inbound.message_id for row in reversed(rows) if row.inbound.message_id in set(said)]
            assert order == sorted(order, key=int), f"taken up out of order in {room.name}"
            answers = Counter(match[1] for text in self.bot.texts(room) if (match := ANSWERED.fullmatch(text)))
            again += sum(count - 1 for count in answers.values())
            total += len(said)
        assert await self.bot.store.ledger.unsettled() == [], "a message has no outcome"
        assert self.way == "disturbed" or not self.bot.server.limited, "faster than Discord lets it"
        return Verdict(counts={"missed": missed, "again": again, "caught_up": total - missed})


async def play(key: str, directory: Path) -> Verdict:
    _, way, _ = key.split("/")
    chance, model = random.Random(key), ScriptedProvider(says(""))
    async with a_discord_bot(directory / "data", model=model, begins=False, pace=USUAL) as bot:
        answering(bot, model, streaming=False)
        yard = bot.house.channel("yard")
        thread = await bot.ann.starts_thread(yard, "side")
        await bot.open()
        await bot.settled()
        for who in (bot.ann, bot.james):
            await bot.hears(who, "hello", bot.me)
        bot.world.limits.set(PACE, ALL_CALLS)
        absence = Absence(bot, chance, way, rooms=[bot.kitchen, yard, thread, bot.dm(bot.ann), bot.dm(bot.james)])
        await absence.goes()
        # coming back once more takes nothing up again
        await bot.restart()
        await bot.settled()
        return await absence.verdict()
