"""One case on a disk that runs full: `python -m tests.faults.disks.full HOW MEGABYTES SEED DIRECTORY`.

It mounts that disk, and so runs where nobody else sees what is mounted.

A real bot has its data on a disk of so many megabytes, and people talk until there is no room. `mark`: there is a
low-water mark above nothing. `full`: there is none, and what people say fills the disk to the last byte. `sudden`:
somebody else takes all there is, while the bot is at work.
"""

from __future__ import annotations

import asyncio
import os
import random
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

import orjson

from tests.fakes.logs import plain_logs
from tests.faults.family import Verdict
from tests.faults.processes import a_house
from tests.faults.processes.house import REPORT, Ended, House

MARK, HIGH_MARK = 1, 10
"""Megabytes: the low-water mark, where there is one; the higher one where there is room for the ballast (8) as well."""
BIG = 32
WORDS = 3000
"""Characters of what people say to each other."""
MOST = 3000
"""Messages after which the disk must have run full."""
TRIES = 3
"""Starts on a full disk."""
STOPPED, REFUSED = 1, 2
"""The exit statuses of a bot that had to end, and of one that could not begin."""
SOON = 0.02
LOOK = 1.2
"""Seconds of real time after which the bot has certainly looked how much room there is: it does once a second."""
PATIENCE = 30.0
"""Seconds of real time in which something must happen."""
TO_DO = "Free some space"
"""What stands in every word about it."""


class Disk:
    """A small disk. Somebody else's file takes what the bot shall not have."""

    def __init__(self, place: Path, megabytes: int) -> None:
        self.mark = HIGH_MARK if megabytes >= BIG else MARK
        self._place = place
        self._filler = place / "of-somebody-else"
        self._megabytes = megabytes

    async def mount(self) -> None:
        self._place.mkdir(mode=0o700, parents=True)
        await _run("mount", "-t", "tmpfs", "-o", f"size={self._megabytes}m,mode=0700", "tmpfs", str(self._place))

    async def grow(self) -> None:
        """Let there be plenty of room."""
        self._filler.unlink(missing_ok=True)
        await _run("mount", "-o", f"remount,size={self._megabytes + 64}m", str(self._place))

    def free(self) -> int:
        found = os.statvfs(self._place)
        return found.f_bavail * found.f_frsize

    def take(self, leave: int) -> None:
        """Take all but so many bytes."""
        with self._filler.open("ab") as file:
            while (left := self.free() - leave) > 0:
                try:
                    os.write(file.fileno(), bytes(min(left, 1 << 20)))
                except OSError:
                    return


async def _run(*command: str) -> None:
    process = await asyncio.create_subprocess_exec(*command)
    assert await process.wait() == 0, command


