"""F4: killed at random moments under load: 200 channels, edits, presses; nothing lost, nothing twice, all in order."""

from __future__ import annotations

import asyncio
import os
import random
import signal
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.dialogs.chat_bot import labels_of
from tests.faults.family import Family, Size, Verdict, seed_of
from tests.faults.processes import PLATFORMS, a_house
from tests.faults.processes.house import Ended
from tests.faults.story import Question

ROOMS = 200
MESSAGES = 200
KILLS = 20
SHORTEST, LONGEST = 0.2, 2.0
"""Seconds of real time that a process lives."""
FAR = 0.06
SENDS = {"telegram": "sendMessage", "discord": "create_message"}
PATIENCE = 60.0
"""Seconds of real time in which all that was said must be answered in the end."""
MANY = {Size.NIGHTLY: 5, Size.RELEASE: 51}
SMALL = {"slice": (12, 2, 20)}
"""A case of the slice: so many messages, kills and rooms."""
STARTS = 4
"""More processes than anybody needs who kills none."""


def cases(size: Size) -> Iterable[str]:
    """Give a platform and a seed; seed 0 of the slice is a small one."""
    if size is Size.SLICE:
        return ["telegram/slice/seed0"]
    return [f"{PLATFORMS[number % len(PLATFORMS)]}/seed{number}" for number in range(MANY[size])]


@dataclass(frozen=True)
class Takes:
    """A platform as far away as real ones are: a call takes some time to arrive, and its answer takes as long again."""

    chance: random.Random

    async def play(self, exchange: Any) -> None:
        """Wait, let it take effect, wait, answer."""
        await asyncio.sleep(self.chance.uniform(0, FAR))
        await exchange.apply()
        await asyncio.sleep(self.chance.uniform(0, FAR))
        await exchange.answer()


@dataclass
class Soak:
    """One house full of talk, whose process is killed again and again."""

    house: Any
    chance: random.Random
    messages: int = MESSAGES
    kills: int = KILLS
    killed: int = 0
    said: int = 0
    begun: int = -1
    busy: list[int] = field(default_factory=list)
    listens: asyncio.Event = field(default_factory=asyncio.Event)

    async def play(self) -> None:
        """Let people talk and processes die, side by side; then let everything come to rest."""
        if self.house.name in SENDS:
            self.house.around.server.fault(SENDS[self.house.name], Takes(self.chance), times=1_000_000)
        await self.house.start()
        await self.house.settled()
        self.listens.set()
        # most of what is said is said in a few rooms
        self.busy = [self.chance.randrange(len(self.house.rooms)) for _ in range(8)]
        talking = asyncio.create_task(self._talks())  # noqa: TID251 - ends with the test
        try:
            while self.killed < self.kills:
                await asyncio.sleep(self.chance.uniform(SHORTEST, LONGEST))
                await self._kills()
            await talking
        finally:
            talking.cancel()
        await self._rests()

    async def _kills(self) -> None:
        house = self.house
        status = await self._ended()
        assert status == -signal.SIGKILL, f"it ended by itself with status {status}\n{house.told()}"
        self.killed += 1
        house.note(f"kill no. {self.killed}")
        if house.name == "console":
            await house.start()  # types again what was not taken in
            self.listens.set()
        else:
            self.begun = house.begun
            house.life = await house.bear()
            house.lives += 1

    async def _ended(self) -> int:
        if self.house.name == "console":
            self.listens.clear()  # nobody types where nothing stands on the screen
            await asyncio.sleep(0)
        self.house.life.signal(signal.SIGKILL)
        return int(await self.house.ended())

    async def _rests(self) -> None:
        house = self.house
        async with asyncio.timeout(PATIENCE):
            for _ in range(STARTS):
                with suppress(Ended):
                    if not house.is_alive:
                        await house.start()
                    await house.until(lambda: house.begun > self.begun, "it did not start")
                    await house.settled()
                    status = await house.stop()
                    assert status == 0, f"it ended with status {status}\n{house.told()}"
                    return
        raise AssertionError(f"it does not stay alive\n{house.told()}")

    async def _talks(self) -> None:
        """Say so much in the time in which the kills happen: in bursts, with rests between."""
        pause = self.kills * (SHORTEST + LONGEST) / 2 / self.messages
        while self.said < self.messages:
            for _ in range(self.chance.randint(1, 6)):
                await self.listens.wait()
                await self._says()
            await asyncio.sleep(self.chance.uniform(0, 7 * pause))

    async def _says(self) -> None:
        house, chance = self.house, self.chance
        self.said += 1
        room = chance.choice(self.busy) if chance.random() < 0.7 else chance.randrange(len(house.rooms))
        who = chance.choice(("ann", "james"))
        online = house.name != "console"
        dice = chance.random()
        if dice < 0.06 and online and house.story.asked:
            await self._edits(chance.choice(house.story.asked))
        elif dice < 0.1 and online:
            await self._presses()
        elif dice < 0.2:
            await house.talk(f"just talk, no. {self.said}", room, who)
        elif dice < 0.22:
            await house.look(room)
        else:
            name = f"q{len(house.story.asked)}"
            await house.ask(name, room, who, remembers=chance.random() < 0.1)

    async def _edits(self, question: Question) -> None:
        house = self.house
        house.note(f"{question.name} is edited")
        text = house.addressed(f"please {question.name}")
        if house.name == "telegram":
            house.around.world.edit(question.said, text)
        else:
            await question.said.author.edits(question.said, text)

    async def _presses(self) -> None:
        """Press any button that stands in the owner's private chat, but for those that send once more."""
        around = self.house.around
        found = [one for one in around.written(around.dm(around.root)) if one.buttons]
        labels = [(one, label) for one in found for label in labels_of(one, "") if not label.startswith("Send")]
        if labels:
            message, label = self.chance.choice(labels)
            self.house.note(f"root presses {label}")
            if self.house.name == "telegram":
                around.world.press(message, label, around.root)
            else:
                await around.root.presses(message, label)


async def _play(key: str, directory: Path) -> Verdict:
    platform, *small, seed = key.split("/")
    chance = random.Random(seed_of(seed))
    messages, kills, rooms = SMALL[small[0]] if small else (MESSAGES, KILLS, ROOMS)
    async with a_house(platform, directory, rooms=rooms, streaming=chance.random() < 0.3) as house:
        soak = Soak(house, chance, messages, kills)
        await soak.play()
        counts = await house.adds_up()
        # an answer out of order has failed the case
        more = {"disorder": 0, "kills": soak.killed, "messages": soak.said}
        return Verdict(counts={**counts, **more})


def _missing() -> str:
    return "" if os.name == "posix" else "it needs fork"


FAMILY = Family("F4", "random kills under load", cases, _play, seconds=240, missing=_missing)
