"""F17: asked to end at random instants: it ends within ten seconds with status 0; nothing lost, nothing twice."""

from __future__ import annotations

import asyncio
import random
import signal
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.faults.family import Family, Size, Verdict, seed_of
from tests.faults.processes import PLATFORMS, a_house
from tests.faults.processes.house import Ended
from tests.servers.model import Reply
from tests.servers.model.trouble import SlowBy

STOPS = 20
MANY = {Size.NIGHTLY: 10, Size.RELEASE: 72}
"""Cases; of twenty stops fourteen or so are of a process that has begun and is asked once."""
BAR = 10.0
"""Seconds within which it must have ended."""
AT_ONCE = 1.0
"""Seconds of real time within which it must have ended who is asked twice; a busy machine takes most of them."""
EARLY = 0.15
"""Seconds after its birth at which a process is asked to end that has not begun."""
LATEST = 0.7
"""Seconds after which the latest signal comes."""
THINKS = 0.3
"""Seconds for which the model thinks at most."""


def cases(size: Size) -> Iterable[str]:
    """Give a platform and a seed; a case stands for all its stops."""
    if size is Size.SLICE:
        return ["telegram/slice/seed1"]
    return [f"{PLATFORMS[number % len(PLATFORMS)]}/seed{number}" for number in range(MANY[size])]


@dataclass
class Stops:
    """One house, whose process is asked to end again and again, in whatever it does just then."""

    house: Any
    chance: random.Random
    stops: int = STOPS
    seconds: list[float] = field(default_factory=list)
    asked_twice: int = 0
    early: int = 0

    async def play(self) -> None:
        """Stop so many processes, then let the last one finish what was left."""
        answer = self.house.model.answer
        self.house.model.answer = lambda request: self._slowly(answer(request))
        await self.house.start()
        await self.house.settled()  # what was said before it was ever there is none of its business
        for number in range(self.stops):
            if number and self.house.name != "console" and self.chance.random() < 0.2:
                await self._stops_a_start()
                continue
            if number:
                await self.house.start()
            await self._talks()
            await asyncio.sleep(self.chance.uniform(0, LATEST) ** 2 / LATEST)  # soon more often than late
            await self._stops()
        await self.house.start()
        await self.house.settled()
        await self._stops(once=True)

    async def _stops_a_start(self) -> None:
        """Ask it to end before it has begun; who has done nothing at all yet may end by the signal itself."""
        house, done = self.house, len(self.house.log)
        house.life = await house.bear()
        await asyncio.sleep(self.chance.uniform(0, EARLY))
        house.life.signal(signal.SIGTERM)
        status = await house.ended()
        is_unborn = status == -signal.SIGTERM and len(house.log) == done
        house.note(f"asked to end while it starts: status {status}")
        assert status == 0 or is_unborn, f"wrong status {status} while it starts\n{house.told()}"
        self.early += 1

    async def _talks(self) -> None:
        for _ in range(self.chance.randint(0, 3)):
            house, chance = self.house, self.chance
            room, who = chance.randrange(3), chance.choice(("ann", "james"))
            dice = chance.random()
            if dice < 0.15:
                await house.talk(f"just talk, no. {len(house.talked)}", room, who)
            elif dice < 0.25:
                await house.look(room)
            else:
                await house.ask(f"q{len(house.story.asked)}", room, who, remembers=chance.random() < 0.2)

    async def _stops(self, *, once: bool = False) -> None:
        """Ask it to end, now and then twice: who does not wait for the end of anything has status 1."""
        house, began = self.house, time.monotonic()
        house.life.signal(signal.SIGTERM)
        hurry = not once and self.chance.random() < 0.15
        if hurry:
            await asyncio.sleep(self.chance.uniform(0.002, 0.05))
            began = time.monotonic()
            house.life.signal(signal.SIGTERM)
        status = await house.ended()
        spent = time.monotonic() - began
        house.note(f"asked to end{' twice' if hurry else ''}: status {status} after {spent:.2f} s")
        self.asked_twice += hurry
        if hurry:
            assert status in {0, 1} and spent <= AT_ONCE, (
                f"asked twice: status {status} after {spent:.2f} s\n{house.told()}"
            )
        else:
            assert status == 0, f"wrong status {status}\n{house.told()}"
            assert spent <= BAR, f"late: it ended after {spent:.1f} s\n{house.told()}"
            self.seconds.append(spent)

    def _slowly(self, reply: Reply) -> Reply:
        return SlowBy(self.chance.uniform(0, THINKS), reply)


async def _play(key: str, directory: Path) -> Verdict:
    platform, *small, seed = key.split("/")
    chance = random.Random(seed_of(seed))
    async with a_house(platform, directory, rooms=3, streaming=chance.random() < 0.3) as house:
        stops = Stops(house, chance, 3 if small else STOPS)
        try:
            await stops.play()
        except Ended:
            raise AssertionError(f"nobody asked it to end, and it ended\n{house.told()}") from None
        counts = await house.adds_up()
        more = {"late": 0, "wrong_status": 0, "asked_twice": stops.asked_twice, "early": stops.early}
        figures = {"stop_s": round(max(stops.seconds), 3)}
        # who was asked twice, or before it had begun, is held to less, and is not counted
        return Verdict(n=len(stops.seconds), counts={**counts, **more}, figures=figures)


FAMILY = Family("F17", "asked to end at random instants", cases, _play, seconds=150)