class Case:
    """One run of a house on such a disk."""

    def __init__(self, house: House, disk: Disk, how: str, seed: int) -> None:
        self._house, self._disk, self._how = house, disk, how
        self._chance = random.Random(seed)
        self._asked = self._leave = 0

    async def play(self) -> Verdict:
        house, disk = self._house, self._disk
        await house.start()
        await self._answered()
        self._leave = self._chance.randint(900, 1500) * 1024
        disk.take(leave=self._leave + (disk.mark << 20 if self._how != "full" else 0))
        status = await (self._runs_full() if self._how != "sudden" else self._is_taken_all())
        await house.ask(self._name(), who=self._chance.choice(("ann", "james")))
        if status is None:
            status = await self._waits()
        if status is not None:
            await self._starts_in_vain(status)
        await disk.grow()
        if not house.is_alive:
            await house.start()
        await self._comes_back()
        await self._answered()
        assert await house.stop() == 0
        counts = await house.adds_up()
        return Verdict(counts={**counts, "stuck": 0, "ended": int(status is not None)})

    def _name(self) -> str:
        self._asked += 1
        return f"q{self._asked}"

    async def _answered(self) -> None:
        await self._house.ask(self._name())
        await self._house.settled()

    async def _runs_full(self) -> int | None:
        """Talk until nothing is taken in any more; return how the process ended, None where it lives."""
        house = self._house
        for number in range(MOST):
            if self._how == "full" and number % 20 == 10:
                self._disk.take(leave=self._leave)  # what the ballast gave back
            talk = house.ask(self._name()) if number % 20 == 5 else house.talk(self._words())
            await talk
            with suppress(Ended):
                await self._until(
                    lambda: house.is_taken() or self._is_short() or not house.is_alive, "it hears nothing"
                )
            if not house.is_alive:
                return await house.ended()
            if self._is_short():
                await asyncio.sleep(LOOK)
                return None
        raise AssertionError(f"{MOST} messages did not fill {self._disk.free()} bytes")

    async def _is_taken_all(self) -> int | None:
        house = self._house
        await house.ask(self._name())
        for _ in range(self._chance.randint(0, 400)):
            await asyncio.sleep(0)
        self._disk.take(leave=0)
        await asyncio.sleep(LOOK)
        return None if house.is_alive else await house.ended()

    def _words(self) -> str:
        return f"{self._chance.random()} " * (WORDS // 20)

    def _is_short(self) -> bool:
        return self._disk.free() < self._disk.mark << 20 and self._how != "full"

    async def _waits(self) -> int | None:
        """Return None, or how it ended all the same: where somebody else took all, the next beat may end it."""
        try:
            await self._is_patient()
        except Ended:
            assert self._how == "sudden", f"it ended\n{self._house.told()}"
            return await self._house.ended()
        return None

    async def _is_patient(self) -> None:
        """The process lives: nothing is acknowledged, and who may mend it is told what is wrong and what to do."""
        house = self._house
        await asyncio.sleep(LOOK)
        if not house.is_alive:
            raise Ended
        assert not house.is_taken(), "what cannot be stored was acknowledged"
        heard = {name for (name,) in await self._rows("SELECT message_id FROM inbound")}
        assert not house.is_heard(heard), "it was taken in"
        await self._is_told()

    async def _is_told(self) -> None:
        house = self._house
        await house.look()
        await self._until(lambda: any(REPORT in text for text in house.private()), "the owner gets no report")
        await house.speak("root", "!cortex doctor", 0)
        await self._until(lambda: any("store space" in text for text in house.private()), "the owner gets no doctor")
        told = next(text for text in house.private() if "store space" in text)
        assert TO_DO in told, told

    async def _starts_in_vain(self, status: int) -> None:
        """The process has ended, in order and with a clear word; so does each that is started before there is room."""
        house = self._house
        assert status == STOPPED, f"it ended with {status}\n{house.told()}"
        for _ in range(TRIES):
            assert any(TO_DO in orjson.dumps(event).decode() for event in house.log[-5:]), house.told()
            house.life = await house.bear()
            with suppress(Ended):
                await self._until(lambda: not house.is_alive, "it runs without room")
            assert await house.ended() in {STOPPED, REFUSED}, house.told()
        assert not house.is_taken(), "what cannot be stored was acknowledged"

    async def _comes_back(self) -> None:
        """There is room again: everything that waited is taken in and answered, without anybody's help."""
        await self._until(self._house.is_taken, "it does not come back")
        await self._house.settled()

    async def _rows(self, sql: str) -> list[tuple[Any, ...]]:
        return await asyncio.to_thread(self._house.rows, sql)

    async def _until(self, question: Callable[[], bool], what: str) -> None:
        try:
            async with asyncio.timeout(PATIENCE):
                while not question():
                    await asyncio.sleep(SOON)
                    if not self._house.is_alive:
                        raise Ended
        except TimeoutError:
            raise AssertionError(f"stuck: {what}\n{self._house.told()}") from None


async def play(how: str, megabytes: int, seed: int, directory: Path) -> Verdict:
    """Play one case; only where nothing is lost by mounting something."""
    disk = Disk(directory / "data", megabytes)
    mark = 0 if how == "full" else disk.mark
    async with a_house("telegram", directory, more=f"[retention]\nlow_water_mb = {mark}\n") as house:
        await disk.mount()
        return await Case(house, disk, how, seed).play()


def main() -> None:
    plain_logs()
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    how, megabytes, seed, directory = sys.argv[1:]
    verdict = asyncio.run(play(how, int(megabytes), int(seed), Path(directory)))
    out.write(orjson.dumps(asdict(verdict)))
    out.flush()


if __name__ == "__main__":
    main()
